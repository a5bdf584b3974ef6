"""A page that is read without its text leads to the same pages, and needs the same files, as one that is read whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.page_requisites import REQUISITE_KINDS
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.html.references import read_references

PAGE = "http://a.example/docs/page.html"
HEAD = """<!doctype html><html lang=da><head><title>A &amp; b</title><meta name=description content="what it is">
<meta name=robots content=nofollow><link rel=next href=n.html><link rel=stylesheet href=s.css>
<meta http-equiv=refresh content="3; url=r.html"></head>"""
PIECES = [
    "<a href=x>x</a>",
    "<a href='x#one'>x</a>",
    '<a class="c" href="y?a=1&amp;b=2#z">y</a>',
    "<a rel='NoFollow  me' href=x>x</a>",
    "<a href>none</a>",
    "<a href='#top'>top</a>",
    "<img src=i.png srcset='i.png 1x, j.png 2x'>",
    "<form action=f></form>",
    "<iframe src=frame.html></iframe>",
    "<script>document.write('<a href=no>')</script>",
    "<!-- <a href=no> -->",
    "<svg><a xlink:href=drawn><text>t</text></a></svg>",
    '<p class="a b">words</p>',
    "<p style='background: url(b.png)'>words</p>",
    "<base href=/other/>",
]


def read_both(source: str) -> tuple[Document, Document, list[str]]:
    whole = html.read(source.encode(), PAGE, "text/html; charset=utf-8")
    return whole, *html.read_addresses(
        source.encode(), PAGE, "text/html; charset=utf-8", REQUISITE_KINDS, 1_000
    )


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_the_same_is_found_as_in_a_whole_reading(pieces: list[str]) -> None:
    source = HEAD + "<body>" + "".join(pieces)
    whole, short, needed = read_both(source)
    for name in ("title", "base", "lang", "canonical", "description", "robots", "refresh_s", "encoding"):
        assert getattr(short, name) == getattr(whole, name), name

    def list_links(document: Document) -> set[tuple[str, str, str]]:
        return {(link.url, link.type, link.rel) for link in document.links}

    assert list_links(short) == list_links(whole)
    assert list(dict.fromkeys(short.links.urls)) == list(dict.fromkeys(whole.links.urls))
    assert len([link for link in short.links if link.type == "a"]) <= len(list_links(short))
    found = read_references(source.encode()).references
    assert needed == list(dict.fromkeys(one.url for one in found if one.kind in REQUISITE_KINDS))
    assert (short.text, set(short.links.texts)) in (("", {""}), ("", set()))


def test_what_stands_in_a_template_is_neither_a_link_nor_needed() -> None:
    _, short, needed = read_both("<template><a href=x>x</a><img src=i.png></template><a href=y>y</a>")
    assert (short.links.urls, needed) == (["http://a.example/docs/y"], [])


@pytest.mark.parametrize("most", [0, 1, 3])
def test_links_beyond_the_limit_are_counted(most: int) -> None:
    source = b"".join(b"<a href=%d>x</a>" % number for number in range(5))
    short, _ = html.read_addresses(source, PAGE, None, (), most)
    assert (len(short.links), short.links_cut) == (most, 5 - most)
