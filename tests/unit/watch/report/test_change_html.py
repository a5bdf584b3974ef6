"""Changes as HTML and as a feed: whatever a page says, it stays text."""

import re
from xml.etree import ElementTree

import pytest

from gossamer.watch.change_log import BlockChange, PageChange
from gossamer.watch.difference.mark_words import WordSpan
from gossamer.watch.report.atom_feed import MOST_ENTRIES, render_feed
from gossamer.watch.report.change_html import clean, render_page

HOSTILE = "<script>x</script>]]>&amp;\"' \x00\x1b[31m\x9b\ud800\u202e\ufffe"
ATOM = "{http://www.w3.org/2005/Atom}"


def parse_own(feed: str | bytes) -> ElementTree.Element:
    return ElementTree.fromstring(feed)  # noqa: S314 - written by this very program


def make(text: str = HOSTILE, when_s: float = 1e9) -> PageChange:
    words = (WordSpan("same", text), WordSpan("gone", text), WordSpan("new", text))
    return PageChange(
        "http://a.example/?a=1&b=2",
        f"select {text}",
        "changed",
        when_s,
        when_s - 1,
        text,
        text,
        (BlockChange("changed", words), BlockChange("added", words[2:])),
        3,
    )


def test_a_feed_is_well_formed_and_has_what_the_standard_asks_for() -> None:
    root = parse_own(render_feed([make()], "shop.web").encode())
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert (element.findtext(f"{ATOM}{name}") or "").strip(), name
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", element.findtext(f"{ATOM}id") or "")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", element.findtext(f"{ATOM}updated") or "")
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    [entry] = root.findall(f"{ATOM}entry")
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.attrib == {"rel": "alternate", "href": "http://a.example/?a=1&b=2"}
    content = entry.findtext(f"{ATOM}content") or ""
    assert "<script>" not in content
    assert "&lt;script&gt;" in content


def test_ids_stay_and_differ() -> None:
    one, other = make(), make(when_s=1e9 + 1)
    assert one.id == make().id != other.id
    assert render_feed([one], "a.web") == render_feed([one], "a.web") != render_feed([one], "b.web")


def test_an_empty_feed_is_valid_and_a_long_one_is_cut() -> None:
    assert parse_own(render_feed([], "a.web")).findtext(f"{ATOM}updated")
    many = [make("x", when_s=1e9 + at) for at in range(MOST_ENTRIES + 5)]
    assert len(parse_own(render_feed(many, "a.web")).findall(f"{ATOM}entry")) == MOST_ENTRIES


def test_a_page_of_changes_runs_nothing() -> None:
    page = render_page([make()])
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "3 more paragraphs differ" in page
    assert page.count("<ins>") == page.count("</ins>") == 2
    assert "No change has been seen yet" in render_page([])


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x9b", "\ud800", "\u202e", "\ufffe"])
def test_characters_that_steer_or_break_are_left_out(char: str) -> None:
    assert clean(f"a{char}b") == "a b"
