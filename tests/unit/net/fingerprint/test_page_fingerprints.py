"""Fingerprints: known values, and which changes of a text change them."""

import random
import time
import unicodedata
from itertools import pairwise

import pytest

from gossamer.net.fingerprint import digest, distance, simhash, text_digest

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


def english(seed: int, words: int) -> list[str]:
    """Return words of random letters, drawn from a small vocabulary so that they repeat."""
    dice = random.Random(seed)
    vocabulary = [
        "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(2, 9))) for _ in range(2_000)
    ]
    return dice.choices(vocabulary, k=words)


def test_digest_is_a_warc_payload_digest() -> None:
    assert digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
    assert digest(b"abc") == "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"
    assert digest(b"abc") != digest(b"abd")


def test_fingerprints_do_not_change_between_versions() -> None:
    # Stores keep them: a change of these values needs a migration.
    assert text_digest("") == 0
    assert text_digest("The quick brown fox") == 8798052213386262054
    assert simhash("") == 0
    assert simhash("The quick brown fox jumps over the lazy dog") == 8479126674838432692


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello,  World!", "hello\n world"),
        ("one two", "one\u00a0two"),
        ("“quoted” – words", '"quoted" - words'),
        ("Café", unicodedata.normalize("NFD", "cafÉ")),
        ("ﬁne ２０２４", "fine 2024"),
        ("STRASSE", "straße"),
        ("Un\u00adter\u00adschied", "Unterschied"),
        ("zero\u200bwidth", "zerowidth"),
        ("㈱会社", "(株)会社"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("中文，測試。", "中文 測試"),
        ("a\ud800b", "a b"),
    ],
)
def test_spelling_does_not_change_text_fingerprints(one: str, other: str) -> None:
    assert text_digest(one) == text_digest(other)
    assert simhash(one) == simhash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("one two", "two one"),
        ("ab c", "a bc"),
        ("C", "C++"),
        ("5 €", "5 $"),
        ("हिन्दी", "हन्द"),
        ("中文測試", "中文則試"),
        ("中文測試一下", "下一試測文中"),
        ("😀", "😢"),
        ("word", ""),
    ],
)
def test_other_words_change_the_text_digest(one: str, other: str) -> None:
    assert text_digest(one) != text_digest(other)


def test_fingerprints_are_signed_64_bit() -> None:
    values = [function(str(number)) for number in range(200) for function in (simhash, text_digest)]
    assert all(LOWEST <= value <= HIGHEST for value in values)
    assert min(values) < 0 < max(values)


def test_distance_counts_bits_of_signed_and_unsigned_numbers() -> None:
    assert distance(0, 0) == 0
    assert distance(0, -1) == 64
    assert distance(LOWEST, HIGHEST) == 64
    assert distance(-1, (1 << 64) - 1) == 0
    assert distance(0b1010, 0b0110) == 2


def test_one_word_among_300_changes_few_bits() -> None:
    distances = []
    for seed in range(40):
        words = english(seed, 300)
        changed = [*words[:150], "replaced", *words[151:]]
        distances.append(distance(simhash(" ".join(words)), simhash(" ".join(changed))))
    assert sum(distances) / len(distances) < 4
    assert max(distances) <= 8


def test_unrelated_texts_differ_in_half_of_the_bits() -> None:
    hashes = [simhash(" ".join(english(seed, 300))) for seed in range(40)]
    distances = [distance(one, other) for one, other in pairwise(hashes)]
    assert 30 < sum(distances) / len(distances) < 34


def test_near_copies_are_near_in_scripts_without_spaces_too() -> None:
    near, far = [], []
    for seed in range(20):
        dice = random.Random(seed)
        page = "".join(dice.choices([chr(code) for code in range(0x4E00, 0x4F00)], k=600))
        edited, shuffled = page[:300] + "改" + page[301:], "".join(dice.sample(page, len(page)))
        near.append(distance(simhash(page), simhash(edited)))
        far.append(distance(simhash(page), simhash(shuffled)))
    assert 1 < sum(near) / len(near) < 4
    assert max(near) <= 8
    assert min(far) > 20


def test_short_texts_have_different_fingerprints() -> None:
    hashes = {simhash(text) for text in ("", "a", "b", "a b", "b a", "a b c", "中", "中文")}
    assert len(hashes) == 8


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "a " * 200_000, "中" * 200_000, "é " * 200_000, "\0" * 1_000_000]
)
def test_hostile_texts_do_not_hang(text: str) -> None:
    began_s = time.process_time()
    simhash(text)
    text_digest(text)
    assert time.process_time() - began_s < 20  # some hundredths of a second, unless something hangs
