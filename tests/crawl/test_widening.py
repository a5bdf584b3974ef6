"""Widened rules: links that the old rules refused and the new ones follow are fetched once, and nothing else is."""

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
_PATIENCE_S = 600.0
"""A guard against hanging: on a busy machine nothing here has taken a minute."""


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    trouble = Trouble(redirect=0.1, nofollow=0.1, robots_meta=0.1)
    with serve_lab(World(seed=71, hosts=6, pages=130, trouble=trouble)) as running:
        yield running


def read_depths(web: Path) -> dict[str, int]:
    return {url: page.depth for url, page in read_pages(web).items()}


def make_depth_rule(depth: int) -> Callable[[Link, int], bool]:
    return lambda _, at: at <= depth


def make_options(lab: LabServer, **options: Any) -> dict[str, Any]:
    """Return options of a task in which only depth decides."""
    return {"seeds": lab.seeds[:1], "nofollow": False} | options


# Between two runs


@pytest.mark.parametrize(("before", "now"), [(1, 3), (0, 3), (2, -1)])
def test_raising_the_depth_fetches_exactly_the_pages_of_a_deeper_crawl(
    lab: LabServer, before: int, now: int, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **make_options(lab, depth=before)))
    assert read_depths(web) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(before))
    ended = run(web, again=True, depth=now).get_end()
    expected = crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(now if now >= 0 else 99))
    assert set(read_pages(web)) == set(expected)
    assert read_depths(web) == expected or not 0 <= now <= 32, "beyond 32, depths need not be the shortest"
    assert len(expected) > len(crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(before)))
    assert ended.reason == "nothing left to fetch"
    check_state(web)
    check_archive(web)
    assert not run(web, again=True).visits, "nothing is left to do"


def test_the_depth_can_be_raised_lowered_and_raised_again(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **make_options(lab, depth=1)))
    for depth in (2, 1, 3):
        run(web, again=True, depth=depth)
    assert read_depths(web) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(3))
    check_state(web)


