"""The compiled walk over words: values that webs hold, and what hostile texts must not do to it."""

import pytest

from gossamer.net.word_hashes import fingerprints_of


@pytest.mark.parametrize(
    ("text", "digest", "simhash"),
    [
        ("", 0, 0),
        ("The quick brown fox jumps over the lazy dog", -3591047145175966261, -1381005578732297761),
        ("word", -5302181324870320210, -5302181324870320210),
        ("C++ & C", 5247764819205261040, -9130410244012994295),
        ("Straße, STRASSE – Ünïcödé", -5802186018064529287, 4097446583869941951),
        ("e\u0301 \u00e9", -4263710094530001419, 2308247677852748416),
        ("Un\u00adter\u200bschied", -2004390698877436546, -2004390698877436546),
        ("中文測試一下", -9085195558000997553, 3747737077511111442),
        ("ｶﾀｶﾅ ㈱ ﬃ ½…", -3247288345067172630, -5599813715760186846),
        ("ภาษาไทย", -2190774503552795479, -4863429004729317309),
        ("हिन्दी", -7246071363871027744, -7246071363871027744),
        ("😀 \ud800 𝐀𐐀 \U0003ffff\U000e0001", -7445320456655765123, -4598055332612726698),
        ("ΐ İstanbul ŉ", 5457840666318523026, -6458861104686744798),
        (" ".join(str(number) for number in range(1_000)), 5120458901732172065, -2029251276323065334),
    ],
)
def test_values_that_webs_hold_stay(text: str, digest: int, simhash: int) -> None:
    assert fingerprints_of(text)[:2] == (digest, simhash)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a ", "é ", "e\u0301 ", "中", "\0", "\ud800 ", "😀 a ", "\u00ad"])
def test_ten_million_characters(unit: str) -> None:
    """Nothing raises, nothing overflows: the same pairs of words, more often, win the same votes."""
    few, many = (fingerprints_of(unit * (count // len(unit))) for count in (10_000, 10_000_000))
    assert few[1] == many[1]


def test_one_word_of_ten_million_letters() -> None:
    assert fingerprints_of("a" * 10_000_000) != fingerprints_of("a" * 9_999_999)


@pytest.mark.parametrize("wrong", [None, b"bytes", 3])
def test_only_text_is_taken(wrong: object) -> None:
    with pytest.raises(TypeError):
        fingerprints_of(wrong)  # type: ignore[arg-type]
