"""A task with its functions: what a Python user hands to the crawl."""

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.records import Link, Page

if TYPE_CHECKING:  # whoever only makes tasks, or lets other processes crawl, need not load what reads pages
    from gossamer.crawl.read_page import Reading
    from gossamer.order.link_guide import Guide

Marks = dict[str, str]
PageClassifier = Callable[["Reading"], Marks | Awaitable[Marks | None] | None]
LinkClassifier = Callable[[Link, Page], Marks | Awaitable[Marks | None] | None]
PageFilter = Callable[["Reading"], bool | Awaitable[bool]]
LinkFilter = Callable[..., bool | Awaitable[bool]]
Listener = Callable[[Page], Any]

Function = TypeVar("Function", bound=Callable[..., Any])


class Task:
    """What is to be crawled, told in flat keywords, and the functions that judge what is found.

    >>> task = Task(seeds=["https://www.uni-trier.de/"], scope="site", depth=4)
    >>> @task.link_filter
    ... def no_calendar(link): return "/calendar/" not in link.url
    """

    def __init__(self, spec: TaskSpec | None = None, **told: Any) -> None:
        self.spec = config.changed(spec, **told) if spec else config.from_options(**told)
        self.page_classifiers: list[PageClassifier] = []
        self.link_classifiers: list[LinkClassifier] = []
        self.page_filters: list[PageFilter] = []
        self.link_filters: list[LinkFilter] = []
        self.listeners: list[Listener] = []
        self.guide: Guide | None = None
        """What weighs its links instead of its order: for comparisons, and for whoever has a better one."""
        self.end_listeners: list[Callable[[Task, str], Any]] = []

    def page_classifier(self, function: Function) -> Function:
        """Let a function put marks on each page: it returns a dictionary, or nothing."""
        self.page_classifiers.append(function)
        return function

    def link_classifier(self, function: Function) -> Function:
        """Let a function put marks on each link, which link filters then see."""
        self.link_classifiers.append(function)
        return function

    def page_filter(self, function: Function) -> Function:
        """Let a function say whether the links of a page are followed."""
        self.page_filters.append(function)
        return function

    def link_filter(self, function: Function) -> Function:
        """Let a function say whether a link is followed."""
        self.link_filters.append(function)
        return function

    def listener(self, function: Function) -> Function:
        """Tell a function of each page that was kept."""
        self.listeners.append(function)
        return function

    def at_end(self, function: Function) -> Function:
        """Tell a function when the task has ended, and why."""
        self.end_listeners.append(function)
        return function


async def await_result(given: Any) -> Any:
    """Return the result of a user's function, which may be async or not."""
    return await given if inspect.isawaitable(given) else given
