"""Texts that are equal or nearly equal to an earlier one are found."""

import random
import re
import zlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.net.fingerprint import text_digest
from gossamer.store.export import near_duplicates
from gossamer.store.export.compare_words import hash_words
from gossamer.store.export.near_duplicates import NearDuplicates

SENTENCE = "The spider waits until it may ask the host again and remembers what it saw"


def find_new_texts(folder: Path, texts: list[str]) -> list[str]:
    """Return the texts that are new, in order."""
    duplicates = NearDuplicates(folder)
    taken = [text for text in texts if duplicates.add(text_digest(text), text)]
    return [text for text, is_new in zip(taken, duplicates.find_new(), strict=True) if is_new]


def measure_overlap(one: str, other: str) -> float:
    """Return the share of the words of two texts together that both have."""
    first, second = (set(memoryview(hash_words(text)).cast("I")) for text in (one, other))
    return len(first & second) / max(1, len(first | second))


def hash_words_by_patterns(text: str) -> list[int]:
    """Return the hashes of words as `hash_words` defines them, with patterns."""
    words = set(re.findall(r"\w+", re.sub(r"\d+", "0", text.lower())))
    pieces = {word[at : at + 2] for word in words if len(word) > 15 for at in range(len(word) - 1)}
    return sorted({zlib.crc32(word.encode()) for word in pieces | {w for w in words if len(w) <= 15}})


@given(st.lists(st.text(st.sampled_from("aZß_09٣½蜘蛛 İ.-’́\udc80")) | st.text()).map("".join))
@example("fifteen_letters sixteen__letters 0123456789012345678")
def test_words_are_hashed_as_their_definition_says(text: str) -> None:
    assert list(memoryview(hash_words(text)).cast("I")) == hash_words_by_patterns(text)


@pytest.mark.parametrize(
    "other",
    [
        SENTENCE,
        SENTENCE.upper() + "!",
        SENTENCE.replace("spider", "robot"),
        f"{SENTENCE} today",
    ],
)
def test_of_two_nearly_equal_texts_the_first_is_kept(other: str, tmp_path: Path) -> None:
    assert find_new_texts(tmp_path, [SENTENCE, other, "Something else stands here in between"]) == [
        SENTENCE,
        "Something else stands here in between",
    ]


def test_all_numbers_count_as_equal(tmp_path: Path) -> None:
    dated = [
        f"This page of our archive was changed on day {day} of the year {1990 + day}" for day in range(30)
    ]
    assert find_new_texts(tmp_path, dated) == dated[:1]


def test_texts_with_only_some_words_in_common_are_kept(tmp_path: Path) -> None:
    others = [SENTENCE, "The spider waits until it may go home", "What it saw again and again was the host"]
    assert find_new_texts(tmp_path, others) == others


def test_scripts_without_spaces_are_compared_by_their_pieces(tmp_path: Path) -> None:
    first = "蜘蛛一直等到它可以再次访问这台主机并且记住它在路上看到的所有网页和链接"
    assert find_new_texts(
        tmp_path, [first, first.replace("所有", "全部"), "今天的天气非常好我们一起去公园散步吧"]
    ) == [
        first,
        "今天的天气非常好我们一起去公园散步吧",
    ]


def test_texts_without_words_and_no_texts(tmp_path: Path) -> None:
    assert find_new_texts(tmp_path, ["…", "—"]) == ["…"], "all texts without a word are equal"
    (tmp_path / "empty").mkdir()
    assert find_new_texts(tmp_path / "empty", []) == []


def test_the_result_is_that_of_comparing_all_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare short texts with random changes, far apart, with small buffers."""
    monkeypatch.setattr(near_duplicates, "_RECENT", 5)
    monkeypatch.setattr(near_duplicates, "_BUFFERED", 16)
    chance = random.Random(1)
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300)]
    texts = [" ".join(chance.sample(words, 14)) for _ in range(100)]
    for _ in range(100):
        changed = chance.choice(texts).split()
        changed[chance.randrange(14)] = chance.choice(words)
        texts.append(" ".join(changed))
    texts += texts[:20]
    wanted: list[str] = []
    for text in texts:
        if not any(measure_overlap(text, one) >= near_duplicates.LEAST_IN_COMMON for one in wanted):
            wanted.append(text)
    found = find_new_texts(tmp_path, texts)
    assert len(set(found) ^ set(wanted)) <= 0.01 * len(wanted)
    assert found == sorted(found, key=texts.index), "in their order"
