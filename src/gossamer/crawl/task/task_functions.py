"""The functions that judge what a task finds: those of a Python program, and plug-ins that the task names."""

from collections.abc import Callable, Iterable
from typing import Any

from gossamer.config import Plugins
from gossamer.crawl.task.task import (
    LinkClassifier,
    LinkFilter,
    Listener,
    PageClassifier,
    PageFilter,
    Task,
    await_result,
)
from gossamer.crawl.task_counts import Tally
from gossamer.order import ORDERS, Order
from gossamer.plugins import Plugin, load_plugin
from gossamer.records import Link

PLUGIN_FAILED = "plugin-failed"
"""The mark of a page at which a plug-in raised an error, and the name of the count, before a colon."""


class TaskFunctions:
    """The functions of a task, by what they do: first those of a program, then plug-ins in the order of the task."""

    def __init__(self, task: Task, plugins: Plugins) -> None:
        """Load the plug-ins; raise BadInput for one that is not installed or cannot be loaded."""
        self._task = task
        self._classify_pages = _load("page_classifiers", plugins.page_classifiers)
        self._classify_links = _load("link_classifiers", plugins.link_classifiers)
        self._filter_pages = _load("page_filters", plugins.page_filters)
        self._filter_links = _load("link_filters", plugins.link_filters)
        self._listen = _load("listeners", plugins.listeners)

    @property
    def page_classifiers(self) -> list[PageClassifier]:
        """What marks pages."""
        return self._task.page_classifiers + self._classify_pages

    @property
    def link_classifiers(self) -> list[LinkClassifier]:
        """What marks links."""
        return self._task.link_classifiers + self._classify_links

    @property
    def page_filters(self) -> list[PageFilter]:
        """What says whether the links of a page are followed."""
        return self._task.page_filters + self._filter_pages

    @property
    def link_filters(self) -> list[LinkFilter]:
        """What says whether a link is followed."""
        return self._task.link_filters + self._filter_links

    @property
    def listeners(self) -> list[Listener]:
        """What receives pages that were kept."""
        return self._task.listeners + self._listen


def _load(group: str, names: Iterable[str]) -> list[Callable[..., Any]]:
    return [load_plugin(group, name) for name in names]


class PluginFailures:
    """Counts what plug-ins raise, and keeps the first failure of each until it is reported."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._reported: set[str] = set()
        self._new: list[str] = []

    def record(self, plugin: Plugin, error: Exception) -> str:
        """Count a failure; return one sentence about it."""
        sentence = plugin.describe_failure(error)
        self.record_sentence(plugin.__name__, sentence)
        return sentence

    def record_sentence(self, name: str, sentence: str) -> None:
        """Count a failure of the plug-in with this name, of which a sentence was made."""
        self._tally.count(f"{PLUGIN_FAILED}:{name}")
        if name not in self._reported:
            self._reported.add(name)
            self._new.append(sentence)

    def take_new(self) -> list[str]:
        """Return the first failures of plug-ins that were not returned before."""
        new, self._new = self._new, []
        return new


async def call_function(
    function: Callable[..., Any],
    given: tuple[Any, ...],
    fallback: Any,
    failures: PluginFailures,
    found: list[str],
) -> Any:
    """Call a function of a task; if a plug-in raises an error, append a sentence to `found` and return the fallback.

    An error in a function of the user's own program is a bug there, and ends the crawl.
    """
    try:
        return await await_result(function(*given))
    except Exception as error:
        if not isinstance(function, Plugin):
            raise
        found.append(failures.record(function, error))
        return fallback


def guard_order(order: Order, failures: PluginFailures) -> Order:
    """Return an order that weighs links breadth-first where a plug-in raises an error or returns no number."""
    if not isinstance(order, Plugin):
        return order
    plugin = order

    def weigh(link: Link, depth: int) -> float:
        try:
            priority = float(plugin(link, depth))
            if priority != priority:
                raise ValueError("nan is not a priority")
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
            failures.record(plugin, error)
            return ORDERS["breadth"](link, depth)
        return priority

    return weigh
