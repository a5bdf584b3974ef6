"""Tags are removed from hostile pages, and from no others."""

import pytest

from gossamer.net.html.parse_tree import find_elements, parse_page
from gossamer.net.html.parser_limits import remove_harmful_tags
from gossamer.net.html.visible_text import read_text


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>",
        "<div>" * 5_000 + "</div>" * 5_000,
        "<ul>" + "<li>item <br>" * 5_000 + "</ul>",
        "<table>" + "<tr><td>cell<td><b>cell</b>" * 5_000 + "</table><ol>" + "<li>item" * 5_000,
        "<p>" + "word " * 100_000,
        "<script>" + "if (a < b) {" * 20_000 + "</script><p>x",
        "<html><body>" + "<div>" * 5_000,
        "<!--" + "<p><font>" * 5_000 + "-->" + "<p>" * 5_000,
    ],
    ids=lambda page: page[:12],
)
def test_harmless_pages_are_not_changed(page: str) -> None:
    assert remove_harmful_tags(page) == page


def test_unclosed_formatting_is_removed() -> None:
    page = "".join(f"<p>text<FONT size={size} class=x>" for size in range(8_000))
    assert "font" not in remove_harmful_tags(page).lower()
    tree = parse_page(page)
    assert len(find_elements(tree, "p")) == 8_000
    assert read_text(tree).split() == ["text"] * 8_000


def test_thousands_of_bodies_are_removed() -> None:
    page = "<html><body class=a>" + "".join(f"<body a{number}=1>" for number in range(8_000)) + "text"
    (body,) = find_elements(parse_page(page), "body")
    assert len(body.attrs) < 10
    assert read_text(parse_page(page)) == "text"
