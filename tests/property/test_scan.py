"""The scan of a page agrees with its tree, or gives up."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.net.encoding import decode
from gossamer.net.html.outline import Outline
from gossamer.net.html.parse_tree import parse_page
from gossamer.net.html.scanner.scan_page import scan
from gossamer.net.html.tree_outline import make_outline

PRESS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "extraction" / "html"
DOCUMENTATION = Path("/usr/share/doc")

TAG_NAMES = (
    "a a a b i em code font nobr span span div div p p ul ol li li dl dt dd table tr td th tbody thead caption colgroup "
    "col h1 h2 h3 form input button select option optgroup br hr img script style title textarea svg path noscript "
    "object video iframe section nav label pre center body html head meta link base area custom-element xmp datalist "
    "address marquee wbr summary dialog template math frameset frame plaintext ruby rt image applet"
)
ATTRIBUTES = [
    ' href="x?a=1&amp;b=2#f"', " href=y", " href", ' href=""', " href='q&copy=1&copyx &notit; &#38;'", ' HREF="UP"',
    ' rel="NoFollow  x"', ' title="T &lt; u"', ' alt=" al&nbsp;t "', " alt='a &amp; b'", " src=u/", " type=hidden",
    " name=x content=y", " lang=de", " action=/s", ' class="a>b"', " /", " x=y/", ' "a"', " =b", " href=1 href=2", "\n\t",
]  # fmt: skip
TEXTS = [
    "word", "two words", " ", "\n", "&amp;", "&nbsp;", "&#8211;", "&#x80;", "&#xD800;", "&#99999999999;", "&notin;x", "&noti t",
    "&", "&#", "&#x;", "&#1;", "&AMP", "&ampx", "&hellip;", "é", "\u00a0", "\u3000", "\u2028", "\u200b", "日本", "\x0b", "\x1c",
    "\r\n", "\0", "<", "< ", "<3", "</>", "</3>", "<!-- c > -->", "<!-->", "<!--->x-->", "<!doctype html>", "<?pi ?>",
    "<![CDATA[x]]>", "<!-- a --!> b -->", "<!", "<!-", "<!--", "-->", "<a", "<a href='", "</a", "</p ", "</",
    "<!--<script>", "</script >",
]  # fmt: skip

names = st.sampled_from(TAG_NAMES.split())
opening = st.builds(
    "<{}{}{}>".format, names, st.sampled_from(["", "", *ATTRIBUTES]), st.sampled_from(["", "", "", "/"])
)
closing = st.builds("</{}{}>".format, names, st.sampled_from(["", "", " ", ' x=">"']))
text = st.sampled_from(TEXTS)
soup = st.lists(st.one_of(opening, closing, text), max_size=30).map("".join)
nested = st.recursive(
    st.one_of(text, text, opening),
    lambda inner: st.builds(
        "<{0}{1}>{2}</{0}>".format,
        names,
        st.sampled_from(["", *ATTRIBUTES]),
        st.lists(inner, max_size=4).map("".join),
    ),
    max_leaves=25,
)


def scan_tree(page: str) -> Outline:
    return make_outline(parse_page(page), len(page))


@settings(max_examples=1_000)
@given(st.one_of(soup, nested, st.lists(nested, max_size=4).map("".join)))
@example("<noscript></br>d")
@example("<summary><button>></summary>;")
@example("<optgroup><optgroup></optgroup><datalist></optgroup>>")
@example("<nobr><datalist><nobr>w")
@example("<svg><base>")
@example("<table>;<!")
@example("</")
@example("<head><noscript><img alt=x src=y></noscript><title>T</title></head><body>word")
@example("<noscript>word<meta name=x content=y></noscript><title>T</title>")
@example("<noscript><noscript></head><link rel=next href=/n></noscript><title>T</title>")
@example("</head><noscript>word</noscript><p>more")
@example("<html lang=de><p>word<html><html lang=fr><p>more")
@example("<svg><svg></svg><image href=x></image></svg>word")
def test_a_scan_agrees_with_the_tree(page: str) -> None:
    found = scan(page.encode())
    assert found is None or found == scan_tree(page)


@pytest.mark.parametrize(
    "page",
    [
        "<head><noscript><img alt=x src=y></noscript><title>T</title></head><body>word",
        "<html lang=de><p>word<html><p>more",
        "<svg><svg></svg><image href=x></image></svg>word",
    ],
)
def test_frequent_faults_need_no_parser(page: str) -> None:
    assert scan(page.encode()) is not None


@given(st.text())
@example("control \x01\x7f ! é!  ж\n\n\x0bx")
def test_any_text_can_be_scanned(page: str) -> None:
    page = page.encode("utf-8", "replace").decode()
    found = scan(page.encode())
    assert found is None or found == scan_tree(page)


def pages(paths: list[Path]) -> Iterator[str]:
    for path in paths:
        body = path.read_bytes()
        yield decode(gzip.decompress(body) if path.suffix == ".gz" else body)[0]


def share_scanned(paths: list[Path]) -> float:
    """Compare each page that can be scanned with its tree; return the share of these pages."""
    scanned = 0
    for page in pages(paths):
        found = scan(page.encode())
        if found is not None:
            scanned += 1
            assert found == scan_tree(page)
    return scanned / len(paths)


@pytest.mark.slow
def test_nine_in_ten_news_pages_are_scanned() -> None:
    if not PRESS.exists():
        pytest.skip("the pages of the press are not here")
    assert share_scanned(sorted(PRESS.iterdir())) > 0.9


@pytest.mark.slow
def test_documentation_is_scanned() -> None:
    found = sorted(
        path
        for package in ("python3.11", "postgresql-doc-15")
        for path in (DOCUMENTATION / package / "html").rglob("*.html")
    )
    if not found:
        pytest.skip("no documentation is installed here")
    assert share_scanned(found[::7]) > 0.98
