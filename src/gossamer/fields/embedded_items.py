"""Reads microdata and RDFa Lite: things that a page describes by attributes of its elements.

Not by turbohtml's own methods: `itemref` lets 40 short elements describe 2⁴⁰ things, and they have no limit. Here an element
belongs to the nearest item around it, `itemref` is not followed, and the cost is linear.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from gossamer.net.html.parse_tree import Element, Tree

MOST_ELEMENTS = 20_000
_MOST_NAMES = 10
_ADDRESSES = {
    **dict.fromkeys(["a", "area", "link"], "href"),
    **dict.fromkeys(["audio", "embed", "iframe", "img", "source", "track", "video"], "src"),
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}
Item = tuple[str, dict[str, list[Any]]]
"""Its type, and its properties."""
AttributeReader = Callable[[Element, str], str]


def read_items(tree: Tree, kind: Literal["microdata", "rdfa"], read: AttributeReader) -> Iterator[Item]:
    """Yield the items at the top; items within them are values of their properties, as dictionaries.

    Cost: O(elements with such attributes × depth), the depth at most 512.
    """
    scope, name_attribute, type_attribute = (
        ("itemscope", "itemprop", "itemtype") if kind == "microdata" else ("typeof", "property", "typeof")
    )
    if tree.select_one(f"[{scope}]") is None:
        return
    inside: dict[Element, dict[str, list[Any]]] = {}
    top: list[Item] = []
    for element in tree.select(f"[{scope}], [{name_attribute}]")[:MOST_ELEMENTS]:
        is_item, names = scope in element.attrs, read(element, name_attribute).split()
        above = element.parent.closest(f"[{scope}]") if isinstance(element.parent, Element) else None
        value: Any = None
        if is_item:
            own: dict[str, list[Any]] = {}
            inside[element] = own
            value = {"@type": read(element, type_attribute), **own}
            if above is None or not names or above not in inside:
                top.append((read(element, type_attribute), own))
                continue
            inside[element] = value
        elif above is None or above not in inside:
            continue
        else:
            value = _read_value(element, read)
        for name in names[:_MOST_NAMES]:
            if not name.startswith("@"):  # these are ours
                inside[above].setdefault(name, []).append(value)
    yield from top


def _read_value(element: Element, read: AttributeReader) -> str:
    """Return the value of a property: its content, its address, its machine-readable form or its text."""
    if content := read(element, "content"):
        return content
    attribute = _ADDRESSES.get(element.tag, "")
    return (read(element, attribute) if attribute else "") or " ".join(element.text.split())
