"""A field that stops matching is told from one that some pages never have."""

import random

from gossamer.fields.field_drift import measure_drift


def copies(*matches: bool) -> list[tuple[float, bool]]:
    return [(float(day), matched) for day, matched in enumerate(matches)]


def test_a_field_that_always_matched_stops() -> None:
    drift = measure_drift("price", True, copies(*[True] * 20, *[False] * 5))
    assert (drift.verdict, drift.since_s, drift.matched, drift.pages) == ("stopped", 20.0, 20, 25)
    assert (drift.earlier, drift.later) == (1.0, 0.0)


def test_order_of_arrival_does_not_matter() -> None:
    seen = copies(*[True] * 20, *[False] * 5)
    random.Random(1).shuffle(seen)
    assert measure_drift("price", True, seen).since_s == 20.0


def test_one_page_without_it_is_an_exception() -> None:
    assert measure_drift("price", True, copies(*[True] * 20, False)).verdict == "steady"


def test_a_field_that_few_pages_have_needs_a_long_run_of_misses() -> None:
    rare = [False, False, False, False, True] * 10
    assert measure_drift("x", False, copies(*rare, *[False] * 10)).verdict == "steady"
    assert measure_drift("x", False, copies(*rare, *[False] * 60)).verdict == "stopped"


def test_a_field_that_half_of_the_pages_lose_fell() -> None:
    drift = measure_drift("x", False, copies(*[True] * 50, *[True, False] * 25))
    assert (drift.verdict, drift.earlier, drift.later) == ("fell", 1.0, 0.5)


def test_steady_fields_are_not_reported() -> None:
    """Of 1,000 fields that nothing happens to, about two are reported: one test for each of the two verdicts."""
    dice = random.Random(7)
    verdicts = [
        measure_drift("x", False, copies(*[dice.random() < 0.8 for _ in range(100)])).verdict
        for _ in range(1_000)
    ]
    assert sum(verdict != "steady" for verdict in verdicts) <= 8


def test_fields_without_pages_or_matches() -> None:
    assert measure_drift("x", True, []).verdict == "no pages"
    assert measure_drift("x", True, copies(False, False)).verdict == "never matched"
