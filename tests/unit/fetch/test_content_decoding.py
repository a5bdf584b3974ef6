import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest

from gossamer.fetch.content_decoding import HARMLESS_BYTES, PIECE_BYTES, decoder_for

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = "".join(f"<p>Seite {n}, größer als {n * n}</p>\n" for n in range(4000)).encode()


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", lambda data: brotli.compress(data, quality=5)),
    "zstd": ("zstd", zstd.compress),
}


def decoded(
    encoding: str, packed: bytes, step: int = 16_384, most_bytes: int = 10_000_000, expansion: float = 100.0
) -> tuple[bytes | None, str]:
    decoder = decoder_for(encoding, most_bytes, expansion)
    assert decoder is not None
    for start in range(0, len(packed), step):
        decoder.feed(packed[start : start + step])
    return decoder.finish(), decoder.stop


@pytest.mark.parametrize("step", [1, 2, 7, 16_384, 10_000_000])
@pytest.mark.parametrize("name", PACKERS)
def test_each_encoding_is_undone_whatever_the_pieces(name: str, step: int) -> None:
    encoding, pack = PACKERS[name]
    text = TEXT if step > 10 else TEXT[:20_000]
    assert decoded(encoding, pack(text), step) == (text, "")


@pytest.mark.parametrize("name", PACKERS)
def test_empty_bodies_stay_empty(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert decoded(encoding, pack(b"")) == (b"", "")
    assert decoded(encoding, b"") == (b"", "")


def test_several_members_and_frames_are_one_body() -> None:
    halves = TEXT[:5000], TEXT[5000:]
    assert decoded("gzip", b"".join(map(gzip.compress, halves)), 100) == (TEXT, "")
    assert decoded("zstd", b"".join(map(zstd.compress, halves)), 100) == (TEXT, "")


@pytest.mark.parametrize("name", ["gzip", "zlib", "raw deflate", "zstd"])
def test_junk_behind_the_end_is_ignored(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert decoded(encoding, pack(TEXT) + b"\0\0 junk") == (TEXT, "")


def test_endless_empty_members_are_broken_not_endless() -> None:
    assert decoded("gzip", gzip.compress(TEXT) + gzip.compress(b"") * 2000) == (TEXT, "broken")
    assert decoded("zstd", zstd.compress(TEXT) + zstd.compress(b"") * 2000) == (TEXT, "broken")


def test_layers_are_undone_from_the_last_to_the_first() -> None:
    assert decoded("gzip, br", brotli.compress(gzip.compress(TEXT))) == (TEXT, "")
    assert decoded("deflate,identity , zstd", zstd.compress(zlib.compress(TEXT)), 50) == (TEXT, "")


def test_an_unknown_encoding_keeps_what_lies_below_it() -> None:
    assert decoded("compress, gzip", gzip.compress(b"LZW")) == (b"LZW", "")


@pytest.mark.parametrize(
    "unknown", ["", "identity", "utf-8", "none", "gzip;q=1", "gzip, compress", "br, sdch"]
)
def test_unknown_encodings_are_not_touched(unknown: str) -> None:
    assert decoder_for(unknown, 1000, 10.0) is None


def test_more_layers_than_anybody_needs_are_not_touched() -> None:
    assert decoder_for("gzip,gzip,gzip", 1000, 10.0) is not None
    assert decoder_for("gzip," * 4, 1000, 10.0) is None
    assert decoder_for("gzip," * 100_000, 1000, 10.0) is None


@pytest.mark.parametrize("name", PACKERS)
def test_what_was_never_encoded_is_told(name: str) -> None:
    assert decoded(PACKERS[name][0], b"<!DOCTYPE html>\xff\xff<p>plain after all") == (None, "broken")


@pytest.mark.parametrize("name", PACKERS)
def test_an_early_end_leaves_what_was_unpacked(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(TEXT)
    body, stop = decoded(encoding, packed[: len(packed) * 2 // 3], 512)
    assert stop == "broken"
    if body is not None:
        assert TEXT.startswith(body)
    if name != "zstd":  # which works in blocks of 128 KiB
        assert body


@pytest.mark.parametrize("name", PACKERS)
def test_damage_in_the_middle_leaves_what_came_before(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = bytearray(pack(TEXT))
    packed[len(packed) // 2 :] = b"\xff" * 64
    body, stop = decoded(encoding, bytes(packed), 512)
    assert stop == "broken"
    assert body is None or TEXT[:1000].startswith(body[:1000])


@pytest.mark.parametrize("name", PACKERS)
def test_the_body_is_cut_at_its_limit(name: str) -> None:
    encoding, pack = PACKERS[name]
    for most_bytes in (1, 999, 100_000):
        assert decoded(encoding, pack(TEXT), most_bytes=most_bytes) == (TEXT[:most_bytes], "length")
    assert decoded(encoding, pack(TEXT), most_bytes=len(TEXT)) == (TEXT, "")


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_is_stopped_and_memory_stays_small(name: str) -> None:
    encoding, pack = PACKERS[name]
    bomb = pack(bytes(25_000_000))
    decoder = decoder_for(encoding, 50_000_000, 20.0)
    assert decoder is not None
    tracemalloc.start()
    try:
        for start in range(0, len(bomb), 16_384):
            decoder.feed(bomb[start : start + 16_384])
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    body = decoder.finish()
    assert decoder.stop == "expansion"
    assert body is not None
    allowed_bytes = max(HARMLESS_BYTES, 20 * min(len(bomb), 16_384))
    assert allowed_bytes < len(body) < allowed_bytes + 3 * PIECE_BYTES
    assert peak_bytes < 4_000_000


def test_a_bomb_in_a_bomb_is_stopped() -> None:
    bomb = gzip.compress(gzip.compress(bytes(20_000_000)))
    body, stop = decoded("gzip, gzip", bomb)
    assert stop == "expansion"
    assert body is not None
    assert len(body) < HARMLESS_BYTES + 2 * PIECE_BYTES


@pytest.mark.parametrize("name", PACKERS)
def test_small_pages_may_be_packed_tightly(name: str) -> None:
    encoding, pack = PACKERS[name]
    blanks = b" " * (HARMLESS_BYTES - 1)
    assert decoded(encoding, pack(blanks), expansion=2.0) == (blanks, "")


def test_a_zstd_window_beyond_what_the_web_may_use_is_refused() -> None:
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: 27,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    packer = zstd.ZstdCompressor(options=options)
    packed = packer.compress(TEXT) + packer.flush()
    assert decoded("zstd", packed) == (None, "broken")
