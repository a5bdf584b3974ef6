"""Where WARC records end, whole and cut off."""

import gzip
import io

import pytest

from gossamer.net.warc_record_end import RecordEnd, find_record_end

HEADER = b"WARC/1.1\r\nContent-Length: 5\r\n\r\n"
RECORD = HEADER + b"block\r\n\r\n"
MEMBER = gzip.compress(RECORD)


def end_of(content: bytes) -> RecordEnd:
    """Return the end of the first record of a file."""
    return find_record_end(io.BytesIO(content), 0, len(content))


@pytest.mark.parametrize("record", [RECORD, MEMBER], ids=["plain", "gzip"])
def test_a_whole_record_ends_where_the_next_begins(record: bytes) -> None:
    plain, packed = RecordEnd(len(RECORD), block_at=len(HEADER)), RecordEnd(len(MEMBER), member_bytes=9)
    assert end_of(record) == end_of(record + record) == (plain if record is RECORD else packed)


@pytest.mark.parametrize("kept", range(1, len(RECORD)))
def test_a_plain_record_may_be_cut_anywhere(kept: int) -> None:
    found = end_of(RECORD[:kept])
    assert found.at == kept
    assert found.in_header == (kept < len(HEADER))
    assert found.is_cut == (kept < len(HEADER) + 5)
    assert not found.has_separator or found.is_cut


@pytest.mark.parametrize("kept", range(1, len(MEMBER)))
def test_a_packed_record_may_be_cut_anywhere(kept: int) -> None:
    found = end_of(MEMBER[:kept])
    assert (found.at, found.is_cut, found.is_damaged) == (kept, True, False)


def test_damage_is_told_from_a_cut() -> None:
    assert end_of(MEMBER[:10] + b"\xff" * 40).is_damaged
    assert end_of(b"WARC/1.1\r\nContent-Length: x\r\n\r\n").is_damaged


def test_other_compressions_are_taken_to_end_with_the_file() -> None:
    assert end_of(b"\x28\xb5\x2f\xfd and so on") == RecordEnd(len(b"\x28\xb5\x2f\xfd and so on"))
