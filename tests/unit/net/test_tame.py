"""What is taken out of hostile pages, and that nothing is taken out of others."""

import re

import pytest

from gossamer.net.tame import MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, tame
from gossamer.net.text_of import text_of
from gossamer.net.tree import Node, parse


def depth_of(page: bytes) -> int:
    deepest = 0
    for leaf in parse(page).css(":not(:has(*))"):
        depth = 0
        above: Node | None = leaf
        while above is not None:
            above, depth = above.parent, depth + 1
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"<p>",
        b"<div>" * 100 + b"</div>" * 100,
        b"<ul>" + b"<li>item <br>" * 50 + b"</ul>",
        b"<p>" + b"word " * 100_000,
        b"<script>" + b"if (a < b) {" * 20_000 + b"</script><p>x",
        b"<p class='" + b"x " * 50_000 + b"'>y",
    ],
)
def test_harmless_pages_stay_as_they_are(page: bytes) -> None:
    assert tame(page) == page


def test_what_nests_too_deep_loses_its_tags_but_not_its_text_and_links() -> None:
    page = tame(b"<div>in <span>" * 5_000 + b"<a href=x>core</a>" + b"</span></div>" * 5_000 + b"<p>after")
    assert depth_of(page) < MAX_DEPTH + 10
    assert text_of(parse(page)).split() == ["in"] * 5_000 + ["core", "after"]
    assert parse(page).css_first("a[href=x]") is not None


def test_flat_pages_without_end_tags_keep_their_structure() -> None:
    page = b"<table>" + b"<tr><td>cell<td>cell" * 5_000 + b"</table><ol>" + b"<li>item" * 5_000
    assert tame(page) == page


def test_formatting_that_is_left_open_is_dropped() -> None:
    page = b"".join(b"<p>text<FONT size=%d class=x>" % size for size in range(3_000))
    assert b"font" not in tame(page).lower()
    assert len(parse(tame(page)).css("p")) == 3_000


def test_attributes_are_counted_wherever_their_quotes_are() -> None:
    attributes = b" ".join(b"a%d='<p b=\">\"'" % number for number in range(20_000))
    page = tame(b"<p first=1 " + attributes + b">text<i>more</i>")
    assert len(re.findall(rb"a\d+=", page)) < MAX_ATTRIBUTES
    tree = parse(page)
    (paragraph,) = tree.css("p")
    assert paragraph.attributes["first"] == "1"
    assert paragraph.text() == "textmore"


def test_only_the_first_body_counts() -> None:
    page = tame(b"<body class=a>" + b"".join(b"<body a%d=1>" % number for number in range(5_000)) + b"text")
    assert page.count(b"<body") == 1
    assert text_of(parse(page)) == "text"


def test_tags_in_scripts_and_comments_do_not_count() -> None:
    page = b"<script>" + b"'<div>'+" * 3_000 + b"</script><!--" + b"<div>" * 3_000 + b"--><div><div>x"
    assert tame(page) == page


def test_a_page_is_read_to_a_limit() -> None:
    assert len(tame(b"x" * (MAX_BYTES + 1))) == MAX_BYTES
