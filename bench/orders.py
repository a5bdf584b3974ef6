"""Measure orders: how soon they find wanted pages on a recorded web and on the lab's, and what deciding costs.

    python bench/orders.py [--plots DIR]

The recorded web is walked from the home pages of four departments, once for each target; each topic is learnt from pages
of other universities only. `closes` is the position of the mean recall over the first quarter of the reachable pages
between breadth-first (0) and an oracle that knows every link's class (1), all in the real frontier with its pauses;
`plain_closes` is the same against a plain first-in-first-out queue and an oracle that never waits for a host, which is
much harder. The lab's worlds have topic locality 0.5, and 2 % of their pages are relevant; in small ones there is little
to learn from, and best-first by parent relevance is hard to beat. The cost is the CPU time of a page in crawls over
loopback without start-up, the best of several alternating rounds: for all of Python's documentation, and for short pages
of the lab, part of a larger world.
"""

import argparse
import heapq
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from extraction import DATA
from gossamer.assess.orders.compare_orders import Ground, Walk
from gossamer.assess.orders.order_curves import (
    QUARTER,
    OrderComparison,
    compute_curves,
    compute_recall,
    summarize_order,
)
from gossamer.cli.lab.compare import run
from gossamer.cli.lab.compare_worlds import (
    RecordingOptions,
    learn_lab_topic,
    make_recording_ground,
    make_world_ground,
    parse_world,
)
from gossamer.config import Fetching
from gossamer.fetch.fetcher import FetchOptions
from gossamer.lab.recordings.replay_warc import Recording
from gossamer.net import html
from gossamer.plots.canvas import encode_figure
from gossamer.plots.harvest import draw_harvest
from gossamer.store.model_folder import keep_topic_model
from gossamer.text.topics import TopicModel
from gossamer.web import Web
from pages import DOCUMENTATION
from run_program import run_measured

FOLDER = DATA.parent / "webkb"
RECORDED = FOLDER / "webkb.warc.gz"
HOMES = ("www.cs.cornell.edu", "www.cs.wisc.edu", "www.cs.utexas.edu", "www.cs.washington.edu")
TARGETS = ("course", "faculty", "project", "student")
WORLD = "pages=5000,hosts=80,topic_locality=0.5,languages=en de fr es it"
WORLDS = 2
WORLD_PAGES = 400
"""A tenth of the reachable pages of such a world."""
TOPIC = "astronomy"
SMALL_WORLD = "pages=2000,hosts=40"
SMALL_TOPICS = ("astronomy", "music")
SMALL_WORLDS = 5
COST_PAGES = 2400
COST_SITE = DOCUMENTATION / "python3.11" / "html"
COST_WORLD = "pages=4000,hosts=60,languages=en,seed=5"
COST_ROUNDS = 12
_ASK = FetchOptions(Fetching(), "plain")
_LINKS = frozenset({"a", "area", "frame", "iframe"})
_LONGEST_S = 600.0
_GOSSAMER = [str(Path(sys.executable).with_name("gossamer"))]


def measure_recording(plots: Path | None) -> dict[str, float]:
    """Compare orders on the recorded web, for each target."""
    recording = Recording(RECORDED)
    starts = tuple(f"http://{home}/" for home in HOMES)
    closes, plain_closes, beyond_parent = {}, {}, []
    for target in TARGETS:
        options = RecordingOptions(RECORDED, FOLDER / "labels.tsv", target, "university=misc", starts)
        ground = make_recording_ground(options, recording)
        race = run(["breadth", "parent", "topic", "oracle"], iter([ground]), 0)
        found = {order: summarize_order(race, order) for order in race.walks}
        _print_summary(target, race)
        _draw_plot(race, f"Orders over the recorded web: {target}", plots)
        closed = found["topic"].closes
        closes[target] = closed.mean if closed else 0.0
        low, high = measure_plain_recalls(ground, race)
        plain_closes[target] = (found["topic"].early_recall.mean - low) / (high - low)
        print(f"{target}, plain queue: {low:.3f}, plain oracle: {high:.3f}", file=sys.stderr)
        beyond_parent.append(found["topic"].early_recall.mean - found["parent"].early_recall.mean)
    return {
        "orders.closes": statistics.mean(closes.values()),
        "orders.closes_least": min(closes.values()),
        "orders.beyond_parent": min(beyond_parent),
        "orders.plain_closes": statistics.mean(plain_closes.values()),
        "orders.plain_closes_least": min(plain_closes.values()),
        **{f"orders.closes_{target}": closed for target, closed in closes.items()},
        **{f"orders.plain_closes_{target}": closed for target, closed in plain_closes.items()},
    }


