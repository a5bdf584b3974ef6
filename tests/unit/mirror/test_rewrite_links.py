"""Links are rewritten where they stand; everything else of a page stays as it was, byte for byte."""

import pytest

from gossamer.mirror.rewrite_links import PLACE_GROUPS, LinkRewriter, make_relative
from gossamer.net import html

PAGE = "http://a.example/docs/page.html"
FILES = {
    "http://a.example/": "a.example/index.html",
    PAGE: "a.example/docs/page.html",
    "http://a.example/docs/other.html": "a.example/docs/other.html",
    "http://a.example/docs/other.html?x=1&y=2": "a.example/docs/other@12345678.html",
    "http://b.example/odd": "b.example/odd name, (1).png",
    "http://a.example/docs/s.css": "a.example/docs/s.css",
    "http://a.example/%E4": "a.example/latin.html",
    "http://a.example/%C3%A4": "a.example/utf8.html",
}


def locate(url: str, is_needed: bool) -> str | None:
    return FILES.get(url) or ("missing/file.png" if is_needed else None)


def rewrite(source: str | bytes, content_type: str | None = "text/html; charset=utf-8") -> str:
    body = source.encode() if isinstance(source, str) else source
    made = LinkRewriter(locate).rewrite_page(body, PAGE, FILES[PAGE], content_type)
    places = html.read_addresses(body, PAGE, content_type, (), groups=PLACE_GROUPS)[2]
    if places is not None:  # found by the pass that reads the page: they lead to the same bytes
        rewriter = LinkRewriter(locate)
        for _ in range(2):  # the second time, the addresses are known
            assert rewriter.rewrite_page(body, PAGE, FILES[PAGE], content_type, places) == made
    return made.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a href='/'>home</a>", "<a href='../index.html'>home</a>"),
        ("<a href=other.html>x</a>", "<a href=other.html>x</a>"),
        ("<a href=http://a.example/docs/other.html#part>x</a>", "<a href=other.html#part>x</a>"),
        ('<a href="other.html?x=1&amp;y=2#a&amp;b">', '<a href="other@12345678.html#a&amp;b">'),
        ('<a href="nowhere.html?a=1&b=2">', '<a href="http://a.example/docs/nowhere.html?a=1&amp;b=2">'),
        ('<a href="page.html#here">', '<a href="page.html#here">'),
        ('<a href="/docs/page.html#here">', '<a href="page.html#here">'),
        (
            '<a href="?x=1"><a href="other.html?x=1&amp;y=2#&#97;">',
            '<a href="http://a.example/docs/page.html?x=1"><a href="other@12345678.html#a">',
        ),
        ('<a href="#here"><a href="">', '<a href="#here"><a href="">'),
        ("<a href='mailto:me@a.example'>", "<a href='mailto:me@a.example'>"),
        ("<a href='javascript:void(0)'>", "<a href='javascript:void(0)'>"),
        ("<img src=//b.example/odd>", "<img src=../../b.example/odd%20name%2C%20%281%29.png>"),
        ("<img src='gone.png'>", "<img src='../../missing/file.png'>"),
        ("<img src='data:image/png;base64,AA=='>", "<img src='data:image/png;base64,AA=='>"),
        (
            '<img srcset="//b.example/odd 1x, gone.png 2x">',
            '<img srcset="../../b.example/odd%20name%2C%20%281%29.png 1x, ../../missing/file.png 2x">',
        ),
        (
            "<p style=\"background: url('//b.example/odd')\">",
            "<p style=\"background: url('../../b.example/odd%20name%2C%20%281%29.png')\">",
        ),
        (
            "<style>@import url(/docs/s.css); p { background: url(gone.png) }</style>",
            "<style>@import url(s.css); p { background: url(../../missing/file.png) }</style>",
        ),
        (
            "<meta http-equiv=refresh content='3; url=/'>",
            "<meta http-equiv=refresh content='3; url=../index.html'>",
        ),
        ("<link rel=preconnect href=//b.example>", '<link rel=preconnect href="">'),
        (
            "<form action='other.html'><form method=post action='other.html'>",
            "<form action='other.html'><form method=post action='http://a.example/docs/other.html'>",
        ),
        (
            "<link rel=canonical href='other.html'>",
            "<link rel=canonical href='http://a.example/docs/other.html'>",
        ),
        (
            "<script>var text = '<a href=\"/\">'; </script><!-- <a href='/'> -->",
            "<script>var text = '<a href=\"/\">'; </script><!-- <a href='/'> -->",
        ),
    ],
)
def test_addresses_lead_to_files_or_to_the_web(before: str, after: str) -> None:
    assert rewrite(before) == after


def test_the_base_is_applied_and_removed() -> None:
    page = "<base href=http://a.example/ target=_top><a href=docs/other.html>x</a><a href='#x'>y</a>"
    assert (
        rewrite(page) == "<base href=\"\" target=_top><a href=other.html>x</a><a href='../index.html#x'>y</a>"
    )


def test_what_would_block_files_gets_another_name() -> None:
    page = (
        '<script src=gone.js integrity="sha384-x" crossorigin="anonymous"></script>'
        '<link rel=stylesheet href=s.css crossorigin><img alt="integrity and crossorigin" src=gone.png>'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">'
    )
    made = rewrite(page)
    assert 'data-integrity="sha384-x" data-crossorigin="anonymous"' in made
    assert "href=s.css data-crossorigin>" in made
    assert 'alt="integrity and crossorigin"' in made
    assert '<meta data-http-equiv="Content-Security-Policy"' in made


def test_the_encoding_is_kept_and_declared() -> None:
    latin = "<head></head><p>grün <a href='/\xe4'>x</a>".encode("latin-1")
    made = LinkRewriter(locate).rewrite_page(latin, PAGE, FILES[PAGE], "text/html; charset=iso-8859-1")
    assert made == (
        "<head><meta charset=\"windows-1252\"></head><p>grün <a href='../utf8.html'>x</a>".encode("latin-1")
    )
    assert rewrite("<p>grün") == "\ufeff<p>grün"
    assert rewrite("<meta charset=utf-8><p>grün") == "<meta charset=utf-8><p>grün"
    wide = b"\xff\xfe" + "<p>grün <a href='/'>x</a>".encode("utf-16-le")
    assert rewrite(wide, "text/html") == "\ufeff<p>grün <a href='../index.html'>x</a>"


def test_a_page_without_links_stays_as_it_is() -> None:
    page = b"<p>\xff\xfe\x00 broken <a href=" + bytes(range(128, 256))
    assert (
        LinkRewriter(locate).rewrite_page(page, PAGE, FILES[PAGE], "text/html; charset=utf-8").endswith(page)
    )


def test_styles_are_rewritten_beside_their_comments() -> None:
    style = b"/* url(/) */ @import '/docs/s.css'; a { b: url( \"//b.example/odd\" ) } c { d: url(data:x) }"
    made = LinkRewriter(locate).rewrite_style(style, "http://b.example/x/y.css", "b.example/x/y.css")
    assert made == (
        b"/* url(/) */ @import '../../missing/file.png'; a { b: url( \"../odd%20name%2C%20%281%29.png\" ) } "
        b"c { d: url(data:x) }"
    )


def test_the_way_between_files() -> None:
    assert make_relative("", "h/index.html") == "h/index.html"
    assert make_relative("h", "h/index.html") == "index.html"
    assert make_relative("h/a/b", "h/a/c/d.html") == "../c/d.html"
    assert make_relative("h/a", "i/a.html") == "../../i/a.html"
