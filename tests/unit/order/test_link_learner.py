"""What traits are worth is learnt from visits, kept in pieces, and links that wait are scored again."""

import math
from array import array

import pytest

from gossamer.order.link_learner import LinkLearner

GOOD, BAD, BOTH = (array("I", numbers).tobytes() for numbers in ([1, 2], [1, 3], [1, 2, 3]))
START = -1.0


def taught(visits: int = 50) -> LinkLearner:
    learner = LinkLearner(0.1)
    for _ in range(visits):
        learner.learn(GOOD, START, 1.0, 1.0)
        learner.learn(BAD, START, 0.0, 1.0)
    return learner


def expected(learner: LinkLearner, *traits: bytes) -> list[float]:
    keys = list(range(1_000, 1_000 + len(traits)))
    values = learner.meet(keys, list(traits), [START] * len(traits))
    for key in keys:
        learner.forget(key)
    return values


def test_an_untaught_learner_says_what_it_was_told() -> None:
    chance = 1 / (1 + math.exp(-START))
    assert expected(LinkLearner(0.1), GOOD, BAD) == pytest.approx([chance, chance])


def test_traits_of_good_links_are_worth_more_and_those_of_bad_ones_less() -> None:
    learner = taught()
    good, bad, both = expected(learner, GOOD, BAD, BOTH)
    assert good > 0.6 > both > bad
    assert learner.parts(GOOD)[0] > learner.parts(BAD)[0]
    assert len(learner) == 0


def test_what_is_learnt_by_half_counts_less() -> None:
    whole, half = LinkLearner(0.1), LinkLearner(0.1)
    whole.learn(GOOD, START, 1.0, 1.0)
    half.learn(GOOD, START, 1.0, 0.3)
    assert expected(whole, GOOD) > expected(half, GOOD) > expected(LinkLearner(0.1), GOOD)


def test_pieces_and_the_whole_say_the_same() -> None:
    learner, by_pieces, by_whole = LinkLearner(0.1), LinkLearner(0.1), LinkLearner(0.1)
    for worth in (1.0, 0.0, 1.0):
        learner.learn(GOOD, START, worth, 1.0)
        by_pieces.recall(learner.changes())
    by_whole.recall(learner.everything())
    assert learner.changes() == b""
    for again in (by_pieces, by_whole):
        assert expected(again, GOOD, BAD) == expected(learner, GOOD, BAD)


def test_of_two_that_are_joined_the_one_that_has_learnt_more_says_more() -> None:
    much, little = taught(50), LinkLearner(0.1)
    little.learn(GOOD, START, 0.0, 1.0)
    (alone,), (other,) = expected(much, GOOD), expected(little, GOOD)
    little.join(much.everything())
    (joined,) = expected(little, GOOD)
    assert other < (alone + other) / 2 < joined < alone
    before = expected(much, GOOD, BAD)
    much.join(much.everything())
    assert expected(much, GOOD, BAD) == pytest.approx(before)


def test_waiting_links_are_told_when_their_worth_has_doubled_and_only_once() -> None:
    learner = LinkLearner(0.1)
    told = dict(zip((7, 8), learner.meet([7, 8], [GOOD, BAD], [START - 2, START - 2]), strict=True))
    assert learner.moved(1.0, 0.005, 0.0) == {}
    for _ in range(50):
        learner.learn(GOOD, START, 1.0, 1.0)
    moved = learner.moved(1.0, 0.005, 0.0)
    assert moved.keys() >= {7}
    assert learner.moved(1.0, 0.005, 0.0) == {}
    kept, start = learner.traits(7) or (b"", 0.0)
    assert (kept, start) == (GOOD, START - 2)
    (now,) = learner.meet([9], [GOOD], [START - 2])
    assert told[7] + moved[7] == pytest.approx(now, abs=1e-6)


def test_links_that_are_worth_too_little_stay_until_less_is_followed() -> None:
    learner = LinkLearner(0.1)
    learner.meet([7], [GOOD], [-9.0])
    for _ in range(20):
        learner.learn(GOOD, START, 1.0, 1.0)
    assert learner.moved(1.0, 0.0, 0.5) == {}
    assert learner.moved(1.0, 0.0, 0.0).keys() == {7}


def test_the_table_of_waiting_links_grows_and_places_are_used_again() -> None:
    learner = LinkLearner(0.1)
    for turn in range(2):
        keys = list(range(turn, 3_000 + turn))
        learner.meet(keys, [GOOD] * 3_000, [float(key % 7) for key in keys])
        assert learner.traits(keys[-1]) == (GOOD, keys[-1] % 7)
    assert len(learner) == 3_001
    learner.forget(5)
    learner.forget(5)
    assert learner.traits(5) is None
