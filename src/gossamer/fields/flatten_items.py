"""Turns the things that a page describes into rows: each property becomes a column, also those of things within things."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gossamer.fields.structured_data import DataReader, StructuredItem, name_types

OPEN_GRAPH = "OpenGraph"
"""The type of the record that the Open Graph and Twitter elements of a page make together."""
MOST_RECORDS = 5_000
"""Records of one page."""
_CARD_NAMES = ("og:", "twitter:", "article:", "product:", "book:", "profile:", "music:", "video:", "fb:")
_MOST_LEVELS = 4
_MOST_COLUMNS = 200
_MOST_CELL_VALUES = 1_000
_LONGEST_NAME = 200
Cell = str | int | float
# They say what an object is in JSON-LD, and hold no property of the thing.
_HOLDERS = ("@value", "@list", "@set", "@graph")
_TEXT_KEYS = ("name", "@id", "url")
_ID, _TYPE = "@id", "@type"


class ItemRecord(msgspec.Struct, frozen=True):
    """One thing that a page describes, as a row."""

    source: str
    """json-ld, microdata, rdfa, or meta for Open Graph."""
    type: str
    values: dict[str, list[Cell]]
    """By column: a property, or a path such as offers.price."""


def list_records(data: DataReader, types: frozenset[str]) -> Iterator[ItemRecord]:
    """Yield the things of some types that a page describes, also those within other things; without types, those at the top.

    Types are in lower case. Cost: O(values of the page), which `limit_values` bounds, times the depth.
    """
    for count, record in enumerate(_list_all(data, types)):
        if count >= MOST_RECORDS:
            return
        yield record


def _list_all(data: DataReader, types: frozenset[str]) -> Iterator[ItemRecord]:
    for item in data.items:
        if not types or types & {one.lower() for one in (item.type, *item.other_types)}:
            yield ItemRecord(item.source, item.type, flatten(item.properties))
        if types:
            yield from _list_within(item, item.properties, types)
    if not types or OPEN_GRAPH.lower() in types:
        cards: dict[str, list[Cell]] = {
            name[:_LONGEST_NAME]: [value] for name, value in data.meta.items() if name.startswith(_CARD_NAMES)
        }
        if cards:
            yield ItemRecord("meta", OPEN_GRAPH, cards)


def _list_within(item: StructuredItem, value: Any, types: frozenset[str]) -> Iterator[ItemRecord]:
    """Yield the things of some types within a value."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(one, dict):
            found = name_types(one.get(_TYPE, ""))
            if types & {name.lower() for name in found}:
                yield ItemRecord(item.source, found[0], flatten(one))
        yield from _list_within(item, one, types)


def flatten(properties: Mapping[str, Any]) -> dict[str, list[Cell]]:
    """Return the values of a thing by column.

    A thing within it gives a column with its name, its id or its address, and one for each of its other properties.

    >>> flatten({"name": "Lamp", "brand": {"name": "Acme", "url": "/acme"}, "offers": [{"price": 5}, {"price": 6}]})
    {'name': ['Lamp'], 'brand': ['Acme'], 'brand.url': ['/acme'], 'offers.price': [5, 6]}
    """
    found: dict[str, list[Cell]] = {}
    for name, value in _walk("", properties, 0):
        cells = found.get(name)
        if cells is None:
            if len(found) >= _MOST_COLUMNS:
                continue
            cells = found[name] = []
        if len(cells) < _MOST_CELL_VALUES:
            cells.append(value)
    return found


def _walk(path: str, value: Any, level: int) -> Iterator[tuple[str, Cell]]:
    if isinstance(value, bool):
        yield path, str(value).lower()
    elif isinstance(value, str | int | float):
        if value != "" and path:
            yield path, value
    elif isinstance(value, list):
        for one in value:
            yield from _walk(path, one, level)
    elif isinstance(value, dict):
        yield from _walk_object(path, value, level)


def _walk_object(path: str, value: Mapping[str, Any], level: int) -> Iterator[tuple[str, Cell]]:
    called = ""
    if path:  # what people call the thing, in the column of the property that it is
        held = next((value[key] for key in _HOLDERS if key in value), None)
        if held is not None:
            yield from _walk(path, held, level)
            return
        called = next((key for key in _TEXT_KEYS if _find_text(value.get(key))), "")
        yield from _walk(path, _find_text(value.get(called)), level)
    if level >= _MOST_LEVELS:
        return
    for key, one in value.items():
        if key == called or (key.startswith("@") and key != _ID):
            continue
        name = "id" if key == _ID else next(iter(name_types(key)), "") or key
        if name:
            yield from _walk(
                f"{path}.{name}"[-_LONGEST_NAME:] if path else name[:_LONGEST_NAME], one, level + 1
            )


def _find_text(value: Any) -> str:
    """Return a value that is a text, or a list with one text; "" for others."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) else ""
