"""Pages that need a browser go to fetchers that have one; without any, they are kept as they came, and that is said."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import Database, wait_until
from tests.cluster.running_fetchers import Fetchers, wait_for_end
from tests.rendering.harness import need_browser
from tests.rendering.scripted_site import ScriptedSite, serve_scripts

from gossamer.cluster.browser_hosts import take_missing
from gossamer.config import from_options
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.host_shards import GROUP_BITS, share_of
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.postgres.share_groups import GROUPS

pytestmark = pytest.mark.slow
_NO_BROWSER = MappingProxyType({"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere"})
_RENDERS, _NEEDING = b'{"renders": true}', b'{"renders": false, "browser_groups": [3, 700]}'


@pytest.fixture
def fetchers(postgres_web: str, tmp_path: Path) -> Iterator[Fetchers]:
    made = Fetchers(postgres_web, tmp_path)
    yield made
    made.kill_all()


@pytest.fixture
def sites() -> Iterator[list[ScriptedSite]]:
    with ExitStack() as stack:
        yield [stack.enter_context(serve_scripts(f"127.0.0.{number}")) for number in range(2, 10)]


def test_groups_that_need_a_browser_are_divided_among_those_that_have_one(database: Database) -> None:
    plain, able = database.open_leases("plain"), database.open_leases("able")
    plain.acquire(GROUPS)
    able.renew(_RENDERS)
    standing = plain.renew(_NEEDING)
    assert standing.others_render
    assert {3, 700} <= set(standing.list_surplus())
    plain.release(standing.list_surplus())
    standing = plain.renew(_NEEDING)
    assert (standing.missing, standing.surplus, standing.target) == (0, 0, (GROUPS - 2) // 2)
    taken = take_missing(able, able.renew(_RENDERS))
    assert {3, 700} <= taken.keys()
    assert len(taken) == (GROUPS - 2) // 2 + 2
    # What it lacks are groups that need a browser: it takes none of them.
    able.release([3, 700])
    plain.release([min(plain.renew(_NEEDING).epochs)])
    assert take_missing(plain, plain.renew(_NEEDING)).keys().isdisjoint({3, 700})
    able.leave()
    alone = plain.renew(_NEEDING)
    assert (alone.others_render, alone.browser_groups, alone.target) == (False, frozenset(), GROUPS)


def test_pages_that_need_a_browser_go_to_the_fetcher_that_has_one(
    store: PostgresStore, fetchers: Fetchers, sites: list[ScriptedSite]
) -> None:
    need_browser()
    fetchers.start(environment=_NO_BROWSER)
    fetchers.start()
    for number in (1, 2):
        wait_until(lambda one=number: "joins the crawl" in fetchers.read_log(one))  # type: ignore[misc]
    wait_until(lambda: len(_find_owners(store, fetchers, sites)) == 2)
    _start(store, sites)
    wait_for_end(store)
    fetchers.stop()
    pages = [page for page in store.pages() if page.kind == "html" and page.status == 200]
    shells = [page for page in pages if not page.url.endswith("/article")]
    assert len(shells) == 13 * len(sites)
    assert [page.url for page in shells if "rendered" not in page.marks] == []
    articles = [page for page in pages if page.url.endswith("/article")]
    assert len(articles) == len(sites)
    [note] = store.tasks()
    assert note.counts["rendered"] == 13 * len(sites)
    assert "not rendered" not in note.counts
    assert store.counts()["waiting"] == 0


def test_without_any_browser_pages_are_kept_as_they_came_and_that_is_said(
    store: PostgresStore, fetchers: Fetchers, sites: list[ScriptedSite]
) -> None:
    fetchers.start(environment=_NO_BROWSER)
    _start(store, sites[:2])
    wait_for_end(store)
    fetchers.stop()
    pages = [page for page in store.pages() if page.url.endswith("/")]
    assert len(pages) == 2
    assert all("no Chromium on this machine" in page.marks["unrendered"] for page in pages)
    assert "pages are kept as they came" in " ".join(fetchers.read_log(1).split())


def _start(store: PostgresStore, sites: Sequence[ScriptedSite]) -> None:
    spec = from_options(
        seeds=[seed for site in sites for seed in (f"{site.url}/", f"{site.url}/article")],
        allow_private=["127.0.0.0/8"],
        delay_s=0.01,
        adaptive=0.0,
        render="auto",
        render_share=1.0,
    )
    start_tasks(store, [], [spec], time.time(), others_run=True)


def _find_owners(store: PostgresStore, fetchers: Fetchers, sites: Sequence[ScriptedSite]) -> set[int]:
    """Return the fetchers that hold the hosts of the sites."""
    from gossamer.store.postgres.address import parse_address
    from gossamer.store.postgres.connect import Session

    session = Session(parse_address(fetchers.web))
    try:
        groups = {share_of(f"{site.address}:{site.port}") >> GROUP_BITS for site in sites}
        rows = session.query("select share_group, owner from lease where owner is not null")
        return {owner for group, owner in rows if group in groups}
    finally:
        session.close()
