"""Measure orders: how soon they find pages of a kind on a recorded web and on the lab's, and what deciding costs.

    python bench/orders.py [--plots DIR]

The recorded web is walked from the home pages of four departments, targets in turn, each topic learnt from pages of
other universities only. `closes` says where the mean recall over the first quarter of the reachable pages lies between
breadth-first (0) and an oracle that knows every link's class (1), all in the real frontier, whose pauses hold for all of
them; `plain_closes` the same against a plain first-in-first-out queue and an oracle that never has to wait for a host,
which is harder by far. The lab's worlds have topic locality 0.5, and 2 % of their pages are relevant; in small ones there
is little to learn from, and best-first by parent relevance is hard to beat. The cost is CPU a
page of crawls over loopback, start-up taken off, the best of several rounds by turns: of all of Python's documentation,
and of short pages of the lab, part of a larger world.
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
from watched import run_watched

FOLDER = DATA.parent / "webkb"
RECORDED = FOLDER / "webkb.warc.gz"
HOMES = ("www.cs.cornell.edu", "www.cs.wisc.edu", "www.cs.utexas.edu", "www.cs.washington.edu")
TARGETS = ("course", "faculty", "project", "student")
WORLD = "pages=5000,hosts=80,topic_locality=0.5,languages=en de fr es it"
WORLDS = 2
WORLD_PAGES = 400
"""A tenth of what can be reached in such a world."""
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


def replayed(plots: Path | None) -> dict[str, float]:
    """Let orders walk over the recorded web, for each target."""
    recording = Recording(RECORDED)
    starts = tuple(f"http://{home}/" for home in HOMES)
    closes, plain_closes, beyond_parent = {}, {}, []
    for target in TARGETS:
        told = RecordingOptions(RECORDED, FOLDER / "labels.tsv", target, "university=misc", starts)
        ground = make_recording_ground(told, recording)
        race = run(["breadth", "parent", "topic", "oracle"], iter([ground]), 0)
        found = {order: summarize_order(race, order) for order in race.walks}
        _tell(target, race)
        _draw(race, f"Orders over the recorded web: {target}", plots)
        closed = found["topic"].closes
        closes[target] = closed.mean if closed else 0.0
        low, high = plain_recalls(ground, race)
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


def plain_recalls(ground: Ground, race: OrderComparison) -> tuple[float, float]:
    """Return the mean recall over the first quarter of a plain queue, and of an oracle, where nobody has to wait."""
    (wanted,), (reachable,) = race.wanted, race.reachable
    queue, oracle = plain_walk(ground, lambda _: False), plain_walk(ground, ground.wanted.__contains__)
    early = [compute_recall(walk, wanted, reachable // QUARTER).mean() for walk in (queue, oracle)]
    return float(early[0]), float(early[1])


def plain_walk(ground: Ground, is_first: Callable[[str], bool]) -> Walk:
    """Fetch all pages one by one, first in, first out, but those before all others that go first."""
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


def harvested(plots: Path | None) -> dict[str, float]:
    """Let orders walk over worlds of the lab until a tenth is fetched."""
    model = learn_lab_topic(parse_world(WORLD, 0), TOPIC)
    grounds = (make_world_ground(parse_world(WORLD, seed), TOPIC, model) for seed in range(WORLDS))
    race = run(["breadth", "parent", "topic", "oracle"], grounds, WORLD_PAGES)
    _tell(TOPIC, race)
    _draw(race, "Orders over worlds of the lab", plots)
    return {
        "orders.harvest": summarize_order(race, "topic").harvest.mean
        / summarize_order(race, "breadth").harvest.mean
    }


def in_small_worlds() -> dict[str, float]:
    """Let orders walk over worlds in which little can be learnt: is learning still better than the parent alone?"""
    beyond = []
    for topic in SMALL_TOPICS:
        model = learn_lab_topic(parse_world(SMALL_WORLD, 0), topic)
        grounds = (
            make_world_ground(parse_world(SMALL_WORLD, seed), topic, model) for seed in range(SMALL_WORLDS)
        )
        race = run(["breadth", "parent", "topic", "oracle"], grounds, 0)
        _tell(f"small worlds, {topic}", race)
        beyond.append(
            summarize_order(race, "topic").early_recall.mean
            - summarize_order(race, "parent").early_recall.mean
        )
    return {"orders.small_beyond_parent": statistics.mean(beyond)}


def _tell(name: str, race: OrderComparison) -> None:
    for order in race.walks:
        one = summarize_order(race, order)
        closes = f", closes {one.closes.mean:.2f}" if one.closes else ""
        print(
            f"{name}, {order}: harvest {one.harvest.mean:.3f}, recall {one.recall.mean:.3f}, "
            f"in the first quarter {one.early_recall.mean:.3f}{closes}",
            file=sys.stderr,
        )


def _draw(race: OrderComparison, title: str, plots: Path | None) -> None:
    if plots is None:
        return
    longest = max(len(walk.fetched) for walks in race.walks.values() for walk in walks)
    wanted = statistics.mean(map(len, race.wanted))
    drawn = draw_harvest({order: compute_curves(race, order, longest) for order in race.walks}, wanted, title)
    (plots / f"{title.rpartition(': ')[2].replace(' ', '-')}.png").write_bytes(encode_figure(drawn, "png"))


@contextmanager
def served(*told: str) -> Iterator[list[str]]:
    """Serve a web of the lab in a process of its own; give its start pages."""
    with subprocess.Popen([*_GOSSAMER, "lab", *told, "--json"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())["seeds"]
        finally:
            server.terminate()


def cpu_s(order: str, seeds: list[str], scope: str, pages: int, model: TopicModel) -> float:
    """Crawl so many pages, and return the CPU time of the program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "web")
        with Web(folder):
            keep_topic_model(model, folder, TOPIC)
        manners = ["--delay", "0", "--adaptive", "0", "--no-robots", "--allow-private", "127.0.0.0/8"]
        wish = ["--order", order, "--topic", TOPIC, "--scope", scope, "--pages", str(pages)]
        told = [*_GOSSAMER, "crawl", *seeds, *manners, *wish, "--web", str(folder), "--json"]
        cost = run_watched(told, Path(name, "said"), dict(os.environ), _LONGEST_S)
        if cost.exit_code:
            raise RuntimeError(Path(name, "said").read_text("utf-8")[-2_000:])
        return cost.cpu_s


