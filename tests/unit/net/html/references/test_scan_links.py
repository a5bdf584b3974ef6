"""A page that is read without its text leads to the same pages, and needs the same files, as one that is read whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.page_requisites import REQUISITE_KINDS
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.html.references import read_references
from gossamer.net.html.references.reference_kinds import KINDS
from gossamer.net.html.references.scan_links import list_changes

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
    short, needed, places = html.read_addresses(
        source.encode(), PAGE, "text/html; charset=utf-8", REQUISITE_KINDS, 1_000
    )
    assert places is None
    return whole, short, needed


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
    short, _, _ = html.read_addresses(source, PAGE, None, (), most)
    assert (len(short.links), short.links_cut) == (most, 5 - most)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_noting_places_changes_nothing_else_and_finds_every_address(pieces: list[str]) -> None:
    body = (HEAD + "<body>" + "".join(pieces)).encode()
    content_type = "text/html; charset=utf-8"
    plain, needed, _ = html.read_addresses(body, PAGE, content_type, REQUISITE_KINDS, 1_000)
    groups = dict.fromkeys(KINDS, 0)
    del groups["base"]
    noted, same, places = html.read_addresses(body, PAGE, content_type, REQUISITE_KINDS, 1_000, groups=groups)
    assert (list(noted.links), same) == (list(plain.links), needed)
    if any("<base" in piece for piece in pieces):
        assert places is None
        return
    assert places is not None
    numbered: list[bytes | None] = [b"%d" % number for number in range(len(places.addresses))]
    changes = list_changes(places.spots, numbered)
    for start, end, number in changes:
        assert body[start:end] == places.addresses[int(number)][1]
    found = {one.start: one for one in read_references(body).references if not one.url.startswith("#")}
    assert found.keys() == {start for start, _, _ in changes} | {one.start for one in places.references}
    assert list_changes(places.spots, [None] * len(numbered)) == []


def test_a_page_that_is_not_read_as_it_came_has_no_places() -> None:
    groups = {"anchor": 0}
    for body, content_type in (
        (b"\xef\xbb\xbf<a href=x>x</a>", "text/html"),
        ("<a href=x>ä</a>".encode("latin-1"), "text/html; charset=iso-8859-1"),
        (b"<a href=x>x</a><p/>", "application/xhtml+xml"),
    ):
        assert html.read_addresses(body, PAGE, content_type, (), groups=groups)[2] is None
