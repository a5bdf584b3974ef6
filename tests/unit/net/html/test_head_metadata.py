"""Meta refreshes, in the forms that pages use."""

import pytest

from gossamer.net.html.head_metadata import parse_refresh, read_metas
from gossamer.net.html.parse_tree import parse_page
from gossamer.net.html.tree_outline import make_outline


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("5", (5.0, "")),
        (" 5 ", (5.0, "")),
        ("5;url=a.html", (5.0, "a.html")),
        ("0; URL='a b.html' ", (0.0, "a b.html")),
        ('0;url="a.html" x', (0.0, "a.html")),
        ("0,url=a.html", (0.0, "a.html")),
        ("0 url=a.html", (0.0, "a.html")),
        ("1.5; url = a.html", (1.5, "a.html")),
        (".5;a.html", (0.5, "a.html")),
        (".", (0.0, "")),
        ("3;a.html", (3.0, "a.html")),
        ("3;urla.html", (3.0, "urla.html")),
        ("3;url='a.html", (3.0, "a.html")),
        ("9" * 400, (1e9, "")),
        ("1.2.3;x", (1.2, "x")),
        ("5;", (5.0, "")),
        ("5;url=", (5.0, "")),
        ("url=a.html", None),
        ("5x;url=a.html", None),
        ("-5;url=a.html", None),
        ("", None),
        (None, None),
    ],
)
def test_forms_of_refresh(content: str | None, expected: tuple[float, str] | None) -> None:
    assert parse_refresh(content) == expected


def test_the_first_meta_with_content_counts() -> None:
    tree = parse_page(
        "<meta name=author content=' '><meta name=author content=first><meta name=author content=second>"
        "<meta http-equiv=refresh content=x><meta http-equiv=Refresh content=7>"
        "<meta content=nothing><meta name=robots>"
    )
    metas = read_metas(make_outline(tree, 0).tags_by_name()["meta"])
    assert metas.author == "first"
    assert metas.refresh_s is None
    assert metas.robots == ()
