"""A parser finds in the HTML exactly what was written."""

import re

import msgspec
import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.lab.page_plan import PagePlan, Place, PlannedLink
from gossamer.lab.writing.page_content import PageWriter, WrittenPage
from gossamer.lab.writing.page_templates import STYLES
from gossamer.records import LinkType

WRITER = PageWriter(7)
PLACES: tuple[Place, ...] = ("text", "navigation", "footer", "list", "text", "navigation", "list")
ODD_HREF = '../a b?x=1&y="2"&copy=<3>\'#f'

HOSTS = pytest.mark.parametrize("host_key", range(len(STYLES)), ids=[style.name for style in STYLES])
LANGUAGES = pytest.mark.parametrize("language", ["en", "de", "ar", "ja"])


def link(key: int, type: LinkType = "a", place: Place = "text", **more: object) -> PlannedLink:  # noqa: A002
    planned = PlannedLink(
        href=f"/p{key}?a=1&b=2", url=f"http://a.test/p{key}?a=1&b=2", type=type, place=place, key=key
    )
    return msgspec.structs.replace(planned, **more)


def planned(host_key: int = 0, **changes: object) -> PagePlan:
    links = tuple(
        link(key, place=PLACES[key % 7], image=key % 5 == 4, rel="nofollow" if key % 9 == 1 else "")
        for key in range(40)
    )
    plan = PagePlan(
        url="http://a.test/",
        key=11,
        language="en",
        topic="music",
        version=0,
        host_name='Ben & <Jerry> "Test"',
        host_key=host_key,
        links=links,
        paragraphs=9,
    )
    return msgspec.structs.replace(plan, **changes)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def parsed(page: WrittenPage) -> LexborHTMLParser:
    return LexborHTMLParser(page.html)


def shown(tree: LexborHTMLParser, selector: str) -> list[str]:
    return [node.text() for node in tree.css(selector)]


def attributes(page: WrittenPage, selector: str, name: str) -> list[str | None]:
    return [node.attributes.get(name) for node in parsed(page).css(selector)]


@HOSTS
@LANGUAGES
def test_a_parser_reads_the_text_that_was_written(host_key: int, language: str) -> None:
    plan = planned(host_key, language=language)
    page, tree = WRITER.page(plan), parsed(WRITER.page(plan))
    for unseen in tree.css("script, style"):
        unseen.decompose()
    assert shown(tree, "title") == [page.title]
    assert tree.body is not None
    assert squeezed(tree.body.text()) == squeezed(page.text)
    assert shown(tree, "h1, h2, h3") == list(page.headings)
    assert page.main_text in page.text
    assert page.main_text.startswith(page.title)


@HOSTS
def test_each_link_is_written_once_in_the_stated_order(host_key: int) -> None:
    plan = planned(host_key)
    page = WRITER.page(plan)
    assert sorted(page.order) == list(range(40))
    assert attributes(page, "a", "href") == [plan.links[place].href for place in page.order]
    assert attributes(page, "a", "rel") == [plan.links[place].rel or None for place in page.order]
    for place in set(PLACES):
        within = [position for position in page.order if plan.links[position].place == place]
        assert within == sorted(within)


@HOSTS
def test_anchor_text_is_what_the_link_shows(host_key: int) -> None:
    plan = planned(host_key)
    page = WRITER.page(plan)
    anchors = []
    for node in parsed(page).css("a"):
        image = node.css_first("img")
        anchors.append(image.attributes["alt"] if image is not None else node.text())
    assert anchors == [page.anchors[place] for place in page.order]


@HOSTS
def test_boilerplate_repeats_on_the_pages_of_a_host(host_key: int) -> None:
    navigation = tuple(link(key, place="navigation") for key in range(5))
    one, other = (WRITER.page(planned(host_key, key=key, links=navigation)) for key in (1, 2))
    shared = set(one.text.split("\n")) & set(other.text.split("\n"))
    assert len(shared) >= 6
    assert not shared & set(one.main_text.split("\n"))


