"""Text blocks, main text, sentences and the words around links."""

import gzip
import json
import time
from pathlib import Path

import pytest

from gossamer.net.html import read
from gossamer.net.html.document import Block
from gossamer.net.main_text.sentences import sentences
from gossamer.net.main_text.text_blocks import blocks, main_text, words_around, words_around_some

DATA = Path(__file__).resolve().parents[4].parent / "shared" / "data" / "extraction"
PARAGRAPH = "The committee met on Tuesday, and after three hours of talk it agreed on very little of note. "


def of(html: str) -> list[Block]:
    return blocks(read(html.encode(), "https://site.example/dir/page.html", "text/html; charset=utf-8"))


def texts(html: str) -> list[str]:
    return [block.text for block in of(html)]


def kinds(html: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in of(html)]


def main_of(html: str) -> list[str]:
    return [block.text for block in of(html) if block.main]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one <b>bold</b><i>er</i> word</p>", ["one bolder word"]),
        ("<div>before<p>inside</p>after</div>", ["before", "inside", "after"]),
        ("<p>line<br>same<br><br>next<br> <br>third</p>", ["line same", "next", "third"]),
        ("a<hr>b", ["a", "b"]),
        ("<ul><li>x<li>y<ul><li>z</ul></ul>", ["x", "y", "z"]),
        ("<p>  white\n\t space  </p>", ["white space"]),
        ("<p>日本<ruby>語<rt>ご</rt></ruby></p>", ["日本語"]),
        ("<a href=a>A</a><a href=b>B</a>", ["A B"]),
        ("<a href=a><div>one</div><div>two</div></a>", ["one", "two"]),
        ("<?php echo 1 ?><p>x<!-- no -->y</p>", ["xy"]),
        ("", []),
    ],
)
def test_blocks_are_what_a_reader_sees_as_one_piece(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>no</script>",
        "<style>no</style>",
        "<noscript><p>no</p></noscript>",
        "<template><p>no</p></template>",
        "<p hidden>no</p>",
        "<div aria-hidden=true><p>no</p></div>",
        "<span style='color:red; DISPLAY : none'>no</span>",
        "<p style='visibility:hidden'>no</p>",
        "<select><option>no</select>",
        "<textarea>no</textarea>",
        "<svg><text>no</text></svg>",
    ],
)
def test_hidden_text_is_left_out(hidden: str) -> None:
    assert texts(f"<p>yes</p>{hidden}") == ["yes"]


def test_a_page_with_only_hidden_text_is_shown() -> None:
    assert texts("<body style='display:none'><p>shown by a script</p>") == ["shown by a script"]


def test_kinds() -> None:
    html = (
        "<nav><ul><li><a href=a>Home</a></ul></nav><h2>Title</h2><p>para</p><div>loose</div><ul><li><p>item</p></ul>"
        "<table><caption>cap</caption><tr><td>cell<td><p>laid out</p></table><blockquote><p>said</p></blockquote>"
        "<figure><figcaption>seen</figcaption></figure><dl><dt>term<dd>meaning</dl><button>Go</button>"
        "<pre>if x:\n    y\n</pre>"
    )
    assert kinds(html) == [
        ("navigation", "Home"),
        ("heading", "Title"),
        ("paragraph", "para"),
        ("paragraph", "loose"),
        ("list item", "item"),
        ("caption", "cap"),
        ("table cell", "cell"),
        ("paragraph", "laid out"),
        ("quote", "said"),
        ("caption", "seen"),
        ("list item", "term"),
        ("list item", "meaning"),
        ("form", "Go"),
        ("code", "if x:\n    y"),
    ]


def test_a_menu_is_navigation_by_its_name_too() -> None:
    story = f"<p>{PARAGRAPH * 3}</p>" * 3
    menu = "<div class='main-menu'><ul><li><a href=a>News</a><li><a href=b>Sport</a></ul></div>"
    assert [block.kind for block in of(menu + story)][:2] == ["navigation", "navigation"]


def test_code_keeps_its_lines() -> None:
    assert texts("<pre>a\n\n  b<br><br>c</pre>") == ["a\n\n  b\n\nc"]


