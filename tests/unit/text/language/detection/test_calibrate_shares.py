"""Shares of single words are right as often as they say."""

import itertools
from collections import defaultdict
from pathlib import Path

import pytest

from gossamer.text.language.detection.calibrate_shares import KNOTS, calibrate_shares
from gossamer.text.language.detection.detect_language import detect

MANY = 43


def test_the_curve_rises_from_nothing_to_certainty() -> None:
    assert (KNOTS[0], KNOTS[-1]) == ((0.0, 0.0), (1.0, 1.0))
    for (x, y), (u, v) in itertools.pairwise(KNOTS):
        assert x < u
        assert y <= v


@pytest.mark.parametrize("best", [0.01, 0.2, 0.3, 0.5, 0.55, 0.73, 0.9, 0.999, 1.0])
def test_the_best_language_stays_the_best(best: float) -> None:
    shares = ((7, best), (3, min(best, 1 - best)))
    (first, share), (second, other) = calibrate_shares(shares, 1, MANY)
    assert (first, second) == (7, 3)
    assert share >= other
    assert 0 <= share + other <= 1 + 1e-9


def test_only_single_words_among_many_languages_are_corrected() -> None:
    shares = ((7, 0.73), (3, 0.27))
    assert [share for _, share in calibrate_shares(shares, 1, MANY)] == pytest.approx([0.52, 0.48])
    assert calibrate_shares(shares, 2, MANY) == shares
    assert calibrate_shares(shares, 1, 2) == shares


def test_a_guess_is_not_sure() -> None:
    assert not detect("hello").sure
    assert detect("Dies ist ein deutscher Satz.").sure
    assert not detect("1234").sure


@pytest.mark.parametrize("kind", ["sentences", "pairs", "words"])
def test_shares_are_right_as_often_as_they_say(data: Path, kind: str) -> None:
    lines = (data / "language" / f"{kind}.tsv").read_text("utf-8").removesuffix("\n").split("\n")
    bins: defaultdict[int, list[float]] = defaultdict(list)
    for line in lines[1::4]:
        language, _, text = line.partition("\t")
        verdict = detect(text)
        bins[min(9, int(verdict.confidence * 10))].append(verdict.confidence - (verdict.language == language))
    error = sum(abs(sum(each)) for each in bins.values()) / sum(map(len, bins.values()))
    assert error <= 0.03