@HOSTS
def test_odd_text_and_hrefs_are_escaped(host_key: int) -> None:
    page = WRITER.page(
        planned(host_key, links=(link(1, href=ODD_HREF), link(2, type="iframe", href=ODD_HREF)))
    )
    assert attributes(page, "a", "href") == [ODD_HREF]
    assert attributes(page, "iframe", "src") == [ODD_HREF]
    assert 'Ben & <Jerry> "Test"' in page.text
    assert not parsed(page).css("jerry")


@HOSTS
def test_the_head_has_what_the_plan_says(host_key: int) -> None:
    plan = planned(
        host_key,
        links=(link(1, type="refresh", place="head"), link(2, type="link", rel="alternate", place="head")),
        base="http://b.test/d/?x&y",
        refresh="5; url=/p1?a=1&b=2",
        robots_meta="noindex, nofollow",
        canonical="http://a.test/?x&y",
        encoding="ISO-8859-1",
        declared_encoding="windows-1251",
        language="ar",
    )
    page = WRITER.page(plan)
    assert attributes(page, "base", "href") == [plan.base]
    assert attributes(page, "meta[http-equiv=refresh]", "content") == [plan.refresh]
    assert attributes(page, "meta[name=robots]", "content") == [plan.robots_meta]
    assert attributes(page, "link", "href") == [plan.canonical, plan.links[1].href]
    assert "charset=" in page.html
    assert "windows-1251" in page.html
    assert attributes(page, "html", "dir") == ["rtl"]
    assert page.order == (0, 1)
    assert page.anchors == ("", "")


def test_without_a_declared_encoding_there_is_no_charset() -> None:
    assert "charset" not in WRITER.page(planned(declared_encoding="")).html


@HOSTS
def test_maps_forms_and_inline_frames_are_in_the_text(host_key: int) -> None:
    links = (link(1, "area"), link(2, "area"), link(3, "form"), link(4, "iframe"), link(5))
    page = WRITER.page(planned(host_key, links=links, image_map=True))
    assert attributes(page, "map area", "href") == [links[0].href, links[1].href]
    assert attributes(page, "map area", "alt") == list(page.anchors[:2])
    assert attributes(page, "form", "action") == [links[2].href]
    assert attributes(page, "form", "method") == ["get"]
    assert attributes(page, "iframe", "src") == [links[3].href]
    assert sorted(page.order) == [0, 1, 2, 3, 4]


def test_a_frameset_has_frames_and_hides_the_rest() -> None:
    links = (link(1, "frame"), link(2), link(3, "frame"), link(4, place="navigation"))
    page = WRITER.page(planned(links=links, frameset=True))
    assert attributes(page, "frameset frame", "src") == [links[0].href, links[2].href]
    assert page.order[:2] == (0, 2)
    assert sorted(page.order) == [0, 1, 2, 3]
    assert page.text == page.main_text == ""
    assert page.headings == ()
    assert shown(parsed(page), "title") == [page.title]
    assert page.html.index("<noframes>") < page.html.index(links[1].href.replace("&", "&amp;"))


def test_old_styles_use_character_references_unless_the_declared_encoding_is_wrong() -> None:
    old = [style.name for style in STYLES].index("tables")
    assert WRITER.page(planned(old, language="de")).html.isascii()
    assert not WRITER.page(planned(old, language="de", declared_encoding="windows-1251")).html.isascii()
    assert not WRITER.page(planned(old, language="ru")).html.isascii()


@HOSTS
def test_many_links_on_a_page_without_paragraphs(host_key: int) -> None:
    page = WRITER.page(planned(host_key, paragraphs=0, links=tuple(map(link, range(3000)))))
    assert page.order == tuple(range(3000))
    assert len(parsed(page).css("a")) == 3000


def test_tables_lists_images_and_quotes_occur() -> None:
    html = "".join(WRITER.page(planned(key=key, links=())).html for key in range(40))
    for tag in ("<table>", "<ul>", "<figure>", "<blockquote>", "<h1>", "<h2>", "<h3>"):
        assert tag in html
