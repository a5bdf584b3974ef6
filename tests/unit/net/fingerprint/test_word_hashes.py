"""The compiled hashing of words: stored values, and hostile texts."""

import pytest

from gossamer.net.fingerprint.word_hashes import compute_fingerprints


@pytest.mark.parametrize(
    ("text", "digest", "simhash"),
    [
        ("", 0, 0),
        ("The quick brown fox jumps over the lazy dog", 2923886045861025126, 8479126674838432692),
        ("word", 493062371397195499, -7660237668536911843),
        ("C++ & C", -2240568126644024088, 1306609144331632704),
        ("Straße, STRASSE – Ünïcödé", 7900097884510133473, 5514689335045980469),
        ("e\u0301 \u00e9", -3725910083135203058, 2123451987565229696),
        ("Un\u00adter\u200bschied", -433860720278620377, 4546996102467797520),
        ("中文測試一下", 1135525599129605608, 19020797937976528),
        ("ｶﾀｶﾅ ㈱ ﬃ ½…", 6699654537776788596, 1136576457518410363),
        ("ภาษาไทย", -6086491015693414549, -3462145345853635960),
        ("हिन्दी", 2188925626113031964, 2026833479445225457),
        ("😀 \ud800 𝐀𐐀 \U0003ffff\U000e0001", -8013795697200759343, -6631648269020285856),
        ("ΐ İstanbul ŉ", -1146452056426495691, -8689579811597703612),
        (" ".join(str(number) for number in range(1_000)), -705777621996024147, 3165055603872858848),
    ],
)
def test_stored_values_do_not_change(text: str, digest: int, simhash: int) -> None:
    assert compute_fingerprints(text)[:2] == (digest, simhash)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a ", "é ", "e\u0301 ", "中", "\0", "\ud800 ", "😀 a ", "\u00ad"])
def test_ten_million_characters(unit: str) -> None:
    """Nothing raises or overflows: the same pairs of words, repeated, give the same simhash."""
    few, many = (compute_fingerprints(unit * (count // len(unit))) for count in (10_000, 10_000_000))
    assert few[1] == many[1]


def test_one_word_of_ten_million_letters() -> None:
    assert compute_fingerprints("a" * 10_000_000) != compute_fingerprints("a" * 9_999_999)


@pytest.mark.parametrize("wrong", [None, b"bytes", 3])
def test_only_text_is_accepted(wrong: object) -> None:
    with pytest.raises(TypeError):
        compute_fingerprints(wrong)  # type: ignore[arg-type]
