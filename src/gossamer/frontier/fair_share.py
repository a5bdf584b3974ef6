"""Whose turn it is: tasks are served in proportion to their weights (stride scheduling)."""


class FairShare:
    """Virtual time for each task: who has had the least for its weight is next.

    A task that comes new, or that had nothing to do for a while, starts at the present turn: it neither owes nor
    is owed anything. Cost: O(tasks) for each choice. Sources: seed 004, FairBreadthSearchURLQueue; Waldspurger
    and Weihl 1995.
    """

    def __init__(self) -> None:
        self._stride: dict[int, float] = {}
        self._pass: dict[int, float] = {}
        self._present = 0.0

    def weigh(self, task: int, weight: float) -> None:
        """Give a task its weight; may be told again at any time."""
        self._stride[task] = 1.0 / weight
        self._pass.setdefault(task, self._present)

    def order(self, waiting: list[int]) -> list[int]:
        """Return the tasks that have something to do, the next one first."""
        return sorted(waiting, key=lambda task: (max(self._pass.get(task, 0.0), self._present - 1.0), task))

    def served(self, task: int) -> None:
        """Note that a request of the task was taken."""
        start = max(self._pass.get(task, 0.0), self._present - 1.0)
        self._present = max(self._present, start)
        self._pass[task] = start + self._stride.get(task, 1.0)

    def forget(self, task: int) -> None:
        """The task has ended."""
        self._stride.pop(task, None)
        self._pass.pop(task, None)
