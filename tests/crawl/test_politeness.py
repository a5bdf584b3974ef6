"""Politeness as servers see it, checked in the lab's log: many hosts, several tasks, robots files and restarts."""

import itertools
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.crawl.harness import (
    CLOCK_NOISE_S,
    Pages,
    Toy,
    check_polite,
    get_world,
    make_link_page,
    make_quick_task,
    read_pages,
    read_robots,
    run,
    serve_lab,
)

from gossamer.lab.options import Trouble
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World

DELAY_S = 0.1
CRAWL_DELAY_S = 0.3
REFUSALS = {429, 503}


def measure_gaps(entries: list[LoggedRequest]) -> list[float]:
    return [after.arrived_s - one.ended_s for one, after in itertools.pairwise(entries)]


def check_retry_after(running: LabServer, world: World) -> int:
    """Check that every Retry-After was respected; return how many there were."""
    ahead_s = time.monotonic() - running.clock.now_s()
    checked = 0
    for host in world.hosts():
        for one, after in itertools.pairwise(running.log.entries(host)):
            if one.status not in REFUSALS or one.target.startswith("/robots.txt"):
                continue
            asked = LabRequest("GET", f"{host}:{running.port}", one.target)
            answer = world.answer(asked, one.arrived_s - ahead_s)
            wait_s = next((float(value) for name, value in answer.headers if name == "Retry-After"), 0.0)
            assert after.arrived_s - one.ended_s >= wait_s - CLOCK_NOISE_S
            checked += wait_s > 0
    return checked


@pytest.mark.slow
def test_a_hundred_hosts_and_two_tasks_at_once(tmp_path: Path) -> None:
    trouble = Trouble(
        crawl_delay=0.1,
        crawl_delay_s=CRAWL_DELAY_S,
        disallowed=0.2,
        robots_missing=0.05,
        robots_failing=0.03,
        robots_hostile=0.06,
        too_many=0.03,
        unavailable=0.03,
        redirect=0.05,
        retry_period_s=2.0,
    )
    with serve_lab(World(seed=21, hosts=100, pages=700, trouble=trouble)) as running:
        world = get_world(running)
        first = make_quick_task(running, delay_s=DELAY_S, tries=4, name="first")
        second = make_quick_task(running, delay_s=DELAY_S, tries=4, name="second", order="depth")
        events = run(tmp_path / "web", first, second)
        log = running.log
        # A busy server takes its time until it notes the end of an answer that the crawl cut off: hostile robots.txt files.
        assert check_polite(log, DELAY_S, noise_s=0.03) > 1000
        assert check_retry_after(running, world) > 1
    for name in ("first", "second"):
        # Some pages may be missing: a page that answers 429 or 503 at every try is given up.
        assert events.get_end(name).counts["downloaded"] >= 0.95 * len(world.reachable())
    kinds: Counter[str] = Counter()
    for host in world.hosts():
        entries = log.entries(host)
        assert log.max_parallel(host) <= 1
        rules = read_robots(world, host)
        for entry in entries:
            allowed = world.allows(f"http://{host}:{running.port}{entry.target}")
            assert entry.target.startswith("/robots.txt") or allowed, entry.target
            kinds["pages"] += not entry.target.startswith("/robots.txt")
        if entries:
            assert entries[0].target == "/robots.txt"
        if "Crawl-delay" in rules and entries:
            kinds["slow hosts"] += 1
            assert min(measure_gaps(entries), default=1.0) >= CRAWL_DELAY_S - CLOCK_NOISE_S
    assert kinds["slow hosts"] >= 8
    assert kinds["pages"] > 800


