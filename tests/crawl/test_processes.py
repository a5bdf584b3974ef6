"""Several processes share one crawl: the result is that of one process, also after kills, limits and orders."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import (
    LOOPBACK,
    EventLog,
    Toy,
    check_archive,
    check_links,
    check_polite,
    check_state,
    check_sums,
    get_world,
    make_command,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)
from tests.crawl.kills import kill_crawls, list_shard_pids
from tests.wait_until import wait_until

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import Change, Mailbox, Stop, Submit
from gossamer.crawl.host_shards import Territory, host_of, share_of
from gossamer.crawl.read_page import Reading
from gossamer.crawl.task.task import Task
from gossamer.crawl.task_counts import format_count
from gossamer.errors import BadInput
from gossamer.lab.options import Trouble
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World
from gossamer.records import Page
from gossamer.web import Web

pytestmark = pytest.mark.slow
WORLD = {"hosts": 12, "pages": 150}
_PATIENCE_S = 600.0
"""A guard against hanging: on a busy machine nothing here has taken a minute."""
DELAY_S = 0.2
"""Long enough that a crawl lasts some seconds: what a test does to it happens before its end."""


def sum_counts(counts: dict[str, int]) -> Counter[str]:
    """Leave out what depends on chance: which of two links to a page was found first, and how long it took."""
    sums: Counter[str] = Counter()
    for name, times in counts.items():
        if name != "elapsed_ms":
            sums["not followed" if name == "seen" or name.startswith("filtered:") else name] += times
    return sums


def is_alive(process: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def start_program(running: LabServer, web: Path, *more: str) -> "subprocess.Popen[str]":
    """Start the real program with short pauses."""
    usual = ["--scope", "any", "--delay", str(DELAY_S), "--adaptive", "0", "--allow-private", LOOPBACK[0]]
    words = make_command("crawl", *running.seeds, *usual, "--web", str(web), "--json", *more)
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("processes", [2, 3])
def test_a_crawl_visits_exactly_the_reachable_pages(tmp_path: Path, processes: int) -> None:
    trouble = Trouble(redirect=0.1, not_found=0.05, disallowed=0.1, nofollow=0.05, sessions=0.2)
    with serve_lab(World(seed=processes, trouble=trouble, **WORLD)) as running:
        world = get_world(running)
        events = run(tmp_path / "web", make_quick_task(running), processes=processes)
        alone = run(tmp_path / "alone", make_quick_task(running))
        check_polite(running.log, 0.01)
    reached = world.reachable()
    assert set(read_pages(tmp_path / "web")) == set(reached)
    check_state(tmp_path / "web")
    check_links(tmp_path / "web", world, list(reached))
    check_archive(tmp_path / "web")
    names = {path.name.split("-")[2] for path in (tmp_path / "web" / "archive").glob("*.warc.gz")}
    # Which shard owns a host depends on the port, which is random: a shard may own none.
    assert names >= {f"{share_of(host_of(url)) % processes:03}" for url in reached}
    assert sum_counts(events.get_end().counts) == sum_counts(alone.get_end().counts)
    assert {visit.url for visit in events.visits} == {visit.url for visit in alone.visits}


def test_depths_are_the_shortest_whichever_process_finds_a_page(tmp_path: Path) -> None:
    with serve_lab(World(seed=8, **WORLD)) as running:
        run(tmp_path / "web", make_quick_task(running, depth=3), processes=2)
        run(tmp_path / "alone", make_quick_task(running, depth=3))
    several, alone = read_pages(tmp_path / "web"), read_pages(tmp_path / "alone")
    assert {url: page.depth for url, page in several.items()} == {url: p.depth for url, p in alone.items()}
    check_state(tmp_path / "web")


def test_kills_of_one_process_or_all_lose_nothing(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = kill_crawls(6, tmp_path, seed, chains=2, processes=(1, 2, 3))
    assert counts["kills"] == 6


def test_a_process_that_died_is_reported_and_restarted(tmp_path: Path) -> None:
    with serve_lab(World(seed=9, **WORLD)) as running:
        with start_program(running, tmp_path, "--processes", "2") as process:
            wait_until(lambda: len(running.log.entries()) > 30)
            victim = list_shard_pids(process.pid)[1]
            os.kill(victim, signal.SIGKILL)
            said, errors = process.communicate(timeout=_PATIENCE_S)
        assert process.returncode == 0, errors
        check_polite(running.log, DELAY_S)
    assert "process 2 of 2 has died: killed by SIGKILL; it is restarted" in said
    assert set(read_pages(tmp_path)) == set(get_world(running).reachable())
    check_state(tmp_path)
    check_archive(tmp_path)


def test_a_process_that_dies_repeatedly_ends_the_crawl_with_an_error(tmp_path: Path) -> None:
    with (
        serve_lab(World(seed=10, **WORLD)) as running,
        start_program(running, tmp_path, "--processes", "2", "--delay", "2") as process,
    ):
        dead: set[int] = set()
        while process.poll() is None:
            for child in list_shard_pids(process.pid)[-1:]:
                if child not in dead:
                    dead.add(child)
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.05)
        _, errors = process.communicate()
    assert process.returncode == 1
    assert re.search(r"process [12] has died \d+ times: killed by SIGKILL", errors), errors
    check_state(tmp_path)


def test_all_processes_end_and_release_the_web_when_the_parent_dies(tmp_path: Path) -> None:
    with serve_lab(World(seed=11, **WORLD)) as running:
        with start_program(running, tmp_path, "--processes", "3") as process:
            wait_until(lambda: len(running.log.entries()) > 30)
            children = list_shard_pids(process.pid)
            assert len(children) == 3
            process.kill()
            process.wait()
            run(tmp_path, again=True, processes=1)  # waits until the last of them has ended
            assert not [child for child in children if is_alive(child)]
        check_polite(running.log, DELAY_S)
    assert set(read_pages(tmp_path)) == set(get_world(running).reachable())
    check_state(tmp_path)
    check_archive(tmp_path)


def test_the_first_ctrl_c_stops_all_processes_cleanly(tmp_path: Path) -> None:
    with serve_lab(World(seed=12, **WORLD)) as running:
        with start_program(running, tmp_path, "--processes", "2") as process:
            wait_until(lambda: len(running.log.entries()) > 30)
            process.send_signal(signal.SIGINT)
            said, errors = process.communicate(timeout=_PATIENCE_S)
        assert process.returncode == 0, errors
        last = msgspec.json.decode(said.splitlines()[-1])
        assert (last["event"], last["state"], last["reason"]) == ("end", "stopped", "stopped by Ctrl-C")
        assert last["counts"]["downloaded"] == len(read_pages(tmp_path))
        check_state(tmp_path)
        run(tmp_path, again=True, processes=3)
    assert set(read_pages(tmp_path)) == set(get_world(running).reachable())


def test_a_second_ctrl_c_kills_all_processes(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        page = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        words = ["--allow-private", "127.0.0.1", "--no-robots", "--processes", "2", "--web", str(tmp_path)]
        with subprocess.Popen(
            make_command("crawl", page, *words), stdout=subprocess.PIPE, text=True
        ) as process:
            connection, _ = silent.accept()
            children = list_shard_pids(process.pid)
            process.send_signal(signal.SIGINT)
            assert process.stdout is not None
            while "Stopping after the requests in progress" not in process.stdout.readline():
                assert process.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
            process.send_signal(signal.SIGINT)
            assert process.wait(_PATIENCE_S) == 130
            connection.close()
    assert len(children) == 2
    assert not [child for child in children if is_alive(child)]
    check_state(tmp_path)


def test_hosts_at_one_address_share_its_pauses_across_processes(tmp_path: Path) -> None:
    with serve_lab(World(seed=13, hosts=100, pages=300, naming="names")) as running:
        world = get_world(running)
        hosts_file = tmp_path / "hosts"
        addresses = list(running.host_map.values())[:20]
        shared = {host: addresses[at % 20] for at, host in enumerate(world.hosts())}
        hosts_file.write_text("".join(f"{address} {host}\n" for host, address in shared.items()))
        first = Territory(0, 2)
        owners = {(shared[host], first.owns(f"{host}:{running.port}")) for host in world.hosts()}
        assert len(owners) > 30, "few addresses have hosts of both processes"
        task = make_quick_task(running, delay_s=0.05, hosts_file=str(hosts_file))
        run(tmp_path / "web", task, processes=2)
        assert {entry.address for entry in running.log.entries()} == set(addresses)
        assert check_polite(running.log, 0.05) > 250
        assert max(map(running.log.max_parallel, world.hosts())) == 1
    assert set(read_pages(tmp_path / "web")) == set(world.reachable())


@pytest.mark.parametrize("pages", [1, 37])
def test_the_limit_of_pages_is_exact(tmp_path: Path, pages: int) -> None:
    with serve_lab(World(seed=14, **WORLD)) as running:
        events = run(tmp_path, make_quick_task(running, pages=pages, delay_s=0.0), processes=3)
        asked = [entry for entry in running.log.entries() if entry.target != "/robots.txt"]
    assert events.get_end().reason == f"limit reached: {format_count(pages, 'page')}"
    assert len(asked) == len(read_pages(tmp_path)) == events.get_end().counts["downloaded"] == pages
    check_state(tmp_path)


def test_limits_of_bytes_and_time_end_all_processes(tmp_path: Path) -> None:
    with serve_lab(World(seed=15, **WORLD)) as running:
        events = run(tmp_path / "bytes", make_quick_task(running, body_bytes=40_000), processes=2)
        assert events.get_end().reason == "limit reached: 40,000 bytes"
        timed = run(tmp_path / "time", make_quick_task(running, time_s=1.5, delay_s=1.0), processes=2)
    end = timed.get_end()
    assert end.reason == "limit reached: 1.5 s"
    assert end.counts["elapsed_ms"] >= 1_500
    assert end.counts["queued"] > end.counts.get("finished", 0), "no page was left to fetch"


def test_the_counts_add_up_at_every_moment(tmp_path: Path) -> None:
    checks, end = [0], threading.Event()

    def check_stored_counts() -> None:
        while not end.is_set():
            with Web(tmp_path) as web:
                for note in web.tasks():
                    check_sums(note.counts)
                    checks[0] += bool(note.counts)
            end.wait(0.02)

    with serve_lab(World(seed=16, **WORLD)) as running, Web(tmp_path):
        checking = threading.Thread(target=check_stored_counts)
        checking.start()
        run(
            tmp_path, make_quick_task(running, delay_s=DELAY_S), processes=2
        )  # checks the counts in events as well
        end.set()
        checking.join()
    assert checks[0] > 2


def test_orders_reach_every_process(tmp_path: Path) -> None:
    """Change a task whose hosts belong to different processes and do not link to each other."""
    hosts = {
        f"127.0.12.{n}": {"/": make_link_page(*(f"/{page}" for page in range(200)))} for n in range(1, 7)
    }
    for pages in hosts.values():
        pages |= {f"/{page}": make_link_page() for page in range(200)}
    with serving(Toy({**hosts, "127.0.13.1": {"/": make_link_page()}})) as lab:  # type: ignore[dict-item]
        seeds = [f"http://{host}:{lab.port}/" for host in hosts]
        with Web(tmp_path) as web:
            crawl = web.start(make_quick_task(lab, seeds=seeds, delay_s=0.05, scope="host"), processes=2)
            wait_until(lambda: all(len(lab.log.entries(host)) > 3 for host in hosts))
            mailbox = Mailbox(tmp_path)
            mailbox.append(Change(1, {"exclude": ["/1"], "delay_s": 0.2}))
            mailbox.append(Submit(1, (f"http://127.0.13.1:{lab.port}/",)))
            wait_until(lambda: lab.log.entries("127.0.13.1"))
            mailbox.append(Stop(1, reason="enough"))
            assert crawl.wait(_PATIENCE_S)
            [note] = web.tasks()
            assert (note.state, note.reason) == ("stopped", "enough")
            spec = msgspec.json.decode(note.spec, type=TaskSpec)
            assert spec.filters.exclude == ("/1",)
            asked = len(lab.log.entries())
            time.sleep(0.5)
            assert len(lab.log.entries()) == asked
    assert not (tmp_path / "control").read_bytes()
    check_state(tmp_path)


def mark_process(reading: Reading) -> dict[str, str]:
    """Mark a page with the process that judges it: the one that fetches it."""
    return {"process": str(os.getpid())}


def test_classifiers_run_in_the_processes_and_listeners_in_the_parent(tmp_path: Path) -> None:
    with serve_lab(World(seed=17, **WORLD)) as running, Web(tmp_path) as web:
        task = make_quick_task(running)
        task.page_classifier(mark_process)
        listened: list[Page] = []
        ends: list[str] = []
        task.listener(listened.append)
        task.at_end(lambda _task, reason: ends.append(reason))
        pages = list(web.crawl(task, processes=2))
    assert (
        {page.url for page in pages} == {page.url for page in listened} == set(get_world(running).reachable())
    )
    assert len({page.marks["process"] for page in pages} - {str(os.getpid())}) == 2
    assert ends == ["nothing left to fetch"]


def test_a_function_that_cannot_be_sent_to_processes_is_refused_before_the_crawl(tmp_path: Path) -> None:
    task_web = tmp_path / "web"
    with serve_lab(World(seed=18, **WORLD)) as running, Web(task_web) as web:
        task = make_quick_task(running)

        @task.link_filter
        def picky(link: object) -> bool:
            return True

        with pytest.raises(BadInput, match="picky cannot be given to other processes: define it at the top"):
            web.run([task], processes=2)
        assert web.tasks() == []


def test_processes_import_the_functions_of_a_program(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    with serve_lab(World(seed=19, **WORLD)) as running:
        program.write_text(f"""
import gossamer

def no_archive(link):
    return "/archive/" not in link.url

if __name__ == "__main__":
    task = gossamer.Task(seeds={running.seeds!r}, scope="any", delay_s=0, allow_private={LOOPBACK!r})
    task.link_filter(no_archive)
    with gossamer.open({str(tmp_path / "web")!r}) as web:
        print(len(list(web.crawl(task, processes=2))))
""")
        ran = subprocess.run(
            [sys.executable, str(program)], capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    assert ran.returncode == 0, ran.stderr
    pages = read_pages(tmp_path / "web")
    assert int(ran.stdout) == len(pages) > 20
    assert not [url for url in pages if "/archive/" in url and url not in running.seeds]


def test_too_many_processes_are_refused(tmp_path: Path) -> None:
    events = EventLog()
    with Web(tmp_path) as web, pytest.raises(BadInput, match="1 to 64 processes, not in 65"):
        web.run([Task(seeds=["http://a.example/"])], watcher=events, processes=65)
    assert not events.all
