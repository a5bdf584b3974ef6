"""Find in a WARC file what has to go: records of forgotten pages, and their URLs in the headers of others."""

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.forget.needles import Needles
from gossamer.forget.warc.fill_extent import fits
from gossamer.forget.warc.picture_heirs import PictureHeirs, rename
from gossamer.net import fingerprint
from gossamer.records import Exchange
from gossamer.store.archive import http_message, write_visit
from gossamer.store.archive.archive_reader import WarcPosition, read_reference
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.archive.warc_records import WarcReader, WarcRecord

_END = b"\r\n\r\n"
_ONLY_PAYLOAD = {"resource", "conversion"}
"""Their blocks have no HTTP header."""
_GZIP, _PIECE_BYTES = 31, 1 << 16
_LEFT_ALONE = {"warcinfo", "gap"}
_VISITS = {"response", "resource", "revisit", "conversion"}
_METADATA_OF_LOADED = re.compile(rb"^hopsFromSeed: [A-Z]*E\r?$", re.MULTILINE)
_VIA = re.compile(rb"^via: ([^\r\n]*)", re.MULTILINE)
_REFERS = re.compile(rb"^(WARC-Refers-To-Target-URI:)[^\r\n]*(\r\n)", re.IGNORECASE | re.MULTILINE)
_CONTENT_LENGTH = re.compile(rb"^(Content-Length:) *\d+", re.IGNORECASE | re.MULTILINE)
_PLAIN_HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Edit(msgspec.Struct, frozen=True):
    """An extent of a WARC file, and the records that it holds from now on, not packed; none for a gap."""

    offset: int
    length: int
    records: tuple[bytes, ...] = ()


class FilePlan(msgspec.Struct):
    """What is to be changed in a WARC file."""

    edits: list[Edit] = []
    parts: list[Edit] = []
    """The same, one for each record."""
    removed: int = 0
    """Records."""
    removed_bytes: int = 0
    left: int = 0
    """Responses, revisits, resources and conversions that stay."""
    begins_inside: bool = False
    """Whether its first visit is changed: that may have begun in the file before."""
    originals: dict[int, str] = {}
    """Offsets and digests of the responses that are removed: revisits of other pages may refer to them."""
    revisits: set[int] = set()
    """Offsets of the revisits that are removed."""
    references: list[WarcPosition] = []
    """Responses to which removed revisits referred."""
    loaded: list[tuple[WarcPosition, str]] = []
    """Those of them to which revisits referred that a browser had loaded, and the URL of the revisit."""
    bare: set[int] = set()
    """Responses that stay and have no metadata: an earlier forgetting put some of them in the place of others."""


class Choice(msgspec.Struct, frozen=True):
    """Which records go."""

    needles: Needles
    """URLs that must not stand in the headers of records that stay."""
    covers: Callable[[str], bool]
    """Says of a URL whether all its records go."""
    heirs: PictureHeirs
    offsets: Mapping[str, Collection[int]] = {}
    """Visits of other pages that go too, by WARC file: old versions that are dropped."""


def plan_file(path: Path, upto: int, choice: Choice) -> FilePlan:
    """Walk through a WARC file. Cost: unpacking it once."""
    plan = FilePlan()
    offsets = frozenset(choice.offsets.get(path.name, ()))
    is_first = True
    for records in _split_visits(WarcReader(path, upto=upto)):
        edits = len(plan.edits)
        _plan_visit(plan, path, records, choice, records[0].offset in offsets)
        if records[0].type in _VISITS:
            plan.begins_inside = plan.begins_inside or (is_first and len(plan.edits) > edits)
            is_first = False
    plan.parts = plan.edits
    plan.edits = join_gaps(plan.parts)
    return plan


def _split_visits(records: Iterable[WarcRecord]) -> Iterator[list[WarcRecord]]:
    """Yield the records of each visit: request and metadata follow its response."""
    visit: list[WarcRecord] = []
    for record in records:
        if visit and (record.type in _VISITS or record.type == "warcinfo"):
            yield visit
            visit = []
        visit.append(record)
    if visit:
        yield visit


def _plan_visit(
    plan: FilePlan, path: Path, records: list[WarcRecord], choice: Choice, is_dropped: bool
) -> None:
    if _keep_picture(plan, path, records, choice):
        return
    goes = (is_dropped and records[0].type in _VISITS) or _is_loaded(records, choice)
    if goes and records[0].type == "revisit":
        plan.loaded.append((read_reference(records[0]), target_url(records[0])))
    if not goes and records[0].type == "response" and all(one.type != "metadata" for one in records):
        plan.bare.add(records[0].offset)
    for record in records:
        if record.type not in _LEFT_ALONE and (goes or choice.covers(target_url(record))):
            _remove(plan, record)
            continue
        if record.type == "gap" and _follows_gap(plan, record):
            plan.edits.append(Edit(record.offset, record.length))  # room for what may stand here
            continue
        plan.left += record.type in _VISITS
        if choice.needles and (clean := _clean(str(path), record, choice.needles)) is not None:
            plan.edits.append(Edit(record.offset, record.length, (clean,)))


def _follows_gap(plan: FilePlan, record: WarcRecord) -> bool:
    before = plan.edits[-1] if plan.edits else None
    return before is not None and not before.records and before.offset + before.length == record.offset


def _is_loaded(records: list[WarcRecord], choice: Choice) -> bool:
    """Say whether a browser loaded this to show a page that goes, and the web knows it by no other way."""
    block = next((one.block for one in records[1:] if one.type == "metadata"), b"")
    via = _VIA.search(block)
    if via is None or not _METADATA_OF_LOADED.search(block):
        return False
    return choice.covers(via[1].decode("utf-8", "replace")) and not choice.heirs.is_known(
        target_url(records[0])
    )


