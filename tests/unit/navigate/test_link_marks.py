"""Marks on links, from what the store knows."""

from pathlib import Path

from gossamer.navigate.link_marks import mark_links
from gossamer.net.url import page_id
from gossamer.records import Page, Visit, VisitResult
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore

HERE = "http://a.example/"


def _page(path: str, language: str = "en", size: int = 10, marks: dict[str, str] | None = None) -> Page:
    url = HERE + path
    return Page(
        page_id(url),
        url,
        "a.example",
        1,
        0,
        5.0,
        200,
        "html",
        language=language,
        body_bytes=size,
        marks=marks or {},
    )


def _visit(path: str, result: VisitResult, status: int, cause: str = "") -> Visit:
    return Visit(page_id(HERE + path), 1, 5.0, result, status, cause)


def test_each_link_gets_its_marks_in_order(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    pages = [
        _page(""),
        _page("de", "de"),
        _page("big", size=6_000_000),
        _page("music", marks={"music": "0.9", "sport": "0.1", "class": "a"}),
    ]
    visits = [
        _visit("gone", "fetched", 404),
        _visit("lost", "failed", 0, "dns"),
        _visit("busy", "failed", 0, "timeout"),
        _visit("old", "redirected", 301),
    ]
    store.commit(Batch(pages=pages, visits=visits))
    paths = ["gone", "lost", "busy", "old", "de", "big#top", "music", "unknown"]
    assert mark_links(store, HERE, [*(HERE + path for path in paths), "mailto:x@y", ""]) == [
        ["dead"],
        ["dead"],
        [],
        ["moved"],
        ["known", "language:de"],
        ["known", "large"],
        ["known", "relevant:music"],
        [],
        [],
        [],
    ]
    store.close()


def test_what_the_program_notes_about_a_page_is_no_topic(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    marks = {"rendered": "1", "parts": "12", "revisit-after": "86400", "topic:music": "0.9"}
    store.commit(Batch(pages=[_page("page", marks=marks)]))
    assert mark_links(store, HERE, [f"{HERE}page"]) == [["known", "relevant:topic:music"]]