def measure_plain_recalls(ground: Ground, race: OrderComparison) -> tuple[float, float]:
    """Return the mean recall over the first quarter of a plain queue and of an oracle, both without pauses."""
    (wanted,), (reachable,) = race.wanted, race.reachable
    queue, oracle = walk_plainly(ground, lambda _: False), walk_plainly(ground, ground.wanted.__contains__)
    early = [compute_recall(walk, wanted, reachable // QUARTER).mean() for walk in (queue, oracle)]
    return float(early[0]), float(early[1])


def walk_plainly(ground: Ground, is_first: Callable[[str], bool]) -> Walk:
    """Fetch all pages one by one, first in, first out; pages for which `is_first` is true go before all others."""
    asked = ground.pages
    assert callable(asked)
    numbers, fetched = count(), []
    waiting = [(not is_first(url), next(numbers), url) for url in ground.seeds]
    seen = set(ground.seeds)
    while waiting:
        url = heapq.heappop(waiting)[2]
        exchange = getattr(asked(url, _ASK), "exchange", None)
        if exchange is None:
            continue
        fetched.append(url)
        document = html.read(exchange.body, url, dict(exchange.headers).get("content-type"))
        for link in document.links:
            if link.type in _LINKS and link.url not in seen:
                seen.add(link.url)
                heapq.heappush(waiting, (not is_first(link.url), next(numbers), link.url))
    return Walk("plain", 0, fetched, 0, 0.0)


def measure_harvest(plots: Path | None) -> dict[str, float]:
    """Compare orders on worlds of the lab until a tenth of the pages is fetched."""
    model = learn_lab_topic(parse_world(WORLD, 0), TOPIC)
    grounds = (make_world_ground(parse_world(WORLD, seed), TOPIC, model) for seed in range(WORLDS))
    race = run(["breadth", "parent", "topic", "oracle"], grounds, WORLD_PAGES)
    _print_summary(TOPIC, race)
    _draw_plot(race, "Orders over worlds of the lab", plots)
    return {
        "orders.harvest": summarize_order(race, "topic").harvest.mean
        / summarize_order(race, "breadth").harvest.mean
    }


def measure_small_worlds() -> dict[str, float]:
    """Compare orders on worlds in which little can be learnt: is learning still better than the parent alone?"""
    beyond = []
    for topic in SMALL_TOPICS:
        model = learn_lab_topic(parse_world(SMALL_WORLD, 0), topic)
        grounds = (
            make_world_ground(parse_world(SMALL_WORLD, seed), topic, model) for seed in range(SMALL_WORLDS)
        )
        race = run(["breadth", "parent", "topic", "oracle"], grounds, 0)
        _print_summary(f"small worlds, {topic}", race)
        beyond.append(
            summarize_order(race, "topic").early_recall.mean
            - summarize_order(race, "parent").early_recall.mean
        )
    return {"orders.small_beyond_parent": statistics.mean(beyond)}


def _print_summary(name: str, race: OrderComparison) -> None:
    for order in race.walks:
        one = summarize_order(race, order)
        closes = f", closes {one.closes.mean:.2f}" if one.closes else ""
        print(
            f"{name}, {order}: harvest {one.harvest.mean:.3f}, recall {one.recall.mean:.3f}, "
            f"in the first quarter {one.early_recall.mean:.3f}{closes}",
            file=sys.stderr,
        )


def _draw_plot(race: OrderComparison, title: str, plots: Path | None) -> None:
    if plots is None:
        return
    longest = max(len(walk.fetched) for walks in race.walks.values() for walk in walks)
    wanted = statistics.mean(map(len, race.wanted))
    drawn = draw_harvest({order: compute_curves(race, order, longest) for order in race.walks}, wanted, title)
    (plots / f"{title.rpartition(': ')[2].replace(' ', '-')}.png").write_bytes(encode_figure(drawn, "png"))


@contextmanager
def serve_web(*arguments: str) -> Iterator[list[str]]:
    """Serve a web of the lab in its own process; yield its start pages."""
    with subprocess.Popen(
        [*_GOSSAMER, "lab", *arguments, "--json"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["seeds"]
        finally:
            server.terminate()


def crawl_cpu_s(order: str, seeds: list[str], scope: str, pages: int, model: TopicModel) -> float:
    """Crawl this number of pages, and return the CPU time of the program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "web")
        with Web(folder):
            keep_topic_model(model, folder, TOPIC)
        politeness = ["--delay", "0", "--adaptive", "0", "--no-robots", "--allow-private", "127.0.0.0/8"]
        task = ["--order", order, "--topic", TOPIC, "--scope", scope, "--pages", str(pages)]
        command = [*_GOSSAMER, "crawl", *seeds, *politeness, *task, "--web", str(folder), "--json"]
        cost = run_measured(command, Path(name, "output"), dict(os.environ), _LONGEST_S)
        if cost.exit_code:
            raise RuntimeError(Path(name, "output").read_text("utf-8")[-2_000:])
        return cost.cpu_s


def compare_cost(seeds: list[str], scope: str, model: TopicModel) -> float:
    """Return the CPU time of a page with an order that learns, relative to breadth-first."""
    best = {"breadth": float("inf"), "topic": float("inf")}
    starts = {order: min(crawl_cpu_s(order, seeds, scope, 1, model) for _ in range(4)) for order in best}
    for _ in range(COST_ROUNDS):
        for order, before in best.items():
            best[order] = min(before, crawl_cpu_s(order, seeds, scope, COST_PAGES, model) - starts[order])
    print(f"CPU of {scope}: {best} s", file=sys.stderr)
    return best["topic"] / best["breadth"]


def measure_costs() -> dict[str, float]:
    """Measure the cost of deciding on short pages of the lab and, where it is installed, on real documentation."""
    world = parse_world(COST_WORLD, 0)
    model, options = learn_lab_topic(world, TOPIC), world.options
    arguments = {"pages": options.pages, "hosts": options.hosts, "seed": options.seed, "languages": "en"}
    with serve_web(
        "serve", *(part for name, value in arguments.items() for part in (f"--{name}", str(value)))
    ) as seeds:
        found = {"orders.cost_short": compare_cost(seeds, "any", model)}
    if COST_SITE.is_dir():
        with serve_web("site", str(COST_SITE)) as seeds:
            found["orders.cost"] = compare_cost(seeds, "host", model)
    return found


def measure(plots: Path | None = None) -> dict[str, float]:
    """Measure everything; the recorded web only where it is installed."""
    recorded = measure_recording(plots) if FOLDER.is_dir() else {}
    return recorded | measure_harvest(plots) | measure_small_worlds() | measure_costs()


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="How soon orders find what is wanted, and what they cost.")
    parser.add_argument("--plots", type=Path, help="draw recall and harvest into this folder")
    plots = parser.parse_args().plots
    if plots is not None:
        plots.mkdir(parents=True, exist_ok=True)
    figures = measure(plots)
    print(json.dumps(figures, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
