"""Fingerprints agree with a slow, readable reference, and their distance grows with edits."""

import random
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.net.fingerprint import distance, simhash, text_digest, text_fingerprints

TEXTS = st.text(max_size=60) | st.text(alphabet="aAb ,.-é“”中文カ\u0301\u00ad\n5", max_size=120)
INTEGERS = st.integers(-(1 << 63), (1 << 63) - 1)
MASK = (1 << 64) - 1
INVISIBLE = {0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF}
# Thai, Lao, Burmese, Khmer; 々〆〇; kana; Han and its extensions; halfwidth kana.
UNSPACED = [
    range(0xE00, 0xF00),
    range(0x1000, 0x10A0),
    range(0x1780, 0x1800),
    range(0x3005, 0x3008),
    range(0x3041, 0x3100),
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0xFF66, 0xFFA0),
    range(0x20000, 0x40000),
]


def classify(code: int) -> str:
    category = unicodedata.category(chr(code))
    if code in INVISIBLE:
        return "invisible"
    if code < 0x10000 and (category[0] in "PZ" or category in ("Cc", "Cf", "Cs")):
        return "separator"
    return "unspaced" if any(code in script for script in UNSPACED) else "letter"


def words(text: str) -> Iterator[tuple[int, ...]]:
    """Yield the words of a text as code points; in a run without spaces, every three neighbours, or all if fewer."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    codes = [(code, classify(code)) for code in map(ord, folded)]
    stretch: list[int] = []
    before = "separator"
    for code, now in [*((code, now) for code, now in codes if now != "invisible"), (32, "separator")]:
        if now != before:
            if before == "letter":
                yield tuple(stretch)
            if before == "unspaced":
                yield from (tuple(stretch[at : at + 3]) for at in range(max(1, len(stretch) - 2)))
            stretch.clear()
        stretch.append(code)
        before = now


def spread(number: int) -> int:
    """Apply the last step of splitmix64."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & MASK
    return number ^ number >> 31


def word_hash(word: tuple[int, ...]) -> int:
    """Hash eight bytes of UTF-8 at a time, the last ones to the left; three unspaced characters are one number."""
    if classify(word[0]) == "unspaced":
        return spread(sum(code << 21 * place for place, code in enumerate(reversed(word))))
    utf8 = "".join(map(chr, word)).encode()
    state = 0
    for at in range(0, len(utf8), 8):
        state = join(state, int.from_bytes(utf8[at : at + 8].rjust(8, b"\0"), "little"))
    return state


def join(before: int, after: int) -> int:
    return spread(before * 0x9E3779B97F4A7C15 + after & MASK)


def to_signed(number: int) -> int:
    return number - (number >> 63 << 64)


def compute_slowly(text: str) -> tuple[int, int, int]:
    digest, before, count = 0, 0, 0
    votes = [0] * 64
    for word in words(text):
        now = word_hash(word)
        pair = join(before, now)
        votes = [vote + (pair >> bit & 1) for bit, vote in enumerate(votes)]
        digest = (digest ^ now) * 0x100000001B3 & MASK
        before, count = now, count + 1
    near = sum(1 << bit for bit, vote in enumerate(votes) if 2 * vote > count)
    return to_signed(spread(digest)), to_signed(near), count


ODD = "aAZ  ,.-_+€ßŉΐİıſKÅ中文あカｶﾞกข्हिन्दी\u0301\u0315\u00a0\u00ad\u200b…½™ﬃ㈱각ᄀ\u1161\u11a8\ud800😀𝐀𐐀\U0003ffff\U000e0001"
HOSTILE = st.one_of(
    st.text(),
    st.text(st.characters(max_codepoint=0x7F)),
    st.text(st.characters(max_codepoint=0xFF)),
    st.text(st.characters(max_codepoint=0xFFFF)),
    st.text(st.characters(categories=["Cs", "Mn", "Mc", "Lo", "Lu"])),
    st.text(st.sampled_from(ODD)),
    st.lists(st.sampled_from(["The", "quick ", "Straße", "\n", "中文測試", "\ud83d", "e\u0301"])).map(
        "".join
    ),
)


@given(HOSTILE)
@example("")
@example("\ud800")
@example("中\u200b文 中\u200b")
def test_it_agrees_with_the_reference(text: str) -> None:
    assert text_fingerprints(text) == compute_slowly(text)


@pytest.mark.parametrize("size", [7, 8, 9, 8_180, 8_192, 8_200, 20_000])
@pytest.mark.parametrize("letter", ["a", "é", "中", "ﬃ", "😀"])
def test_it_agrees_with_the_reference_on_long_words(letter: str, size: int) -> None:
    text = f"{'.' * (size % 5)}{letter * size} B{letter * (size // 2)}c"
    assert text_fingerprints(text) == compute_slowly(text)


@pytest.mark.parametrize("last", [0x7F, 0xFF, 0xFFFF, 0x10FFFF])
@pytest.mark.parametrize("count", [254, 255, 256, 3_000])
def test_it_agrees_with_the_reference_on_long_texts(last: int, count: int) -> None:
    dice = random.Random(last + count)
    text = " ".join(
        "".join(chr(dice.randint(48, last)) for _ in range(dice.randint(1, 9))) for _ in range(count)
    )
    assert text_fingerprints(text) == compute_slowly(text)


@pytest.mark.slow
def test_every_character_agrees_with_the_reference_among_neighbours() -> None:
    """Effects on neighbours are compared too; a sample of the large blocks of Han and Hangul is enough."""
    for code in range(0x110000):
        if code < 0x3400 or 0xF900 <= code < 0x11000 or 0x1D000 <= code < 0x1F200 or code % 97 == 0:
            text = f"e{chr(code)}A {chr(code)}\u00e9가{chr(code)}"
            assert text_fingerprints(text) == compute_slowly(text), hex(code)


@given(TEXTS)
def test_any_text_has_fingerprints(text: str) -> None:
    assert distance(simhash(text), simhash(text)) == 0
    assert -(1 << 63) <= text_digest(text) < 1 << 63


@given(TEXTS)
def test_unicode_form_and_spacing_change_nothing(text: str) -> None:
    for other in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text), f"\n {text}\t."):
        assert text_digest(other) == text_digest(text)
        assert simhash(other) == simhash(text)


@given(st.lists(st.text(alphabet="abcß", min_size=1, max_size=5), max_size=20))
def test_case_and_punctuation_change_nothing(words: list[str]) -> None:
    assert text_digest(", ".join(words).upper()) == text_digest(" ".join(words))


@given(INTEGERS, INTEGERS, INTEGERS)
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@settings(max_examples=8)
@given(st.integers(0, 1_000_000))
def test_distance_grows_with_edits(seed: int) -> None:
    dice = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(5_000)]
    # The mean of 24 texts has a standard error of less than a bit, a quarter of the smallest step here.
    means = [mean_distance(dice, vocabulary, edits) for edits in (0, 2, 12, 60, 300)]
    assert means[0] == 0
    assert all(after > before for before, after in pairwise(means))
    assert means[1] < 6
    assert 28 < means[-1] < 36


def mean_distance(dice: random.Random, vocabulary: list[str], edits: int, texts: int = 24) -> float:
    """Return the mean distance between texts of 300 words and their copies with so many words replaced."""
    total = 0
    for _ in range(texts):
        words = dice.choices(vocabulary, k=300)
        edited = words.copy()
        for place in dice.sample(range(300), edits):
            edited[place] = dice.choice(vocabulary)
        total += distance(simhash(" ".join(words)), simhash(" ".join(edited)))
    return total / texts
