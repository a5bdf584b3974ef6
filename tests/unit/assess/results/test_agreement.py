import pytest

from gossamer.assess.records import Judgement, Verdict
from gossamer.assess.results.agreement import agreements, cohen, fleiss

VERDICTS: tuple[Verdict, ...] = ("relevant", "not", "unsure")


def test_cohen_agrees_with_a_worked_example() -> None:
    # 20 times both yes, 5 and 10 times apart, 15 times both no: observed 0.7, expected 0.5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen(first, second) == pytest.approx(0.4)


def test_fleiss_agrees_with_a_worked_example() -> None:
    # Fourteen judges, ten subjects, five kinds: kappa 0.210 (the example of most textbooks, after Fleiss 1971).
    counts = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    pages = [[str(kind) for kind, times in enumerate(row) for _ in range(times)] for row in counts]
    kappa = fleiss(pages)
    assert kappa is not None
    assert round(kappa, 3) == 0.210


def test_no_kappa_where_chance_explains_everything() -> None:
    assert cohen(["a", "a"], ["a", "a"]) is None
    assert fleiss([["a", "a", "a"]]) is None
    assert cohen([], []) is None
    assert fleiss([]) is None


def test_perfect_and_opposite_judges() -> None:
    assert cohen(["a", "b"], ["a", "b"]) == 1.0
    assert cohen(["a", "b"], ["b", "a"]) == -1.0


def said(judge: str, verdicts: str, first_page: int = 0) -> list[Judgement]:
    return [
        Judgement(judge, first_page + at, VERDICTS["rnu".index(letter)], at + 1, 0.0)
        for at, letter in enumerate(verdicts)
    ]


def test_two_judges_are_compared_on_what_both_judged() -> None:
    (told,) = agreements(said("anna", "rrnnu") + said("bert", "rnn", 1))
    assert (told.judges, told.pages, told.measure) == (("anna", "bert"), 3, "Cohen's kappa")
    assert told.agreed == 1.0
    assert told.kappa == 1.0


def test_three_judges_have_one_kappa_and_one_for_each_pair() -> None:
    told = agreements(said("a", "rrnn") + said("b", "rrnn") + said("c", "rrnr"))
    assert [one.judges for one in told] == [("a", "b", "c"), ("a", "b"), ("a", "c"), ("b", "c")]
    assert told[0].measure == "Fleiss' kappa"
    assert told[0].agreed == pytest.approx((3 + 3 + 3 + 1) / 12)
    assert told[1].kappa == 1.0


def test_judges_who_judged_nothing_in_common_have_no_kappa() -> None:
    (told,) = agreements(said("a", "rn") + said("b", "rn", 10))
    assert (told.pages, told.kappa, told.agreed) == (0, None, 0.0)
    assert agreements(said("a", "rn")) == []
