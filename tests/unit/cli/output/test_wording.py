"""Counts, causes and numbers are put into words."""

import pytest
from tests.unit.cli.crawl.samples import COUNTS

from gossamer.cli.output import wording


def test_counts_are_described_and_add_up() -> None:
    rows = dict(wording.list_counts(COUNTS))
    assert rows["pages fetched"] == 20
    assert rows["refused: robots.txt forbids it"] == 4
    assert rows["failed: the server answered 404"] == 3
    assert rows["failed: no answer in time"] == 1
    assert rows["  not followed: outside the task's scope"] == 7
    assert rows["  not followed: by 'no_calendar'"] == 3
    assert rows["still waiting"] == 10
    assert not {"finished", "elapsed_ms"} & rows.keys()


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2.5e9, "2.5 GB"), (3e15, "3000.0 TB")]
)
def test_bytes_have_a_unit(number: float, text: str) -> None:
    assert wording.format_bytes(number) == text


def test_durations_are_written_as_on_a_clock() -> None:
    assert [wording.format_duration(seconds) for seconds in (0, 59.9, 61, 3723)] == [
        "0:00",
        "0:59",
        "1:01",
        "1:02:03",
    ]


def test_nouns_are_plural_except_for_one() -> None:
    assert [wording.format_count(number, "page") for number in (0, 1, 2000)] == [
        "0 pages",
        "1 page",
        "2,000 pages",
    ]
