"""Rules by hours: what people write, when it holds, and what is wrong with what does not."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from gossamer.errors import BadInput
from gossamer.frontier.byte_rate import format_rate, parse_rate
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.frontier.timed_rule import format_time, parse_rule, strip_port


def at(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("2MB/s", 2e6),
        ("500kB/s", 5e5),
        ("1.5MiB/s", 1.5 * 2**20),
        ("8Mbit/s", 1e6),
        ("2mb/s", 2e6),
        ("2MB", None),
        ("0MB/s", None),
        ("10B/s", None),
        ("MB/s", None),
    ],
)
def test_a_rate_is_read_with_its_unit(text: str, rate: float | None) -> None:
    assert parse_rate(text) == rate


def test_a_rate_is_written_shortly() -> None:
    assert [format_rate(rate) for rate in (2e6, 5e5, 1.25e9)] == ["2 MB/s", "500 kB/s", "1.25 GB/s"]


@pytest.mark.parametrize(
    ("text", "now", "end"),
    [
        ("08:00-18:00 UTC", "2026-11-19 07:59", None),
        ("08:00-18:00 UTC", "2026-11-19 08:00", "2026-11-19 18:00"),
        ("08:00-18:00 UTC", "2026-11-19 18:00", None),
        ("mon-fri 08:00-18:00 UTC", "2026-11-21 12:00", None),
        ("sat,sun 08:00-18:00 UTC", "2026-11-21 12:00", "2026-11-21 18:00"),
        ("fri-mon UTC 08:00-18:00", "2026-11-23 12:00", "2026-11-23 18:00"),
        ("22:00-06:00 UTC", "2026-11-19 23:00", "2026-11-20 06:00"),
        ("22:00-06:00 UTC", "2026-11-20 05:59", "2026-11-20 06:00"),
        ("thu 22:00-06:00 UTC", "2026-11-20 05:59", "2026-11-20 06:00"),
        ("fri 22:00-06:00 UTC", "2026-11-20 05:59", None),
        ("sat UTC", "2026-11-21 12:00", "2026-11-22 00:00"),
        ("08:00-18:00 America/New_York", "2026-11-19 13:00", "2026-11-19 23:00"),
        ("08:00-18:00 America/New_York", "2026-11-19 12:59", None),
    ],
)
def test_hours_hold_as_a_clock_on_the_wall_shows(text: str, now: str, end: str | None) -> None:
    hours = parse_rule(text).hours
    assert hours is not None
    assert hours.find_end(at(now)) == (at(end) if end else None)


def test_hours_follow_the_clock_when_it_is_set() -> None:
    hours = parse_rule("22:00-06:00 Europe/Berlin").hours
    assert hours is not None
    began_s = at("2026-10-24 22:00", "Europe/Berlin")
    assert hours.find_end(began_s) == at("2026-10-25 06:00", "Europe/Berlin") == began_s + 9 * 3600


@pytest.mark.parametrize(
    "text",
    ["25:00-26:00", "08:00-08:00", "08:60-09:00", "tomorrow", "08:00-18:00 Mars/Base", "2MB 08:00-09:00"],
)
def test_what_is_no_rule_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_rule(text)
    assert "\n" not in str(refused.value)


def test_quiet_hours_that_follow_each_other_are_one() -> None:
    quiet = QuietHours(("08:00-12:00 UTC", "12:00-18:00 UTC"))
    assert quiet.find_end(at("2026-11-19 09:00")) == at("2026-11-19 18:00")
    assert quiet.find_end(at("2026-11-19 19:00")) == 0.0
    assert "until Thu 18:00 UTC" in quiet.describe(at("2026-11-19 09:00"))
    assert quiet.describe(at("2026-11-19 19:00")) == ""


def test_an_answer_holds_for_a_minute_at_most() -> None:
    quiet = QuietHours(("08:00-18:00 UTC",))
    assert quiet.find_end(at("2026-11-19 07:59:59")) == 0.0
    assert quiet.find_end(at("2026-11-19 08:00:00")) > 0.0
    assert quiet.find_end(at("2026-11-19 17:59:59")) > 0.0
    assert quiet.find_end(at("2026-11-19 18:00:00")) == 0.0
    assert quiet.find_end(at("2026-11-19 08:00:00")) > 0.0, "a clock that is set back"


def test_a_host_has_its_own_quiet_hours() -> None:
    quiet = QuietHours(("www.example.org 08:00-18:00 UTC",))
    noon = at("2026-11-19 12:00")
    assert quiet.has_hosts
    assert quiet.find_end(noon) == 0.0
    assert quiet.find_end(noon, "www.example.org") == at("2026-11-19 18:00")
    assert quiet.find_end(noon, "other.example") == 0.0


@pytest.mark.parametrize("rules", [("00:00-24:00",), ("mon-sun",), ("12:00-00:00", "00:00-12:00")])
def test_quiet_hours_that_never_end_are_refused(rules: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match="whole week"):
        QuietHours(rules).check(at("2026-11-19 12:00"))


@pytest.mark.parametrize("text", ["2MB/s", "www.example.org", "08:00-18:00 2MB/s"])
def test_what_has_no_hours_or_has_a_rate_is_no_quiet_hour(text: str) -> None:
    with pytest.raises(BadInput, match="no quiet hours"):
        QuietHours((text,))


def test_hosts_are_compared_without_ports() -> None:
    hosts = ("a.example:80", "a.example", "[::1]:8080", "[::1]")
    assert [strip_port(host) for host in hosts] == ["a.example", "a.example", "[::1]", "[::1]"]


def test_a_time_is_written_with_its_day() -> None:
    assert (
        format_time(datetime(2026, 11, 19, 18, tzinfo=UTC).timestamp(), "Europe/Berlin")
        == "Thu 19:00 Europe/Berlin"
    )
