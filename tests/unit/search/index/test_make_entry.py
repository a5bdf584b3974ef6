import msgspec
import pytest

from gossamer.records import Page
from gossamer.search.index.make_entry import (
    choose_date,
    compute_facts_stamp,
    compute_stamp,
    is_indexed,
    make_entry,
)
from gossamer.search.index.page_entry import pack_entry, unpack_page
from gossamer.search.index.read_archived_page import PageContent, read_page
from gossamer.search.links.anchor_texts import PageAnchors

PAGE = Page(7, "https://a.example/x", "a.example", 1, 2, 1_700_000_000.0, 200, "html", language="en", words=9)
TEXT = "Engines drive pumps in deep mines, and their boilers need water every day of the year."


def read(robots: str = "", *headers: tuple[str, str]) -> PageContent:
    meta = f"<meta name=robots content='{robots}'>" if robots else ""
    body = f"<html><head><title>Engines</title>{meta}</head><body><h1>Pumps</h1><p>{TEXT}</p></body></html>"
    return read_page(PAGE, body.encode(), headers)


def replace(**changes: object) -> Page:
    return msgspec.structs.replace(PAGE, **changes)


def test_a_page_becomes_an_entry() -> None:
    page = replace(marks={"topic": "steam"}, archive=False)
    entry = make_entry(page, read(), PageAnchors(("the pumps",), 5))
    assert (entry.title, entry.headings, entry.anchors) == ("Engines", ("Pumps",), ("the pumps",))
    assert TEXT in entry.main
    assert (entry.depth, entry.language, entry.marks, entry.archive) == (2, "en", {"topic": "steam"}, False)
    assert entry.stamp == compute_stamp(page, PageAnchors(digest=5)) != compute_stamp(page, PageAnchors())


def test_the_language_is_detected_if_the_store_has_none() -> None:
    assert make_entry(replace(language=""), read(), PageAnchors(), lambda _: "xx").language == "xx"
    assert make_entry(PAGE, read(), PageAnchors(), lambda _: "xx").language == "en"


@pytest.mark.parametrize(
    ("robots", "header", "limit"),
    [
        ("", "", None),
        ("noarchive", "", None),
        ("nosnippet", "", 0),
        ("max-snippet:20", "", 20),
        ("", "nosnippet", 0),
        ("max-snippet:-1", "", None),
    ],
)
def test_robots_directives_limit_the_snippet(robots: str, header: str, limit: int | None) -> None:
    headers = [("x-robots-tag", header)] if header else []
    entry = make_entry(PAGE, read(robots, *headers), PageAnchors())
    assert entry.snippet_chars == limit
    assert unpack_page(pack_entry(entry)).text == entry.main[:limit]
    assert TEXT in entry.main


@pytest.mark.parametrize("changes", [{"index": False}, {"kind": "video"}, {"status": 404}])
def test_pages_with_noindex_other_types_and_errors_are_not_indexed(changes: dict[str, object]) -> None:
    assert is_indexed(PAGE)
    assert not is_indexed(replace(**changes))


@pytest.mark.parametrize(
    "changes", [{"digest": "x"}, {"language": "de"}, {"depth": 3}, {"marks": {"a": "b"}}, {"archive": False}]
)
def test_the_stamp_changes_with_the_entry(changes: dict[str, object]) -> None:
    assert (
        compute_facts_stamp(replace(**changes))
        != compute_facts_stamp(PAGE)
        == compute_facts_stamp(replace(fetched_s=1.0))
    )
    assert -(2**63) <= compute_stamp(PAGE, PageAnchors(digest=2**63 - 1)) < 2**63


def test_the_date_is_last_modified_unless_it_is_impossible() -> None:
    assert choose_date(replace(last_modified="Sun, 09 Sep 2001 01:46:40 GMT")) == 1_000_000_000.0
    for odd in ("", "yesterday", "Sun, 09 Sep 2401 01:46:40 GMT"):
        assert choose_date(replace(last_modified=odd)) == PAGE.fetched_s
