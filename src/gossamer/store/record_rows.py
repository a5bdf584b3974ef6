"""Convert records to database rows and back; the same for every database."""

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, TypeVar

import msgspec

from gossamer.errors import make_damage_error
from gossamer.records import Decision, HostNote, Page, PageLink, Request, Visit
from gossamer.store.batch import (
    HIGHEST_COUNTS,
    LINK_TYPES,
    HostWork,
    LinkColumns,
    LinkRow,
    TaskNote,
    Widening,
)

DatabaseRow = tuple[Any, ...]
Value = TypeVar("Value")

_JSON = msgspec.json.Encoder()
_COUNTS = msgspec.json.Decoder(dict[str, int])
_MARKS = msgspec.json.Decoder(dict[str, str])
_TEXTS = msgspec.msgpack.Decoder(list[str])
_SPEC = msgspec.json.Decoder(dict[str, Any])
_SPEC_AT = TaskNote.__struct_fields__.index("spec")
_REQUEST = msgspec.msgpack.Decoder(Request)
_NO_MARKS = b"{}"
_UNDECODABLE = (msgspec.MsgspecError, ValueError, TypeError, IndexError)
"""What decoding a damaged value may raise."""

_KEY_BYTES = 8
_LINK_TYPES = [int, int, bytes, bytes, bytes]
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


_COLUMN = {int: int, bool: int, float: float, str: str, bytes: bytes}


def _list_column_types(kind: type[msgspec.Struct]) -> list[type]:
    """Return the types of the columns from which a record is made; words from a fixed list are texts."""
    hints = kind.__annotations__
    return [_COLUMN.get(hints[name], str) for name in kind.__struct_fields__]


_RECORDS = (Visit, Decision, Request, HostNote, HostWork, Widening)
_ROW_TYPES = {kind: [_list_column_types(kind)] for kind in _RECORDS}
_ROBOTS_AT = HostNote.__struct_fields__.index("robots")
_ROW_TYPES[HostNote] = [
    [*types[:_ROBOTS_AT], robots, *types[_ROBOTS_AT + 1 :]]
    for types in _ROW_TYPES[HostNote]
    for robots in (bytes, type(None))
]
_PAGE_TYPES = _list_column_types(Page)
_PAGE_TYPES[_MARKS_AT] = bytes
_TASK_TYPES = [*_list_column_types(TaskNote)[:-1], bytes]
Stored = TypeVar("Stored", Visit, Decision, Request, HostNote, HostWork, Widening)


def row_to_record(kind: type[Stored], row: DatabaseRow) -> Stored:
    """Return the record of a row; raise `BadInput` if a column is of another type. Cost: half a microsecond."""
    if [*map(type, row)] not in _ROW_TYPES[kind]:
        raise make_damage_error(f"a row of the table of {_NOUNS[kind]}")
    return kind(*row)


_NOUNS = {
    Visit: "visits",
    Decision: "decisions",
    Request: "requests",
    HostNote: "hosts",
    HostWork: "hosts",
    Widening: "widenings",
}


def to_count(row: DatabaseRow | None) -> int:
    """Return the number in a row of one column; 0 without a row."""
    value = row[0] if row else 0
    if type(value) is not int:
        raise make_damage_error("a count")
    return value


def page_to_row(page: Page) -> DatabaseRow:
    """Return the row of a page, with its marks as JSON."""
    row = msgspec.structs.astuple(page)
    marks = _JSON.encode(page.marks) if page.marks else _NO_MARKS
    return (*row[:_MARKS_AT], marks, *row[_MARKS_AT + 1 :])


def row_to_page(row: DatabaseRow) -> Page:
    """Return the page of a row."""
    if [*map(type, row)] != _PAGE_TYPES:
        raise make_damage_error("the row of a page")
    values = list(row)
    try:
        values[_MARKS_AT] = {} if row[_MARKS_AT] == _NO_MARKS else _MARKS.decode(row[_MARKS_AT])
    except _UNDECODABLE:
        raise make_damage_error(f"the marks of the page {row[1]!r}") from None
    for at in _BOOLEANS_AT:
        values[at] = bool(values[at])
    return Page(*values)


