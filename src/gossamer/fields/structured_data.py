"""Reads what a page offers to programs: JSON-LD, microdata, RDFa, Open Graph, meta elements and tables."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

import msgspec

from gossamer.fields.embedded_items import read_items
from gossamer.fields.json_ld import read_json_ld
from gossamer.fields.limit_values import ValueBudget, clean_surrogates
from gossamer.fields.page_tables import PageTable, read_tables
from gossamer.net.html.parse_tree import Element, Tree, find_elements

DataSource = Literal["json-ld", "microdata", "rdfa"]
MOST_ITEMS = 1_000
_MOST_METAS = 500
_MOST_TYPES = 20
_MOST_META_CHARACTERS = 10_000


class StructuredItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thing that a page describes, such as a product, with its properties."""

    source: DataSource
    type: str
    """The last part of its type, such as Product; "" if it has none."""
    properties: dict[str, Any]
    other_types: tuple[str, ...] = ()
    """Its types after the first one."""


class PageData(msgspec.Struct, frozen=True):
    """Everything that a page offers to programs."""

    items: list[StructuredItem]
    meta: dict[str, str]
    """Meta elements by name or property, lower case; the first of each name counts."""
    tables: list[PageTable]


class DataReader:
    """Reads the structured data of one page, each kind when it is first asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._budget = ValueBudget()

    def read_all(self) -> PageData:
        """Return everything that the page offers."""
        return PageData(self.items, self.meta, self.tables)

    @cached_property
    def items(self) -> list[StructuredItem]:
        """The things that the page describes, in JSON-LD, microdata and RDFa."""
        return [one for _, one in zip(range(MOST_ITEMS), self._list_items(), strict=False)]

    @cached_property
    def meta(self) -> dict[str, str]:
        """The meta elements of the page, with Open Graph and Twitter cards."""
        found: dict[str, str] = {}
        for element in find_elements(self._tree, "meta")[:_MOST_METAS]:
            name = read_attribute(element, "property") or read_attribute(element, "name")
            content = read_attribute(element, "content")
            if name and content:
                found.setdefault(name.strip().lower()[:200], content.strip()[:_MOST_META_CHARACTERS])
        return found

    @cached_property
    def tables(self) -> list[PageTable]:
        """The tables of the page."""
        return read_tables(self._tree)

    def _list_items(self) -> Iterator[StructuredItem]:
        scripts = (script.text for script in find_elements(self._tree, "script") if _is_json_ld(script))
        for one in read_json_ld(scripts):
            limited = self._budget.limit(one)
            if limited is None:  # the page holds more than its limits
                return
            first, *others = name_types(limited.pop("@type", "")) or ("",)
            yield StructuredItem("json-ld", first, limited, tuple(others))
        source: Literal["microdata", "rdfa"]
        for source in ("microdata", "rdfa"):
            for kind, properties in read_items(self._tree, source, read_attribute):
                first, *others = name_types(kind) or ("",)
                limited = self._budget.limit(properties)
                if limited is None:
                    return
                yield StructuredItem(source, first, _shorten_names(limited), tuple(others))


def read_attribute(element: Element, name: str) -> str:
    """Return an attribute of an element; "" if it has none, or an empty one."""
    value = element.attrs.get(name)
    text = " ".join(value) if isinstance(value, list | tuple) else value or ""
    return clean_surrogates(text)


def find_values(items: list[StructuredItem], path: str) -> Iterator[str]:
    """Yield the values at a path such as `Product.offers.price`: a type, then properties; lists are searched."""
    first, *rest = path.split(".")
    for item in items:
        if first.lower() in (one.lower() for one in (item.type, *item.other_types)):
            yield from _walk(item.properties, rest)


def _walk(value: Any, path: list[str]) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _walk(one, path)
    elif isinstance(value, dict):
        if path:
            wanted = path[0].lower()
            for key, below in value.items():
                if _name_type(key).lower() == wanted:
                    yield from _walk(below, path[1:])
        elif text := value.get("@value") or value.get("name") or value.get("@id") or value.get("url"):
            yield from _walk(text, [])
    elif not path and value is not None and value != "":
        yield str(value).lower() if isinstance(value, bool) else str(value)


def _is_json_ld(script: Element) -> bool:
    return read_attribute(script, "type").partition(";")[0].strip().lower() == "application/ld+json"


def _name_type(given: Any) -> str:
    """Return the last part of a type or a property name: Product of https://schema.org/Product."""
    if isinstance(given, list | tuple):
        given = given[0] if given else ""
    name = given.split()[0] if isinstance(given, str) and given.split() else ""
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def name_types(given: Any) -> list[str]:
    """Return the last parts of all types of a thing: Product of https://schema.org/Product; microdata has spaces between them."""
    texts = given if isinstance(given, list | tuple) else [given]
    each = [part for text in texts[:_MOST_TYPES] if isinstance(text, str) for part in text.split()]
    return [name for part in each[:_MOST_TYPES] if (name := _name_type(part))]


def _shorten_names(value: Any) -> Any:
    """Name types and properties by their last part, in items within items too."""
    if isinstance(value, dict):
        return {
            key if key == "@type" else _name_type(key) or key: _name_type(one)
            if key == "@type"
            else _shorten_names(one)
            for key, one in value.items()
        }
    return [_shorten_names(one) for one in value] if isinstance(value, list) else value
