import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.ui.conftest import Asks
from tests.unit.ui.library import DOT

from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.ui.pages.inline_assets import Looks
from gossamer.web import Web

DATA = f"data:image/gif;base64,{base64.b64encode(DOT).decode()}"


@pytest.fixture(scope="module")
def looks(library: Path) -> Iterator[Looks]:
    with Web(library) as web:
        yield Looks(web.store, ArchiveReader(web.folder / "archive"))


def test_a_copy_has_the_looks_that_the_archive_has(page: Asks, start: str) -> None:
    copy = page(f"/cached/page?url={start}dressed")
    assert copy.text.startswith('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><base href=')
    assert f'<body background="{DATA}">' in copy.text
    assert f'<img id="dot" src="{DATA}">' in copy.text
    assert f"""<b style="background: url(&quot;{DATA}&quot;)">""" in copy.text
    assert f'em {{ background: url("{DATA}") }}' in copy.text
    assert '<style media="all">@media screen {' in copy.text  # what the sheet imports stands in it
    assert "em { color: rgb(0, 0, 200)" in copy.text
    assert f'p {{ color: rgb(200, 0, 0); background-image: url("{DATA}") }}' in copy.text


def test_a_sheet_refers_to_things_from_where_it_stood(library: Path, start: str) -> None:
    with Web(library) as web:
        own = Looks(web.store, ArchiveReader(web.folder / "archive"))
        shown = own.dressed(
            "<style>u { color: red }</style><link rel=stylesheet href=/looks/sheet.css>", start
        )
        assert shown.count(DATA) == 1  # the sheet imports one that imports it: it is there once all the same
        assert (own.wanted, own.at_hand) == (9, 3)


def test_the_banner_says_what_the_copy_lacks(page: Asks, start: str) -> None:
    assert "3 of its 11 pictures and styles are archived" in page(f"/cached?url={start}dressed").text
    assert "archived</span>" not in page(f"/cached?url={start}haydn").text
    live = page(f"/cached?url={start}dressed&looks=live").text
    assert "archived</span>" not in live
    assert "only what was archived" in live


def test_what_a_copy_may_load_stays_nothing(page: Asks, start: str) -> None:
    policy = page(f"/cached/page?url={start}dressed").headers["content-security-policy"]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:" in policy
    assert "http" not in policy


def test_a_sheet_does_not_end_its_element(page: Asks, start: str) -> None:
    text = page(f"/cached/page?url={start}dressed").text
    assert "<script" not in re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)


def test_what_is_not_in_the_archive_stays_as_it_was(looks: Looks, start: str) -> None:
    for text in (
        "<link rel=stylesheet href=unknown.css><img src=unknown.gif>",
        "<link rel=icon href=looks/sheet.css><link rel=stylesheet href=looks/dot.gif>",
        "<style>/* </p> */ p { background: url(unknown.gif) }</style><img src=looks/sheet.css>",
        "<img src='javascript:alert(1)'><img src><p style='background: url(#x)'>",
    ):
        assert looks.dressed(text, start) == ""


def test_a_copy_calls_nobody_beforehand(looks: Looks, start: str) -> None:
    hints = "<link rel=preconnect href=//evil.example><link rel='DNS-prefetch x' href=//evil.example><p>Text"
    assert looks.dressed(hints, start) == "<html><head></head><body><p>Text</p></body></html>"


def test_looks_have_an_end(library: Path, start: str) -> None:
    with Web(library) as web:
        few = Looks(web.store, ArchiveReader(web.folder / "archive"), most_characters=10 * len(DATA) + 1)
        shown = few.dressed("<img src=looks/dot.gif>" * 12, start)
    assert (shown.count(DATA), shown.count('src="looks/dot.gif"')) == (10, 2)


@pytest.mark.parametrize("part", ["url(", "url('", "@import ", "@import url(", "url(a", "@import a "])
def test_a_sheet_of_openings_takes_no_time(looks: Looks, start: str, part: str) -> None:
    assert looks.dressed(f"<style>{part * 100_000}</style>", start) == ""