def _keep_picture(plan: FilePlan, path: Path, records: list[WarcRecord], choice: Choice) -> bool:
    """Give a picture of a page that goes to a kept page that looks the same, if there is one; return whether that was done.

    Its record gets the room of its metadata and of a gap behind it, since the other address may be longer. If even that is too short, the picture
    goes: it can be made again from the archive.
    """
    first = records[0]
    if first.type != "resource" or not choice.covers(target_url(first)):
        return False
    heir = choice.heirs.find(path, first.offset)
    if heir is None:
        return False
    length = first.length
    rest = []
    for one in records[1:]:
        if one.type not in ("metadata", "gap") or one.offset != first.offset + length:
            break
        length += one.length
        rest.append(one)
    renamed = rename(read_raw(path, first.offset, first.length), heir)
    if not fits(length, renamed):
        return False
    plan.edits.append(Edit(first.offset, length, (renamed,)))
    plan.left += 1
    plan.removed += sum(one.type != "gap" for one in rest)
    return True


def _remove(plan: FilePlan, record: WarcRecord) -> None:
    plan.edits.append(Edit(record.offset, record.length))
    plan.removed += 1
    plan.removed_bytes += record.length
    if record.type == "revisit":
        plan.revisits.add(record.offset)
        plan.references.append(read_reference(record))
    elif record.type in _VISITS:
        plan.originals[record.offset] = record.headers.get("warc-payload-digest", "")


def join_gaps(edits: Iterable[Edit]) -> list[Edit]:
    """Join gaps that lie side by side."""
    joined: list[Edit] = []
    for edit in edits:
        before = joined[-1] if joined else None
        if (
            before
            and not before.records
            and not edit.records
            and before.offset + before.length == edit.offset
        ):
            joined[-1] = Edit(before.offset, before.length + edit.length)
        else:
            joined.append(edit)
    return joined


def _clean(name: str, record: WarcRecord, needles: Needles) -> bytes | None:
    """Return a record without the URLs in its headers, of WARC and of HTTP; None if there are none. Payloads stay."""
    head = record.block
    if record.type == "response":
        head = http_message.split_message(record.block)[0]
    elif record.type in _ONLY_PAYLOAD:
        head = b""
    values = "\n".join(record.headers.values()).encode("utf-8", "replace")
    if not (needles.is_in(values) or needles.is_in(head)):
        return None
    raw = read_raw(Path(name), record.offset, record.length)
    at = raw.find(_END) + len(_END)
    rest = raw[at + len(head) :]
    blank = needles.blank(raw[:at]) + needles.blank(head) + rest
    if fits(record.length, blank):
        return blank
    # A URL that is much like another one in the record packs better than as many letters x.
    short = needles.cut(head)
    block_bytes = len(short) + len(rest) - len(_END)
    return _CONTENT_LENGTH.sub(rb"\g<1> %d" % block_bytes, needles.cut(raw[:at]), count=1) + short + rest


def read_raw(path: Path, offset: int, length: int) -> bytes:
    """Return a record as it is, unpacked, with its header and its end."""
    with path.open("rb") as file:
        file.seek(offset)
        packed = file.read(length)
    return gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed


def find_length(path: Path, offset: int) -> int:
    """Return how many bytes a packed record takes; 0 for one that is not packed."""
    member, read_bytes = zlib.decompressobj(_GZIP), 0
    with path.open("rb") as file:
        file.seek(offset)
        while not member.eof and (piece := file.read(_PIECE_BYTES)):
            read_bytes += len(piece)
            try:
                member.decompress(piece)
            except zlib.error:
                return 0
    return read_bytes - len(member.unused_data) if member.eof else 0


class Records(Protocol):
    """Reads records by their positions."""

    def read_record(self, place: WarcPosition) -> WarcRecord | None:
        """Return the record at a position; None if there is none."""
        ...


def keep_alive(archive: Records, original: WarcPosition, revisit: WarcPosition, room: int) -> bytes | None:
    """Return a full response of the page whose revisit refers to a forgotten one, to stand in the place of that.

    If it does not fit, its HTTP header is the shortest one.
    """
    first, second = archive.read_record(original), archive.read_record(revisit)
    if first is None or second is None or first.type not in _VISITS - {"revisit"}:
        return None
    payload = first.block if first.type in _ONLY_PAYLOAD else http_message.split_message(first.block)[1]
    head = http_message.split_message(second.block)[0]
    url = target_url(second)
    status = http_message.parse_status(head)
    if not 200 <= status < 300:  # a 304 has no head that fits a body
        head = _PLAIN_HEAD
    headers = http_message.parse_headers(head)
    address = second.headers.get("warc-ip-address", "")
    exchange = Exchange(url, status, b"", head, payload, payload, headers, address, 0.0, 0.0, 0.0)
    digest = first.headers.get("warc-payload-digest", "") or fingerprint.digest(payload)
    date = first.headers.get("warc-date", "")
    made = write_visit.make_records(exchange, date, digest, None, {}).response
    if fits(room, made):
        return made
    plain = msgspec.structs.replace(exchange, response_head=_PLAIN_HEAD)
    return write_visit.make_records(plain, date, digest, None, {}).response


def refer_to(raw: bytes, url: str, room: int) -> bytes:
    """Return a revisit that names another URL as that of its original; none if it does not fit, since it also has the place."""
    named = _REFERS.sub(
        rb"\1 " + url.encode("utf-8", "replace").replace(b"\\", b"\\\\") + rb"\2", raw, count=1
    )
    return named if fits(room, named) else _REFERS.sub(b"", raw, count=1)
