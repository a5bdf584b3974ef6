"""The watched part of a page: main text, a selector, a heading."""

import pytest

from gossamer.errors import BadInput
from gossamer.net import html
from gossamer.watch.difference.part_text import (
    MOST_BLOCKS,
    MOST_CHARS,
    PageVersion,
    WatchedPart,
    check_selector,
    read_part,
    read_plain_text,
)

LONG = "This paragraph says a good many things about the shop, so that it counts as text that people read. "
PAGE = f"""<!doctype html><title>Shop</title><nav><a href=/>Home</a> <a href=/all>All things</a></nav>
<main><h1>Shop</h1><p>{LONG}</p>
<h2>Opening hours</h2><p>Open from 9 to 18.</p><h3>Holidays</h3><p>Closed on all holidays.</p>
<h2>News</h2><p>{LONG}</p><div id=box><p>In the <b>box</b></p><p>Also in it</p></div></main>
<footer><p>Imprint</p></footer>"""


def read(part: WatchedPart, page: str = PAGE) -> PageVersion:
    return read_part(html.read(page, "http://a.example/"), part, 1.0)


def texts(version: PageVersion) -> list[str]:
    return [one.text for one in version.blocks or () if one.main]


def test_without_a_part_the_main_text_is_watched() -> None:
    version = read(WatchedPart())
    assert version.title == "Shop"
    assert "Open from 9 to 18." in texts(version)
    assert "Imprint" not in texts(version)


def test_a_heading_stands_for_the_text_to_the_next_of_its_level() -> None:
    assert texts(read(WatchedPart(heading="opening  HOURS"))) == [
        "Opening hours",
        "Open from 9 to 18.",
        "Holidays",
        "Closed on all holidays.",
    ]
    assert texts(read(WatchedPart(heading="Holidays"))) == ["Holidays", "Closed on all holidays."]


def test_a_selector_matches_elements_each_once() -> None:
    assert texts(read(WatchedPart(select="#box, #box p"))) == ["In the box", "Also in it"]
    assert texts(read(WatchedPart(select="footer"))) == ["Imprint"]


@pytest.mark.parametrize("part", [WatchedPart(select=".none"), WatchedPart(heading="Prices")])
def test_a_part_that_is_missing_is_not_an_empty_part(part: WatchedPart) -> None:
    assert read(part).blocks is None
    assert read(WatchedPart(select="i"), "<p>text</p><i></i>").blocks == ()


def test_a_wrong_selector_gets_a_sentence() -> None:
    with pytest.raises(BadInput, match="is not a CSS selector"):
        check_selector("p[")
    check_selector("main > p:first-child")


def test_endless_pages_are_cut() -> None:
    assert len(read(WatchedPart(select="p"), "<p>x" * 400 + "<p>" + "y" * 90_000).blocks or ()) == 401
    assert len(read_plain_text("line\n" * 50_000, 0.0).blocks or ()) == MOST_BLOCKS
    long = read_plain_text(("word " * 2_000 + "\n") * 300, 0.0)
    assert sum(len(one.text) for one in long.blocks or ()) <= MOST_CHARS
