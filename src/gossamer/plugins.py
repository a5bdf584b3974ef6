"""Plug-ins: functions that installed packages offer by entry point, found by name and loaded when a task or a server names them.

A package offers one in its `pyproject.toml`, under the group of its kind, such as `gossamer.link_filters`. Nothing is
looked up, and nothing imported, until a plug-in is named.
"""

import difflib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gossamer.errors import BadInput

if TYPE_CHECKING:  # loaded when the first plug-in is looked up: it takes 10 ms
    from importlib.metadata import EntryPoint

KINDS = {
    "readers": "reader",
    "schemes": "fetcher of a scheme",
    "page_classifiers": "page classifier",
    "link_classifiers": "link classifier",
    "page_filters": "page filter",
    "link_filters": "link filter",
    "listeners": "listener",
    "orders": "order",
    "card_lines": "writer of card lines",
    "panel_lines": "writer of panel lines",
    "visit_listeners": "visit listener",
    "reading_pages": "maker of pages for readers",
}
"""The groups of entry points, each after `gossamer.`, and what one plug-in of a group is called."""
_LONGEST_ERROR = 200


class Plugin:
    """A function of an installed package, under the name by which a task calls it."""

    def __init__(self, group: str, name: str, function: Callable[..., Any]) -> None:
        self.kind = KINDS[group]
        self.__name__ = name
        self.__wrapped__ = function  # `inspect.signature` looks here

    def __call__(self, *given: Any) -> Any:
        return self.__wrapped__(*given)

    def describe_failure(self, error: Exception) -> str:
        """Return one sentence about what the plug-in raised."""
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return f"the {self.kind} {self.__name__} raised {what}"[:_LONGEST_ERROR]


def list_plugins(group: str) -> "dict[str, EntryPoint]":
    """Return the entry points of a group by name; of several with one name, the first on the path counts."""
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=f"gossamer.{group}"):
        found.setdefault(point.name, point)
    return found


def load_plugin(group: str, name: str) -> Plugin:
    """Load a plug-in; raise BadInput if there is none of this name, or if it cannot be imported."""
    known = list_plugins(group)
    if name not in known:
        raise BadInput(f"there is no {KINDS[group]} {name!r}; {_suggest(group, name, list(known))}")
    try:
        function = known[name].load()
    except Exception as error:  # noqa: BLE001 - importing a package runs it: it can raise anything
        what = f"{type(error).__name__}: {error}"[:_LONGEST_ERROR]
        raise BadInput(f"the {KINDS[group]} {name} ({known[name].value}) cannot be loaded: {what}") from None
    if not callable(function):
        raise BadInput(f"the {KINDS[group]} {name} ({known[name].value}) is not a function")
    return Plugin(group, name, function)


def _suggest(group: str, name: str, known: list[str]) -> str:
    """Say which plug-in may be meant, or which there are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    if known:
        return f"installed are {', '.join(sorted(known))}"
    return f"no installed package offers one by an entry point of the group gossamer.{group}"
