"""Which addresses does a style sheet refer to, and where?"""

import pytest

from gossamer.net.css_references import find_css_references


def find_urls(sheet: str) -> list[tuple[str, str]]:
    return [(found.kind, found.url) for found in find_css_references(sheet.encode())]


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("p { background: url(a.png) }", [("css-url", "a.png")]),
        ("p { background: URL( 'a b.png' ) }", [("css-url", "a b.png")]),
        ('@import "a.css" screen; p { content: "b.css" }', [("css-import", "a.css")]),
        ("@import url(a.css); @import url('b.css')", [("css-import", "a.css"), ("css-import", "b.css")]),
        ("/* url(no.png) */ p { content: 'url(no.png)' }", []),
        ('p { content: "a\\"url(no.png)" } q { src: url(yes.png) }', [("css-url", "yes.png")]),
        ("@namespace svg url(http://www.w3.org/2000/svg); p { src: url(a) }", [("css-url", "a")]),
        (r"p { src: url(a\29 b\(c) }", [("css-url", "a)b(c")]),
        ("p { src: url(a b) } q { src: url(c) }", [("css-url", "c")]),
        ("p { src: url() url('') }", []),
        ("p { src: my-url(a) url(", []),
        ("@import /* comment */ 'a.css';", [("css-import", "a.css")]),
        ("@import-x 'a.css';", []),
    ],
)
def test_addresses_are_found_as_a_tokenizer_finds_them(sheet: str, expected: list[tuple[str, str]]) -> None:
    assert find_urls(sheet) == expected


def test_places_are_bytes_of_the_source_inside_the_quotes() -> None:
    sheet = 'p::before { content: "ü" } p { src: url("ä.png") }'.encode()
    (found,) = find_css_references(sheet)
    assert sheet[found.start : found.end].decode() == "ä.png"
    assert found.quote == '"'


def test_a_part_of_a_page_is_searched_and_places_count_from_its_beginning() -> None:
    page = b"url(no)<style>p{src:url(a)}</style>url(no)"
    (found,) = find_css_references(page, 14, 27)
    assert page[found.start : found.end] == b"a"
