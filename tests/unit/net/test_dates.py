"""Dates in all the forms that pages and sitemaps use."""

from datetime import UTC, datetime

import pytest

from gossamer.net.dates import parse_date

MOMENT = datetime(2030, 6, 25, 15, 0, tzinfo=UTC)
DAY = datetime(2030, 6, 25, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tue, 25 Jun 2030 15:00:00 GMT", MOMENT),
        ("25 Jun 2030 07:00:00 PST", MOMENT),
        ("Tuesday, 25-Jun-30 15:00:00 GMT", MOMENT),
        ("25-Jun-2030 10:00:00 EST", MOMENT),
        ("Tue Jun 25 15:00:00 2030", MOMENT),
        ("Jun 25, 2030 15:00:00", MOMENT),
        ("2030-06-25T15:00:00Z", MOMENT),
        ("2030-06-25t15:00z", MOMENT),
        ("2030-06-25T17:00:00.000+02:00", MOMENT),
        ("2030-06-25 17:00:00 +0200", MOMENT),
        ("2030-06-25 15:00:00 UTC", MOMENT),
        ("20300625T150000Z", MOMENT),
        (" 2030-06-25 ", DAY),
        ("25 Jun 2030", DAY),
        ("Tue, 25 Jun 2030", DAY),
        ("2030-06", datetime(2030, 6, 1, tzinfo=UTC)),
        ("2030", datetime(2030, 1, 1, tzinfo=UTC)),
    ],
)
def test_dates(text: str, expected: datetime) -> None:
    found = parse_date(text)
    assert found == expected
    assert found is not None
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Fri",
        "soon",
        "0000",
        "2030-13",
        "2030-02-30",
        "30 Feb 2030 15:00:00 GMT",
        "0001-01-01T00:00:00+12:00",
        "9999-12-31T23:59:59-12:00",
        "Fri, 31 Dec 9999 23:59:59 -1200",
        "25 Jun 2030 99:99:99 GMT",
        "2030-06-25" * 1_000,
        "1" * 64,
        ", , , ,",
        "\ud800",
    ],
)
def test_other_texts_give_none(text: str) -> None:
    assert parse_date(text) is None
