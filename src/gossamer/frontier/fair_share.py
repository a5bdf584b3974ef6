"""Turns between tasks: each is served in proportion to its weight (stride scheduling)."""


class FairShare:
    """Virtual time for each task: the task that was served least for its weight is next.

    A task that is new, or that had nothing to do for a while, starts at the present turn: it has no arrears and no
    credit. Cost: O(tasks) for each choice. Sources: Wollenweber 2002, FairBreadthSearchURLQueue; Waldspurger and
    Weihl 1995.
    """

    def __init__(self, weights_of: "FairShare | None" = None) -> None:
        """Begin with no tasks, or with turns of their own for the tasks and weights of another one."""
        self._stride: dict[int, float] = {} if weights_of is None else weights_of._stride
        self._pass: dict[int, float] = {}
        self._present = 0.0

    def set_weight(self, task: int, weight: float) -> None:
        """Set or change the weight of a task."""
        self._stride[task] = 1.0 / weight
        self._pass.setdefault(task, self._present)

    def sort_by_turn(self, waiting: list[int]) -> list[int]:
        """Return these tasks in the order of their turns, the next one first."""
        return sorted(waiting, key=lambda task: (max(self._pass.get(task, 0.0), self._present - 1.0), task))

    def record_turn(self, task: int) -> None:
        """Record that a request of the task was taken."""
        start = max(self._pass.get(task, 0.0), self._present - 1.0)
        self._present = max(self._present, start)
        self._pass[task] = start + self._stride.get(task, 1.0)

    def remove(self, task: int) -> None:
        """Remove a task that has ended."""
        self._stride.pop(task, None)
        self._pass.pop(task, None)
