"""The links and anchors of Markdown, as GitHub shows them."""

import pytest

from gossamer.link_check.files.markdown_page import find_anchors, read_markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", ["b.md"]),
        ("![a](b.png 'title') [c](<d e.md>)", ["b.png", "d e.md"]),
        ("[a](b_(c).md)", ["b_(c).md"]),
        ("[a][b]\n\n[b]: c.md 'title'\n", ["c.md"]),
        ("<https://a.example/b> and https://c.example/d. Or (https://e.example/f_(g)).", ["https://a.example/b", "https://c.example/d", "https://e.example/f_(g)"]),
        ("`[a](no.md)` ``[b](no.md)``", []),
        ("```\n[a](no.md)\n```\n[b](yes.md)", ["yes.md"]),
        ("~~~\n[a](no.md)\n~~~\n", []),
        ("text\n\n    [a](no.md)\n\n[b](yes.md)", ["yes.md"]),
        ("<!-- [a](no.md) --> <a href='b.md'>x</a>", ["b.md"]),
        ("[^1]: a footnote", []),
        (r"[a](b\_c.md)", ["b_c.md"]),
    ],
)  # fmt: skip
def test_links_are_found_where_commonmark_has_them(text: str, expected: list[str]) -> None:
    assert [one.address for one in read_markdown(text).links] == expected


def test_anchors_are_those_of_github() -> None:
    text = "# Hello, World!\n\n## `code` & more\n\nUnderlined\n---\n\n# Hello, World!\n\n## [Link](x) *text*\n\n```\n# no heading\n```\n"
    anchors = read_markdown(text).targets
    assert anchors == {"hello-world", "code--more", "underlined", "hello-world-1", "link-text"}


def test_letters_of_other_scripts_stay_in_anchors() -> None:
    assert find_anchors("# Größe und Maß\n") == ["größe-und-maß"]


def test_places_count_bytes() -> None:
    (link,) = read_markdown("ä [a](b.md)").links
    assert "ä [a](b.md)".encode()[link.offset :] == b"b.md)"
