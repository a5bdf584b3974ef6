"""Records as rows of a table, and back. What is the same for every database."""

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
"""What the kinds of `LinkColumns` stand for: type, and whether it says nofollow, spans hosts, spans sites."""

REDIRECTS = [kind for kind, (link_type, *_) in enumerate(_KINDS) if link_type == "redirect"]

# 262,144 requests are some 40 MB. Measured at ten million over 20,000 hosts, CPU of a commit against a small web:
# one lot for all 3 times, this size 1.1 to 1.3 times; smaller lots make the next requests of a host dearer to find.
_LOT_BITS = 18

PAGE_FIELDS = Page.__struct_fields__
_MARKS_AT = PAGE_FIELDS.index("marks")
_BOOLEANS_AT = [PAGE_FIELDS.index(name) for name in ("index", "archive")]


def page_to_row(page: Page) -> DatabaseRow:
    """Return the fields of a page, its marks as JSON."""
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
    """Return the fields of a task, its counts as JSON."""
    return (*msgspec.structs.astuple(task)[:-1], _JSON.encode(task.counts))


def row_to_task(row: DatabaseRow) -> TaskNote:
    """Return the task of a row."""
    return TaskNote(*row[:-1], _COUNTS.decode(row[-1]))  # type: ignore[call-arg]


def decode_counts(packed: bytes) -> dict[str, int]:
    """Return the counts of a task."""
    return _COUNTS.decode(packed)


def add_counts(packed: bytes, more: dict[str, int]) -> bytes:
    """Add to the counts of a task; of some the highest holds."""
    sums = decode_counts(packed)
    for name, times in more.items():
        before = sums.get(name, 0)
        sums[name] = max(before, times) if name in HIGHEST_COUNTS else before + times
    return _JSON.encode(sums)


def request_to_key(request: Request) -> DatabaseRow:
    """Return lot, task, host, rank and number: where a request stands, the best of a host first."""
    number = request.number
    return number >> _LOT_BITS, request.task, request.host, -request.priority, number


def request_to_row(request: Request) -> DatabaseRow:
    """Return a request as it stands in its table."""
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
    """Pack the links of a page: source, how many, targets, kinds, texts."""
    texts = msgspec.msgpack.encode(links.texts)
    return links.source, len(links.targets), pack_keys(links.targets), links.kinds, texts


def unpack_links(source: int, targets: bytes, kinds: bytes, texts: bytes) -> Iterator[PageLink]:
    """Unpack the links of a page, in page order."""
    for target, kind, text in zip(unpack_keys(targets), kinds, unpack_link_texts(texts), strict=True):
        link_type, *flags = _KINDS[kind]
        yield PageLink(source, target, link_type, text, *flags)


def unpack_links_to(wanted: int, source: int, targets: bytes, kinds: bytes, texts: bytes) -> list[PageLink]:
    """Unpack those links of a page that lead to one page: of the hundreds that most pages have, a few."""
    key = pack_keys([wanted])
    places, at = [], targets.find(key)
    while at >= 0:
        if at % len(key) == 0:  # else it is the end of one key and the beginning of the next
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
    """Return the same with lone surrogates replaced, which no database can keep as text."""
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
