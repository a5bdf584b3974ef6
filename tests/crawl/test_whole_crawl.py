"""Whole crawls of lab worlds: every reachable page is fetched once, stored, archived and counted."""

from pathlib import Path

import pytest
from tests.crawl.harness import (
    check_archive,
    check_links,
    check_polite,
    check_state,
    get_world,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.lab.options import Trouble
from gossamer.lab.world.world import World

WORLDS = {
    "plain": World(seed=3, hosts=8, pages=300),
    "one host": World(seed=5, hosts=1, pages=300),
    "names": World(seed=4, hosts=6, pages=120, naming="names"),
    "redirects": World(seed=6, hosts=8, pages=200, trouble=Trouble(redirect=0.3, redirect_loop=0.05)),
    "sessions": World(seed=7, hosts=6, pages=150, trouble=Trouble(sessions=0.5)),
    "markup": World(
        seed=8,
        hosts=8,
        pages=250,
        trouble=Trouble(frames=0.1, image_map=0.1, base=0.1, refresh=0.1, wrong_encoding=0.1),
    ),
    "copies": World(seed=9, hosts=8, pages=200, trouble=Trouble(mirrors=0.3, near_copy=0.2, soft_404=0.2)),
    "closed": World(
        seed=10,
        hosts=8,
        pages=250,
        trouble=Trouble(disallowed=0.2, nofollow=0.1, robots_meta=0.1, robots_missing=0.2, robots_huge=0.1),
    ),
    "missing": World(seed=11, hosts=8, pages=250, trouble=Trouble(not_found=0.1, gone=0.1, large=0.02)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_a_crawl_visits_exactly_the_reachable_pages(name: str, tmp_path: Path) -> None:
    hosts_file = tmp_path / "hosts"
    with serve_lab(WORLDS[name]) as running:
        world = get_world(running)
        hosts_file.write_text("".join(f"{where} {host}\n" for host, where in running.host_map.items()))
        options = {"hosts_file": str(hosts_file)} if running.host_map else {}
        events = run(tmp_path / "web", make_quick_task(running, **options))
        log = running.log
    reached = world.reachable()
    pages = read_pages(tmp_path / "web")
    assert set(pages) == set(reached)
    ended = events.get_end()
    assert (ended.state, ended.reason) == ("finished", "nothing left to fetch")
    assert ended.counts["downloaded"] == len(reached)
    assert len(events.visits) == ended.counts["queued"]
    asked = [entry.target for entry in log.entries() if entry.target != "/robots.txt"]
    assert len(asked) == len({(e.host, e.target) for e in log.entries() if e.target != "/robots.txt"})
    assert check_links(tmp_path / "web", world, list(reached)) > len(reached)
    check_state(tmp_path / "web")
    records = check_archive(tmp_path / "web")
    assert records["page"] == len(reached)
    assert records["request"] == len(log.entries()), "an answer is missing or was archived twice"
    check_polite(log, 0.01)
