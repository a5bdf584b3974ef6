"""A crawl that holds only a few hosts in memory finds every page, politely and once."""

from functools import partial
from pathlib import Path

import pytest
from tests.crawl.harness import (
    check_polite,
    check_state,
    get_world,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.loop import refill_frontier
from gossamer.crawl.run import assemble_crawl
from gossamer.frontier.frontier import Frontier
from gossamer.lab.world.world import World

MOST_HOSTS = 3


@pytest.fixture
def few_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the frontier to a few hosts, and admit waiting hosts in pairs."""
    monkeypatch.setattr(assemble_crawl, "Frontier", partial(Frontier, MOST_HOSTS))
    monkeypatch.setattr(refill_frontier, "HOSTS_AT_ONCE", 2)


@pytest.mark.slow
@pytest.mark.usefixtures("few_hosts")
def test_hosts_beyond_the_limit_are_visited_later(tmp_path: Path) -> None:
    with serve_lab(World(seed=12, hosts=24, pages=240)) as running:
        reached = set(get_world(running).reachable())
        hosts = {url.split("/")[2] for url in reached}
        run(tmp_path / "web", make_quick_task(running, pages=len(reached) // 3))
        events = run(tmp_path / "web", again=True, pages=0)
        log = running.log
    assert len(hosts) > 3 * MOST_HOSTS
    assert set(read_pages(tmp_path / "web")) == reached
    assert events.get_end().reason == "nothing left to fetch"
    asked = [(entry.host, entry.target) for entry in log.entries() if entry.target != "/robots.txt"]
    assert len(asked) == len(set(asked)), "a page was requested twice"
    check_state(tmp_path / "web")
    check_polite(log, 0.01)
