"""No page makes a tree much larger than itself, and ordinary pages are parsed as they are."""

import pytest

from gossamer.net import html
from gossamer.net.html.parse_tree import find_elements, parse_limited, parse_page
from gossamer.net.html.parser_limits import MOST_COPIES, MOST_NODES, limit_source
from gossamer.net.html.visible_text import read_text

PAGE_CHARS = 400_000


def between_looks(unit: str) -> str:
    """Repeat a unit, with 400 characters of text before every 7,600: a page that looks harmless to samples."""
    pieces, number = [""], 0
    while len(pieces) * 4_000 < PAGE_CHARS:
        piece = ""
        while len(piece) < 7_600:
            piece += unit.format(number)
            number += 1
        pieces += ["text" * 100, piece]
    return "".join(pieces)


HOSTILE = {
    "fonts": "<p><font size={}>",
    "closed in vain": "<table></b></table><p><b id={}>",
    "hidden in a drawing": "<svg><style><p><font size={}>",
    "hidden in a comment of a script": "<p><b a{}><script><!--<script></script></b>--></script>",
    "a name with a NUL": "<p><b a{}></b\0>",
    "markers that leak": (
        "<table><td><table><td><b a{}><object><object></td></object></object></b></td></table></td></table>x"
    ),
    "bodies": "<body a{}=1>",
    "roots": "<html a{}=1>",
    "links": "<a href=x a{} b c d e f g h i j><p>x",
    "quoted": "<p><i title='</i>' id={}>",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_page_is_copied_many_times(unit: str) -> None:
    tree = parse_page(between_looks(unit))
    elements = tree.find_all()
    assert len(elements) < 3 * MOST_NODES
    assert sum(len(element.attrs) for element in elements) < MOST_NODES + 3 * MOST_COPIES


def test_selected_content_is_not_copied_many_times() -> None:
    shown = "<selectedcontent></selectedcontent>" * 1_500
    page = f"<select><button>{shown}</button><option selected>{'x<i></i>' * 1_500}</select><p>text"
    tree = parse_page(page)
    assert len(tree.find_all()) < 10_000
    assert read_text(tree) == "text"


def test_one_heavy_tag_is_not_copied_many_times() -> None:
    names = " ".join(f"a{number}" for number in range(2_000))
    for tag in ("a href=x", "font", "nobr"):
        elements = parse_page(f"<{tag} {names}>" + "<p>x" * 20_000).find_all()
        assert sum(len(element.attrs) for element in elements) < MOST_COPIES + 5_000, tag


def test_text_and_links_of_a_hostile_page_are_read() -> None:
    page = "".join(f"<p>word<FONT size={number} class=x><a href={number}>link</a>" for number in range(8_000))
    found = html.read(page, "http://a.example/")
    assert found.reduced == "without formatting"
    assert found.text.split() == ["wordlink"] * 8_000
    assert [link.url for link in found.links] == [f"http://a.example/{number}" for number in range(8_000)]


@pytest.mark.slow
def test_a_tree_has_a_largest_size() -> None:
    limited = limit_source(b"<p>x" * (2 * MOST_NODES) + b"<script>a<b</script><p title='<'>a < <b>b</b>c")
    assert limited.reduced == f"without formatting, and as text after {4 * MOST_NODES} bytes"
    tree = parse_limited(limited)
    assert len(find_elements(tree, "p")) == MOST_NODES
    assert read_text(tree).endswith("x x x a < bc")


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<",
        "<p",
        "<p a='",
        "<!--",
        "<script><!--<script>",
        "<div>" * 5_000 + "</div>" * 5_000,
        "<ul>" + "<li>item <br>" * 5_000 + "</ul>",
        "<table>" + "<tr><td>cell<td><b>cell</b>" * 5_000 + "</table><ol>" + "<li>item" * 5_000,
        "<p>" + "word " * 100_000,
        "<script>" + "if (a < b) {" * 20_000 + "</script><p>x",
        "<html><body>" + "<div>" * 5_000,
        "<!--" + "<p><font>" * 50_000 + "-->" + "<p>" * 5_000,
        "<p>text <b>bold</b> and <a href=x class=y><svg><path d=''/><title>t</title></svg></a>" * 5_000,
        "<p><font size=2>text" * 300,
        "<math><textarea><b>word",
        "<svg><style><![CDATA[a { color: red }]]></style></svg><i><b>word</i>",
        "<a name=x><p>text" * 2_000,
        "<template><img><script>'<p><b>'</script></template><p><em>x</em>" * 2_000,
    ],
    ids=lambda page: page[:12],
)
def test_harmless_pages_are_not_changed(page: str) -> None:
    assert limit_source(page.encode()).source == page.encode()


def test_a_page_with_many_links_is_read_up_to_a_number() -> None:
    for begin in ("", "<b><p></b>"):  # scanned, and parsed
        page = begin + "".join(f"<a href={number}>x</a>" for number in range(30)) + "<link rel=next href=n>"
        found = html.read(page, "http://a.example/", most_links=20)
        assert (len(found.links), found.links_cut) == (20, 11), begin
        assert found.links.urls[-1] == "http://a.example/19"
        assert html.read(page, "http://a.example/").links_cut == 0


def test_links_are_counted_and_not_kept_while_a_page_is_scanned() -> None:
    page = b"<area href=x>" * 100_000 + b"<meta name=a content=b>" * 5_000 + b"<a href=y>z</a>" * 100_000
    found = html.read(page, "http://a.example/")
    assert len(found.links) == html.MAX_LINKS
    assert found.links_cut >= 200_000 - html.MAX_LINKS - 1_000
