"""Measure what the extension costs a page with 500 links: time of the main thread of the page, and how far its contents move.

Three browsers read the same page in turn: one with the extension, paired with a real server, one without, and one with an extension
that only sends a message from each page. The processor time of all tasks of the main thread, while the page loads and until
marks have been shown for a while, is read from Chromium's own counters; the cost is the difference of the medians. Further loads are
traced, for the processor time of the functions of the extension alone. A fifth of the links is gone, and a seventh has moved.

    python bench/extension_load.py [--json] [--rounds 20]
"""

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.crawl.harness import Toy
from tests.extension.closed_roots import read_marks, wait_for
from tests.extension.music_world import ENGLISH, LIBRARY, make_page
from tests.extension.reading_browser import VIEWPORT, Browser, collect, open_browser

from command_line import run_benchmark
from gossamer.lab.server.answer import LabAnswer

LINKS = 500
ROUNDS = 20
REST_MS = 2_500
"""How long a page is watched after it has loaded: marks come within a second."""
WARM_UP = 2
"""The first loads fill caches of compiled scripts."""
FEWEST_MARKS = 10
OURS = "chrome-extension://"
SHIFTS = """new Promise((resolve) => { let sum = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) sum += one.value; }).observe({type: "layout-shift", buffered: true}); setTimeout(() => resolve(sum), 200); })"""
Event = dict[str, Any]


def make_world(port: int) -> Toy:
    """Return a page with many links, and what they lead to."""
    del port
    links = "".join(
        f'<li>Of the year {n}: <a href="/page/{n}">Page number {n}</a> and more' for n in range(LINKS)
    )
    pages = {f"/page/{n}": make_page(f"Page {n}", f"{LIBRARY} {n}") for n in range(LINKS) if n % 5 and n % 7}
    moved = {
        f"/page/{n}": LabAnswer(301, (("Location", "/page/1"),)) for n in range(LINKS) if n % 5 and not n % 7
    }
    start = make_page("Many links", LIBRARY * 2, f"<ul>{links}</ul>")
    return Toy({ENGLISH: {"/robots.txt": LabAnswer(404), "/": start, **pages, **moved}})


def measure_tasks(context: Any, address: str) -> float:
    """Return the processor time in milliseconds that the main thread of a page needs for all its tasks while it loads."""
    page = context.new_page()
    page.goto(f"{address}page/1")  # the same process reads the next page
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before_s = _read_task_s(session)
    page.goto(address)
    page.wait_for_timeout(REST_MS)
    after_s = _read_task_s(session)
    page.close()
    return 1000 * (after_s - before_s)


def _read_task_s(session: Any) -> float:
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def measure_functions(context: Any, address: str) -> tuple[float, float]:
    """Return the processor time of functions of the extension in milliseconds, and how far the page moves; traced by Chromium."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    events: list[Event] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda found: events.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"categories": "devtools.timeline", "transferMode": "ReportEvents"})
    page.goto(address)
    page.wait_for_timeout(REST_MS)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    shift = page.evaluate(SHIFTS)
    page.close()
    own = [one for one in events if one["ph"] == "X" and OURS in str(one.get("args", {}).get("data", {}))]
    main = {(one["pid"], one["tid"]) for one in own if "/content/" in str(one["args"])}
    return _sum_outermost([one for one in own if (one["pid"], one["tid"]) in main]), shift


def _sum_outermost(events: list[Event]) -> float:
    """Return the processor time of events in milliseconds, without those that lie inside others."""
    total_us, end = 0.0, -1.0
    for one in sorted(events, key=lambda event: (event["ts"], -event.get("dur", 0))):
        if one["ts"] >= end:
            total_us += float(one["tdur"] if "tdur" in one else one["dur"])
            end = one["ts"] + one.get("dur", 0)
    return total_us / 1000


def compare(address: str, contexts: dict[str, Any], rounds: int) -> dict[str, float]:
    """Load the page in each browser in turn, and compare the medians."""
    tasks: dict[str, list[float]] = {name: [] for name in contexts}
    functions, shifts = [], []
    for number in range(rounds + WARM_UP):
        for name, context in contexts.items():
            took_ms = measure_tasks(context, address)
            if number >= WARM_UP:
                tasks[name].append(took_ms)
        took_ms, shift = measure_functions(contexts["extension"], address)
        if number >= WARM_UP:
            functions.append(took_ms)
            shifts.append(shift)
    medians = {name: statistics.median(found) for name, found in tasks.items()}
    print(", ".join(f"{name} {value:.2f} ms" for name, value in medians.items()), file=sys.stderr)
    return {
        "extension_load.main_thread_ms": medians["extension"] - medians["none"],
        "extension_load.empty_extension_ms": medians["empty"] - medians["none"],
        "extension_load.functions_ms": statistics.median(functions),
        "extension_load.layout_shift": max(shifts),
    }


def write_empty_extension(folder: Path) -> Path:
    """Write an extension whose script in pages sends one message, and does nothing else."""
    folder.mkdir()
    script = {"matches": ["http://*/*"], "js": ["content.js"], "run_at": "document_idle"}
    manifest = {"manifest_version": 3, "name": "Empty", "version": "1", "content_scripts": [script]}
    manifest |= {"background": {"service_worker": "background.js"}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "content.js").write_text("chrome.runtime.sendMessage({}, () => chrome.runtime.lastError);")
    (folder / "background.js").write_text("chrome.runtime.onMessage.addListener((_m, _s, send) => send({}));")
    return folder


def measure() -> dict[str, float]:
    """Collect a page with many links, and load it with and without the extension."""
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GOSSAMER_CONFIG"] = str(Path(folder) / "config")
        (profile := Path(folder) / "browser").mkdir()
        web = Path(folder) / "links.web"
        with collect(web, make_world) as collection, collection.serve(), open_browser(profile) as browser:
            browser.pair(collection.address)
            page = browser.open(collection.start)
            wait_for(lambda: read_marks(page), lambda names: len(names) >= FEWEST_MARKS)
            page.close()
            empty = write_empty_extension(Path(folder) / "empty")
            contexts = {
                "none": _open_plain(browser, Path(folder) / "none"),
                "empty": _open_plain(browser, Path(folder) / "other", f"--load-extension={empty}"),
                "extension": browser.context,
            }
            found = compare(collection.start, contexts, rounds)
            for name in ("none", "empty"):
                contexts[name].close()
            return found


def _open_plain(browser: Browser, profile: Path, *options: str) -> Any:
    return browser.play.chromium.launch_persistent_context(
        str(profile),
        executable_path=browser.program,
        args=["--no-sandbox", "--disable-gpu", *options],
        ignore_default_args=["--disable-extensions"],
        viewport=VIEWPORT,
    )


if __name__ == "__main__":
    sys.exit(run_benchmark("extension_load", measure, "--json" in sys.argv[1:]))
