"""Text that follows the clock is recognised, and content is not taken for it."""

from datetime import UTC, datetime

import pytest

from gossamer.watch.difference.clock_text import differ_only_by_clock

OLD_S = datetime(2026, 3, 17, 10, 5, tzinfo=UTC).timestamp()
NEW_S = datetime(2026, 3, 18, 11, 20, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Posted 3 minutes ago by Tom", "Posted 5 hours ago by Tom"),
        ("by Tom, just now", "by Tom, 1 day ago"),
        ("vor 3 Minuten", "vor 2 Stunden"),
        ("il y a 3 jours", "il y a 4 jours"),
        ("hace 3 horas", "hace un día"),
        ("Today is Tuesday, 17 March 2026.", "Today is Wednesday, 18 March 2026."),
        ("Stand: 17. März 2026", "Stand: 18. März 2026"),
        ("March 17", "March 18"),
        ("3/17/2026", "3/18/2026"),
        ("2026-03-17 11:05", "2026-03-18 12:20"),
        ("It is 11:05 now", "It is 12:20 now"),
        ("1,204 visitors so far", "1,310 visitors so far"),
        ("You are visitor number 99.", "You are visitor number 1,204."),
        ("17 Besucher am 17.03.2026", "93 Besucher am 18.03.2026"),
    ],
)
def test_ages_dates_times_and_counters_say_nothing(old: str, new: str) -> None:
    assert differ_only_by_clock(old, OLD_S, new, NEW_S)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Price: 300 EUR", "Price: 280 EUR"),
        ("Price: 17 EUR", "Price: 18 EUR"),
        ("The fair begins on 17 June 2026", "The fair begins on 18 June 2026"),
        ("Open until 18:00", "Open until 20:00"),
        ("Open until 10:05", "Open until 12:20"),
        ("Posted 3 minutes ago by Tom", "Posted 3 minutes ago by Ann"),
        ("Today is 17 March 2026: soup", "Today is 18 March 2026: fish"),
        ("12 visitors drowned", "13 visitors were saved"),
        ("Room 31, 99/99/2026", "Room 31, 98/98/2026"),
        ("", "now"),
    ],
)
def test_content_is_not_taken_for_the_clock(old: str, new: str) -> None:
    assert not differ_only_by_clock(old, OLD_S, new, NEW_S)


def test_a_date_must_be_that_of_the_visit_in_both_versions() -> None:
    assert not differ_only_by_clock("17 March 2026", OLD_S, "18 March 2027", NEW_S)
    assert not differ_only_by_clock("1 March 2026", OLD_S, "18 March 2026", NEW_S)
