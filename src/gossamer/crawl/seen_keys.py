"""The keys of the seen set: numbers that turn a page id or a text digest into a key of a task."""

from gossamer.net import url as urls

KNOWN_URL = 0
"""The mark of the page ids themselves: the seen set holds them for every known URL."""


def task_mark(task: int) -> int:
    """Return the number that turns a page id into the key "scheduled for this task" in the seen set."""
    return urls.page_id(f"task {task}")


def requisite_mark(task: int) -> int:
    """Return the number that turns a page id into the key "scheduled for this task as a requisite"."""
    return urls.page_id(f"requisite of task {task}")


def text_mark(task: int) -> int:
    """Return the number that turns the digest of a text into the key "read for this task" in the seen set."""
    return urls.page_id(f"text of task {task}")


def depth_mark(task: int, depth: int) -> int:
    """Return the number that turns a page id into the key "scheduled for this task at this depth"."""
    return urls.page_id(f"task {task} depth {depth}")


def done_mark(task: int) -> int:
    """Return the number that turns a page id into the key "visited for this task"."""
    return urls.page_id(f"task {task} done")
