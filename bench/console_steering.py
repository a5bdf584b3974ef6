"""Measure how soon a viewer of the console sees a change of a crawl that runs in another process, and how long a stop takes.

A crawl of the lab runs in a process of its own with two tasks, and a server beside it. The second task is paused, resumed, changed and
stopped through the JSON API, as the buttons do. A change counts as visible when the events of the live page, or the page of the
task, show it; a stop as done when the store, read by this process, has the task as stopped. At the end the
only task that is left is stopped, until the crawl's process has ended. The figure of visible changes is their median, since other programs of a busy machine
delay single ones; that of stops is the slowest.

    python bench/console_steering.py [--json] [--turns 10]
"""

import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from command_line import run_benchmark
from console_load import CLI, SILENT_S, CrawlProgress, serve_web
from gossamer.errors import BadInput
from gossamer.web import Web, open_to_read
from serve_load import run_child

TURNS = 10
LAB_PAGES, LAB_HOSTS = 2_000_000, 400
EVERY_S = 0.05
WORKS_S = 2.0
"""A task that is to be stopped has requests under way."""
_EVENT = re.compile(rb"data: (\{.*?\})\n\n", re.DOTALL)
_ROW = re.compile(r'id="task-2">\s*<td[^>]*>.*?</td>\s*<td>([^<]*)</td>', re.DOTALL)


class Steering:
    """A served web with a crawl in another process."""

    def __init__(self, web: Web, port: int) -> None:
        """Take the web as another process reads it, and the port of its server."""
        self._web, self._port = web, port

    def post(self, step: str, **body: Any) -> None:
        """Send an order."""
        address = f"http://127.0.0.1:{self._port}/api/console/{step}"
        asked = Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urlopen(asked) as answer:  # noqa: S310 - our own server
            answer.read()

    def has_state(self, state: str) -> bool:
        """Say whether another process reads the second task in a state."""
        return self._web.task("2").state == state

    def page_has(self, words: str) -> bool:
        """Say whether the page of the second task shows some words."""
        with urlopen(f"http://127.0.0.1:{self._port}/console/task?number=2") as answer:
            return words in answer.read().decode()

    def time_events(self, step: str, state: str) -> float:
        """Send an order, and return the seconds until the events of the live page show the state of the task."""
        with socket.create_connection(("127.0.0.1", self._port), timeout=SILENT_S) as viewer:
            viewer.sendall(b"GET /console/events?task=2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            viewer.recv(1 << 20)
            time.sleep(1.5)  # the viewer has what there was before
            viewer.setblocking(False)
            while _drain(viewer):
                pass
            viewer.setblocking(True)
            began_s = time.monotonic()
            self.post(step, task=2)
            seen = b""
            while state not in _find_states(seen):
                piece = viewer.recv(1 << 20)
                if not piece or time.monotonic() > began_s + SILENT_S:
                    raise BadInput(f"no event showed the state {state} within {SILENT_S:.0f} s")
                seen += piece
            return time.monotonic() - began_s


def _find_states(seen: bytes) -> set[str]:
    """Return the states of the second task in the events that have arrived completely."""
    found = set()
    for event in _EVENT.findall(seen):
        row = _ROW.search(json.loads(event).get("html", ""))
        found |= {row[1].partition(":")[0]} if row else set()
    return found


def _drain(viewer: socket.socket) -> bool:
    try:
        return bool(viewer.recv(1 << 20))
    except BlockingIOError:
        return False


def wait_until(is_so: Callable[[], bool], what: str) -> float:
    """Return the seconds until something is so."""
    began_s = time.monotonic()
    while not is_so():
        if time.monotonic() > began_s + SILENT_S:
            raise BadInput(f"{what} took more than {SILENT_S:.0f} s")
        time.sleep(EVERY_S)
    return time.monotonic() - began_s


def steer(steering: Steering, turns: int) -> dict[str, list[float]]:
    """Steer the second task, and return the seconds that each kind of step took."""
    took: dict[str, list[float]] = {name: [] for name in ("paused", "resumed", "changed", "stopped", "stop")}
    for turn in range(turns):
        took["paused"].append(steering.time_events("task/pause", "paused"))
        took["resumed"].append(steering.time_events("task/resume", "running"))
        limit = 1_000_000 + turn
        began_s = time.monotonic()
        steering.post("task/change", task=2, options={"pages": limit})
        wait_until(lambda: steering.page_has(f">{limit}<"), "a change")  # noqa: B023 - called within this turn
        took["changed"].append(time.monotonic() - began_s)
        took["stopped"].append(steering.time_events("task/stop", "stopped"))
        steering.post("task/resume", task=2)
        wait_until(lambda: steering.has_state("running"), "a resumed task")
        time.sleep(WORKS_S)
        began_s = time.monotonic()
        steering.post("task/stop", task=2)
        wait_until(lambda: steering.has_state("stopped"), "a stop")
        took["stop"].append(time.monotonic() - began_s)
        steering.post("task/resume", task=2)
        wait_until(lambda: steering.has_state("running"), "a resumed task")
        print(
            f"turn {turn + 1}: " + ", ".join(f"{name} {times[-1]:.2f} s" for name, times in took.items()),
            file=sys.stderr,
        )
    return took


def time_last_stop(steering: Steering, crawl: "subprocess.Popen[bytes]") -> float:
    """Stop both tasks, and return the seconds until the crawl's process has ended."""
    steering.post("task/stop", task=2)
    began_s = time.monotonic()
    steering.post("task/stop", task=1)
    crawl.wait(SILENT_S)
    return time.monotonic() - began_s


def measure() -> dict[str, float]:
    """Steer a crawl of the lab, and return how long its steps took."""
    turns = int(sys.argv[sys.argv.index("--turns") + 1]) if "--turns" in sys.argv else TURNS
    options = ("--pages", str(LAB_PAGES), "--hosts", str(LAB_HOSTS), "--json")
    with tempfile.TemporaryDirectory() as folder, run_child(*CLI, "lab", "serve", *options) as lab:
        assert lab.stdout is not None
        first, second = json.loads(lab.stdout.readline())["seeds"][:2]
        web = Path(folder) / "steered.web"
        crawled = (first, "--web", str(web), "--scope", "any", "--delay", "2", "--adaptive", "0", "--json")
        with run_child(*CLI, "crawl", *crawled, "--allow-private", "127.0.0.0/8") as crawl:
            progress = CrawlProgress(crawl)
            while len(progress.points) < 3:
                time.sleep(0.2)
            with serve_web(web) as (_, port), open_to_read(web) as opened:
                steering = Steering(opened, port)
                steering.post("tasks", like=1, options={"name": "second", "seeds": [second]})
                wait_until(lambda: steering.has_state("running"), "a new task")
                took = steer(steering, turns)
                process_s = time_last_stop(steering, crawl)
    visible = [one for name in ("paused", "resumed", "changed", "stopped") for one in took[name]]
    return {
        "console_steering.visible_s": statistics.median(visible),
        "console_steering.slowest_visible_s": max(visible),
        "console_steering.stop_s": max(took["stop"]),
        "console_steering.process_ends_s": process_s,
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("console_steering", measure, "--json" in sys.argv[1:]))
