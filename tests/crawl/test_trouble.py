"""All troubles of the lab together: the crawl ends by itself, finds every reachable page, and leaks nothing."""

import asyncio
import gc
import os
import resource
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.crawl.harness import (
    check_archive,
    check_state,
    get_world,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.events import TrapFound
from gossamer.lab.options import Trouble
from gossamer.lab.world.world import World
from gossamer.records import Page

SMALL: dict[str, Any] = {
    "page_time_s": 4.0,
    "first_byte_time_s": 2.5,
    "connect_time_s": 2.0,
    "page_bytes": 200_000,
    "back_off_s": 0.1,
    "tries": 2,
    "delay_s": 0.02,
}
HANG_S = 900.0
"""A guard: a crawl that does not end by itself reports this limit as its reason. It takes less than a minute."""

TRAPS = {
    "calendar": Trouble(calendar=1.0),
    "directories": Trouble(directories=1.0),
    "sessions": Trouble(sessions=1.0),
}


def count_open_files() -> Counter[str]:
    """Count the open file descriptors of this process by kind."""
    kinds: Counter[str] = Counter()
    for name in os.listdir("/proc/self/fd"):
        try:
            kinds[os.readlink(f"/proc/self/fd/{name}").partition(":")[0].rpartition("/")[0]] += 1
        except OSError:
            continue
    return kinds


def is_explained(world: World, page: Page) -> bool:
    """Return whether a correct client may store this although it is no whole page: a cut page or a soft 404."""
    truth = world.page(page.url)
    assert truth is not None
    half = bool(page.cut) and truth.trouble in ("stall", "reset", "gzip_bomb")
    soft_404 = truth.trouble in ("not_found", "gone") and "soft_404" in truth.host_trouble
    return half or soft_404 or truth.trouble in ("calendar", "directories")


@pytest.mark.slow
def test_a_crawl_through_all_troubles_ends_and_finds_every_page(tmp_path: Path) -> None:
    trouble = Trouble.all(0.02)
    with serve_lab(World(seed=31, hosts=40, pages=500, trouble=trouble)) as running:
        world = get_world(running)
        events = run(tmp_path / "web", make_quick_task(running, **SMALL, time_s=HANG_S))
    ended = events.get_end()
    assert (ended.state, ended.reason) == ("finished", "nothing left to fetch")

    found = read_pages(tmp_path / "web")
    must, may = set(world.reachable(doubtful=False)), set(world.reachable(doubtful=True))
    assert must <= set(found)
    assert not [page.url for page in found.values() if page.url not in may and not is_explained(world, page)]
    assert len(must) > 150
    reasons = {event.reason for event in events.all if isinstance(event, TrapFound)}
    assert {"calendar that grows", "path segment repeats"} <= reasons
    check_state(tmp_path / "web")
    check_archive(tmp_path / "web")


@pytest.mark.slow
def test_crawls_leak_no_files_tasks_or_memory(tmp_path: Path) -> None:
    trouble = msgspec.structs.replace(Trouble.all(0.04), crawl_delay_s=0.05, slow_s=0.05, retry_period_s=2.0)
    with serve_lab(World(seed=32, hosts=12, pages=120, trouble=trouble)) as running:
        run(tmp_path / "first", make_quick_task(running, **SMALL))
        gc.collect()
        before, tasks = count_open_files(), count_asyncio_tasks()
        rss_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name in ("second", "third"):
            run(tmp_path / name, make_quick_task(running, **SMALL))
        gc.collect()
        assert count_open_files() - before == Counter()
        assert count_asyncio_tasks() <= tasks
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - rss_before
    assert grown_kb < 60_000


def count_asyncio_tasks() -> int:
    """Count the unfinished tasks of all event loops."""
    return sum(isinstance(thing, asyncio.Task) and not thing.done() for thing in gc.get_objects())


@pytest.mark.slow
@pytest.mark.parametrize("trap", TRAPS)
def test_each_trap_ends_and_is_reported(trap: str, tmp_path: Path) -> None:
    with serve_lab(World(seed=33, hosts=3, pages=60, trouble=TRAPS[trap])) as running:
        world = get_world(running)
        events = run(tmp_path / "web", make_quick_task(running, delay_s=0.005))
        asked = len(running.log)
    assert events.get_end().reason == "nothing left to fetch"
    assert set(world.reachable()) <= set(read_pages(tmp_path / "web"))
    counts = events.get_end().counts
    if trap == "sessions":  # canonical URLs have no session id, so there is no trap
        assert set(world.reachable()) == set(read_pages(tmp_path / "web"))
    else:
        assert counts.get("filtered:trap", 0) + counts.get("refused:trap", 0) > 0
    assert asked < 700
