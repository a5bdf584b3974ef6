"""The compiled layout and choice of main text do what their readable versions do, on any page."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.net.html import blocks, read
from gossamer.net.main_text.choose_main_text import CUE, CUE_BEGINNINGS, DATE, flag_main_text
from gossamer.net.main_text.class_name_hints import NAME_CHARS, find_name_hints
from gossamer.net.main_text.measure_text import is_cue, is_dated
from gossamer.net.main_text.page_layout import (
    RULES,
    PageLayout,
    make_layout,
    make_tree_layout,
    scan_page_layout,
)

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "extraction-general" / "html"
TEXTS = (
    "A sentence, rather long, which says that there is something to say on this page, and says it.",
    "Two &amp; three&nbsp;words",
    " ",
    "\n",
    "Read more",
    "12.03.2020",
    "漢字かな、交じり文。",
    "x < y",
    "a long text without any marks that goes on and on so that it is surely more than one hundred and fifty characters "
    "long in the end of all things",
)
NAMES = (
    "",
    " class=byline",
    ' class="content header"',
    " id=comments",
    " hidden",
    " style='display: none'",
    " role=main",
)
BLOCKS = (
    "div",
    "p",
    "article",
    "h1",
    "h2",
    "ul",
    "li",
    "pre",
    "blockquote",
    "nav",
    "header",
    "footer",
    "table",
    "td",
)
INLINE = ("b", "span", "a href=/x", "a href='mailto:x@y'", "noscript", "select", "svg", "code")


@st.composite
def elements(draw: st.DrawFn, depth: int = 4) -> str:
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.integers(0, 3 if depth else 0))
        if kind == 0:
            parts.append(draw(st.sampled_from(TEXTS)))
        elif kind == 1:
            parts.append(
                draw(st.sampled_from(("<br>", "<hr>", "<br><br>", "</p>", "<img alt=x>", "<!-- c -->")))
            )
        else:
            tag = draw(st.sampled_from(BLOCKS if kind == 2 else INLINE))
            close = f"</{tag.split()[0]}>" if draw(st.integers(0, 9)) else ""
            parts.append(f"<{tag}{draw(st.sampled_from(NAMES))}>{draw(elements(depth=depth - 1))}{close}")
    return "".join(parts)


def compare(page: bytes) -> None:
    document = read(page, "https://site.example/", "text/html; charset=utf-8")
    for show_hidden in (False, True):
        scanned = scan_page_layout(document, show_hidden=show_hidden)
        parsed = make_tree_layout(document.tree, show_hidden=show_hidden)
        if scanned is not None and document.serialized is None:
            assert simplify(scanned) == simplify(parsed)
        if scanned is not None and not scanned.has_hidden:
            everything = scan_page_layout(document, show_hidden=True)
            assert everything is not None
            assert simplify(everything) == simplify(scanned)
        assert parsed.flag_main_text() == flag_main_text(*parsed.to_fragments())


def simplify(layout: PageLayout) -> tuple[list[object], ...]:
    lists: tuple[list[object], ...] = (
        [*layout.parents],
        [*layout.tags],
        [*layout.kinds],
        [*layout.hints],
        [*layout.places],
        [*layout.texts],
        [*layout.link_chars],
        [len(links) for links in layout.links],
    )
    return lists


@settings(max_examples=300, deadline=None)
@given(elements())
def test_the_scanned_layout_is_that_of_the_tree(body: str) -> None:
    compare(f"<!doctype html><title>t</title><body>{body}".encode())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_have_a_layout(page: bytes) -> None:
    layout = make_layout(read(page, "https://site.example/"))
    assert len(layout.flag_main_text()) == len(layout.texts)


@given(
    st.lists(
        st.sampled_from(
            ["comments", "Share", "AD", "nav", "has-", "no_", "Comment-Open", " ", "-", "_", "x", "C", "\x1c"]
        ),
        max_size=6,
    ).map("".join)
)
@example("recommendations" * 2)
@example("x" * 399 + " nav")
def test_hints_in_names_are_those_of_the_pattern(name: str) -> None:
    assert RULES.find_plain_hints(name.encode()) == find_name_hints(name[:NAME_CHARS])


@pytest.mark.parametrize("name", ["publicité nav", "nav &amp; more"])
def test_hints_in_other_than_plain_names_are_left_to_the_pattern(name: str) -> None:
    assert RULES.find_plain_hints(name.encode()) is None


@given(st.text("1290:._ aé٣", max_size=9))
def test_dates_are_those_of_the_pattern(text: str) -> None:
    assert is_dated(text) == (DATE.search(text) is not None)


@given(
    st.sampled_from(["", " ", "“", "1", "x"]),
    st.sampled_from(sorted(CUE_BEGINNINGS)),
    st.sampled_from([str.lower, str.upper, str.title]),
    st.integers(1, 12),
    st.sampled_from(["", "s", " on", " more", "é", ".", "n'"]),
)
def test_cues_are_those_of_the_pattern(
    before: str, cue: str, write: Callable[[str], str], size: int, after: str
) -> None:
    text = write(before + cue[:size] + after)
    assert is_cue(text) == (CUE.match(text) is not None)


@pytest.mark.slow
def test_real_pages_have_the_same_layout_from_source_and_tree() -> None:
    pages = sorted(DATA.glob("*.html.gz"))[::12]
    if not pages:
        pytest.skip("the general pages of shared/data are not here")
    for path in pages:
        compare(gzip.decompress(path.read_bytes()))


def test_links_of_blocks_are_the_same_from_source_and_tree() -> None:
    body = b"<p>a <a href=/1>one</a><a href=mailto:x@y>mail</a><a href=/2><img></a></p><div hidden><a href=/3>x</a></div>"
    well_formed = read(body + b"<p><a href=/4>four</a> words", "https://site.example/")
    malformed = read(body + b"<p><b><a href=/4>four</b></a> words", "https://site.example/")
    assert well_formed.serialized is None
    assert malformed.serialized is not None
    expected = [(0, 1), (3,)]
    assert [block.links for block in blocks(well_formed)] == expected
    assert [block.links for block in blocks(malformed)] == expected
