import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest

from gossamer.fetch.http.content_decoding import HARMLESS_BYTES, PIECE_BYTES, make_decoder

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


def decode(
    encoding: str, packed: bytes, step: int = 16_384, most_bytes: int = 10_000_000, expansion: float = 100.0
) -> tuple[bytes | None, str]:
    decoder = make_decoder(encoding, most_bytes, expansion)
    assert decoder is not None
    for start in range(0, len(packed), step):
        decoder.feed(packed[start : start + step])
    return decoder.finish(), decoder.stop


@pytest.mark.parametrize("step", [1, 2, 7, 16_384, 10_000_000])
@pytest.mark.parametrize("name", PACKERS)
def test_each_encoding_is_decoded_from_pieces_of_any_size(name: str, step: int) -> None:
    encoding, pack = PACKERS[name]
    text = TEXT if step > 10 else TEXT[:20_000]
    assert decode(encoding, pack(text), step) == (text, "")


@pytest.mark.parametrize("name", PACKERS)
def test_empty_bodies_stay_empty(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert decode(encoding, pack(b"")) == (b"", "")
    assert decode(encoding, b"") == (b"", "")


def test_several_members_or_frames_are_one_body() -> None:
    halves = TEXT[:5000], TEXT[5000:]
    assert decode("gzip", b"".join(map(gzip.compress, halves)), 100) == (TEXT, "")
    assert decode("zstd", b"".join(map(zstd.compress, halves)), 100) == (TEXT, "")


@pytest.mark.parametrize("name", ["gzip", "zlib", "raw deflate", "zstd"])
def test_bytes_after_the_end_are_ignored(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert decode(encoding, pack(TEXT) + b"\0\0 junk") == (TEXT, "")


def test_too_many_empty_members_count_as_broken() -> None:
    assert decode("gzip", gzip.compress(TEXT) + gzip.compress(b"") * 2000) == (TEXT, "broken")
    assert decode("zstd", zstd.compress(TEXT) + zstd.compress(b"") * 2000) == (TEXT, "broken")


def test_layers_are_decoded_from_the_last_to_the_first() -> None:
    assert decode("gzip, br", brotli.compress(gzip.compress(TEXT))) == (TEXT, "")
    assert decode("deflate,identity , zstd", zstd.compress(zlib.compress(TEXT)), 50) == (TEXT, "")


def test_decoding_stops_at_an_unknown_encoding() -> None:
    assert decode("compress, gzip", gzip.compress(b"LZW")) == (b"LZW", "")


@pytest.mark.parametrize(
    "unknown", ["", "identity", "utf-8", "none", "gzip;q=1", "gzip, compress", "br, sdch"]
)
def test_unknown_encodings_have_no_decoder(unknown: str) -> None:
    assert make_decoder(unknown, 1000, 10.0) is None


def test_too_many_layers_have_no_decoder() -> None:
    assert make_decoder("gzip,gzip,gzip", 1000, 10.0) is not None
    assert make_decoder("gzip," * 4, 1000, 10.0) is None
    assert make_decoder("gzip," * 100_000, 1000, 10.0) is None


@pytest.mark.parametrize("name", PACKERS)
def test_a_body_that_is_not_encoded_is_detected(name: str) -> None:
    assert decode(PACKERS[name][0], b"<!DOCTYPE html>\xff\xff<p>plain after all") == (None, "broken")


@pytest.mark.parametrize("name", PACKERS)
def test_a_body_that_ends_early_is_decoded_up_to_its_end(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(TEXT)
    body, stop = decode(encoding, packed[: len(packed) * 2 // 3], 512)
    assert stop == "broken"
    if body is not None:
        assert TEXT.startswith(body)
    if name != "zstd":  # it works in blocks of 128 KiB
        assert body


@pytest.mark.parametrize("name", PACKERS)
def test_a_damaged_body_is_decoded_up_to_the_damage(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = bytearray(pack(TEXT))
    packed[len(packed) // 2 :] = b"\xff" * 64
    body, stop = decode(encoding, bytes(packed), 512)
    assert stop == "broken"
    assert body is None or TEXT[:1000].startswith(body[:1000])


@pytest.mark.parametrize("name", PACKERS)
def test_the_body_is_cut_at_its_limit(name: str) -> None:
    encoding, pack = PACKERS[name]
    for most_bytes in (1, 999, 100_000):
        assert decode(encoding, pack(TEXT), most_bytes=most_bytes) == (TEXT[:most_bytes], "length")
    assert decode(encoding, pack(TEXT), most_bytes=len(TEXT)) == (TEXT, "")


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_is_stopped_in_little_memory(name: str) -> None:
    encoding, pack = PACKERS[name]
    bomb = pack(bytes(25_000_000))
    decoder = make_decoder(encoding, 50_000_000, 20.0)
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
    body, stop = decode("gzip, gzip", bomb)
    assert stop == "expansion"
    assert body is not None
    assert len(body) < HARMLESS_BYTES + 2 * PIECE_BYTES


@pytest.mark.parametrize("name", PACKERS)
def test_small_pages_may_have_any_compression_ratio(name: str) -> None:
    encoding, pack = PACKERS[name]
    blanks = b" " * (HARMLESS_BYTES - 1)
    assert decode(encoding, pack(blanks), expansion=2.0) == (blanks, "")


def test_a_zstd_window_larger_than_the_web_allows_is_refused() -> None:
    options: dict[int, int] = {
        zstd.CompressionParameter.window_log: 27,
        zstd.CompressionParameter.enable_long_distance_matching: 1,
    }
    packer = zstd.ZstdCompressor(options=options)
    packed = packer.compress(TEXT) + packer.flush()
    assert decode("zstd", packed) == (None, "broken")
