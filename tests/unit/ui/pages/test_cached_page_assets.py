import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.ui.conftest import GetPage
from tests.unit.ui.library import DOT

from gossamer.net.html.parse_tree import parse_page
from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.ui.pages.cached_page_assets import AssetInliner
from gossamer.web import Web

DATA = f"data:image/gif;base64,{base64.b64encode(DOT).decode()}"


def inline(inliner: AssetInliner, text: str, base: str) -> str:
    """Return a page with its assets inlined; "" if nothing changes."""
    tree = parse_page(text)
    return tree.root.html if inliner.inline(tree, base) and tree.root is not None else ""


@pytest.fixture(scope="module")
def assets(library: Path) -> Iterator[AssetInliner]:
    with Web(library) as web:
        yield AssetInliner(web.store, ArchiveReader(web.folder / "archive"))


def test_archived_assets_are_inlined(get_page: GetPage, start: str) -> None:
    copy = get_page(f"/cached/page?url={start}dressed")
    assert copy.text.startswith('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><base target="_top"><html>')
    assert f'<body background="{DATA}">' in copy.text
    assert f'<img id="dot" src="{DATA}">' in copy.text
    assert f"""<b style="background: url(&quot;{DATA}&quot;)">""" in copy.text
    assert f'em {{ background: url("{DATA}") }}' in copy.text
    assert '<style media="all">@media screen {' in copy.text  # the imported sheet is inlined
    assert "em { color: rgb(0, 0, 200)" in copy.text
    assert f'p {{ color: rgb(200, 0, 0); background-image: url("{DATA}") }}' in copy.text


def test_references_of_a_sheet_are_relative_to_the_sheet(library: Path, start: str) -> None:
    with Web(library) as web:
        inliner = AssetInliner(web.store, ArchiveReader(web.folder / "archive"))
        shown = inline(
            inliner, "<style>u { color: red }</style><link rel=stylesheet href=/looks/sheet.css>", start
        )
        assert shown.count(DATA) == 1  # the two sheets import each other
        assert (inliner.wanted, inliner.archived) == (9, 3)


def test_the_banner_counts_missing_assets(get_page: GetPage, start: str) -> None:
    assert "3 of its 11 images and styles are archived" in get_page(f"/cached?url={start}dressed").text
    assert "archived</span>" not in get_page(f"/cached?url={start}haydn").text
    live = get_page(f"/cached?url={start}dressed&looks=live").text
    assert "archived</span>" not in live
    assert "only archived images and styles" in live


def test_a_copy_still_may_load_nothing(get_page: GetPage, start: str) -> None:
    policy = get_page(f"/cached/page?url={start}dressed").headers["content-security-policy"]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:" in policy
    assert "http" not in policy


def test_a_sheet_cannot_end_its_element(get_page: GetPage, start: str) -> None:
    text = get_page(f"/cached/page?url={start}dressed").text
    assert "<script" not in re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)


def test_an_archived_icon_is_inlined(assets: AssetInliner, start: str) -> None:
    assert f'href="{DATA}"' in inline(assets, '<link rel="shortcut icon" href="looks/dot.gif">', start)


def test_missing_assets_stay_references(assets: AssetInliner, start: str) -> None:
    for text in (
        "<link rel=stylesheet href=unknown.css><img src=unknown.gif>",
        "<link rel=icon href=looks/sheet.css><link rel=stylesheet href=looks/dot.gif>",
        "<style>/* </p> */ p { background: url(unknown.gif) }</style><img src=looks/sheet.css>",
        "<img src='javascript:alert(1)'><img src><p style='background: url(#x)'>",
    ):
        assert inline(assets, text, start) == ""


def test_connection_hints_are_removed(assets: AssetInliner, start: str) -> None:
    hints = "<link rel=preconnect href=//evil.example><link rel='DNS-prefetch x' href=//evil.example><p>Text"
    assert inline(assets, hints, start) == "<html><head></head><body><p>Text</p></body></html>"


def test_the_size_of_inlined_assets_is_limited(library: Path, start: str) -> None:
    with Web(library) as web:
        limited = AssetInliner(
            web.store, ArchiveReader(web.folder / "archive"), most_characters=10 * len(DATA) + 1
        )
        shown = inline(limited, "<img src=looks/dot.gif>" * 12, start)
    assert (shown.count(DATA), shown.count('src="looks/dot.gif"')) == (10, 2)


@pytest.mark.parametrize("part", ["url(", "url('", "@import ", "@import url(", "url(a", "@import a "])
def test_incomplete_references_are_read_in_linear_time(assets: AssetInliner, start: str, part: str) -> None:
    assert inline(assets, f"<style>{part * 100_000}</style>", start) == ""


def test_the_policy_of_a_page_does_not_block_its_inlined_images(assets: AssetInliner, start: str) -> None:
    policy = "<meta http-equiv='Content-Security-Policy ' content=\"img-src 'self'\"><meta name=x content=y>"
    shown = inline(assets, policy, start)
    assert "img-src" not in shown
    assert '<meta name="x" content="y">' in shown
