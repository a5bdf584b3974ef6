"""The marks of template links are the same for graphs, for single pages and for targets."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gossamer.crawl.recrawl.page_table import _count_in_links
from gossamer.graph.link_selection import LinkSelection, select_graph
from gossamer.net.url import page_id
from gossamer.records import Page, Visit
from gossamer.store.batch import Batch, LinkColumns
from gossamer.store.links.load_graph import read_edges
from gossamer.store.links.node_details import find_stored_names, read_link_words
from gossamer.store.links.sqlite_snapshot import open_sqlite_snapshot
from gossamer.store.links.template_marks import (
    read_content_targets,
    read_snapshot_marks,
    read_template_marks,
)
from gossamer.store.sqlite.sqlite_store import SqliteStore

URLS = [f"http://a.example/{number}" for number in range(12)]
MENU = URLS[:3]


def make_page(url: str) -> Page:
    return Page(page_id(url), url, "a.example", 1, 0, 1.0, 200, "html", f"Title of {url}")


def make_links(number: int) -> LinkColumns:
    """Each page has the menu, and links to the next page and to the last but one before it in its text."""
    targets = [*MENU, URLS[(number + 1) % 12], URLS[(number * 5 + 3) % 12]]
    return LinkColumns(
        page_id(URLS[number]),
        [page_id(url) for url in targets],
        bytes(5),
        ["home", "help", "map", "next", "far"],
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    known = [(page_id(url), url) for url in URLS]
    pages = [make_page(url) for url in URLS[:11]]
    opened.commit(Batch(pages=pages, links=[make_links(number) for number in range(11)], known=known))
    yield opened
    opened.close()


def test_the_menu_is_marked_on_every_page(store: SqliteStore) -> None:
    marks = read_template_marks(store)
    assert marks.links == 33
    for url in URLS[:11]:
        assert marks.of_page(page_id(url)).tolist() == [True] * 3 + [False] * 2
    assert len(marks.of_page(page_id(URLS[11]))) == 0


def test_marks_are_kept_until_pages_are_visited(store: SqliteStore) -> None:
    marks = read_template_marks(store)
    assert read_template_marks(store) is marks
    visit = Visit(page_id(URLS[11]), 1, 2.0, "fetched")
    store.commit(Batch(pages=[make_page(URLS[11])], links=[make_links(11)], visits=[visit]))
    assert read_template_marks(store).links == 36


def test_graphs_can_leave_the_menu_out(store: SqliteStore) -> None:
    every, content = (
        select_graph(read_edges(store, LinkSelection(content=content)), LinkSelection(content=content))
        for content in (False, True)
    )
    assert every.template == 0
    assert content.template == 33
    assert content.graph.nodes == every.graph.nodes == 11
    assert content.graph.links < every.graph.links
    with open_sqlite_snapshot(store.path) as state:
        assert int(read_snapshot_marks(state).sum()) == 33


def test_texts_of_the_menu_name_no_page(store: SqliteStore) -> None:
    graph = select_graph(read_edges(store, LinkSelection()), LinkSelection()).graph
    source = find_stored_names(graph.names)
    assert source is not None
    named = {
        content: {
            text
            for _, targets, texts in read_link_words(graph, source, content)
            for node, text in zip(targets.tolist(), texts, strict=True)
            if node >= 0
        }
        for content in (False, True)
    }
    assert named == {False: {"home", "help", "map", "next", "far"}, True: {"next", "far"}}


def test_recrawls_do_not_weigh_pages_by_the_menu(store: SqliteStore) -> None:
    assert sum(map(len, read_content_targets(store))) == 22
    ids = np.array([page_id(url) for url in URLS[:11]], np.int64)
    assert _count_in_links(store, ids).max() <= 3
