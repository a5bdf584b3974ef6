"""Pickle the functions of tasks for shard processes: classifiers and filters run there, listeners in the parent."""

import pickle
from collections.abc import Callable, Mapping
from typing import Any

from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput

_JUDGES = ("page_classifiers", "link_classifiers", "page_filters", "link_filters")


def pack(tasks: Mapping[int, Task]) -> bytes:
    """Pickle classifiers and filters; raise BadInput for the first that cannot be pickled."""
    judges = {number: {name: getattr(task, name) for name in _JUDGES} for number, task in tasks.items()}
    every = [each for lists in judges.values() for found in lists.values() for each in found]
    if not every:
        return b""
    for each in every:
        _check(each)
    # Functions of `__main__` are found in the other process in the way of `multiprocessing`.
    program = any(getattr(each, "__module__", "") == "__main__" for each in every)
    preparation = _read_preparation() if program else {}
    return pickle.dumps((preparation, pickle.dumps(judges)))


def _read_preparation() -> dict[str, Any]:
    """Return what another process needs to import this program's `__main__`."""
    import multiprocessing.spawn  # imported here: it takes 6 ms, and a crawl in one process does not need it

    data = multiprocessing.spawn.get_preparation_data("gossamer shard")
    data.pop("authkey", None)
    return data


def unpack(functions: bytes) -> dict[int, dict[str, list[Callable[..., Any]]]]:
    """Unpickle the functions in a shard process."""
    if not functions:
        return {}
    try:
        # Written by our own parent process, through a pipe that no other process has.
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


def attach(task: Task, judges: Mapping[str, list[Callable[..., Any]]]) -> Task:
    """Attach its functions to a task."""
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