def test_link_density_and_places_of_links() -> None:
    page = read(
        b"<link rel=next href=/n><a href='mailto:x@y.example'>mail</a><p><a href=/one>half</a> and <a href=/two>ha</a>"
        b"<p>none<p><a href='javascript:x()'>script</a> <a href=/three><b>all</b></a>",
        "https://site.example/",
    )
    found = {block.text: block for block in blocks(page)}
    assert [page.links[place].url for place in found["half and ha"].links] == [
        "https://site.example/one",
        "https://site.example/two",
    ]
    assert found["half and ha"].link_density == pytest.approx(6 / 11)
    assert found["none"].link_density == 0
    assert [page.links[place].url for place in found["script all"].links] == ["https://site.example/three"]
    assert found["mail"].links == ()


def test_words_around_each_link() -> None:
    page = read(
        b"<p>One two three, four <a href=/a>five <b>six</b></a>. Seven <a href=/b>eight</a> nine</p>"
        b"<p>elsewhere</p><a href=/c><img src=x></a>",
        "https://site.example/",
    )
    first, second = words_around(page, reach=3)
    assert (first.before, first.inside, first.after) == (
        ("two", "three", "four"),
        ("five", "six"),
        ("Seven", "eight", "nine"),
    )
    assert (second.before, second.inside, second.after) == (("five", "six", "Seven"), ("eight",), ("nine",))
    assert [page.links[words.link].url for words in (first, second)] == [
        "https://site.example/a",
        "https://site.example/b",
    ]


def test_a_link_around_blocks_belongs_to_these_and_no_others() -> None:
    page = read(b"<a href=/x><div>one</div><div>two</div></a> tail", "https://site.example/")
    assert [(block.text, block.links) for block in blocks(page)] == [
        ("one", (0,)),
        ("two", (0,)),
        ("tail", ()),
    ]
    assert [words.inside for words in words_around(page)] == [("one",), ("two",)]


def test_main_text_excludes_its_surroundings() -> None:
    story = [PARAGRAPH * times for times in (3, 1, 4)]
    html = (
        "<header><p>The Daily Example, the oldest paper in town, since 1871.</p></header>"
        "<nav><a href=/>Home</a> <a href=/s>Sport</a></nav>"
        "<article><h1>Little agreed</h1><p class=byline>By A. Writer, our correspondent.</p>"
        f"<p>{story[0]}</p><h2>Talks</h2><p>{story[1]}</p>"
        "<figure><figcaption>The committee, in a picture of last year.</figcaption></figure>"
        f"<p>{story[2]}</p><div class=related><h3>Related</h3><ul><li><a href=/x>Another story</a></ul></div></article>"
        f"<div id=comments><p>{PARAGRAPH * 2}</p><p>{PARAGRAPH * 9}</p></div>"
        "<footer><p>All rights reserved, whatever that may mean, by the Daily Example.</p></footer>"
    )
    assert main_of(html) == [story[0].strip(), "Talks", story[1].strip(), story[2].strip()]
    page = read(html.encode(), "https://site.example/")
    assert main_text(page) == "\n".join(main_of(html))


def test_a_heading_without_its_text_is_not_main() -> None:
    story = f"<p>{PARAGRAPH * 3}</p>" * 3
    assert "The end" not in main_of(f"<article>{story}<h2>The end</h2></article>")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Hello.</p>", ["Hello."]),
        ("just words", ["just words"]),
        ("<ul><li><a href=a>A</a><li><a href=b>B</a></ul>", ["A", "B"]),
        ("<center><font>Under construction</font></center>", ["Under construction"]),
        ("<footer><p>Only a footer.</p></footer>", ["Only a footer."]),
    ],
)
def test_a_page_with_little_text_has_main_text(html: str, expected: list[str]) -> None:
    assert main_of(html) == expected


def test_text_in_scripts_without_spaces_counts() -> None:
    story = "委员会星期二开会，经过三个小时的讨论，几乎没有达成任何协议。" * 4
    menu = "".join(f"<li><a href=/{n}>新闻{n}</a>" for n in range(30))
    assert main_of(f"<ul>{menu}</ul><div><p>{story}</p><p>{story}</p></div>") == [story, story]


def test_layout_tables() -> None:
    story = (PARAGRAPH * 3).strip()
    html = (
        "<table><tr><td width=100><a href=a>Home</a><br><a href=b>People</a></td>"
        f"<td><font size=5>Welcome</font><p>{story}<p>{story}</td></tr></table>"
    )
    assert main_of(html)[-2:] == [story, story]
    assert "Home People" not in main_of(html)


