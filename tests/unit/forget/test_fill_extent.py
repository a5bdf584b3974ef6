"""Extents of WARC files are filled to the byte, and what fills them is valid for every reader."""

import gzip
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from gossamer.errors import StoreFailed
from gossamer.forget.warc.fill_extent import LEAST_GAP_BYTES, Piece, fill, make_gap
from gossamer.store.archive.warc_records import WarcReader, pack_record, read_record_at

HEAD = (
    b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 2000\r\n\r\n"
)
RECORD = HEAD + b"".join(b"%d" % (at % 10) for at in range(2000)) + b"\r\n\r\n"
PACKED = len(pack_record(RECORD))


def flatten(pieces: list[Piece]) -> bytes:
    return b"".join(bytes(piece) if isinstance(piece, int) else piece for piece in pieces)


@pytest.mark.parametrize("length", [LEAST_GAP_BYTES, 299, 300, 65_555, 65_600, 131_200, 1_000_000])
def test_a_gap_has_exactly_its_length(length: int) -> None:
    gap = flatten(list(make_gap(length)))
    assert len(gap) == length
    record = gzip.decompress(gap)
    head, _, block = record.partition(b"\r\n\r\n")
    assert int(head.rpartition(b": ")[2]) == len(block) - 4


@pytest.mark.parametrize("more", [0, 1, 2, 3, 4, 100, LEAST_GAP_BYTES - 1, LEAST_GAP_BYTES, 5_000])
def test_a_record_fills_its_extent_for_every_reader(more: int, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    first = flatten(fill(PACKED + more, RECORD))
    assert len(first) == PACKED + more
    path.write_bytes(first + pack_record(RECORD))
    reader = WarcReader(path)
    assert [one.type for one in reader if one.type != "gap"] == ["response", "response"]
    assert not reader.damage
    for offset in (0, len(first)):
        found = read_record_at(path, offset)
        assert found is not None
        assert len(found.block) == 2000
    with path.open("rb") as file:
        assert [one.rec_type for one in ArchiveIterator(file) if one.rec_type != "gap"] == ["response"] * 2


def test_a_record_that_does_not_fit_is_refused() -> None:
    with pytest.raises(StoreFailed, match="missing"):
        fill(100, RECORD)
