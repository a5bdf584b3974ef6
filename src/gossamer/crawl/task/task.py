"""A task with its functions: what a Python program passes to the crawl."""

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gossamer import config
from gossamer.config import TaskSpec
from gossamer.records import Link, Page

if TYPE_CHECKING:  # making a task must not load the readers of pages
    from gossamer.crawl.read_page import Reading
    from gossamer.fetch.credentials import Credential
    from gossamer.net.html.references import AddressPlaces
    from gossamer.order.link_guide import Guide
    from gossamer.records import Exchange

Marks = dict[str, str]
PageClassifier = Callable[["Reading"], Marks | Awaitable[Marks | None] | None]
LinkClassifier = Callable[[Link, Page], Marks | Awaitable[Marks | None] | None]
PageFilter = Callable[["Reading"], bool | Awaitable[bool]]
LinkFilter = Callable[..., bool | Awaitable[bool]]
Listener = Callable[[Page], Any]


class PageKeeper(Protocol):
    """Keeps pages in memory beside the web."""

    groups: dict[str, int] | None
    """Which places of addresses are wanted of pages that are read without their texts; see `scan_links`."""

    def keep(self, page: Page, exchange: "Exchange", places: "AddressPlaces | None") -> None:
        """Receive a page with its bytes and the places of the addresses in them."""
        ...


Function = TypeVar("Function", bound=Callable[..., Any])


class Task:
    """What to crawl, given as flat keywords, and the functions that judge what is found.

    >>> task = Task(seeds=["https://www.uni-trier.de/"], scope="site", depth=4)
    >>> @task.link_filter
    ... def no_calendar(link): return "/calendar/" not in link.url
    """

    def __init__(self, spec: TaskSpec | None = None, **told: Any) -> None:
        self.spec = config.replace_options(spec, **told) if spec else config.from_options(**told)
        self.page_classifiers: list[PageClassifier] = []
        self.link_classifiers: list[LinkClassifier] = []
        self.page_filters: list[PageFilter] = []
        self.link_filters: list[LinkFilter] = []
        self.listeners: list[Listener] = []
        self.guide: Guide | None = None
        """Weighs its links in place of its order: for comparisons, and for guides of your own."""
        self.credentials: tuple[Credential, ...] = ()
        """The passwords that were given with it, once they are taken out of `spec`."""
        self.end_listeners: list[Callable[[Task, str], Any]] = []
        self.page_keeper: PageKeeper | None = None
        """Receives what was fetched, for a program that uses it after the crawl; in a crawl of one process only."""

    def page_classifier(self, function: Function) -> Function:
        """Register a function that marks each page: it returns a dictionary of marks, or None."""
        self.page_classifiers.append(function)
        return function

    def link_classifier(self, function: Function) -> Function:
        """Register a function that marks each link; link filters receive the marks."""
        self.link_classifiers.append(function)
        return function

    def page_filter(self, function: Function) -> Function:
        """Register a function that says whether the links of a page are followed."""
        self.page_filters.append(function)
        return function

    def link_filter(self, function: Function) -> Function:
        """Register a function that says whether a link is followed."""
        self.link_filters.append(function)
        return function

    def listener(self, function: Function) -> Function:
        """Register a function that is called with each page that was kept."""
        self.listeners.append(function)
        return function

    def at_end(self, function: Function) -> Function:
        """Register a function that is called with the task and the reason when the task has ended."""
        self.end_listeners.append(function)
        return function


async def await_result(given: Any) -> Any:
    """Return the result of a user's function, which may be async or not."""
    return await given if inspect.isawaitable(given) else given