def test_a_name_that_does_not_fit_most_of_the_text_is_ignored() -> None:
    story = (PARAGRAPH * 3).strip()
    assert main_of(f"<div class='sidebar has-comments'><p>{story}</p><p>{story}</p></div>") == [story, story]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Mr. Smith met J. Doe at 5 p.m. It was late.", ["Mr. Smith met J. Doe at 5 p.m. It was late."]),
        ("Am 3. Oktober fiel z.B. Regen. Viel.", ["Am 3. Oktober fiel z.B. Regen.", "Viel."]),
        ("It cost 3.50 in 2019. Then more.", ["It cost 3.50 in 2019.", "Then more."]),
        ("“Really?” she asked. “Yes.” He left.", ["“Really?” she asked.", "“Yes.”", "He left."]),
        ("今日は晴れ。明日は「雨。」です！", ["今日は晴れ。", "明日は「雨。」", "です！"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("The U.S. Army came. Wait… What?", ["The U.S. Army came.", "Wait…", "What?"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_sentences_of_a_block() -> None:
    assert sentences(of("<p>One. <b>Two.</b></p>")[0]) == ["One.", "Two."]


@pytest.mark.parametrize(
    "html",
    [
        "<b>" * 20_000 + "x",
        "<div>" * 3_000 + "x",
        "<p>word <a href=x>link</a> " * 8_000,
        "word <a href=x>link</a> " * 8_000,
        "<table>" * 2_000 + "x",
        "<ul><li>" * 2_000 + "x",
        "x<br>" * 20_000,
    ],
    ids=lambda html: html[:12],
)
def test_hostile_trees_do_not_hang(html: str) -> None:
    page = read(html.encode(), "https://site.example/")
    start = time.process_time()
    assert blocks(page)
    words_around(page)
    assert time.process_time() - start < 20  # tenths of a second, unless something hangs


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="shared/data/extraction is not here")
def test_main_text_of_real_pages() -> None:
    truth = json.loads((DATA / "ground-truth.json").read_text("utf-8"))
    shares = []
    for name, entry in list(truth.items())[::6]:
        body = gzip.decompress((DATA / "html" / f"{name}.html.gz").read_bytes())
        wanted = set(entry["articleBody"].split())
        found = set(main_text(read(body, entry["url"], "text/html; charset=utf-8")).split())
        shares.append(len(wanted & found) / max(1, len(wanted | found)))
    assert sum(shares) / len(shares) > 0.93


def test_an_introduction_between_title_and_story_is_main_text() -> None:
    introduction = "The committee, which had met three times before, met again on Tuesday. " * 2
    story = "".join(f"<p>{PARAGRAPH * 3}</p>" for _ in range(5))
    html = f"<article><header><h1>Title</h1><div><p>{introduction}</p></div></header><div>{story}</div></article>"
    assert introduction.strip() in main_of(html)


@pytest.mark.parametrize(
    "cover", ["<noscript>{}</noscript>", "<div hidden>{}</div>", "<div style='display:none'>{}</div>"]
)
def test_hidden_text_counts_if_nearly_all_running_text_is_hidden(cover: str) -> None:
    story = "".join(f"<p>{PARAGRAPH * 3}</p>" for _ in range(5))
    assert main_of("<p>Enable scripts.</p>" + cover.format(story))[-5:] == [(PARAGRAPH * 3).strip()] * 5
    visible = f"<div>{story}</div>"
    assert len(main_of(visible + cover.format("<p>Unseen, and rather long, as a sentence goes.</p>"))) == 5


def test_words_around_some_links_are_those_around_all() -> None:
    page = (
        "<html><body>before <a href=/0>zero</a> after<div>one <p>two <a href=/1>link <b>one</b></a> three<br><br>four "
        "<a href=/2>link two</a></p> five <a href=/3>three</a></div><ul><li><a href=/4>four</a> six<li>seven</ul>"
        "<a href=/5><div>a block</div><div>in a link</div></a><table><tr><td>x <a href=/6>cell</a> y</table>"
        "<nav><span>eight <i><a href=/7>seven</a></i></span></nav><p><a href=/8><img src=x></a> nine</p>"
        "<div hidden>ten <a href=/9>hidden</a></div><p style='display: none'>no <a href=/10>style</a></p></body></html>"
    )
    document = read(page.encode(), "http://a.example/", "text/html; charset=utf-8")
    everything = words_around(document, 3)
    assert len(everything) >= 8
    for place in range(len(document.links.urls)):
        assert list(words_around_some(document, {place}, 3)) == [
            one for one in everything if one.link == place
        ]
    assert sorted(words_around_some(document, range(99), 3), key=str) == sorted(everything, key=str)
