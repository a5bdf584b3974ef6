"""Due times across the days on which clocks change, months of all lengths, and years without a look."""

from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.schedule.rules.due_times import (
    Interval,
    count_between,
    find_last,
    find_next,
    list_between,
)
from gossamer.schedule.rules.parse_rule import parse_rule

BERLIN = ZoneInfo("Europe/Berlin")
RULES = (
    "every 7 hours",
    "every day at 2:30 and 3:30",
    "every Monday at 3",
    "on the last day at 4",
    "every 3 days",
)


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def list_first(rule: str, after: str, count: int = 3, zone: ZoneInfo = BERLIN) -> list[str]:
    found = islice(list_between(parse_rule(rule), at(after), float("inf"), zone), count)
    return [datetime.fromtimestamp(one, zone).isoformat(" ", "minutes") for one in found]


def test_an_hour_that_does_not_exist_is_due_an_hour_later() -> None:
    # On 29 March 2026 clocks in Berlin go from 2:00 to 3:00.
    assert list_first("every day at 2:30", "2026-03-27 12:00") == [
        "2026-03-28 02:30+01:00",
        "2026-03-29 03:30+02:00",
        "2026-03-30 02:30+02:00",
    ]
    assert list_first("every day at 2:30 and 3:30", "2026-03-28 12:00", 2) == [
        "2026-03-29 03:30+02:00",
        "2026-03-30 02:30+02:00",
    ]


def test_an_hour_that_happens_twice_is_due_once() -> None:
    # On 25 October 2026 clocks in Berlin go from 3:00 back to 2:00.
    assert list_first("every day at 2:30", "2026-10-24 12:00", 2) == [
        "2026-10-25 02:30+02:00",
        "2026-10-26 02:30+01:00",
    ]


def test_intervals_count_real_time_when_clocks_change() -> None:
    assert list_first("every 6 hours", "2026-03-28 20:00") == [
        "2026-03-29 00:00+01:00",
        "2026-03-29 07:00+02:00",
        "2026-03-29 13:00+02:00",
    ]


def test_a_day_that_a_zone_left_out_is_due_once() -> None:
    # Samoa had no 30 December 2011.
    found = list_first("every day at 3", "2011-12-29 00:00", 3, ZoneInfo("Pacific/Apia"))
    assert found == ["2011-12-29 03:00-10:00", "2011-12-31 03:00+14:00", "2012-01-01 03:00+14:00"]


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("on the 31st at 3", ["2026-01-31", "2026-03-31", "2026-05-31"]),
        ("on the last day at 3", ["2026-01-31", "2026-02-28", "2026-03-31"]),
        ("on 29 February at 3", ["2028-02-29", "2032-02-29", "2036-02-29"]),
        ("every 2 weeks at 3", ["2026-01-12", "2026-01-26", "2026-02-09"]),
        ("every Monday at 3", ["2026-01-05", "2026-01-12", "2026-01-19"]),
    ],
)
def test_months_and_weeks(rule: str, days: list[str]) -> None:
    assert [one[:10] for one in list_first(rule, "2026-01-01 12:00")] == days


def test_what_never_comes_is_known() -> None:
    assert find_next(parse_rule("on 30 February at 3"), at("2026-01-01 00:00"), BERLIN) is None
    assert find_next(parse_rule("on 31 April and June at 3"), at("2026-01-01 00:00"), BERLIN) is None
    assert find_next(parse_rule("when a sitemap changes"), 0, BERLIN) is None


def test_years_of_an_interval_are_counted_without_listing_them() -> None:
    assert count_between(Interval(1), 0.5, 4e9, BERLIN) == 4_000_000_000


@given(st.sampled_from(RULES), st.integers(1_700_000_000, 1_900_000_000), st.integers(1, 3_000_000))
def test_next_last_and_count_agree(rule: str, after_s: int, span_s: int) -> None:
    parsed = parse_rule(rule)
    moments = list(list_between(parsed, after_s, after_s + span_s, BERLIN))
    assert moments == sorted(set(moments))
    assert count_between(parsed, after_s, after_s + span_s, BERLIN) == len(moments)
    assert find_last(parsed, after_s, after_s + span_s, BERLIN) == (moments[-1] if moments else None)
    first = find_next(parsed, after_s, BERLIN)
    assert first is not None
    assert first > after_s
    assert moments[:1] in ([], [first])