def task_to_row(task: TaskNote) -> DatabaseRow:
    """Return the row of a task, with its counts as JSON."""
    return (*msgspec.structs.astuple(task)[:-1], _JSON.encode(task.counts))


def row_to_task(row: DatabaseRow) -> TaskNote:
    """Return the task of a row."""
    if [*map(type, row)] != _TASK_TYPES:
        raise make_damage_error("the row of a task")
    try:
        _SPEC.decode(row[_SPEC_AT] or b"{}")
    except _UNDECODABLE:
        raise make_damage_error("the options of a task") from None
    return TaskNote(*row[:-1], decode_counts(row[-1]))  # type: ignore[call-arg]


def decode_counts(packed: bytes) -> dict[str, int]:
    """Decode the counts of a task."""
    try:
        return _COUNTS.decode(packed)
    except _UNDECODABLE:
        raise make_damage_error("the counts of a task") from None


def add_counts(packed: bytes, more: dict[str, int]) -> bytes:
    """Add to the encoded counts of a task; for `HIGHEST_COUNTS` keep the maximum instead."""
    sums = decode_counts(packed)
    for name, times in more.items():
        before = sums.get(name, 0)
        sums[name] = max(before, times) if name in HIGHEST_COUNTS else before + times
    return _JSON.encode(sums)


def decode_request(packed: bytes) -> Request:
    """Decode a request in an inbox."""
    try:
        return _REQUEST.decode(packed)
    except _UNDECODABLE:
        raise make_damage_error("a request in an inbox") from None


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
    check_links((0, source, targets, kinds, texts))
    columns = zip(unpack_keys(targets), kinds, unpack_link_texts(texts), strict=True)
    try:
        for target, kind, text in columns:
            link_type, *flags = _KINDS[kind]
            yield PageLink(source, target, link_type, text, *flags)
    except _UNDECODABLE:
        raise make_damage_error("the links of a page") from None


def unpack_links_to(wanted: int, source: int, targets: bytes, kinds: bytes, texts: bytes) -> list[PageLink]:
    """Unpack only the links of a page that lead to one page, usually a few of hundreds."""
    check_links((0, source, targets, kinds, texts))
    key = wanted.to_bytes(_KEY_BYTES, "little", signed=True)
    places, at = [], targets.find(key)
    while at >= 0:
        if at % _KEY_BYTES == 0:  # otherwise the match spans two keys
            places.append(at // _KEY_BYTES)
        at = targets.find(key, at + 1)
    said = unpack_link_texts(texts) if places else []
    found = ((_KINDS[kinds[place]], said[place]) for place in places)
    try:
        return [PageLink(source, wanted, link_type, text, *flags) for (link_type, *flags), text in found]
    except _UNDECODABLE:
        raise make_damage_error("the links of a page") from None


def check_targets(targets: bytes, links: int) -> None:
    """Raise `BadInput` unless packed targets are those of this many links: compiled readers rely on it."""
    if type(targets) is not bytes or type(links) is not int or len(targets) != _KEY_BYTES * links:
        raise make_damage_error("the links of a page")


def check_links(row: LinkRow) -> LinkRow:
    """Return a row of packed links; raise `BadInput` if its columns do not fit together."""
    if [*map(type, row)] != _LINK_TYPES:
        raise make_damage_error("the links of a page")
    check_targets(row[2], len(row[3]))
    return row


def check_keys(packed: bytes) -> bytes:
    """Return packed 64-bit integers; raise `BadInput` if their length is not that of whole ones."""
    if type(packed) is not bytes or len(packed) % _KEY_BYTES:
        raise make_damage_error("a piece of the seen set")
    return packed


def unpack_link_texts(packed: bytes) -> list[str]:
    """Unpack the texts of a page's links, in page order."""
    try:
        return _TEXTS.decode(packed)
    except _UNDECODABLE:
        raise make_damage_error("the texts of the links of a page") from None


def pack_keys(numbers: Iterable[int]) -> bytes:
    """Pack signed 64-bit integers, little-endian."""
    return _little_endian(array("q", numbers)).tobytes()


def unpack_keys(packed: bytes) -> "array[int]":
    """Unpack signed 64-bit integers."""
    try:
        return _little_endian(array("q", packed))
    except _UNDECODABLE:
        raise make_damage_error("a list of pages") from None


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
