"""Files on disk are checked by the rules for the pages of a site."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from urllib.parse import quote

import pytest

from gossamer.errors import BadInput
from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.page_facts import PageFacts, pack_fragments
from gossamer.link_check.files.ask_urls import WebAnswers
from gossamer.link_check.files.check_files import check_files
from gossamer.link_check.target_outcomes import TargetOutcome
from gossamer.net import url as urls


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, "utf-8")


def find(folder: Path, *paths: Path, **options: object) -> list[tuple[str, str, str, int]]:
    """Return problem, target, source and line of each problem, but for titles, which have tests of their own."""
    wanted = {"skip": frozenset({"missing-title"}), **options}
    result = check_files(paths or [folder], CheckOptions(**wanted), None)  # type: ignore[arg-type]
    prefix = f"{folder}/"
    return [
        (one.problem, one.target.removeprefix(prefix), one.source.removeprefix(prefix), one.line)
        for one in result.problems
    ]


def test_missing_files_and_anchors_are_found_with_their_lines(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_md="# Title\n[ok](b.html#x)\n[bad](b.html#y)\n[gone](c.md)\n[self](#Title)\n[no](#nowhere)\n[m](mailto:a@b)\n",
        b_html="<p id=x><a href='a.md#title'>ok</a><a href='sub/'>ok</a><a href='a.md?x=1'>ok</a><img src=none.png alt=''>",
        sub__index_html="<a href='../a.md'>ok</a>",
    )
    assert find(tmp_path) == [
        ("fragment", "b.html#y", "a.md", 3),
        ("broken", "c.md", "a.md", 4),
        ("fragment", "a.md#nowhere", "a.md", 6),
        ("broken", "none.png", "b.html", 1),
    ]


def test_columns_of_links_count_characters(tmp_path: Path) -> None:
    write(tmp_path, a_md="`größer` ä [b](none.md) <a href='no.html'>x</a>")
    result = check_files([tmp_path], CheckOptions(), None)
    assert [one.column for one in result.problems] == [16, 34]


def test_what_a_page_loads_and_sends_is_looked_for(tmp_path: Path) -> None:
    names = [f"no-{number}" for number in range(12)]
    forms = (
        '<link rel=stylesheet href="{}">', '<script src="{}"></script>', '<img alt="" srcset="{} 2x">', '<form action="{}"></form>',
        '<iframe src="{}"></iframe>', '<link rel=canonical href="{}">', '<link rel=alternate hreflang=de href="{}">',
        '<link rel=alternate type="application/rss+xml" href="{}">', '<link rel=icon href="{}">', '<video poster="{}"></video>',
        '<p style="background: url({})"></p>', '<meta property="og:image" content="{}">',
    )  # fmt: skip
    body = "".join(form.format(name) for form, name in zip(forms, names, strict=True))
    write(tmp_path, a_html=f'{body}<form action="post" method=post></form><link rel=preconnect href="hint">')
    assert {one[1] for one in find(tmp_path) if one[0] == "broken"} == set(names)
    left = {one[1] for one in find(tmp_path, requisites=False) if one[0] == "broken"}
    assert left == {"no-3", "no-4", "no-5", "no-6", "no-7"}


def test_style_sheets_sitemaps_and_feeds_are_read_as_well(tmp_path: Path) -> None:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    write(
        tmp_path,
        index_html='<link rel=stylesheet href="css/a.css"><link rel=alternate type="application/atom+xml" href="feed.xml">',
        css__a_css='@import "b.css"; p { background: url(no-1.png) }',
        css__b_css="p { background: url(/no-2.png) }",
        sitemap_xml=f'<urlset xmlns="{space}"><url><loc>https://a.example/docs/no-3.html</loc></url></urlset>',
        feed_xml='<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.example/docs/no-4.html"/></entry></feed>',
    )
    assert [one[:3] for one in find(tmp_path, published="https://a.example/docs")] == [
        ("broken", "css/no-1.png", "css/a.css"),
        ("broken", "no-2.png", "css/b.css"),
        ("broken", "no-4.html", "feed.xml"),
        ("broken", "no-3.html", "sitemap.xml"),
    ]


def test_pages_themselves_are_judged(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes("<meta charset=utf-8><title>Two</title><p>Größe".encode("latin-1"))
    write(
        tmp_path,
        a_html="<title>One</title><p><b><i>x</b></i><img src=a.html>",
        c_html="<title>One</title><p><a href='http://'>x</a><img alt='' src='http://a.example/p.png'>",
        d_html="<p>x",
        e_md="![](a.html) ![ ][r] ![x](b.html) <img src='c.html'> [![](d.html)](a.html)\n\n[r]: a.html\n",
    )
    found = find(tmp_path, skip=frozenset())
    assert [one for one in found if one[0] not in ("html-repair", "duplicate-title")] == [
        ("missing-alt", "a.html", "a.html", 1),
        ("wrong-encoding", "b.html", "b.html", 0),
        ("invalid-address", "http://", "c.html", 1),
        ("mixed-content", "http://a.example/p.png", "c.html", 1),
        ("missing-title", "d.html", "d.html", 0),
        ("missing-alt", "e.md", "e.md", 1),
    ]
    assert {one[2] for one in found if one[0] == "duplicate-title"} == {"a.html", "c.html"}
    assert {one[2] for one in found if one[0] == "html-repair"} >= {"a.html"}
    result = check_files([tmp_path / "e.md"], CheckOptions(), None)
    assert [(one.problem, one.times) for one in result.problems] == [("missing-alt", 4)]


def test_relative_links_start_at_the_base_of_the_page(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_html='<base href="sub/"><a href="b.html">x</a><a href="a.html">y</a>',
        c_html='<base href="https://a.example/"><a href="b.html">on the web</a><a href="/d.html">as well</a>',
        sub__b_html="<a href='/a.html'>x</a><a href='/sub/no.html'>x</a>",
    )
    assert [one[:3] for one in find(tmp_path)] == [
        ("broken", "sub/a.html", "a.html"),
        ("broken", "sub/no.html", "sub/b.html"),
    ]


def test_a_slash_starts_at_the_named_folder_and_in_markdown_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        docs__a_html="<a href='/b.html'>x</a><a href='/docs/b.html'>x</a>",
        docs__b_html="x",
        docs__c_md="[x](/docs/b.html) [x](/b.html)",
    )
    assert [one[:3] for one in find(tmp_path, tmp_path / "docs")] == [
        ("broken", "docs/docs/b.html", "docs/a.html"),
        ("broken", "b.html", "docs/c.md"),
    ]


def test_pages_that_nothing_links_to_are_orphans_below_a_start_page(tmp_path: Path) -> None:
    write(
        tmp_path,
        site__index_html="<a href='a.html'>x</a>",
        site__a_html="<a href='index.html'>x</a>",
        site__404_html="x",
        site__b_html="<a href='#top'>only itself</a><a href='b.html'>x</a>",
        site__sub__c_html="x",
        loose__d_html="x",
    )
    orphans = [("orphan", name, name, 0) for name in ("site/b.html", "site/sub/c.html")]
    assert find(tmp_path, tmp_path / "site", tmp_path / "loose") == orphans
    assert find(tmp_path, tmp_path / "site", exclude=("sub/",)) == orphans[:1]
    assert find(tmp_path, tmp_path / "site" / "b.html") == []


def test_fragments_of_files_outside_are_read(tmp_path: Path) -> None:
    write(
        tmp_path, docs__a_md="[x](../b.html#here) [x](../b.html#gone)", b_html="<p id=here><a href='no'>x</a>"
    )
    assert [one[:2] for one in find(tmp_path, tmp_path / "docs")] == [("fragment", "b.html#gone")]


def test_strange_names_are_found_and_can_be_reported(tmp_path: Path) -> None:
    title = "<!DOCTYPE html><title>{}</title><p id=z>"
    names = [
        b"a b.html",
        b"100%.html",
        b"q?x.html",
        b"h#y.html",
        b"\xe9.html",
        "ü.html".encode(),
        b"~t.html",
        b"s;v=1.html",
    ]
    for number, name in enumerate(names):
        (tmp_path / os.fsdecode(name)).write_text(title.format(number))
    links = "".join(f'<a href="{quote(name)}#z">x</a>' for name in names)
    write(
        tmp_path,
        index_html=f"{links}<a href='ü.html'>x</a><a href='a b.html'>x</a><a href='no%00.html'>x</a>",
    )
    (tmp_path / os.fsdecode(b"\xe8.html")).write_text(f"{title}<a href=gone>x</a>")
    os.mkfifo(tmp_path / "pipe.css")
    write(tmp_path, style_html="<link rel=stylesheet href=pipe.css>")
    found = find(tmp_path, skip=frozenset({"missing-title", "orphan", "html-repair"}))
    assert found == [
        ("broken", "no\0.html", "index.html", 1),
        ("broken", "gone", "\N{REPLACEMENT CHARACTER}.html", 1),
    ]


def test_a_named_file_of_another_kind_is_read_as_markdown(tmp_path: Path) -> None:
    write(
        tmp_path,
        README="[x](none.md) ![](README) <README#no>\n# Title\n[t](#TITLE) [f](#lost)\n",
        a_css="p { background: url(no) }",
    )
    assert find(tmp_path, tmp_path / "README") == [
        ("broken", "none.md", "README", 1),
        ("missing-alt", "README", "README", 1),
        ("fragment", "README#lost", "README", 3),
    ]


def test_patterns_choose_what_is_checked(tmp_path: Path) -> None:
    write(tmp_path, a_md="[a](bee.md) [c](dee.md)")
    assert [one[1] for one in find(tmp_path, exclude=("/bee",))] == ["dee.md"]
    assert [one[1] for one in find(tmp_path, include=("/bee",))] == ["bee.md"]


class Web:
    """Answers in place of servers; `tests/crawl/test_check_folder.py` has real ones."""

    def __init__(self, **outcomes: TargetOutcome) -> None:
        self.outcomes = {f"https://h.example/{name}": one for name, one in outcomes.items()}
        self.asked: list[str] = []
        self.anchored: set[str] = set()

    def ask(self, addresses: Sequence[str], anchored: Collection[str]) -> WebAnswers:
        self.asked += addresses
        self.anchored |= set(anchored)
        outcomes = {urls.page_id(url): self.outcomes[url] for url in addresses}
        end = urls.page_id("https://h.example/end")
        facts = PageFacts(ids=pack_fragments(["here"]), is_html=True)
        return WebAnswers(outcomes, {end: "https://h.example/end"}, {end: facts})


def test_addresses_of_the_web_are_asked_for_once_with_their_fragments(tmp_path: Path) -> None:
    end = urls.page_id("https://h.example/end")
    web = Web(
        x=TargetOutcome("broken", 404, urls.page_id("https://h.example/x")),
        end=TargetOutcome("ok", 200, end),
        moved=TargetOutcome("ok", 200, end, 2, permanent=True, first_status=301),
    )
    write(
        tmp_path,
        a_md="[a](https://h.example/x) [b](https://h.example/x#y) [c](https://h.example/end#here) [d](https://h.example/end#gone)",
        b_html="<title>b</title><a href='https://h.example/moved#gone'>x</a>",
    )
    result = check_files([tmp_path], CheckOptions(skip=frozenset({"html-repair"})), web.ask)
    assert web.asked == ["https://h.example/end", "https://h.example/moved", "https://h.example/x"]
    assert web.anchored == set(web.asked)
    assert [
        (one.problem, one.target.removeprefix("https://h.example/"), one.status, one.detail, one.times)
        for one in result.problems
    ] == [
        ("broken", "x", 404, "", 2),
        ("fragment", "end#gone", 200, "", 1),
        ("fragment", "moved#gone", 200, "redirects to https://h.example/end in 2 steps", 1),
        ("permanent-redirect", "moved", 301, "redirects to https://h.example/end in 2 steps", 1),
        ("redirect-chain", "moved", 301, "redirects to https://h.example/end in 2 steps", 1),
    ]


def test_bad_input_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        check_files([tmp_path / "none.md"], CheckOptions(), None)
    with pytest.raises(BadInput, match="no HTML or Markdown files"):
        check_files([tmp_path], CheckOptions(), None)
    write(tmp_path, a_md="x")
    with pytest.raises(BadInput, match="name that folder, and no other"):
        check_files([tmp_path / "a.md"], CheckOptions(published="https://a.example/"), None)
    with pytest.raises(BadInput, match="is no URL"):
        check_files([tmp_path], CheckOptions(published="a.example"), None)
    long = tmp_path.joinpath(*["ü" * 100] * 5)
    long.mkdir(parents=True)
    (long / "b.html").write_text("x")
    with pytest.raises(BadInput, match="is too long to be checked"):
        check_files([tmp_path], CheckOptions(), None)