@pytest.mark.slow
def test_hosts_at_one_address_share_its_pauses(tmp_path: Path) -> None:
    with serve_lab(World(seed=22, hosts=12, pages=120, naming="names")) as running:
        world = get_world(running)
        hosts_file = tmp_path / "hosts"
        addresses = list(running.host_map.values())[:3]
        shared = {host: addresses[at % 3] for at, host in enumerate(world.hosts())}
        hosts_file.write_text("".join(f"{address} {host}\n" for host, address in shared.items()))
        run(tmp_path / "web", make_quick_task(running, delay_s=0.05, hosts_file=str(hosts_file)))
        assert {entry.address for entry in running.log.entries()} == set(shared.values())
        assert check_polite(running.log, 0.05) > 60
    assert set(read_pages(tmp_path / "web")) == set(world.reachable())


@pytest.mark.slow
def test_redirects_of_robots_txt_respect_the_pauses_of_their_target(tmp_path: Path) -> None:
    port: list[int] = []

    def moved() -> LabAnswer:
        return LabAnswer(301, (("Location", f"http://127.0.8.2:{port[0]}/robots.txt"),))

    front = {"/": make_link_page("/a", "/b"), "/a": make_link_page(), "/b": make_link_page()}
    pages: Pages = {f"127.0.8.{n}": {"/robots.txt": moved, **front} for n in (1, 3, 4, 5)}
    pages["127.0.8.2"] = {"/robots.txt": LabAnswer(200, (), b"User-agent: *\nDisallow: /b\n"), **front}
    with serving(Toy(pages)) as lab:
        port.append(lab.port)
        seeds = [f"http://{host}:{lab.port}/" for host in pages]
        run(tmp_path / "web", make_quick_task(lab, seeds=seeds, delay_s=0.1))
        assert check_polite(lab.log, 0.1) == 14
        asked = [(entry.address, entry.target) for entry in lab.log.entries()]
        assert asked.count(("127.0.8.2", "/robots.txt")) == 5
        assert not [target for _, target in asked if target == "/b"]
    assert len(read_pages(tmp_path / "web")) == 10


@pytest.mark.slow
@pytest.mark.parametrize("where", ["/busy", "/robots.txt"])
def test_retry_after_holds_over_a_restart(tmp_path: Path, where: str) -> None:
    answers = itertools.count()

    def answer() -> LabAnswer:
        if next(answers) == 0:
            return LabAnswer(503, (("Retry-After", "6"),))
        return make_link_page() if where == "/busy" else LabAnswer(404)

    host = "127.0.9.1"
    with serving(
        Toy({host: {"/robots.txt": LabAnswer(404), "/": make_link_page("/busy"), where: answer}})
    ) as lab:
        seeds = [f"http://{host}:{lab.port}/"]
        first = run(tmp_path / "web", make_quick_task(lab, seeds=seeds, time_s=2.0))
        assert first.get_end().reason == "limit reached: 2 s"
        second = run(tmp_path / "web", again=True, time_s=0)
        assert second.get_end().reason == "nothing left to fetch"
        check_polite(lab.log, 0.01)
        entries = lab.log.entries(host)
    at = next(place for place, entry in enumerate(entries) if entry.status == 503)
    assert entries[at + 1].arrived_s - entries[at].ended_s >= 6.0 - CLOCK_NOISE_S
    assert next(answers) == 2


@pytest.mark.slow
def test_crawl_delay_holds_over_restarts_and_for_later_tasks(tmp_path: Path) -> None:
    host = "127.0.9.2"
    robots = LabAnswer(200, (), b"User-agent: *\nCrawl-delay: 1.5\n")
    with serving(
        Toy({host: {"/robots.txt": robots, "/": make_link_page("/a"), "/a": make_link_page()}})
    ) as lab:
        seeds = [f"http://{host}:{lab.port}/"]
        run(tmp_path / "web", make_quick_task(lab, seeds=seeds, pages=1))
        run(tmp_path / "web", again=True, pages=2)
        run(tmp_path / "web", make_quick_task(lab, seeds=seeds, pages=1))
        entries = lab.log.entries(host)
    assert [entry.target for entry in entries] == ["/robots.txt", "/", "/a", "/"]
    assert min(measure_gaps(entries)) >= 1.5 - CLOCK_NOISE_S
