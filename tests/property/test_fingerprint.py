"""Fingerprints against a slow readable twin, and how distance grows with edits."""

import random
import unicodedata
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.net.fingerprint import distance, simhash, text_digest

TEXTS = st.text(max_size=60) | st.text(alphabet="aAb ,.-é“”中文カ\u0301\u00ad\n5", max_size=120)
WORDS = st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=6), min_size=1, max_size=80)
INTEGERS = st.integers(-(1 << 63), (1 << 63) - 1)


MASK = (1 << 64) - 1


def spread(number: int) -> int:
    """Splitmix64's last steps: every bit of the number moves every bit of the result."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & MASK
    return number ^ number >> 31


def word_hash(word: str) -> int:
    """FNV-1a over code points, spread."""
    number = 0xCBF29CE484222325
    for character in word:
        number = (number ^ ord(character)) * 0x100000001B3 & MASK
    return spread(number)


def simhash_twin(words: list[str]) -> int:
    """Count the votes for each bit, as Charikar's paper says it."""
    votes = [0] * 64
    for before, word in pairwise([0, *map(word_hash, words)]):
        hashed = spread((before * 0x9E3779B97F4A7C15 + word) & MASK)
        for bit in range(64):
            votes[bit] += 1 if hashed >> bit & 1 else -1
    number = sum(1 << bit for bit in range(64) if votes[bit] > 0)
    return number - (1 << 64) if number >= 1 << 63 else number


@given(WORDS)
def test_simhash_is_the_majority_of_its_pairs(words: list[str]) -> None:
    assert simhash(" ".join(words)) == simhash_twin(words)


@given(TEXTS)
def test_any_text_has_fingerprints(text: str) -> None:
    assert distance(simhash(text), simhash(text)) == 0
    assert -(1 << 63) <= text_digest(text) < 1 << 63


@given(TEXTS)
def test_unicode_form_and_spacing_move_nothing(text: str) -> None:
    for other in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text), f"\n {text}\t."):
        assert text_digest(other) == text_digest(text)
        assert simhash(other) == simhash(text)


@given(st.lists(st.text(alphabet="abcß", min_size=1, max_size=5), max_size=20))
def test_case_and_punctuation_move_nothing(words: list[str]) -> None:
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
