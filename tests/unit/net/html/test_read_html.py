"""Reading a page: its metadata, links and headings."""

import time

import pytest

from gossamer.net import html
from gossamer.net.html.document import Document, Heading
from gossamer.net.robots.page_directives import directives
from gossamer.records import Link

PAGE = "http://h.example/dir/page.html"


def read(page: str, url: str = PAGE) -> Document:
    return html.read(page.encode(), url, "text/html; charset=utf-8")


def links(page: str) -> list[tuple[str, str, str]]:
    return [(link.type, link.url.removeprefix("http://h.example"), link.text) for link in read(page).links]


def test_the_metadata_of_a_page_is_read() -> None:
    page = read(
        "<!DOCTYPE html><html lang=' de '><head><title>\n Der  Titel </title><base href='/b/c.html'>"
        "<link rel=Canonical href=seite><meta name=Description content=' Was es\nist '>"
        "<meta name=keywords content='a, b'><meta name=AUTHOR content=Wir></head><body><h1>Eins</h1>"
    )
    assert (page.url, page.encoding, page.title, page.lang) == (PAGE, "UTF-8", "Der Titel", "de")
    assert (page.base, page.canonical) == ("http://h.example/b/c.html", "http://h.example/b/seite")
    assert (page.description, page.keywords, page.author) == ("Was es ist", "a, b", "Wir")
    assert page.headings == (Heading(1, "Eins"),)
    assert page.text == "Eins"


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>one</title><title>two</title>", "one"),
        ("<svg><title>drawing</title></svg><title>page</title>", "page"),
        ("<body><svg><g><title>drawing</title></g></svg>", ""),
        ("<title>a <b>&amp; &lt;c&gt;</title>", "a <b>& <c>"),
        ("<head><noscript><img src=x></noscript><title>late</title>", "late"),
        ("<title>never closed", "never closed"),
        ("", ""),
    ],
)
def test_the_title_of_a_drawing_is_not_the_title_of_the_page(page: str, title: str) -> None:
    assert read(page).title == title


@pytest.mark.parametrize(
    ("page", "base"),
    [
        ("<base href=/x/><base href=/y/>", "http://h.example/x/"),
        (
            "<base target=_top><base href='javascript:1'><base href='//[::1'><base href=z/>",
            "http://h.example/dir/z/",
        ),
        ("<base href>", PAGE),
        ("<p>", PAGE),
    ],
)
def test_the_first_valid_base_counts_even_for_links_before_it(page: str, base: str) -> None:
    found = read("<a href=t>x</a>" + page)
    assert found.base == base
    assert found.links[0].url == base.rpartition("/")[0] + "/t"


@pytest.mark.parametrize(
    ("page", "language"),
    [
        ("<html lang=en>", "en"),
        ("<html xml:lang=fr>", "fr"),
        ("<html lang='' xml:lang=fr>", "fr"),
        ("<meta http-equiv=Content-Language content='de, en'>", "de"),
        ("<html lang=nl><meta http-equiv=content-language content=de>", "nl"),
        ("<p lang=it>", ""),
    ],
)
def test_the_declared_language(page: str, language: str) -> None:
    assert read(page).lang == language


def test_every_type_of_link_in_page_order() -> None:
    assert links(
        "<head><link rel=next href=n><link rel=stylesheet href=s><link rel='shortcut icon' href=i>"
        "<link rel='alternate stylesheet' href=s2><link rel=alternate type=application/json+oembed href=o>"
        "<meta http-equiv=refresh content='0; URL=r'></head>"
        "<a href=a>one</a><map><area href=b alt=' two  words '></map><iframe src=c title=t></iframe>"
        "<form action=d><input name=q></form><form action=e method=POST></form><form method=get></form>"
        "<a name=anchor>none</a><a href='mailto:x@y.example'>mail</a><a href='#top'>top</a>"
    ) == [
        ("link", "/dir/n", ""),
        ("refresh", "/dir/r", ""),
        ("a", "/dir/a", "one"),
        ("area", "/dir/b", "two words"),
        ("iframe", "/dir/c", ""),
        ("form", "/dir/d", ""),
        ("a", "/dir/page.html", "top"),
    ]


def test_frames() -> None:
    page = read(
        "<frameset><frame src=left.html title=Left><frame><noframes><a href=n>no</a></noframes></frameset>"
    )
    assert page.links == (Link("http://h.example/dir/left.html", "frame", title="Left"),)
    assert page.text == ""


def test_white_space_in_rel_and_title_is_collapsed() -> None:
    (link,) = read("<a href=x rel=' NoFollow\nUGC ' title=' a  b '>y</a>").links
    assert (link.rel, link.title) == ("nofollow ugc", "a b")


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("plain", "plain"),
        (" <b>in</b>side <i> x </i>", "inside x"),
        ("<code><span>deep</span></code>", "deep"),
        ("<img alt='a picture'>", "a picture"),
        ("see<img alt=' the  map '>here", "see the map here"),
        ("<img>x<img alt=''>y", "x y"),
        ("<div>one</div><div>two</div>", "one two"),
        ("a<br>b", "a b"),
        ("a<script>no</script>b<style>no</style>", "ab"),
        ("<noscript>no</noscript>yes", "yes"),
        ("<!-- no -->yes", "yes"),
        ("<span></span>", ""),
        ("", ""),
        ("<table><td>x <a href=i>in</a><td>y</table>", "x in y"),
    ],
)
def test_the_text_of_a_link(inside: str, text: str) -> None:
    assert read(f"<a href=x>{inside}</a>").links[0].text == text


