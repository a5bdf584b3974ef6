"""The learner: weights from visits, their packed form, and new scores for waiting links."""

import math
from array import array

import pytest

from gossamer.order.learning.link_learner import DEPTH, MEASURES, RELEVANCE, WORDS, LinkLearner

GOOD, BAD, BOTH = (array("I", numbers).tobytes() for numbers in ([1, 2], [1, 3], [1, 2, 3]))
START = -1.0
PLAIN = (0.0,) * MEASURES


def make_learner(beliefs: tuple[float, ...] = PLAIN) -> LinkLearner:
    return LinkLearner(0.1, beliefs)


def add(learner: LinkLearner, *features: bytes, start: float = START, **measures: float) -> list[float]:
    keys = list(range(1_000, 1_000 + len(features)))
    words = [measures.get("words", 0.0)] * len(features)
    relevance, depth = measures.get("relevance", 0.0), measures.get("depth", 0.0)
    return learner.add_links(keys, list(features), start, relevance, depth, words)


def predict(learner: LinkLearner, *features: bytes, **measures: float) -> list[float]:
    values = add(learner, *features, **measures)
    for at in range(len(features)):
        learner.forget(1_000 + at)
    return values


def teach(
    learner: LinkLearner, features: bytes, worth: float, weight: float = 1.0, **measures: float
) -> None:
    add(learner, features, **measures)
    link = learner.pack_link(1_000)
    assert link is not None
    learner.learn(link, worth, weight)
    learner.forget(1_000)


def make_taught_learner(visits: int = 50) -> LinkLearner:
    learner = make_learner()
    for _ in range(visits):
        teach(learner, GOOD, 1.0)
        teach(learner, BAD, 0.0)
    return learner


def test_an_untaught_learner_predicts_by_its_beliefs() -> None:
    chance = 1 / (1 + math.exp(-START))
    assert predict(make_learner(), GOOD, BAD) == pytest.approx([chance, chance])
    believing = make_learner((3.0, -1.3, 0.2, 0.0, 0.0))
    chance = 1 / (1 + math.exp(-(START + 3.0 * 0.5 - 1.3 * 2 + 0.2 * 4)))
    assert predict(believing, GOOD, relevance=0.5, depth=2, words=4) == pytest.approx([chance])


def test_the_weights_of_measures_are_learnt() -> None:
    learner = make_learner((1.0, 0.0, 0.0, 0.0, 0.0))
    for turn in range(40):
        teach(learner, array("I", [turn]).tobytes(), 1.0, relevance=1.0)
        teach(learner, array("I", [turn + 100]).tobytes(), 0.0, relevance=0.0, words=-2.0)
    weights = learner.get_measure_weights()
    assert weights[RELEVANCE] > 1.2
    assert weights[WORDS] > 0.2
    assert weights[DEPTH] == 0.0, "all links had the same depth"


def test_further_pages_that_link_to_a_waiting_link_change_its_score() -> None:
    learner = make_learner((0.0, 0.0, 0.0, 2.0, -0.5))
    before = add(learner, GOOD, BAD)
    learner.record_links([1_000, 4_711], 1.0)
    learner.record_links([1_000], 0.0)
    changes = learner.take_score_changes(0.2, 0.0, 0.0)
    assert changes.keys() == {1_000}
    odds = START + 2.0 * math.log(2) - 0.5 * math.log(3)
    assert before[0] + changes[1_000] == pytest.approx(1 / (1 + math.exp(-odds)))


def test_features_of_good_links_raise_the_score_and_those_of_bad_ones_lower_it() -> None:
    learner = make_taught_learner()
    good, bad, both = predict(learner, GOOD, BAD, BOTH)
    assert good > 0.6 > both > bad
    assert learner.explain_features(GOOD)[0] > learner.explain_features(BAD)[0]
    assert len(learner) == 0


def test_a_visit_of_less_weight_teaches_less() -> None:
    whole, half = make_learner(), make_learner()
    teach(whole, GOOD, 1.0)
    teach(half, GOOD, 1.0, 0.3)
    assert predict(whole, GOOD) > predict(half, GOOD) > predict(make_learner(), GOOD)


def test_packed_changes_and_the_packed_whole_load_the_same_weights() -> None:
    learner, by_pieces, by_whole = make_learner(), make_learner(), make_learner()
    for worth in (1.0, 0.0, 1.0):
        teach(learner, GOOD, worth, relevance=0.5)
        by_pieces.load(learner.pack_changes())
    by_whole.load(learner.pack_all())
    assert learner.pack_changes() == b""
    for again in (by_pieces, by_whole):
        assert predict(again, GOOD, BAD, relevance=0.7) == predict(learner, GOOD, BAD, relevance=0.7)


def test_a_merge_favours_the_learner_that_has_learnt_more() -> None:
    much, little = make_taught_learner(50), make_learner()
    teach(little, GOOD, 0.0)
    (alone,), (other,) = predict(much, GOOD), predict(little, GOOD)
    little.merge(much.pack_all())
    (joined,) = predict(little, GOOD)
    assert other < (alone + other) / 2 < joined < alone
    before = predict(much, GOOD, BAD)
    much.merge(much.pack_all())
    assert predict(much, GOOD, BAD) == pytest.approx(before)


def test_a_doubled_score_of_a_waiting_link_is_returned_once() -> None:
    learner = make_learner()
    before = dict(
        zip((7, 8), learner.add_links([7, 8], [GOOD, BAD], START - 2, 0.0, 0.0, [0.0, 0.0]), strict=True)
    )
    assert learner.take_score_changes(1.0, 0.005, 0.0) == {}
    for _ in range(50):
        teach(learner, GOOD, 1.0)
    changes = learner.take_score_changes(1.0, 0.005, 0.0)
    assert changes.keys() >= {7}
    assert learner.take_score_changes(1.0, 0.005, 0.0) == {}
    (now,) = learner.add_links([9], [GOOD], START - 2, 0.0, 0.0, [0.0])
    assert before[7] + changes[7] == pytest.approx(now, abs=1e-6)


def test_changes_below_the_floor_are_held_back_until_the_floor_is_lower() -> None:
    learner = make_learner()
    learner.add_links([7], [GOOD], -9.0, 0.0, 0.0, [0.0])
    for _ in range(20):
        teach(learner, GOOD, 1.0)
    assert learner.take_score_changes(1.0, 0.0, 0.5) == {}
    assert learner.take_score_changes(1.0, 0.0, 0.0).keys() == {7}


def test_the_table_of_waiting_links_grows_and_reuses_rows() -> None:
    learner = make_learner()
    for turn in range(2):
        keys = list(range(turn, 3_000 + turn))
        learner.add_links(keys, [GOOD] * 3_000, START, 0.0, 0.0, [float(key % 7) for key in keys])
        link = learner.pack_link(keys[-1])
        assert link is not None
        assert link.endswith(array("H", [1, 2]).tobytes())
    assert len(learner) == 3_001
    learner.forget(5)
    learner.forget(5)
    assert learner.pack_link(5) is None
