import pytest

from gossamer.assess.records import Judgement, Verdict
from gossamer.assess.results.agreement import cohen_kappa, fleiss_kappa, measure_agreements

VERDICTS: tuple[Verdict, ...] = ("relevant", "not", "unsure")


def test_cohens_kappa_agrees_with_a_worked_example() -> None:
    # 20 times both yes, 5 and 10 times apart, 15 times both no: observed 0.7, expected 0.5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_kappa_agrees_with_a_worked_example() -> None:
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
    kappa = fleiss_kappa(pages)
    assert kappa is not None
    assert round(kappa, 3) == 0.210


def test_there_is_no_kappa_if_only_one_verdict_occurs() -> None:
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert fleiss_kappa([["a", "a", "a"]]) is None
    assert cohen_kappa([], []) is None
    assert fleiss_kappa([]) is None


def test_perfect_and_opposite_judges_have_a_kappa_of_one_and_minus_one() -> None:
    assert cohen_kappa(["a", "b"], ["a", "b"]) == 1.0
    assert cohen_kappa(["a", "b"], ["b", "a"]) == -1.0


def make_judgements(judge: str, verdicts: str, first_page: int = 0) -> list[Judgement]:
    return [
        Judgement(judge, first_page + at, VERDICTS["rnu".index(letter)], at + 1, 0.0)
        for at, letter in enumerate(verdicts)
    ]


def test_two_judges_are_compared_on_the_pages_that_both_judged() -> None:
    (found,) = measure_agreements(make_judgements("anna", "rrnnu") + make_judgements("bert", "rnn", 1))
    assert (found.judges, found.pages, found.measure) == (("anna", "bert"), 3, "Cohen's kappa")
    assert found.agreed == 1.0
    assert found.kappa == 1.0


def test_three_judges_have_a_common_kappa_and_one_for_each_pair() -> None:
    found = measure_agreements(
        make_judgements("a", "rrnn") + make_judgements("b", "rrnn") + make_judgements("c", "rrnr")
    )
    assert [one.judges for one in found] == [("a", "b", "c"), ("a", "b"), ("a", "c"), ("b", "c")]
    assert found[0].measure == "Fleiss' kappa"
    assert found[0].agreed == pytest.approx((3 + 3 + 3 + 1) / 12)
    assert found[1].kappa == 1.0


def test_judges_without_common_pages_have_no_kappa() -> None:
    (found,) = measure_agreements(make_judgements("a", "rn") + make_judgements("b", "rn", 10))
    assert (found.pages, found.kappa, found.agreed) == (0, None, 0.0)
    assert measure_agreements(make_judgements("a", "rn")) == []
