"""Unpacking of gzip in pieces: complete, broken and doubly packed files, and bombs."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from gossamer.net.sitemap.unpack_gzip import PIECE_BYTES, BoundedGunzip

TEXT = b"".join(b"line %d\n" % number for number in range(30_000))
LIMIT = 1 << 20


def unpack(body: bytes, max_bytes: int = LIMIT) -> tuple[bytes, bool, str]:
    unpacked = BoundedGunzip(body, max_bytes)
    return b"".join(unpacked), unpacked.truncated, unpacked.error


@pytest.mark.parametrize(
    "body",
    [
        TEXT,
        gzip.compress(TEXT, mtime=0),
        gzip.compress(gzip.compress(TEXT, mtime=0)),
        gzip.compress(TEXT[:100], mtime=0) + gzip.compress(TEXT[100:], mtime=0),
        gzip.compress(TEXT, mtime=0) + b"and then garbage",
        gzip.compress(TEXT, mtime=0) + b"\0" * 512,
        gzip.compress(TEXT, 0),
    ],
)
def test_whole_files(body: bytes) -> None:
    assert unpack(body) == (TEXT, False, "")


def test_an_empty_file_yields_nothing() -> None:
    assert unpack(b"") == unpack(gzip.compress(b"")) == (b"", False, "")


@pytest.mark.parametrize("max_bytes", [0, 1, PIECE_BYTES, PIECE_BYTES + 1, len(TEXT) - 1])
@pytest.mark.parametrize("body", [TEXT, gzip.compress(TEXT, mtime=0)])
def test_at_most_the_allowed_bytes_are_yielded(body: bytes, max_bytes: int) -> None:
    assert unpack(body, max_bytes) == (TEXT[:max_bytes], True, "")


def test_a_file_of_exactly_the_limit_is_not_truncated() -> None:
    assert unpack(gzip.compress(TEXT), len(TEXT)) == (TEXT, False, "")


def test_truncated_gzip_is_unpacked_up_to_its_end() -> None:
    found, truncated, error = unpack(gzip.compress(TEXT)[:-2_000])
    assert TEXT.startswith(found)
    assert len(found) > len(TEXT) / 2
    assert (truncated, error) == (False, "gzip ends early")


def test_broken_gzip_is_unpacked_up_to_the_fault() -> None:
    packed = bytearray(gzip.compress(TEXT, 0))
    packed[200_000:] = b"\xff" * (len(packed) - 200_000)
    found, _, error = unpack(bytes(packed))
    assert found[:65_000] == TEXT[:65_000]
    assert error.startswith("broken gzip")
    assert unpack(b"\x1f\x8bnot gzip at all")[0] == b""


def bomb(unpacked_bytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    packed = [packer.compress(zeros) for _ in range(unpacked_bytes >> 20)]
    return b"".join([*packed, packer.flush()])


@pytest.mark.slow
@pytest.mark.parametrize(
    "make_body",
    [
        lambda: bomb(100 << 20),
        lambda: gzip.compress(bomb(100 << 20)),
        lambda: gzip.compress(b"") * 50_000,
    ],
    ids=["bomb", "packed bomb", "empty members"],
)
def test_bombs_take_little_memory(make_body: Callable[[], bytes]) -> None:
    body = make_body()
    tracemalloc.start()
    try:
        pieces = BoundedGunzip(body, LIMIT)
        total_bytes = sum(map(len, pieces))
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert pieces.truncated
    assert total_bytes in (0, LIMIT)
    assert peak_bytes < 16 * PIECE_BYTES
