"""Convert records to database rows and back; the same for every database."""

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, TypeVar

import msgspec

from gossamer.records import Page, PageLink, Request
from gossamer.store.batch import HIGHEST_COUNTS, LINK_TYPES, LinkColumns, TaskNote

DatabaseRow = tuple[Any, ...]
Value = TypeVar("Value")

_JSON = msgspec.json.Encoder()
_COUNTS = msgspec.json.Decoder(dict[str, int])
_MARKS = msgspec.json.Decoder(dict[str, str])
_TEXTS = msgspec.msgpack.Decoder(list[str])
_NO_MARKS = b"{}"

_FLAGS = (False, True)
_KINDS = list(product(LINK_TYPES, _FLAGS, _FLAGS, _FLAGS))
"""The meaning of each kind in `LinkColumns`: type, nofollow, spans hosts, spans sites."""

REDIRECTS = [kind for kind, (link_type, *_) in enumerate(_KINDS) if link_type == "redirect"]

# 262,144 requests are some 40 MB. Measured with ten million requests at 20,000 hosts, a commit takes 3 times the CPU time
# of a small web with one lot for all, and 1.1 to 1.3 times with this size. Smaller lots make look-ups by host slower.
_LOT_BITS = 18

PAGE_FIELDS = Page.__struct_fields__
_MARKS_AT = PAGE_FIELDS.index("marks")
_BOOLEANS_AT = [PAGE_FIELDS.index(name) for name in ("index", "archive")]


def page_to_row(page: Page) -> DatabaseRow:
    """Return the row of a page, with its marks as JSON."""
    row = msgspec.structs.astuple(page)
    marks = _JSON.encode(page.marks) if page.marks else _NO_MARKS
    return (*row[:_MARKS_AT], marks, *row[_MARKS_AT + 1 :])


def row_to_page(row: DatabaseRow) -> Page:
    """Return the page of a row."""
    values = list(row)
    values[_MARKS_AT] = {} if row[_MARKS_AT] == _NO_MARKS else _MARKS.decode(row[_MARKS_AT])
    for at in _BOOLEANS_AT:
        values[at] = bool(values[at])
    return Page(*values)


def task_to_row(task: TaskNote) -> DatabaseRow:
    """Return the row of a task, with its counts as JSON."""
    return (*msgspec.structs.astuple(task)[:-1], _JSON.encode(task.counts))


def row_to_task(row: DatabaseRow) -> TaskNote:
    """Return the task of a row."""
    return TaskNote(*row[:-1], _COUNTS.decode(row[-1]))  # type: ignore[call-arg]


def decode_counts(packed: bytes) -> dict[str, int]:
    """Decode the counts of a task."""
    return _COUNTS.decode(packed)


def add_counts(packed: bytes, more: dict[str, int]) -> bytes:
    """Add to the encoded counts of a task; for `HIGHEST_COUNTS` keep the maximum instead."""
    sums = decode_counts(packed)
    for name, times in more.items():
        before = sums.get(name, 0)
        sums[name] = max(before, times) if name in HIGHEST_COUNTS else before + times
    return _JSON.encode(sums)


def request_to_key(request: Request) -> DatabaseRow:
    """Return the primary key of a request: lot, task, host, rank and number. The best of a host sorts first."""
    number = request.number
    return number >> _LOT_BITS, request.task, request.host, -request.priority, number


def request_to_row(request: Request) -> DatabaseRow:
    """Return the row of a request."""
    return (
        *request_to_key(request),
        request.id,
        request.url,
        request.depth,
        request.parent,
        request.type,
        request.attempt,
        request.hops,
    )


def links_to_row(links: LinkColumns) -> DatabaseRow:
    """Return the row of a page's links: source, count, and packed targets, kinds and texts."""
    texts = msgspec.msgpack.encode(links.texts)
    return links.source, len(links.targets), pack_keys(links.targets), links.kinds, texts


def unpack_links(source: int, targets: bytes, kinds: bytes, texts: bytes) -> Iterator[PageLink]:
    """Unpack the links of a page, in page order."""
    for target, kind, text in zip(unpack_keys(targets), kinds, unpack_link_texts(texts), strict=True):
        link_type, *flags = _KINDS[kind]
        yield PageLink(source, target, link_type, text, *flags)


def unpack_links_to(wanted: int, source: int, targets: bytes, kinds: bytes, texts: bytes) -> list[PageLink]:
    """Unpack only the links of a page that lead to one page, usually a few of hundreds."""
    key = pack_keys([wanted])
    places, at = [], targets.find(key)
    while at >= 0:
        if at % len(key) == 0:  # otherwise the match spans two keys
            places.append(at // len(key))
        at = targets.find(key, at + 1)
    said = unpack_link_texts(texts) if places else []
    found = ((_KINDS[kinds[place]], said[place]) for place in places)
    return [PageLink(source, wanted, link_type, text, *flags) for (link_type, *flags), text in found]


def unpack_link_texts(packed: bytes) -> list[str]:
    """Unpack the texts of a page's links, in page order."""
    return _TEXTS.decode(packed)


def pack_keys(numbers: Iterable[int]) -> bytes:
    """Pack signed 64-bit integers, little-endian."""
    return _little_endian(array("q", numbers)).tobytes()


def unpack_keys(packed: bytes) -> "array[int]":
    """Unpack signed 64-bit integers."""
    return _little_endian(array("q", packed))


def _little_endian(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def replace_surrogates(value: Value) -> Value:
    """Return a copy with lone surrogates replaced, which no database can store as text."""
    kept: Any = value
    match value:
        case str():
            kept = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list() | tuple():
            kept = type(value)(map(replace_surrogates, value))
        case dict():
            kept = {replace_surrogates(key): replace_surrogates(held) for key, held in value.items()}
        case msgspec.Struct():
            kept = type(value)(*map(replace_surrogates, msgspec.structs.astuple(value)))
    return kept  # type: ignore[no-any-return]
