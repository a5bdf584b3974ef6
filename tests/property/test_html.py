"""Any page can be read, and the result agrees with another parser and a simple walk."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.errors import BadUrl
from gossamer.net import html
from gossamer.net.encoding import decode
from gossamer.net.html.visible_text import MAX_LABEL_CHARS, MAX_LABEL_NODES
from gossamer.net.url import canonical
from gossamer.records import Link

PAGE = "http://h.example/dir/page.html?q=1"
EXTRACTION = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "extraction" / "html"
DOCUMENTATION = [
    Path("/usr/share/doc") / package / "html" for package in ("python3.11-doc", "postgresql-doc-15")
]

BLOCK_NAMES = (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup html label legend li listing main "
    "marquee menu nav ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
)
BLOCKS = frozenset(BLOCK_NAMES.split())
HIDDEN_NAMES = (
    "audio canvas datalist head iframe noembed noframes noscript object rp rt script select style svg template "
    "textarea title video"
)
HIDDEN = frozenset(HIDDEN_NAMES.split())


def pieces(root: LexborNode, with_alternatives: bool) -> Iterator[str]:
    """Walk the tree: enter an element, visit its children, leave it."""
    stack: list[tuple[str, LexborNode]] = [
        ("enter", child) for child in reversed(list(root.iter(include_text=True)))
    ]
    while stack:
        step, node = stack.pop()
        tag = node.tag or ""
        if step == "leave":
            yield "\n"
        elif node.is_text_node:
            yield " ".join(f"|{node.text_content}|".split())[1:-1]
        elif tag in ("br", "hr"):
            yield "\n"
        elif tag == "img" and with_alternatives:
            yield f" {' '.join((node.attributes.get('alt') or '').split())} "
        elif tag not in HIDDEN and node.is_element_node:
            if tag in BLOCKS:
                yield "\n"
                stack.append(("leave", node))
            stack += [("enter", child) for child in reversed(list(node.iter(include_text=True)))]


def plain_text(root: LexborNode, with_alternatives: bool = False) -> str:
    lines = "".join(pieces(root, with_alternatives)).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def plain_links(tree: LexborHTMLParser, base: str) -> list[tuple[str, str, str]]:
    """Find links by their tags alone; `link`, `meta` and `form` have tests of their own."""
    found = []
    attribute_of = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
    for node in tree.css("*"):
        target = node.attributes.get(attribute_of.get(node.tag or "", ""))
        if target is None or (not target and node.tag in ("frame", "iframe")):
            continue
        try:
            url = canonical(target, base)
        except BadUrl:
            continue
        text = " ".join(plain_text(node, with_alternatives=True).split()) if node.tag == "a" else ""
        if node.tag == "area":
            text = " ".join((node.attributes.get("alt") or "").split())
        found.append((node.tag or "", url, text))
    return found


def check(page: str) -> None:
    """Compare the result of `read` with that of another parser and a simple walk over its tree."""
    document = html.read(page, PAGE)
    tree = LexborHTMLParser(page.encode())
    root = tree.root
    assert root is not None
    assert document.text == plain_text(root)
    found = [
        (link.type, link.url, link.text)
        for link in document.links
        if link.type in ("a", "area", "frame", "iframe")
    ]
    expected = plain_links(tree, document.base)
    headings = [
        (int((node.tag or "")[1]), " ".join(plain_text(node).split()))
        for node in root.traverse()
        if node.tag in ("h1", "h2", "h3", "h4", "h5", "h6")
    ]
    assert_alike([(link[:2], link[2]) for link in found], [(link[:2], link[2]) for link in expected], page)
    assert_alike([(each.level, each.text) for each in document.headings], headings, page)


def assert_alike(found: list[tuple[Any, str]], expected: list[tuple[Any, str]], page: str) -> None:
    """Compare the content, its text and its order, except where two correct parsers may differ.

    Labels are read up to a limit. And what stands wrongly in a table is put before it: the tree then has it
    there, while we go by the source where elements of different tags have to be put in order.
    """
    if "<table" in page:
        found, expected = sorted(found), sorted(expected)
    assert [what for what, _ in found] == [what for what, _ in expected]
    for (_, text), (_, words) in zip(found, expected, strict=True):
        assert text == words or len(words) > min(MAX_LABEL_CHARS, MAX_LABEL_NODES)


TAG_NAMES = (
    "a b i p br hr div span td tr table li ul dd dl h1 h2 img script style noscript template svg title head body "
    "html select option button textarea pre video rt ruby object form math frameset frame iframe area x-y base meta"
)
TAGS = TAG_NAMES.split()
ATTRIBUTES = [
    "", " href=x", " href='../a b'", " href='#f'", " href=mailto:x", " src=s", " alt='an image'", " alt", " rel=next",
    " hidden", " title='<p>'", " name=robots content=noindex", " http-equiv=refresh content='1;url=r'", " /", " class=\xa0",
]  # fmt: skip
WORDS = [
    "",
    " ",
    "\n",
    "word",
    "a",
    " two words ",
    "&nbsp;",
    "&amp;",
    "ß",
    "日本",
    "\0",
    "\f",
    "<",
    "</",
    "<!--",
    "-->",
    "]]>",
]

opening = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
closing = st.builds("</{}>".format, st.sampled_from(TAGS))
soup = st.lists(st.one_of(opening, opening, closing, st.sampled_from(WORDS)), max_size=40).map("".join)


@settings(max_examples=400)
@given(soup)
def test_malformed_pages_are_read_as_by_another_parser(page: str) -> None:
    check(page)


@settings(max_examples=300)
@given(
    st.one_of(st.binary(max_size=400), soup.map(str.encode)),
    st.sampled_from(
        [
            None,
            "text/html",
            "text/html; charset=utf-8",
            "text/html;charset=shift_jis",
            "application/xhtml+xml",
            "\x00",
        ]
    ),
    st.sampled_from([PAGE, "", "x"]),
)
def test_any_body_can_be_read(body: bytes, content_type: str | None, url: str) -> None:
    document = html.read(body, url, content_type)
    assert document.text == "\n".join(" ".join(line.split()) for line in document.text.split("\n"))
    for link in document.links:
        assert canonical(link.url) == link.url
        assert link.text == " ".join(link.text.split())
    assert html.read(body, url, content_type).links == document.links


@given(st.text(max_size=200))
def test_any_string_can_be_read(page: str) -> None:
    assert isinstance(html.read(page, PAGE).text, str)


@given(
    st.lists(st.text("abcß日", min_size=1, max_size=4), min_size=1, max_size=8),
    st.sampled_from(["p", "li", "td", "div", "h2", "dd", "pre"]),
)
def test_words_survive_mark_up(words: list[str], block: str) -> None:
    opened, closed = (
        (f"<table><tr><{block}>", f"</{block}></table>") if block == "td" else (f"<{block}>", f"</{block}>")
    )
    page = "".join(f"{opened}<b>{word[:1]}</b><i>{word[1:]}</i>{closed}" for word in words)
    assert html.read(page, PAGE).text.split("\n") == words


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text("xyz ", max_size=5)), max_size=6))
def test_links_come_in_page_order(targets: list[tuple[str, str]]) -> None:
    page = "".join(f"<p><a href={target}>{text}</a>" for target, text in targets)
    expected = tuple(
        Link(f"http://h.example/dir/{target}", "a", " ".join(text.split())) for target, text in targets
    )
    assert html.read(page, PAGE).links == expected


@pytest.mark.slow
def test_news_pages_are_read_as_by_another_parser() -> None:
    if not EXTRACTION.is_dir():
        pytest.skip("no development data: extraction/html")
    for path in sorted(EXTRACTION.glob("*.html.gz")):
        check(decode(gzip.decompress(path.read_bytes()), "text/html")[0])


@pytest.mark.slow
def test_documentation_is_read_as_by_another_parser() -> None:
    paths = [path for folder in DOCUMENTATION for path in sorted(folder.rglob("*.html"))[::20]]
    if not paths:
        pytest.skip("no HTML documentation installed: python3.11-doc, postgresql-doc-15")
    for path in paths:
        check(decode(path.read_bytes(), "text/html")[0])
