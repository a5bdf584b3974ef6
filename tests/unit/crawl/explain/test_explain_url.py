"""`explain` counts what it did not read, and sorts no more of a large web than it needs."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.contract.rows import link, to_columns

from gossamer.cli.crawl.explain import _SortingDisplay
from gossamer.config import TaskSpec
from gossamer.crawl.explain.describe_url import describe_page, describe_task
from gossamer.crawl.explain.explain_url import MOST_LINKS_READ, _find_among, explain
from gossamer.net.url import page_id
from gossamer.records import Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite import late_index
from gossamer.store.sqlite.sqlite_store import SqliteStore

POPULAR = "http://a.example/popular"
LINKS = MOST_LINKS_READ + 50


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A web in which 250 pages link to one that waits."""
    opened = SqliteStore(tmp_path / "s", create=True)
    spec = msgspec.json.encode(TaskSpec(seeds=("http://a.example/",)))
    sources = range(1, LINKS + 1)
    opened.commit(
        Batch(
            tasks=[TaskNote(1, "first", spec, "stopped")],
            known=[(page_id(POPULAR), POPULAR), *((n, f"http://a.example/{n}") for n in sources)],
            links=to_columns([link(source, page_id(POPULAR)) for source in sources]),
            visits=[Visit(source, 1, 1.0, "fetched", 200) for source in sources],
        )
    )
    yield opened
    opened.close()


def test_a_cap_is_not_shown_as_a_count(store: SqliteStore) -> None:
    found = explain(store, POPULAR)
    assert found.links == LINKS
    assert "Links to it in this web: 250" in [line.text for line in describe_page(found)]
    [task] = found.tasks
    assert (len(task.found_on), task.found_links, task.more_links) == (20, MOST_LINKS_READ, True)
    assert "… and by more than 195 other links" in [line.text for line in describe_task(task, 0.0)]


def test_links_that_were_all_read_are_counted(store: SqliteStore) -> None:
    few = "http://a.example/few"
    store.commit(Batch(links=to_columns([link(source, page_id(few)) for source in (0, *range(300, 330))])))
    store.commit(Batch(visits=[Visit(source, 1, 1.0, "fetched", 200) for source in range(300, 330)]))
    [task] = explain(store, few).tasks
    assert (task.found_links, task.more_links) == (30, False)
    assert "… and by 25 other links" in [line.text for line in describe_task(task, 0.0)]


def test_a_url_is_known_without_sorting_all_known_urls(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in late_index._SHORTEST:
        monkeypatch.setitem(late_index._SHORTEST, table, 10)
    pages = [(n, f"http://a.example/{n}") for n in range(1_000, 1_100)]
    store.commit(Batch(known=pages))
    sorted_tables: set[str] = set()
    store.sorter.watch = lambda table, done, rows: sorted_tables.add(table)
    assert explain(store, "http://a.example/unknown").known is False
    assert explain(store, "http://a.example/").known is False
    assert sorted_tables == {"link", "visit"}
    store.commit(Batch(known=[(page_id("http://a.example/"), "http://a.example/")]))
    assert explain(store, "http://a.example/").known is True
    assert sorted_tables == {"link", "visit"}


def test_sorting_says_what_it_does_before_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    with _SortingDisplay() as display:
        display.update("link", 0, 150)
        assert capsys.readouterr().err == ""
        display.update("link", 0, 100_000)
        told = "Sorting 100,000 pages with links since the last `explain`, so that looking up a URL is quick"
        assert capsys.readouterr().err == f"gossamer: {told}\n"
        display.update("link", 50_000, 100_000)
        display.update("link", 100_000, 100_000)
        assert capsys.readouterr().err == "", "said once"


@pytest.mark.parametrize("count", [1, 2, 100])
def test_few_and_many_keys_are_found_among_others(count: int) -> None:
    wanted = list(range(-3, count))
    assert sorted(_find_among(np.array([5, -3, -(2**62), 0], np.int64), wanted)) == [
        key for key in (-3, 0, 5) if key in wanted
    ]
