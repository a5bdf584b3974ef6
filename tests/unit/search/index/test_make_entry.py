import msgspec
import pytest

from gossamer.records import Page
from gossamer.search.index.make_entry import date_of, entry_of, facts_stamp, is_indexed, stamp
from gossamer.search.index.page_entry import packed, unpacked
from gossamer.search.index.read_page import Read, read
from gossamer.search.links.anchor_texts import Called

PAGE = Page(7, "https://a.example/x", "a.example", 1, 2, 1_700_000_000.0, 200, "html", language="en", words=9)
TEXT = "Engines drive pumps in deep mines, and their boilers need water every day of the year."


def seen(robots: str = "", *headers: tuple[str, str]) -> Read:
    meta = f"<meta name=robots content='{robots}'>" if robots else ""
    body = f"<html><head><title>Engines</title>{meta}</head><body><h1>Pumps</h1><p>{TEXT}</p></body></html>"
    return read(PAGE, body.encode(), headers)


def replaced(**told: object) -> Page:
    return msgspec.structs.replace(PAGE, **told)


def test_a_page_becomes_an_entry() -> None:
    page = replaced(marks={"topic": "steam"}, archive=False)
    entry = entry_of(page, seen(), Called(("the pumps",), 5))
    assert (entry.title, entry.headings, entry.anchors) == ("Engines", ("Pumps",), ("the pumps",))
    assert TEXT in entry.main
    assert (entry.depth, entry.language, entry.marks, entry.archive) == (2, "en", {"topic": "steam"}, False)
    assert entry.stamp == stamp(page, Called(digest=5)) != stamp(page, Called())


def test_the_language_is_recognised_where_nobody_has() -> None:
    assert entry_of(replaced(language=""), seen(), Called(), lambda _: "xx").language == "xx"
    assert entry_of(PAGE, seen(), Called(), lambda _: "xx").language == "en"


@pytest.mark.parametrize(
    ("robots", "header", "shown"),
    [
        ("", "", None),
        ("noarchive", "", None),
        ("nosnippet", "", 0),
        ("max-snippet:20", "", 20),
        ("", "nosnippet", 0),
        ("max-snippet:-1", "", None),
    ],
)
def test_pages_say_how_much_may_be_shown(robots: str, header: str, shown: int | None) -> None:
    headers = [("x-robots-tag", header)] if header else []
    entry = entry_of(PAGE, seen(robots, *headers), Called())
    assert entry.snippet_chars == shown
    assert unpacked(packed(entry)).text == entry.main[:shown]
    assert TEXT in entry.main


@pytest.mark.parametrize("told", [{"index": False}, {"kind": "pdf"}, {"status": 404}])
def test_what_is_left_out(told: dict[str, object]) -> None:
    assert is_indexed(PAGE)
    assert not is_indexed(replaced(**told))


@pytest.mark.parametrize(
    "told", [{"digest": "x"}, {"language": "de"}, {"depth": 3}, {"marks": {"a": "b"}}, {"archive": False}]
)
def test_the_stamp_is_another_one_when_the_entry_would_be(told: dict[str, object]) -> None:
    assert facts_stamp(replaced(**told)) != facts_stamp(PAGE) == facts_stamp(replaced(fetched_s=1.0))
    assert -(2**63) <= stamp(PAGE, Called(digest=2**63 - 1)) < 2**63


def test_dates_are_those_of_the_page_unless_they_cannot_be_right() -> None:
    assert date_of(replaced(last_modified="Sun, 09 Sep 2001 01:46:40 GMT")) == 1_000_000_000.0
    for odd in ("", "yesterday", "Sun, 09 Sep 2401 01:46:40 GMT"):
        assert date_of(replaced(last_modified=odd)) == PAGE.fetched_s
