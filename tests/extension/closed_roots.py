"""See what a person sees of the closed roots that the extension adds to a page: through the debugger, since scripts cannot."""

import time
from collections.abc import Callable, Iterator
from typing import Any

PATIENCE_S = 30.0
Node = dict[str, Any]


def read_cards(page: Any) -> str:
    """Return the text of the card that a page shows; "" if there is none."""
    return " | ".join(_find_texts(page, "card"))


def read_marks(page: Any) -> list[str]:
    """Return what the marks that a page shows say to readers of screens, in the order of the page."""
    return [line for text in _find_texts(page, "names") for line in text.split("\n")]


def find_pictures(page: Any) -> list[str]:
    """Return the sizes of the pictures in the card of a page, as attributes."""
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    session.detach()
    found = [one for one in _walk(root) if "picture" in read_attribute(one, "class").split()]
    return [f"{read_attribute(one, 'width')}x{read_attribute(one, 'height')}" for one in found]


def wait_for(read: Callable[[], Any], right: Callable[[Any], bool] = bool) -> Any:
    """Read until it is right; return what was read last."""
    ends_s = time.monotonic() + PATIENCE_S
    while not right(found := read()) and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert right(found), f"still wrong: {found!r}"
    return found


def _find_texts(page: Any, name: str) -> list[str]:
    return ["\n".join(_list_texts(node)) for node in _find_nodes(page, name)]


def _find_nodes(page: Any, name: str) -> list[Node]:
    session = page.context.new_cdp_session(page)
    root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    session.detach()
    closed = [
        one
        for node in _walk(root)
        for one in node.get("shadowRoots", [])
        if one["shadowRootType"] == "closed"
    ]
    nodes = [node for root in closed for node in _walk(root)]
    return [node for node in nodes if name in read_attribute(node, "class").split() and node.get("children")]


def read_attribute(node: Node, name: str) -> str:
    """Return an attribute of a node; "" if it has none."""
    given = node.get("attributes", [])
    found: dict[str, str] = dict(zip(given[::2], given[1::2], strict=True))
    return found.get(name, "")


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in [*node.get("children", []), *node.get("shadowRoots", [])]:
        yield from _walk(child)


def _list_texts(node: Node) -> list[str]:
    return [one["nodeValue"] for one in _walk(node) if one["nodeType"] == 3]
