"""Rules that are widened: what they would have let in before is fetched afterwards, once, and nothing else is."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import (
    Toy,
    check_archive,
    check_state,
    crawl_truth,
    get_world,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.control import rejudge_links
from gossamer.crawl.control.command_mailbox import Change, Mailbox, Submit
from gossamer.crawl.explain.explain_url import InTask, explain
from gossamer.crawl.read_page import Reading
from gossamer.errors import StoreFailed
from gossamer.lab.options import Trouble
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Link
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web

pytestmark = pytest.mark.slow

HOST, OTHER = "127.0.10.1", "127.0.10.2"
ROBOTS: dict[str, LabAnswer | Callable[[], LabAnswer]] = {"/robots.txt": LabAnswer(404)}
_PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    trouble = Trouble(redirect=0.1, nofollow=0.1, robots_meta=0.1)
    with serve_lab(World(seed=71, hosts=6, pages=130, trouble=trouble)) as running:
        yield running


def depths_of(web: Path) -> dict[str, int]:
    return {url: page.depth for url, page in read_pages(web).items()}


def up_to(depth: int) -> Callable[[Link, int], bool]:
    return lambda _, at: at <= depth


def deep(lab: LabServer, **told: Any) -> dict[str, Any]:
    """Options by which depth alone decides."""
    return {"seeds": lab.seeds[:1], "nofollow": False} | told


# Between two runs


@pytest.mark.parametrize(("before", "now"), [(1, 3), (0, 3), (2, -1)])
def test_a_raised_depth_brings_exactly_the_pages_of_a_deeper_crawl(
    lab: LabServer, before: int, now: int, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **deep(lab, depth=before)))
    assert depths_of(web) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(before))
    ended = run(web, again=True, depth=now).get_end()
    expected = crawl_truth(get_world(lab), lab.seeds[:1], up_to(now if now >= 0 else 99))
    assert set(read_pages(web)) == set(expected)
    assert depths_of(web) == expected or not 0 <= now <= 32, "beyond, nobody sees to the shortest way"
    assert len(expected) > len(crawl_truth(get_world(lab), lab.seeds[:1], up_to(before)))
    assert ended.reason == "nothing left to fetch"
    check_state(web)
    check_archive(web)
    assert not run(web, again=True).visits, "nothing is left to do"


def test_a_depth_may_be_raised_again_and_lowered_in_between(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **deep(lab, depth=1)))
    for depth in (2, 1, 3):
        run(web, again=True, depth=depth)
    assert depths_of(web) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(3))
    check_state(web)


def test_a_depth_that_did_not_matter_before_makes_nobody_fetch_a_page_twice(
    lab: LabServer, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    everything = set(crawl_truth(get_world(lab), lab.seeds[:1], up_to(99)))
    run(web, make_quick_task(lab, **deep(lab, pages=len(everything) // 2)))
    run(web, again=True, depth=3, pages=0)
    run(web, again=True, depth=-1)
    assert set(read_pages(web)) == everything
    check_state(web)


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "scope": ({"scope": "host"}, {"scope": "any"}),
    "scope and depth": ({"scope": "host", "depth": 1}, {"scope": "any", "depth": 3}),
    "exclude": ({"exclude": ["/archive/", "/notes/"]}, {"exclude": ["/archive/"]}),
    "include": ({"include": ["/archive/", "/$"], "depth": 4}, {"include": []}),
    "exclude_hosts": ({"exclude_hosts": [r"\.2:"]}, {"exclude_hosts": []}),
    "nofollow": ({"scope": "any"}, {"nofollow": False}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_task_that_was_widened_has_the_pages_of_one_that_was_wide(
    lab: LabServer, name: str, tmp_path: Path
) -> None:
    narrow, wide = CHANGES[name]
    seeds = lab.seeds[:1]
    run(tmp_path / "web", make_quick_task(lab, seeds=seeds, **narrow))
    before = set(read_pages(tmp_path / "web"))
    run(tmp_path / "web", again=True, **wide)
    run(tmp_path / "wide", make_quick_task(lab, seeds=seeds, **narrow | wide))
    assert set(read_pages(tmp_path / "web")) == set(read_pages(tmp_path / "wide"))
    assert before < set(read_pages(tmp_path / "web"))
    check_state(tmp_path / "web")


def test_hosts_of_the_same_site_are_let_in(tmp_path: Path) -> None:
    with serve_lab(World(seed=44, hosts=9, pages=90, naming="names")) as lab:
        hosts_file = tmp_path / "hosts"
        hosts_file.write_text("".join(f"{where} {host}\n" for host, where in lab.host_map.items()))
        seeds, world = lab.seeds[:1], get_world(lab)
        run(tmp_path / "web", make_quick_task(lab, seeds=seeds, scope="host", hosts_file=str(hosts_file)))
        before = len(read_pages(tmp_path / "web"))
        run(tmp_path / "web", again=True, scope="site")
        expected = crawl_truth(world, seeds, lambda link, _: world.site(link.url) == world.site(seeds[0]))
    assert set(read_pages(tmp_path / "web")) == set(expected)
    assert before < len(expected)


def test_a_task_that_became_narrower_has_nothing_to_do(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, seeds=lab.seeds[:1], scope="host", depth=2))
    checked = run(web, again=True, depth=1, exclude=["/notes/"]).get_end().counts["checked"]
    assert run(web, again=True).get_end().counts["checked"] == checked


def test_pages_that_wanted_no_links_followed_are_judged_again(tmp_path: Path) -> None:
    web = tmp_path / "web"
    pages = {"/": make_link_page("/a", text="<meta name=robots content=nofollow>"), "/a": make_link_page()}
    with serving(Toy({HOST: {**ROBOTS, **pages}})) as lab:
        home = f"http://{HOST}:{lab.port}"
        run(web, make_quick_task(lab, seeds=[f"{home}/"]))
        assert set(read_pages(web)) == {f"{home}/"}
        run(web, again=True, nofollow=False)
        assert set(read_pages(web)) == {f"{home}/", f"{home}/a"}
    check_state(web)


# In steps: what goes wrong on the way, and what `explain` says


def test_what_was_not_done_when_the_store_failed_is_done_later(
    lab: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **deep(lab, depth=1)))
    asked = iter([True, True, False])
    visited = SqliteStore.visited_pages

    def failing(store: SqliteStore, task: int, after: int, upto: int) -> list[int]:
        if not next(asked):
            raise StoreFailed("the disk is on fire")
        return visited(store, task, after, upto)

    with monkeypatch.context() as patched:
        patched.setattr(rejudge_links, "VISITS_AT_ONCE", 2)
        patched.setattr(SqliteStore, "visited_pages", failing)
        with pytest.raises(StoreFailed, match="on fire"):
            run(web, again=True, depth=3)
    with Web(web) as opened:
        assert opened.store.widenings()
    run(web, again=True)
    assert depths_of(web) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(3))
    check_state(web)


PROGRAM = """
import sys
from gossamer.cli import main
from gossamer.crawl.control import rejudge_links
rejudge_links.VISITS_AT_ONCE = 1
main.run()
"""


def test_kills_lose_nothing(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    chance = random.Random(5)
    run(web, make_quick_task(lab, **deep(lab, depth=1, name="docs", delay_s=0.05)))
    resume = [sys.executable, "-c", PROGRAM, "resume", "docs", "--web", str(web), "--json"]
    change = [sys.executable, "-c", PROGRAM, "change", "docs", "--depth", "3", "--web", str(web)]
    subprocess.run(change, check=True, capture_output=True)
    for _ in range(4):
        with subprocess.Popen(resume, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(process.pid, signal.SIGKILL)
    subprocess.run(resume, check=True, capture_output=True)
    assert depths_of(web) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(3))
    check_state(web)
    check_archive(web)


def verdict(web: Path, url: str) -> InTask:
    with Web(web, create=False) as opened:
        [found] = explain(opened.store, url).tasks
    return found


def chain() -> Toy:
    """Each page leads to the next, the last one to another host."""
    pages = {
        "/": make_link_page("/a"),
        "/a": make_link_page("/b"),
        "/b": make_link_page(f"http://{OTHER}/"),
        "/kept": make_link_page(),
    }
    return Toy({HOST: {**ROBOTS, **pages}, OTHER: {**ROBOTS, "/": make_link_page(text="the end")}})


def test_explain_tells_the_decision_that_holds_now(tmp_path: Path) -> None:
    web = tmp_path / "web"
    with serving(chain()) as lab:
        home = f"http://{HOST}:{lab.port}"
        run(web, make_quick_task(lab, seeds=[f"{home}/"], depth=1, name="docs"))
        assert (verdict(web, f"{home}/b").verdict, verdict(web, f"{home}/b").rule) == (
            "not followed",
            "depth",
        )
        change = [sys.executable, "-m", "gossamer.cli.main", "change", "docs", "--depth", "2"]
        subprocess.run([*change, "--web", str(web)], check=True, capture_output=True)
        assert "judged again" in verdict(web, f"{home}/b").detail
        assert verdict(web, f"{home}/").state == "stopped"
        run(web, again=True)
        assert (verdict(web, f"{home}/b").verdict, verdict(web, f"{home}/b").rule) == ("fetched", "")
    check_state(web)


def budgets() -> Toy:
    """Two hosts; one leads to a page of the other that this one does not lead to."""
    first = {"/": make_link_page("/given-up"), "/given-up": make_link_page(), "/refused": make_link_page()}
    return Toy({HOST: {**ROBOTS, **first}, OTHER: {**ROBOTS, "/": lambda: make_link_page(*leads)}})


leads: list[str] = []


def test_a_raised_budget_lets_in_what_was_refused_and_not_what_was_given_up(tmp_path: Path) -> None:
    web = tmp_path / "web"
    with serving(budgets()) as lab:
        first, second = (f"http://{host}:{lab.port}" for host in (HOST, OTHER))
        leads[:] = [f"{first}/refused"]
        run(web, make_quick_task(lab, seeds=[f"{first}/"], per_host=1))
        Mailbox(web).append(Submit(1, (f"{second}/",)))
        counts = run(web, again=True).get_end().counts
        assert counts["filtered:per_host"] == 1
        run(web, again=True, per_host=5)
        assert set(read_pages(web)) == {f"{first}/", f"{second}/", f"{first}/refused"}
        assert verdict(web, f"{first}/given-up").verdict == "given up"
    check_state(web)


# While a crawl is running


def test_pages_that_are_judged_while_the_rules_change_are_judged_again(tmp_path: Path) -> None:
    with serving(chain()) as lab:
        task = make_quick_task(lab, seeds=[f"http://{HOST}:{lab.port}/"], depth=1)

        @task.page_filter
        async def slow(reading: Reading) -> bool:
            """Its links are judged before this is asked: meanwhile the rules change."""
            if reading.page.url.endswith("/a"):
                Mailbox(tmp_path / "web").append(Change(1, {"depth": 2}))
                while task.spec.limits.depth < 2:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(1.5)  # time enough for whoever does not wait for this page
            return True

        events = run(tmp_path / "web", task)
    assert [event.url.rpartition("/")[2] for event in events.visits] == ["", "a", "b"]
    check_state(tmp_path / "web")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_running_crawl_is_widened(lab: LabServer, processes: int, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    with Web(folder) as web:
        running = web.start(make_quick_task(lab, **deep(lab, depth=1, delay_s=0.5)), processes=processes)
        until_s = time.monotonic() + _PATIENCE_S
        while not web.store.counts()["pages"] and time.monotonic() < until_s:
            time.sleep(0.05)
        Mailbox(folder).append(Change(1, {"depth": 3, "delay_s": 0.01}))
        running.wait(_PATIENCE_S)
        [note] = web.tasks()
    assert (note.state, note.reason) == ("finished", "nothing left to fetch")
    assert depths_of(folder) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(3))
    check_state(folder)
    check_archive(folder)


def test_several_processes_share_what_is_to_be_judged(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **deep(lab, depth=1)))
    run(web, again=True, processes=2, depth=2)
    run(web, again=True, processes=3, depth=3)
    assert depths_of(web) == crawl_truth(get_world(lab), lab.seeds[:1], up_to(3))
    check_state(web)
