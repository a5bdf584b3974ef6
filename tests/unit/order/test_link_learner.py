"""What traits are worth is learnt from visits, kept in pieces, and links that wait are scored again."""

import math
from array import array

import pytest

from gossamer.order.link_learner import DEPTH, MEASURES, RELEVANCE, WORDS, LinkLearner

GOOD, BAD, BOTH = (array("I", numbers).tobytes() for numbers in ([1, 2], [1, 3], [1, 2, 3]))
START = -1.0
PLAIN = (0.0,) * MEASURES


def new_learner(beliefs: tuple[float, ...] = PLAIN) -> LinkLearner:
    return LinkLearner(0.1, beliefs)


def met(learner: LinkLearner, *traits: bytes, start: float = START, **measures: float) -> list[float]:
    keys = list(range(1_000, 1_000 + len(traits)))
    said = [measures.get("words", 0.0)] * len(traits)
    relevance, depth = measures.get("relevance", 0.0), measures.get("depth", 0.0)
    return learner.meet(keys, list(traits), start, relevance, depth, said)


def expected(learner: LinkLearner, *traits: bytes, **measures: float) -> list[float]:
    values = met(learner, *traits, **measures)
    for at in range(len(traits)):
        learner.forget(1_000 + at)
    return values


def teach(learner: LinkLearner, traits: bytes, worth: float, weight: float = 1.0, **measures: float) -> None:
    met(learner, traits, **measures)
    link = learner.link(1_000)
    assert link is not None
    learner.learn(link, worth, weight)
    learner.forget(1_000)


def taught(visits: int = 50) -> LinkLearner:
    learner = new_learner()
    for _ in range(visits):
        teach(learner, GOOD, 1.0)
        teach(learner, BAD, 0.0)
    return learner


def test_an_untaught_learner_says_what_it_was_told() -> None:
    chance = 1 / (1 + math.exp(-START))
    assert expected(new_learner(), GOOD, BAD) == pytest.approx([chance, chance])
    believing = new_learner((3.0, -1.3, 0.2, 0.0, 0.0))
    chance = 1 / (1 + math.exp(-(START + 3.0 * 0.5 - 1.3 * 2 + 0.2 * 4)))
    assert expected(believing, GOOD, relevance=0.5, depth=2, words=4) == pytest.approx([chance])


def test_what_measures_are_worth_is_learnt() -> None:
    learner = new_learner((1.0, 0.0, 0.0, 0.0, 0.0))
    for turn in range(40):
        teach(learner, array("I", [turn]).tobytes(), 1.0, relevance=1.0)
        teach(learner, array("I", [turn + 100]).tobytes(), 0.0, relevance=0.0, words=-2.0)
    weights = learner.measure_weights()
    assert weights[RELEVANCE] > 1.2
    assert weights[WORDS] > 0.2
    assert weights[DEPTH] == 0.0, "all of them were as deep"


def test_links_of_further_pages_count_for_those_that_wait() -> None:
    learner = new_learner((0.0, 0.0, 0.0, 2.0, -0.5))
    before = met(learner, GOOD, BAD)
    learner.linked([1_000, 4_711], 1.0)
    learner.linked([1_000], 0.0)
    moved = learner.moved(0.2, 0.0, 0.0)
    assert moved.keys() == {1_000}
    odds = START + 2.0 * math.log(2) - 0.5 * math.log(3)
    assert before[0] + moved[1_000] == pytest.approx(1 / (1 + math.exp(-odds)))


def test_traits_of_good_links_are_worth_more_and_those_of_bad_ones_less() -> None:
    learner = taught()
    good, bad, both = expected(learner, GOOD, BAD, BOTH)
    assert good > 0.6 > both > bad
    assert learner.parts(GOOD)[0] > learner.parts(BAD)[0]
    assert len(learner) == 0


def test_what_is_learnt_by_half_counts_less() -> None:
    whole, half = new_learner(), new_learner()
    teach(whole, GOOD, 1.0)
    teach(half, GOOD, 1.0, 0.3)
    assert expected(whole, GOOD) > expected(half, GOOD) > expected(new_learner(), GOOD)


def test_pieces_and_the_whole_say_the_same() -> None:
    learner, by_pieces, by_whole = new_learner(), new_learner(), new_learner()
    for worth in (1.0, 0.0, 1.0):
        teach(learner, GOOD, worth, relevance=0.5)
        by_pieces.recall(learner.changes())
    by_whole.recall(learner.everything())
    assert learner.changes() == b""
    for again in (by_pieces, by_whole):
        assert expected(again, GOOD, BAD, relevance=0.7) == expected(learner, GOOD, BAD, relevance=0.7)


def test_of_two_that_are_joined_the_one_that_has_learnt_more_says_more() -> None:
    much, little = taught(50), new_learner()
    teach(little, GOOD, 0.0)
    (alone,), (other,) = expected(much, GOOD), expected(little, GOOD)
    little.join(much.everything())
    (joined,) = expected(little, GOOD)
    assert other < (alone + other) / 2 < joined < alone
    before = expected(much, GOOD, BAD)
    much.join(much.everything())
    assert expected(much, GOOD, BAD) == pytest.approx(before)


def test_waiting_links_are_told_when_their_worth_has_doubled_and_only_once() -> None:
    learner = new_learner()
    told = dict(zip((7, 8), learner.meet([7, 8], [GOOD, BAD], START - 2, 0.0, 0.0, [0.0, 0.0]), strict=True))
    assert learner.moved(1.0, 0.005, 0.0) == {}
    for _ in range(50):
        teach(learner, GOOD, 1.0)
    moved = learner.moved(1.0, 0.005, 0.0)
    assert moved.keys() >= {7}
    assert learner.moved(1.0, 0.005, 0.0) == {}
    (now,) = learner.meet([9], [GOOD], START - 2, 0.0, 0.0, [0.0])
    assert told[7] + moved[7] == pytest.approx(now, abs=1e-6)


def test_links_that_are_worth_too_little_stay_until_less_is_followed() -> None:
    learner = new_learner()
    learner.meet([7], [GOOD], -9.0, 0.0, 0.0, [0.0])
    for _ in range(20):
        teach(learner, GOOD, 1.0)
    assert learner.moved(1.0, 0.0, 0.5) == {}
    assert learner.moved(1.0, 0.0, 0.0).keys() == {7}


def test_the_table_of_waiting_links_grows_and_places_are_used_again() -> None:
    learner = new_learner()
    for turn in range(2):
        keys = list(range(turn, 3_000 + turn))
        learner.meet(keys, [GOOD] * 3_000, START, 0.0, 0.0, [float(key % 7) for key in keys])
        link = learner.link(keys[-1])
        assert link is not None
        assert link.endswith(array("H", [1, 2]).tobytes())
    assert len(learner) == 3_001
    learner.forget(5)
    learner.forget(5)
    assert learner.link(5) is None
