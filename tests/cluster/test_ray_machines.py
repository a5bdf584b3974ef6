"""Ray places fetchers on several machines, and restarts those of a machine that dies on another one; nothing is lost."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("ray", reason="Ray is not installed (extra ray)")

from tests.cluster.network_cut import check_namespaces
from tests.cluster.ray_machines import RayMachines
from tests.cluster.running_fetchers import (
    Fetchers,
    check_bytes,
    check_whole,
    count_fetched_twice,
    count_pages,
)
from tests.cluster.running_ray import RayCrawl, make_short_folder

from gossamer.lab.world.world import World
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.coordination.leases import Leases
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("RAY_MACHINES"),
        reason="a Ray cluster takes a while to start: `make soak` tests with it",
    ),
]
WORLD = World(seed=5, hosts=12, pages=800)
FETCHERS = 4
LEAST = 60
"""Pages before the machine dies."""
MOST_IN_FLIGHT = 200


@pytest.fixture
def machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RayMachines]:
    check_namespaces()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with make_short_folder() as folder:
        made = RayMachines(2, tmp_path / "machines", folder)
        yield made
        made.close()


def test_a_machine_may_die(
    store: PostgresStore, postgres_web: str, tmp_path: Path, machines: RayMachines
) -> None:
    fetchers = Fetchers(postgres_web, tmp_path)  # for the address of the web
    with serve_lab(WORLD) as lab:
        machines.serve(lab.port)
        machines.start_ray()
        stays, dies = machines.machines
        with RayCrawl(fetchers.web, lab, machines.address, FETCHERS, delay_s=2.0) as crawl:
            crawl.wait_until(lambda: list_machines(postgres_web) == 2 * [stays.name] + 2 * [dies.name])
            crawl.wait_for_notice(f"Ray runs {FETCHERS} fetchers: 2 on machine-")
            crawl.wait_until(lambda: count_pages(store) > LEAST)
            dies.kill()
            died_s, left = time.monotonic(), count_pages(store)
            crawl.wait_until(lambda: list_machines(postgres_web) == FETCHERS * [stays.name])
            back_s = time.monotonic() - died_s
            crawl.wait_for_notice("has died: Ray started machine-a-")
            assert crawl.is_running, "the world is too small for this test"
            print(
                f"{left} pages before; all fetchers on one machine after {back_s:.1f} s; {crawl.list_notices()}"
            )
            crawl.wait()
        check_whole(store, lab, crawl.task)
        assert count_fetched_twice(lab) <= 2 * MOST_IN_FLIGHT
        print(f"{count_pages(store)} pages, {count_fetched_twice(lab)} requests again")
    check_bytes(store, fetchers)


def list_machines(address: str) -> list[str]:
    """Return the machine of each fetcher that takes part."""
    leases = Leases(parse_address(address))
    try:
        return sorted(note.machine for note in leases.list_fetchers() if note.groups)
    finally:
        leases.close()
