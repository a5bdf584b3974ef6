"""Small shared functions: the host of a URL, the keys of the seen set, the User-Agent line, formatted counts."""

from gossamer.config import TaskSpec
from gossamer.net import url as urls


def host_of(url: str) -> str:
    """Return the host of a canonical URL: the part between the second and the third slash."""
    return url.split("/", 3)[2]


def format_count(number: int, noun: str) -> str:
    """Say how many there are: 1 page, 2,000 pages."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


KNOWN_URL = 0
"""The mark of the page ids themselves: the seen set holds them for every known URL."""


def task_mark(task: int) -> int:
    """Return the number that turns a page id into the key "scheduled for this task" in the seen set."""
    return urls.page_id(f"task {task}")


def text_mark(task: int) -> int:
    """Return the number that turns the digest of a text into the key "read for this task" in the seen set."""
    return urls.page_id(f"text of task {task}")


def depth_mark(task: int, depth: int) -> int:
    """Return the number that turns a page id into the key "scheduled for this task at this depth"."""
    return urls.page_id(f"task {task} depth {depth}")


def done_mark(task: int) -> int:
    """Return the number that turns a page id into the key "visited for this task"."""
    return urls.page_id(f"task {task} done")


def agent_line(spec: TaskSpec) -> str:
    """Return the User-Agent line: the name, and how to reach whoever runs it."""
    manners = spec.politeness
    return f"{manners.user_agent} (+{manners.contact})" if manners.contact else manners.user_agent