def test_a_new_depth_limit_does_not_fetch_a_page_twice(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    everything = set(crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(99)))
    run(web, make_quick_task(lab, **make_options(lab, pages=len(everything) // 2)))
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
def test_a_widened_task_has_the_pages_of_a_task_that_started_wide(
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


def test_widening_host_to_site_fetches_the_other_hosts_of_the_site(tmp_path: Path) -> None:
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


def test_a_narrowed_task_checks_nothing_again(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, seeds=lab.seeds[:1], scope="host", depth=2))
    checked = run(web, again=True, depth=1, exclude=["/notes/"]).get_end().counts["checked"]
    assert run(web, again=True).get_end().counts["checked"] == checked


def test_links_of_nofollow_pages_are_judged_again(tmp_path: Path) -> None:
    web = tmp_path / "web"
    pages = {"/": make_link_page("/a", text="<meta name=robots content=nofollow>"), "/a": make_link_page()}
    with serving(Toy({HOST: {**ROBOTS, **pages}})) as lab:
        home = f"http://{HOST}:{lab.port}"
        run(web, make_quick_task(lab, seeds=[f"{home}/"]))
        assert set(read_pages(web)) == {f"{home}/"}
        run(web, again=True, nofollow=False)
        assert set(read_pages(web)) == {f"{home}/", f"{home}/a"}
    check_state(web)


# Failures between the steps, and what `explain` says


def test_judging_resumes_after_the_store_failed(
    lab: LabServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **make_options(lab, depth=1)))
    asked = iter([True, True, False])
    visited = SqliteStore.visited_pages

    def failing(store: SqliteStore, *where: int) -> tuple[list[int], int]:
        if not next(asked):
            raise StoreFailed("the disk is on fire")
        return visited(store, *where)

    with monkeypatch.context() as patched:
        patched.setattr(rejudge_links, "VISITS_AT_ONCE", 2)
        patched.setattr(SqliteStore, "visited_pages", failing)
        with pytest.raises(StoreFailed, match="on fire"):
            run(web, again=True, depth=3)
    with Web(web) as opened:
        assert opened.store.widenings()
    run(web, again=True)
    assert read_depths(web) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(3))
    check_state(web)


PROGRAM = """
import sys
from gossamer.cli import main
from gossamer.crawl.control import rejudge_links
rejudge_links.VISITS_AT_ONCE = 1
main.run()
"""


def test_kills_while_links_are_judged_again_lose_nothing(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    chance = random.Random(5)
    run(web, make_quick_task(lab, **make_options(lab, depth=1, name="docs", delay_s=0.05)))
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
    assert read_depths(web) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(3))
    check_state(web)
    check_archive(web)


def explain_in_task(web: Path, url: str) -> InTask:
    with Web(web, create=False) as opened:
        [found] = explain(opened.store, url).tasks
    return found


def make_chain() -> Toy:
    """Return a world in which each page links to the next, and the last one to another host."""
    pages = {
        "/": make_link_page("/a"),
        "/a": make_link_page("/b"),
        "/b": make_link_page(f"http://{OTHER}/"),
        "/kept": make_link_page(),
    }
    return Toy({HOST: {**ROBOTS, **pages}, OTHER: {**ROBOTS, "/": make_link_page(text="the end")}})


def test_explain_gives_the_current_decision(tmp_path: Path) -> None:
    web = tmp_path / "web"
    with serving(make_chain()) as lab:
        home = f"http://{HOST}:{lab.port}"
        run(web, make_quick_task(lab, seeds=[f"{home}/"], depth=1, name="docs"))
        assert (explain_in_task(web, f"{home}/b").verdict, explain_in_task(web, f"{home}/b").rule) == (
            "not followed",
            "depth",
        )
        change = [sys.executable, "-m", "gossamer.cli.main", "change", "docs", "--depth", "2"]
        subprocess.run([*change, "--web", str(web)], check=True, capture_output=True)
        assert "judged again" in explain_in_task(web, f"{home}/b").detail
        assert explain_in_task(web, f"{home}/").state == "stopped"
        run(web, again=True)
        assert (explain_in_task(web, f"{home}/b").verdict, explain_in_task(web, f"{home}/b").rule) == (
            "fetched",
            "",
        )
    check_state(web)


def make_two_hosts() -> Toy:
    """Return two hosts; the second has the links in `leads`."""
    first = {"/": make_link_page("/given-up"), "/given-up": make_link_page(), "/refused": make_link_page()}
    return Toy({HOST: {**ROBOTS, **first}, OTHER: {**ROBOTS, "/": lambda: make_link_page(*leads)}})


leads: list[str] = []


def test_raising_the_budget_of_hosts_fetches_refused_pages_but_not_given_up_ones(tmp_path: Path) -> None:
    web = tmp_path / "web"
    with serving(make_two_hosts()) as lab:
        first, second = (f"http://{host}:{lab.port}" for host in (HOST, OTHER))
        leads[:] = [f"{first}/refused"]
        run(web, make_quick_task(lab, seeds=[f"{first}/"], per_host=1))
        Mailbox(web).append(Submit(1, (f"{second}/",)))
        counts = run(web, again=True).get_end().counts
        assert counts["filtered:per_host"] == 1
        run(web, again=True, per_host=5)
        assert set(read_pages(web)) == {f"{first}/", f"{second}/", f"{first}/refused"}
        assert explain_in_task(web, f"{first}/given-up").verdict == "given up"
    check_state(web)


# While a crawl is running


def test_links_judged_while_the_rules_change_are_judged_again(tmp_path: Path) -> None:
    with serving(make_chain()) as lab:
        task = make_quick_task(lab, seeds=[f"http://{HOST}:{lab.port}/"], depth=1)

        @task.page_filter
        async def slow(reading: Reading) -> bool:
            """Change the rules after the links of the page were judged."""
            if reading.page.url.endswith("/a"):
                Mailbox(tmp_path / "web").append(Change(1, {"depth": 2}))
                while task.spec.limits.depth < 2:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(1.5)  # gives a crawl that does not wait for this page time to go wrong
            return True

        events = run(tmp_path / "web", task)
    assert [event.url.rpartition("/")[2] for event in events.visits] == ["", "a", "b"]
    check_state(tmp_path / "web")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_running_crawl_can_be_widened(lab: LabServer, processes: int, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    with Web(folder) as web:
        running = web.start(
            make_quick_task(lab, **make_options(lab, depth=1, delay_s=1.0)), processes=processes
        )
        until_s = time.monotonic() + _PATIENCE_S
        while not web.store.counts()["pages"]:
            assert time.monotonic() < until_s
            time.sleep(0.05)
        Mailbox(folder).append(Change(1, {"depth": 3, "delay_s": 0.01}))
        running.wait(_PATIENCE_S)
        [note] = web.tasks()
    assert (note.state, note.reason) == ("finished", "nothing left to fetch")
    assert read_depths(folder) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(3))
    check_state(folder)
    check_archive(folder)


def test_several_processes_share_the_links_to_judge_again(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, **make_options(lab, depth=1)))
    run(web, again=True, processes=2, depth=2)
    run(web, again=True, processes=3, depth=3)
    assert read_depths(web) == crawl_truth(get_world(lab), lab.seeds[:1], make_depth_rule(3))
    check_state(web)
