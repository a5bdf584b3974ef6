"""The references of a page are those that a tree of the same page holds, and every address is where its place says."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.net.css_references import find_css_references
from gossamer.net.html.references import find_place, read_references
from gossamer.net.html.references.find_repairs import find_repairs

DOCUMENTATION = [Path("/usr/share/doc") / name / "html" for name in ("python3.11-doc", "postgresql-doc-15")]
PAGES = [page for folder in DOCUMENTATION for page in islice(sorted(folder.rglob("*.html")), 0, None, 60)]
PIECES = st.sampled_from(
    [
        *(
            "<a href=",
            "'x y'",
            '"&amp;#b"',
            "u>",
            "<p id=a>",
            "<img src=i>",
            "<!--",
            "-->",
            "<svg>",
            "</svg>",
            "<title>",
            "</title>",
        ),
        *(
            "<style>",
            "</style>",
            "url(b)",
            "@import 'c';",
            "<script>",
            "</script>",
            "<![CDATA[",
            "]]>",
            "<template>",
            "</template>",
        ),
        *(
            "<table>",
            "</table>",
            "<b>",
            "</b>",
            " srcset='d 1x, e'",
            "\0",
            "\n",
            "é",
            "<",
            ">",
            "/",
            "=",
            "'",
            '"',
            "&#",
            "<math>",
        ),
        *(
            "<foreignobject>",
            "</p>",
            "<base href=/b>",
            "<meta http-equiv=refresh content='0;url=f'>",
            " style='a:url(g)'>",
        ),
    ]
)


@pytest.mark.skipif(not PAGES, reason="Debian's documentation is not installed")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_tree_holds_the_same_links_and_targets(path: Path) -> None:
    source = path.read_bytes()
    found, tree = read_references(source), LexborHTMLParser(source)

    def list_values(selector: str, attribute: str) -> list[str]:
        return sorted(node.attributes[attribute] or "" for node in tree.css(selector))

    for kind, selector, attribute in (
        ("anchor", "a[href]", "href"),
        ("image", "img[src]", "src"),
        ("script", "script[src]", "src"),
    ):
        assert sorted(one.url for one in found.references if one.kind == kind) == list_values(
            selector, attribute
        )
    ids = [value for value in list_values("[id]", "id") + list_values("a[name]", "name") if value]
    assert sorted(found.targets) == sorted(ids)


@given(st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode()))
def test_any_page_is_read_and_places_lie_in_it(source: bytes) -> None:
    for one in read_references(source).references:
        assert 0 <= one.start <= one.end <= len(source)
        assert find_place(source, one.start).line <= source.count(b"\n") + 1
        if one.syntax == "attribute" and b"&" not in source and b"\0" not in source:
            assert one.url.encode() in source[one.start : one.end]
    assert all(0 <= place < max(len(source), 1) for place, _ in find_repairs(source))


@given(st.binary(max_size=300))
def test_any_style_sheet_is_read(source: bytes) -> None:
    for one in find_css_references(source + b" url(a)"):
        assert 0 <= one.start <= one.end <= len(source) + 7
