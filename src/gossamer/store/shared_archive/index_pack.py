"""Write the CDXJ index of a pack, so that replay tools find its records."""

import zlib
from collections.abc import Iterable, Iterator

import msgspec

from gossamer.store.archive.cdxj_index import format_record, is_listed
from gossamer.store.archive.warc_records import MOST_BYTES
from gossamer.store.shared_archive.segment_reader import parse_record

_GZIP = 31
_PIECE_BYTES = 1 << 16


def index_segment(data: bytes, base: int, pack: str) -> Iterator[str]:
    """Yield the index lines of a segment whose first byte is at `base` in a pack. Cost: unpacking it."""
    for begin, end, content in _split_members(data):
        record = parse_record(content, base + begin)
        if record is not None and is_listed(record):
            yield format_record(msgspec.structs.replace(record, length=end - begin), pack)


def join_lines(lines: Iterable[str]) -> bytes:
    """Return the content of an index: sorted, as it is searched."""
    return "".join(f"{line}\n" for line in sorted(lines)).encode("utf-8", "surrogateescape")


def _split_members(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield begin, end and content of each gzip member; stop at damage."""
    view, begin = memoryview(data), 0
    while begin < len(data):
        unpacker, content, size, at = zlib.decompressobj(_GZIP), [], 0, begin
        while not unpacker.eof and at < len(data):
            try:
                piece = unpacker.decompress(view[at : at + _PIECE_BYTES])
            except zlib.error:
                return
            at += _PIECE_BYTES
            if size < MOST_BYTES:
                content.append(piece)
            size += len(piece)
        if not unpacker.eof:
            return
        end = min(at, len(data)) - len(unpacker.unused_data)
        yield begin, end, b"".join(content)
        begin = end
