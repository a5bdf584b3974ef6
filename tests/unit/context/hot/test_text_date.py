"""The date of a text is what its page states, else what its server says, else when it was first fetched."""

from datetime import UTC, date, datetime

import pytest

from gossamer.context.hot.text_date import TextDate, choose_date, find_stated_date
from gossamer.net import html

_FETCHED_S = datetime(2024, 6, 30, 12, tzinfo=UTC).timestamp()
_MAY = date(2024, 5, 3).toordinal()
_LD = '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2024-05-03T10:00:00Z"}</script>'


def find(head: str = "", body: str = "<p>words</p>", url: str = "http://a.example/page") -> TextDate | None:
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    return find_stated_date(html.read(page.encode(), url, "text/html"), url, _FETCHED_S)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (_LD, ""),
        ('<meta property="article:published_time" content="2024-05-03T10:00:00+02:00">', ""),
        ('<meta name="dc.date" content="2024-05-03">', ""),
        ("", '<article><time datetime="2024-05-03">3 May</time></article>'),
        (
            "",
            '<div itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="2024-05-03"></div>',
        ),
    ],
)
def test_a_page_states_its_date_in_many_ways(head: str, body: str) -> None:
    assert find(head, body) == TextDate(_MAY, "page")


@pytest.mark.parametrize("path", ["2024/05/03/story", "news-2024-05-03.html", "20240503/x", "2024_05_03"])
def test_the_url_may_state_a_date(path: str) -> None:
    assert find(url=f"http://a.example/{path}") == TextDate(_MAY, "url")


@pytest.mark.parametrize(
    ("head", "body", "url"),
    [
        ('<meta name="date" content="2031-01-01">', "", "http://a.example/"),  # after the visit
        ('<meta name="date" content="2024-05">', "", "http://a.example/"),  # not a day
        ('<meta name="date" content="yesterday">', "", "http://a.example/2024/13/45/"),
        ("", '<time datetime="2024-05-03"></time><time datetime="2024-05-04"></time>', "http://a.example/"),
        ("", "", "http://a.example/120240503"),
    ],
)
def test_what_is_no_date_of_the_page_is_left_alone(head: str, body: str, url: str) -> None:
    assert find(head, body, url) is None


def test_the_server_and_the_first_visit_are_asked_last() -> None:
    stated = TextDate(_MAY, "page")
    modified = "Sat, 01 Jun 2024 08:00:00 GMT"
    june = date(2024, 6, 1).toordinal()
    fetched = date(2024, 6, 30).toordinal()
    assert choose_date(stated, modified, _FETCHED_S) == stated
    assert choose_date(None, modified, _FETCHED_S) == TextDate(june, "server")
    assert choose_date(None, "Sat, 01 Jun 2030 08:00:00 GMT", _FETCHED_S) == TextDate(fetched, "fetch")
    assert choose_date(None, "nonsense", _FETCHED_S) == TextDate(fetched, "fetch")


def test_a_later_version_is_later() -> None:
    stated = TextDate(_MAY, "page")
    assert choose_date(stated, "", _FETCHED_S, after_day=_MAY).source == "fetch"
    assert choose_date(stated, "Sat, 01 Jun 2024 08:00:00 GMT", _FETCHED_S, after_day=_MAY).source == "server"
