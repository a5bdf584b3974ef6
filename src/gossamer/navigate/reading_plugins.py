"""Plug-ins of readers: functions of installed packages that add lines to cards and panels, hear of visits, and make pages."""

import logging
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from gossamer.errors import BadInput
from gossamer.navigate.backlinks import Backlinks
from gossamer.navigate.history.history_records import ReadVisit
from gossamer.navigate.link_card import LinkCard
from gossamer.navigate.plugin_line import PluginLine
from gossamer.navigate.plugin_page import PluginPage, PluginRequest
from gossamer.plugins import Plugin, list_plugins, load_plugin

GROUPS = ("card_lines", "panel_lines", "visit_listeners", "reading_pages")
_MOST_LINES = 5
"""Lines of one plug-in: a card has to be read at a glance."""
_MOST_CHARACTERS = 200
_Answer = TypeVar("_Answer")
_log = logging.getLogger(__name__)


class ReadingPlugins:
    """The plug-ins that were named when the server was started. Several threads may call them at once."""

    def __init__(self, names: Iterable[str]) -> None:
        """Load the plug-ins; each name may be that of several, one in each group. Raise `BadInput` if there is none of a name."""
        self._loaded: dict[str, list[Plugin]] = {group: [] for group in GROUPS}
        self._failed, self._lock = set[Plugin](), Lock()
        known = {group: list_plugins(group) for group in GROUPS}
        for name in dict.fromkeys(names):
            groups = [group for group in GROUPS if name in known[group]]
            if not groups:
                raise BadInput(_explain_missing(name, sorted(set().union(*known.values()))))
            for group in groups:
                self._loaded[group].append(load_plugin(group, name))

    def add_card_lines(self, card: LinkCard) -> LinkCard:
        """Return a card with the lines of the plug-ins."""
        return replace(card, lines=self._collect("card_lines", card))

    def add_panel_lines(self, found: Backlinks) -> Backlinks:
        """Return the backlinks of a page with the lines of the plug-ins."""
        return replace(found, lines=self._collect("panel_lines", found))

    def tell_visits(self, visits: Sequence[ReadVisit]) -> None:
        """Tell the plug-ins of pages that were read."""
        for plugin in self._loaded["visit_listeners"]:
            for visit in visits:
                self._call(plugin, visit, lambda _: None)

    @property
    def page_names(self) -> tuple[str, ...]:
        """The plug-ins that serve pages."""
        return tuple(plugin.__name__ for plugin in self._loaded["reading_pages"])

    def make_page(self, name: str, request: PluginRequest) -> PluginPage | Literal["missing", "failed"]:
        """Return the page that a plug-in makes for a request."""
        (plugin,) = (one for one in self._loaded["reading_pages"] if one.__name__ == name)
        made: PluginPage | Literal["missing"] | None = self._call(plugin, request, _read_page)
        return made if made is not None else "failed"

    def _collect(self, group: str, given: object) -> tuple[PluginLine, ...]:
        """Return the lines of the plug-ins of a group; of one that fails there are none."""
        found = list[PluginLine]()
        for plugin in self._loaded[group]:
            lines = self._call(plugin, given, _read_lines) or []
            found += [PluginLine(plugin.__name__, line) for line in lines]
        return tuple(found)

    def _call(self, plugin: Plugin, given: object, read: Callable[[Any], _Answer | None]) -> _Answer | None:
        try:
            return read(plugin(given))
        except Exception as error:  # noqa: BLE001 - a plug-in can raise anything, and reading goes on
            with self._lock:
                is_first = plugin not in self._failed
                self._failed.add(plugin)
            if is_first:
                _log.warning("%s; it is not told again", plugin.describe_failure(error))
            return None


def _read_lines(returned: object) -> list[str]:
    """Return the lines that a plug-in returned: text, several texts, or nothing."""
    if returned is None:
        return []
    lines = returned.split("\n") if isinstance(returned, str) else list(returned)  # type: ignore[call-overload]
    if not all(isinstance(line, str) for line in lines):
        raise TypeError("lines have to be text")
    plain = (" ".join(line.split())[:_MOST_CHARACTERS] for line in lines)
    return [line for line in plain if line][:_MOST_LINES]


def _read_page(returned: object) -> PluginPage | Literal["missing"]:
    """Return the page that a plug-in returned: an HTML document, a page of another type, or none."""
    if returned is None:
        return "missing"
    made = PluginPage(returned) if isinstance(returned, str) else returned
    if not isinstance(made, PluginPage):
        raise TypeError("a page has to be text or a PluginPage")
    return made


def _explain_missing(name: str, known: list[str]) -> str:
    if known:
        return f"there is no plug-in {name!r} for readers; installed are {', '.join(known)}"
    groups = ", ".join(f"gossamer.{group}" for group in GROUPS)
    return f"there is no plug-in {name!r} for readers: no installed package offers one by an entry point ({groups})"