def test_headings() -> None:
    page = read(
        "<h1>A <a href=#>&para;</a></h1><h2><img alt=no>B</h2><h6>C<script>x</script></h6><h7>D</h7><h3></h3>"
    )
    assert page.headings == (Heading(1, "A ¶"), Heading(2, "B"), Heading(6, "C"), Heading(3, ""))


def test_metas_for_robots_reach_the_directives() -> None:
    page = read(
        "<meta name=ROBOTS content='noarchive'><meta name=gossamer content='NoIndex, x'><meta name=otherbot content=none>"
        "<meta name=viewport content='index'><meta name=description content='all about none'>"
        "<meta name=theme content=dark><meta name=revisit-after content='3 days'>"
    )
    assert [name for name, _ in page.robots] == ["robots", "gossamer", "otherbot", "revisit-after"]
    asked = directives(page.robots, [], "Gossamer/1.0 (+http://h.example/)")
    assert (asked.index, asked.follow, asked.archive) == (False, True, False)
    assert asked.revisit_after_s == 3 * 86_400


def test_links_in_noscript_count() -> None:
    assert links("<noscript><a href=x>all</a></noscript><template><a href=y>no</a></template>") == [
        ("a", "/dir/x", "all")
    ]


def test_strings_and_encodings() -> None:
    assert html.read("<title>ß\ud800</title>", PAGE).title == "ß?"
    assert html.read("<title>ß</title>".encode("latin-1"), PAGE, "text/html; charset=iso-8859-1").title == "ß"
    assert (
        html.read(b"\xff\xfe" + "<title>ß".encode("utf-16-le"), PAGE, "text/html; charset=utf-8").title == "ß"
    )
    assert html.read(b"\xef\xbb\xbf<title>x", PAGE, "text/html; charset=utf-8").text == ""
    broken = html.read(b"<meta charset=utf-8><title>a\xffb</title><p>\xc3(", PAGE)
    assert (broken.encoding, broken.title, broken.text) == ("UTF-8", "a\ufffdb", "\ufffd(")


def test_xhtml_may_close_any_element_with_a_slash() -> None:
    page = b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='x'/></head><p>seen<br/>too</p></html>"
    assert html.read(page, PAGE, "application/xhtml+xml; charset=utf-8").text == "seen\ntoo"
    assert html.read(page, PAGE, "text/html").text == ""


@pytest.mark.parametrize("url", ["", "no url", "mailto:x@y.example", "http://[", "http://h.example/\ud800"])
def test_an_invalid_url_resolves_no_relative_links(url: str) -> None:
    page = html.read(b"<a href=x>y</a><a href='http://o.example/'>z</a>", url)
    assert page.links[-1].url == "http://o.example/"


def test_a_page_keeps_its_tree_after_its_nodes_are_gone() -> None:
    pages = [read(f"<p>{number}<a href=x>link</a></p>") for number in range(200)]
    assert [page.text for page in pages] == [f"{number}link" for number in range(200)]
    assert html.blocks(pages[7])[0].text == "7link"


HOSTILE = {
    "deep": "<div>" * 500_000 + "core",
    "deep and closed": "<div>" * 300_000 + "core" + "</div>" * 300_000,
    "links": "<a href=x>" * 100_000 + "core",
    "formatting": "<b><i>" * 100_000 + "core",
    "fonts": "".join(f"<p><font size={size}>" for size in range(20_000)) + "core",
    "attributes": "<p " + " ".join(f"a{number}='>'" for number in range(200_000)) + ">core",
    "long attribute": f"<p title='{'x ' * 1_000_000}'>core",
    "headings": "<h1><div>" * 50_000 + "core",
    "lists": "<ul><li>" * 50_000 + "core",
    "tables": "<table><tr><td>" * 30_000 + "core",
    "table of links": "<a href=x><table><tr><td>" * 30_000 + "core",
    "links around everything": "<a href=x><table><tr><td>" * 300 + "<br>word" * 200_000 + "<br>core",
    "headings around everything": "<h1><div>" * 300 + "many words " * 300_000 + "core",
    "choices": "<select><button><selectedcontent></button>" + "<option selected>x" * 50_000 + "</select>core",
    "bodies": "".join(f"<body a{number}>" for number in range(50_000)) + "core",
    "one wide cell": "<table>" + "<tr><td>a<td>b" * 50_000 + f"<tr><td>{'x' * 500_000}<td>y</table>core",
    "one wide row": "<table>" + "<tr><td>a" * 50_000 + "<tr>" + "<td>a" * 50_000 + "</table>core",
    "links inside each other": "<a href=x><table><tr><td>" * 30_000 + "word " * 200_000 + "core",
    "links in drawings": "<svg>" + "<a href=x>" * 100_000 + "</svg>core",
    "forms": "<form action=x></form>" * 100_000 + "core",
    "paragraphs in formatting": "<b><i><p>" * 30_000 + "core",
    "ten megabytes": "words " * 1_600_000 + "core",
    "pictures": "<a href=x>" + "<img alt=y>" * 100_000 + "</a>core",
    "drawings": "<svg>" * 1_000 + "<title>x</title>" * 50_000 + "</svg>" * 1_000 + "core",
    "NULs": "\0" * 1_000_000 + "core",
    "entities": "&" * 1_000_000 + "<p>core",
    "comments": "<!-->" * 300_000 + "core",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_does_not_hang(name: str) -> None:
    began = time.process_time()
    page = read(HOSTILE[name])
    text = page.text
    html.blocks(page)
    html.words_around(page)
    # Most take a tenth of a second, and minutes if anything in them is quadratic.
    assert time.process_time() - began < 30
    assert text.endswith("core")
