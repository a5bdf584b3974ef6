"""The visible text of pages and elements."""

import pytest

from gossamer.net.html.parse_tree import find_elements, parse_page
from gossamer.net.html.visible_text import MAX_LABEL_CHARS, read_labels, read_text


def text(page: str) -> str:
    return read_text(parse_page(page))


def labels(page: str) -> list[str]:
    tree = parse_page(page)
    return read_labels(tree, ["a"], find_elements(tree, "a"), len(page), with_alternatives=True)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>foo</p><p>bar</p>", "foo\nbar"),
        ("<p>foo<p>bar", "foo\nbar"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</table>", "a\nb\nc"),
        ("a<br>b<hr>c", "a\nb\nc"),
        ("<ul><li>x<li>y<ul><li>z</ul>w</ul>", "x\ny\nz\nw"),
        ("<dl><dt>t<dd>d</dl>e", "t\nd\ne"),
        ("<button>c</button><button>d</button><label>e</label><legend>f</legend>g", "c\nd\ne\nf\ng"),
        ("<table><caption>a</caption><tr><td><p>b<p>c<td><ul>d<li>e</ul></table>", "a\nb\nc\nd\ne"),
        ("<ol><li>x<li>y</ol><menu>z</menu><center>v</center>w", "x\ny\nz\nv\nw"),
    ],
)
def test_words_of_different_blocks_are_never_joined(page: str, expected: str) -> None:
    assert text(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<b>H</b>ello", "Hello"),
        ("H<sub>2</sub>O", "H2O"),
        ("<p>a<!-- -->b<span></span>c<wbr>d&shy;e", "abcd\xade"),
        ("<code>os</code>.<code>path</code>, <i>see</i> <b>there</b>", "os.path, see there"),
        ("in<script>x</script>side", "inside"),
        ("<p>日本<ruby>語<rp>(</rp><rt>ご</rt><rp>)</rp></ruby></p>", "日本語"),
    ],
)
def test_mark_up_within_a_line_never_splits_a_word(page: str, expected: str) -> None:
    assert text(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<div>a<p>b</p>c</div>", "a\nb\nc"),
        ("<div>a<p>b</p> c</div>d", "a\nb\nc\nd"),
        ("<a><div>x</div></a>y<b>z</b>", "x\nyz"),
        ("x<a><div>y</div></a>", "x\ny"),
        ("<div><div><p>a<b>b</b></p></div></div>c<i>d</i>", "ab\ncd"),
        ("<p>a<i>b<br>c</i>d</p>e f", "ab\ncd\ne f"),
        ("<body>a<b>b</b></body>", "ab"),
        ("a<b>b<div>c</div>d</b>e<b>f</b>", "ab\nc\ndef"),
        ("<ul><li>a</li>b</ul>", "a\nb"),
    ],
)
def test_a_line_ends_where_its_block_ends(page: str, expected: str) -> None:
    assert text(page) == expected


def test_every_kind_of_white_space_is_collapsed() -> None:
    assert text("<pre> a\n\tb\r\n c&nbsp;&nbsp;d\u2003e\f</pre>\n \n<p> </p> f ") == "a b c d e\nf"


@pytest.mark.parametrize(
    "unseen",
    [
        "<head><title>no</title><style>no</style></head>",
        "<script>no</script>",
        "<body><noscript>no <b>no</b></noscript>",
        "<template><p>no</p></template>",
        "<iframe>no</iframe>",
        "<svg><title>no</title><text>no</text></svg>",
        "<video>no <b>no</b></video>",
        "<!-- no --><?no?>",
        "<textarea>no</textarea><select><option>no</select><datalist><option>no</datalist>",
        "<object>no <b>no</b></object>",
    ],
)
def test_hidden_content_is_not_text(unseen: str) -> None:
    assert text(f"{unseen}yes<p>{unseen}</p>") == "yes"


def test_empty_pages_have_no_text() -> None:
    assert text("") == text("<frameset><frame></frameset>") == text(" \0 ") == ""


def test_labels_are_words_on_one_line() -> None:
    assert labels("<a>a<b>b</b> c</a><a>d<br>e<img alt=f>g<p>h</p>i</a><a></a>") == [
        "ab c",
        "d e f g h i",
        "",
    ]


def test_labels_are_bounded() -> None:
    (label,) = labels(f"<a>{'x' * 3 * MAX_LABEL_CHARS}</a>")
    assert len(label) == MAX_LABEL_CHARS
    (label,) = labels(f"<a>{'<br>x' * MAX_LABEL_CHARS}</a>")
    assert 0 < len(label) <= MAX_LABEL_CHARS


@pytest.mark.parametrize("opening", ["<a><table><tr><td>" * 100, "<svg>" + "<a>" * 100])
def test_nested_labels_have_at_most_twice_the_text_of_the_page(opening: str) -> None:
    page = opening + "word " * 150_000
    found = labels(page)
    assert len(found) == 100
    assert sum(map(len, found)) <= 2 * len(page) + MAX_LABEL_CHARS
    assert found[0].startswith("word word")
