"""The functions of a task on their way to other processes: classifiers and filters judge there, listeners stay here."""

import pickle
from collections.abc import Callable, Mapping
from typing import Any

from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput

_JUDGES = ("page_classifiers", "link_classifiers", "page_filters", "link_filters")


def packed(tasks: Mapping[int, Task]) -> bytes:
    """Pack the functions that judge; raise BadInput for the first that cannot leave this process."""
    judges = {number: {name: getattr(task, name) for name in _JUDGES} for number, task in tasks.items()}
    every = [each for lists in judges.values() for found in lists.values() for each in found]
    if not every:
        return b""
    for each in every:
        _check(each)
    # Functions of the program itself are found in the other process as `multiprocessing` does it.
    program = any(getattr(each, "__module__", "") == "__main__" for each in every)
    preparation = _preparation() if program else {}
    return pickle.dumps((preparation, pickle.dumps(judges)))


def _preparation() -> dict[str, Any]:
    """Return what another process needs to know of the program."""
    import multiprocessing.spawn  # late: 6 ms, and a crawl in one process never asks

    told = multiprocessing.spawn.get_preparation_data("gossamer shard")
    told.pop("authkey", None)
    return told


def unpack(functions: bytes) -> dict[int, dict[str, list[Callable[..., Any]]]]:
    """Unpack functions in another process."""
    if not functions:
        return {}
    try:
        # Written by our own parent process, through a pipe that nobody else has.
        preparation, judges = pickle.loads(functions)  # noqa: S301
        if preparation:
            import multiprocessing.spawn

            multiprocessing.spawn.prepare(preparation)
        found: dict[int, dict[str, list[Callable[..., Any]]]] = pickle.loads(judges)  # noqa: S301
    except (AttributeError, ImportError) as error:
        raise BadInput(
            f"other processes cannot find a function of the task ({error}): define it in a module, or use one process"
        ) from None
    return found


def give(task: Task, judges: Mapping[str, list[Callable[..., Any]]]) -> Task:
    """Give a task its functions."""
    for name, found in judges.items():
        getattr(task, name).extend(found)
    return task


def _check(function: Callable[..., Any]) -> None:
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        name = getattr(function, "__name__", type(function).__name__)
        raise BadInput(
            f"{name} cannot be given to other processes: define it at the top level of a module, or use one process"
        ) from None
