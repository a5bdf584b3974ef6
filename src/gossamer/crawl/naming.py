"""What the crawl calls things: hosts of URLs, the keys of the seen set, a task's name towards servers. Light: no parts."""

import numpy as np

from gossamer.config import TaskSpec
from gossamer.net import url as urls


def host_of(url: str) -> str:
    """Return the host of a URL in canonical form: what stands between the second and the third slash."""
    return url.split("/", 3)[2]


def task_mark(task: int) -> np.int64:
    """Return the number that turns a page id into the key "scheduled for this task" in the seen set.

    Page ids themselves are in the set as well: they say that a URL was heard of.
    """
    return np.int64(urls.page_id(f"task {task}"))


def text_mark(task: int) -> np.int64:
    """Return the number that turns the digest of a text into the key "read for this task" in the seen set."""
    return np.int64(urls.page_id(f"text of task {task}"))


def depth_mark(task: int, depth: int) -> np.int64:
    """Return the number that turns a page id into the key "scheduled for this task at this depth"."""
    return np.int64(urls.page_id(f"task {task} depth {depth}"))


def done_mark(task: int) -> np.int64:
    """Return the number that turns a page id into the key "visited for this task"."""
    return np.int64(urls.page_id(f"task {task} done"))


def agent_line(spec: TaskSpec) -> str:
    """Return the User-Agent line: the name, and how to reach whoever runs it."""
    manners = spec.politeness
    return f"{manners.user_agent} (+{manners.contact})" if manners.contact else manners.user_agent
