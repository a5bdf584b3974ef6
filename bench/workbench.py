"""Measure the workbench: laying out a graph, its payload, the time until it is drawn, and the script of a frame while it moves.

A web of 100,000 pages and 300,000 links is written into a store and served by the real program; a headless Chromium opens it and
draws by software, so the time until it is drawn and the frames a second are those of a machine without a graphics card. The
script of a frame is the processor time of the main thread for scripts while the camera moves, with 10,000 pages in view; what the
renderer does afterwards is reported apart.

    python bench/workbench.py [--json]
"""

import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from command_line import run_benchmark
from gossamer import config
from gossamer.graph.graph import Graph
from gossamer.graph.groups.communities import communities
from gossamer.graph.layout.force_layout import lay_out
from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.store.batch import Batch, LinkColumns, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore
from web_graphs import make_web_graph

PAGES, LINKS = 100_000, 300_000
MOVING = 10_000
FRAMES = 60
AT_ONCE = 5_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SOFTWARE = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WORDS = (
    "archive",
    "bridge",
    "castle",
    "desert",
    "engine",
    "forest",
    "garden",
    "harbour",
    "island",
    "journey",
    "kitchen",
)
LANGUAGES = ("en", "de", "fr", "da", "")
MOVE = """async (frames) => {
  const camera = workbench.camera();
  const script = [], whole = [];
  const original = window.requestAnimationFrame;
  let spent = 0;
  window.requestAnimationFrame = (run) => original((now) => {
    const began = performance.now();
    run(now);
    spent += performance.now() - began;
  });
  let last = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    const began = performance.now();
    camera.setState({ x: 0.5 + 0.1 * Math.sin(frame / 9), y: 0.5 + 0.1 * Math.cos(frame / 7), ratio: 0.6 + 0.3 * Math.sin(frame / 11) });
    spent += performance.now() - began;
    await new Promise((resolve) => original(() => setTimeout(resolve)));
    script.push(spent);
    spent = 0;
    whole.push(performance.now() - last);
    last = performance.now();
  }
  window.requestAnimationFrame = original;
  return { script, whole };
}"""


def write_web(folder: Path, graph: Graph) -> None:
    """Write a graph into a new store, as pages with titles, hosts, languages and depths."""
    folder.mkdir(parents=True)
    hosts = communities(graph, "labels").labels.tolist()
    urls = [f"http://host{host}.example/{node:x}.html" for node, host in enumerate(hosts)]
    ids = [page_id(url) for url in urls]
    store = SqliteStore(folder / "state.sqlite", create=True)
    spec = config.from_options(name="grown", seeds=[urls[0]], scope="any")
    try:
        store.commit(Batch(tasks=[TaskNote(1, "grown", msgspec.json.encode(spec), state="finished")]))
        for first in range(0, graph.nodes, AT_ONCE):
            batch = Batch()
            for node in range(first, min(first + AT_ONCE, graph.nodes)):
                title = f"{WORDS[node % 11]} {WORDS[node // 11 % 11]} {node}"
                marks = {"relevance": f"{node % 101 / 100:.2f}"}
                language = LANGUAGES[hosts[node] % len(LANGUAGES)]
                batch.pages.append(
                    Page(
                        ids[node],
                        urls[node],
                        f"host{hosts[node]}.example",
                        1,
                        node % 9,
                        1.8e9 + node,
                        200,
                        "html",
                        title,
                        language=language,
                        marks=marks,
                    )
                )
                targets = graph.targets[graph.starts[node] : graph.starts[node + 1]].tolist()
                if targets:
                    columns = LinkColumns(
                        ids[node], [ids[one] for one in targets], bytes(len(targets)), [""] * len(targets)
                    )
                    batch.links.append(columns)
            store.commit(batch)
    finally:
        store.close()


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a web with the real program; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "gossamer.cli.main",
        "serve",
        "--json",
        "--port",
        str(port),
        "--web",
        str(folder),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def fetch(address: str) -> bytes:
    """Return the body of an answer as it is sent."""
    with urllib.request.urlopen(address, timeout=300) as answer:  # noqa: S310 - our own server
        body: bytes = answer.read()
    return body


def wait_for_picture(address: str) -> float:
    """Ask for the picture of all pages until it is there; return the seconds from the request on."""
    began_s = time.perf_counter()
    while True:
        state = json.loads(fetch(f"{address}/workbench/progress?level=pages&links=all"))
        if state["state"] == "ready":
            return time.perf_counter() - began_s
        if state["state"] == "failed":
            raise RuntimeError(state["error"])
        time.sleep(0.2)


def find_browser() -> str | None:
    """Return the path of an installed Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def open_picture(address: str) -> Iterator[Any]:
    """Open the workbench in a browser, and yield the page once the graph is drawn, with the seconds that took."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=SOFTWARE)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        began_s = time.perf_counter()
        page.goto(f"{address}/workbench?level=pages&links=all")
        page.wait_for_selector("#graph[data-drawn]", timeout=300_000)
        yield page, time.perf_counter() - began_s
        browser.close()


def read_script_s(session: Any) -> float:
    """Return the processor time of the main thread for scripts and tasks so far, whatever else the machine does."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(found["ScriptDuration"])


def measure_moving(folder: Path) -> tuple[float, float]:
    """Return the script of a frame, in processor time, and the whole frame in milliseconds, while 10,000 pages move."""
    graph = make_web_graph(MOVING, 3 * MOVING)
    write_web(folder, graph)
    with serve(folder) as address:
        wait_for_picture(address)
        with open_picture(address) as (page, _):
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.evaluate(MOVE, 5)
            before_s = read_script_s(session)
            moved = page.evaluate(MOVE, FRAMES)
            script_ms = 1000 * (read_script_s(session) - before_s) / FRAMES
    worst = statistics.quantiles(moved["script"], n=20)[-1]
    print(f"script of a frame by the clock, 19 of 20 frames: {worst:.1f} ms", file=sys.stderr)
    return script_ms, statistics.median(moved["whole"])


def measure() -> dict[str, float]:
    """Print what was measured; return the figures that have floors."""
    graph = make_web_graph(PAGES, LINKS)
    began_s = time.process_time()
    places = lay_out(graph, 1)
    layout_s = time.process_time() - began_s
    assert np.isfinite(places).all()
    figures = {"workbench.layout_s": layout_s}
    print(f"layout of {PAGES:,} nodes and {LINKS:,} links: {layout_s:.1f} s of a processor", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        write_web(Path(folder) / "large.web", graph)
        with serve(Path(folder) / "large.web") as address:
            made_s = wait_for_picture(address)
            payload = fetch(f"{address}/workbench/graph?level=pages&links=all")
            figures["workbench.payload_mb"] = len(payload) / 1e6
            print(f"picture made in {made_s:.1f} s; payload {len(payload) / 1e6:.2f} MB", file=sys.stderr)
            if find_browser() is None:
                print("there is no chromium: drawing was not measured", file=sys.stderr)
                return figures
            with open_picture(address) as (_, drawn_s):
                figures["workbench.drawn_s"] = drawn_s
                print(f"request to drawn, software rendering: {drawn_s:.1f} s", file=sys.stderr)
        script_ms, frame_ms = measure_moving(Path(folder) / "moving.web")
    figures["workbench.script_ms"] = script_ms
    print(
        f"{MOVING:,} nodes moving: {script_ms:.1f} ms of script a frame; "
        f"a whole frame, software rendering: {frame_ms:.0f} ms",
        file=sys.stderr,
    )
    return figures


if __name__ == "__main__":
    sys.exit(run_benchmark("workbench", measure, "--json" in sys.argv[1:]))
