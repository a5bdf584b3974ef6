"""Histories of pages are updated by each visit."""

import pytest

from gossamer.freshness.change_history import (
    AFTER_PAGES,
    DAY_S,
    HostHistory,
    PageHistory,
    decode_host_note,
    decode_page_note,
    encode_note,
    host_note_name,
    page_note_name,
)
from gossamer.freshness.conditional_request import estimate_change_chance, gap_to_bucket
from gossamer.freshness.learn_from_visit import (
    FADES,
    begin_history,
    read_date_hint,
    record_change,
    record_unchanged,
)

NOON_S = 1.8e9


def test_the_date_of_the_last_change_is_a_hint_at_the_first_visit() -> None:
    assert read_date_hint(NOON_S, NOON_S - 5 * DAY_S) == (1.25, 0.25)


@pytest.mark.parametrize("last_change_s", [None, NOON_S - 1.0, NOON_S + DAY_S])
def test_dates_of_generated_pages_are_ignored(last_change_s: float | None) -> None:
    assert read_date_hint(NOON_S, last_change_s) == (0.0, 0.0)


def test_a_very_old_date_shows_only_a_quiet_time() -> None:
    assert read_date_hint(NOON_S, NOON_S - 4000 * DAY_S) == (7.5, 0.0)


def test_quiet_time_accumulates_and_unchecked_answers_are_counted() -> None:
    note = record_unchanged(
        record_unchanged(begin_history(NOON_S, 7), NOON_S + 2 * DAY_S, checked=False),
        NOON_S + 5 * DAY_S,
        checked=False,
    )
    assert note.quiet_days == pytest.approx(5.0, rel=0.05)
    assert (note.unheard, note.seen_s) == (2, NOON_S + 5 * DAY_S)
    assert record_unchanged(note, NOON_S + 6 * DAY_S, checked=True).unheard == 0


def test_a_change_is_counted_by_its_gap_or_by_its_date() -> None:
    note = begin_history(NOON_S, 7)
    undated = record_change(note, NOON_S + 4 * DAY_S, 8, None)
    assert (undated.gaps, undated.key, undated.quiet_days) == ({gap_to_bucket(4.0): 1}, 8, 0.0)
    assert record_change(undated, NOON_S + 8 * DAY_S, 9, None).gaps == {gap_to_bucket(4.0): 1 + FADES}
    dated = record_change(note, NOON_S + 4 * DAY_S, 8, NOON_S + 1 * DAY_S)
    assert (dated.gaps, dated.dated, dated.quiet_days) == ({}, 1, 3.0)
    # A date before the last visit is not that of this change.
    assert record_change(note, NOON_S + 4 * DAY_S, 8, NOON_S - DAY_S).gaps == {gap_to_bucket(4.0): 1}


def test_old_observations_fade_and_frequent_visits_erase_nothing() -> None:
    note, now_s = begin_history(NOON_S, 0), NOON_S
    for key in range(1, 41):
        now_s += DAY_S
        note = record_change(note, now_s, key, None)
    assert sum(note.gaps.values()) < 1 / (1 - FADES) + 1
    hurried = note
    for _ in range(24):
        hurried = record_unchanged(hurried, hurried.seen_s + 3600, checked=True)
    assert sum(hurried.gaps.values()) > 0.9 * FADES * sum(note.gaps.values())
    for _ in range(100):
        note = record_unchanged(note, note.seen_s + 7 * DAY_S, checked=True)
    assert estimate_change_chance(note, 1.0) < 0.05
    assert len(note.gaps) <= 1


def test_notes_survive_encoding_and_names_sort_pages_first() -> None:
    page = PageHistory(1.5, 2.5, -3, 4.0, 5, {-6: 7}, 8, True, 9.0, 10, True, b"blocks")
    host = HostHistory(1, 2, 3, 4, {5: (6, 7)}, 8.0)
    assert decode_page_note(encode_note(page)) == page
    assert decode_host_note(encode_note(host)) == host
    assert (decode_page_note(None), decode_host_note(None)) == (PageHistory(), HostHistory())
    for page_id in (0, 1, -1, 2**63 - 1, -(2**63)):
        assert page_note_name(page_id) < AFTER_PAGES < host_note_name("0.example")
