"""Words that rise are hot, the same texts make one story of them, and copies do not count."""

import math
import random
from collections.abc import Iterator

import msgspec
import pytest

from gossamer.errors import BadInput
from gossamer.text.hot import History, PeriodCounts, TextMemory, find_stories, read_period
from gossamer.text.hot.hot_terms import compute_surprise
from gossamer.text.hot.list_terms import list_terms

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORDS = [f"{one}{other}{third}o" for one in _LETTERS for other in "aeiou" for third in "bdfklmnprst"]
_PLUNGE = "Brokers on Wall Street saw the Dow plunge in a panic of sellers"


def write_texts(day: int, number: int = 60) -> Iterator[tuple[str, str]]:
    """Write texts of random words."""
    chance = random.Random(day)
    for text in range(number):
        yield f"{day}-{text}", " ".join(chance.choices(_WORDS, k=40)) + f" number {chance.random()}"


def write_history(memory: TextMemory, days: int = 14) -> list[PeriodCounts]:
    return [read_period(day, write_texts(day), memory).counts for day in range(days)]


def add_story(texts: list[tuple[str, str]], number: int) -> None:
    for at in range(number):
        id_, text = texts[at]
        texts[at] = (id_, f"{text}. {_PLUNGE}, {_WORDS[at]} {_WORDS[2 * at]} said")


def test_words_of_one_event_are_one_story() -> None:
    memory = TextMemory()
    past = write_history(memory)
    texts = list(write_texts(14))
    add_story(texts, 6)
    first, *_ = find_stories(past, read_period(14, texts, memory))
    assert {"dow", "plunge", "Wall Street"} <= set(first.words)
    assert "wall" not in first.words
    assert set(first.ids) == {f"14-{at}" for at in range(6)}
    assert first.curve[-1] == 100.0
    assert set(first.curve[:-1]) == {0.0}


def test_an_ordinary_day_has_hardly_a_story() -> None:
    memory = TextMemory()
    past = write_history(memory)
    now = read_period(14, write_texts(14), memory)
    words = sum(len(story.words) for story in find_stories(past, now))
    assert words <= len(now.counts.counts) / 1_000


def test_copies_and_recrawls_do_not_count() -> None:
    memory = TextMemory()
    past = write_history(memory)
    texts = list(write_texts(14))
    texts += [(f"copy {at}", f"{_PLUNGE}. Page {at}") for at in range(20)]
    now = read_period(14, texts, memory)
    assert now.carriers["plunge"] == ["copy 0"]
    again = read_period(15, texts, memory)
    assert again.counts == PeriodCounts(15, 0, {})
    assert find_stories([*past, now.counts], again) == []


def test_near_copies_do_not_count() -> None:
    memory = TextMemory()
    words = random.Random(1).choices(_WORDS, k=300)
    changed = [*words]
    changed[150] = "altered"
    assert memory.take_new_sentences(" ".join(words))
    assert memory.take_new_sentences(" ".join(changed)) == []


def test_what_comes_back_each_week_is_not_hot() -> None:
    def count(day: int) -> PeriodCounts:
        return PeriodCounts(day, 100, {"weekly": 20 if day % 7 == 0 else 0, "filler": 1_000})

    past = [count(day) for day in range(28)]
    on_its_day = History(past, count(28)).judge_term("weekly", 20)
    assert not on_its_day.is_hot
    assert History(past, count(29)).judge_term("weekly", 20).surprise > on_its_day.surprise


def test_rare_words_need_more_than_a_ratio() -> None:
    past = [
        PeriodCounts(day, 100, {"rare": day % 7 == 3, "common": 20, "filler": 1_000}) for day in range(14)
    ]
    history = History(past, PeriodCounts(14, 100, {"filler": 1_000}))
    rare, common = history.judge_term("rare", 2), history.judge_term("common", 60)
    assert rare.texts / rare.expected > common.texts / common.expected
    assert not rare.is_hot
    assert common.is_hot


@pytest.mark.parametrize(("texts", "mean"), [(3, 0.5), (15, 5.0), (40, 30.0)])
def test_the_surprise_is_the_tail_of_a_distribution(texts: int, mean: float) -> None:
    nearly_poisson = math.exp(-compute_surprise(texts, mean, 1e-6))
    below = sum(math.exp(-mean) * mean**count / math.factorial(count) for count in range(texts))
    assert nearly_poisson == pytest.approx(1 - below, rel=1e-3)
    assert compute_surprise(texts, mean, 0.5) < compute_surprise(texts, mean, 0.1)
    assert compute_surprise(2, 3.0, 0.1) == 0


def test_terms_are_words_and_names() -> None:
    found = list_terms(
        "The chairman of Philips, Jan van Rijn, met Nigel Lawson in New York on Monday, April 6"
    )
    assert {"chairman", "philips", "Nigel Lawson", "New York"} <= found
    assert not found & {"of", "monday", "april", "6", "The chairman"}
    assert list_terms("DOW FALLS ON WALL STREET") == {"dow", "falls", "wall", "street"}
    assert {"東京", "京株"} <= list_terms("東京株")


def test_frequency_lists_are_kept_without_texts() -> None:
    counts = write_history(TextMemory(), 1)[0]
    assert msgspec.json.decode(msgspec.json.encode(counts), type=PeriodCounts) == counts


def test_the_first_period_has_nothing_to_compare_with() -> None:
    with pytest.raises(BadInput, match="no text of an earlier period"):
        find_stories([], read_period(0, write_texts(0), TextMemory()))
