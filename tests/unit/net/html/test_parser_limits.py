"""What is taken out of hostile pages, and that nothing is taken out of others."""

import pytest

from gossamer.net.html.parse_tree import elements, parsed
from gossamer.net.html.parser_limits import tame
from gossamer.net.html.visible_text import text_of


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
def test_harmless_pages_stay_as_they_are(page: str) -> None:
    assert tame(page) == page


def test_formatting_that_is_left_open_is_dropped() -> None:
    page = "".join(f"<p>text<FONT size={size} class=x>" for size in range(8_000))
    assert "font" not in tame(page).lower()
    tree = parsed(page)
    assert len(elements(tree, "p")) == 8_000
    assert text_of(tree).split() == ["text"] * 8_000


def test_thousands_of_bodies_are_dropped() -> None:
    page = "<html><body class=a>" + "".join(f"<body a{number}=1>" for number in range(8_000)) + "text"
    (body,) = elements(parsed(page), "body")
    assert len(body.attrs) < 10
    assert text_of(parsed(page)) == "text"