def cost(seeds: list[str], scope: str, model: TopicModel) -> float:
    """Measure what a page takes with an order that learns, against breadth-first."""
    best = {"breadth": float("inf"), "topic": float("inf")}
    starts = {order: min(cpu_s(order, seeds, scope, 1, model) for _ in range(4)) for order in best}
    for _ in range(COST_ROUNDS):
        for order, before in best.items():
            best[order] = min(before, cpu_s(order, seeds, scope, COST_PAGES, model) - starts[order])
    print(f"CPU of {scope}: {best} s", file=sys.stderr)
    return best["topic"] / best["breadth"]


def costs() -> dict[str, float]:
    """Measure what deciding costs on short pages of the lab, and, where it is at hand, on real documentation."""
    world = parse_world(COST_WORLD, 0)
    model, options = learn_lab_topic(world, TOPIC), world.options
    told = {"pages": options.pages, "hosts": options.hosts, "seed": options.seed, "languages": "en"}
    with served(
        "serve", *(part for name, value in told.items() for part in (f"--{name}", str(value)))
    ) as seeds:
        found = {"orders.cost_short": cost(seeds, "any", model)}
    if COST_SITE.is_dir():
        with served("site", str(COST_SITE)) as seeds:
            found["orders.cost"] = cost(seeds, "host", model)
    return found


def measure(plots: Path | None = None) -> dict[str, float]:
    """Measure everything; the recorded web only where it is at hand."""
    recorded = replayed(plots) if FOLDER.is_dir() else {}
    return recorded | harvested(plots) | in_small_worlds() | costs()


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
