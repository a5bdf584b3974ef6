"""Measure the order `topic` on webs of several kinds (`grounds.py`), against best-first by parent relevance.

    python bench/focus.py [--webs articles,python] [--draws 5] [--targets 3] [--keep walks.json]

For each web, each of its largest classes and each draw of training pages (at most 30 of the class, 60 others), the orders
breadth, parent, topic and oracle fetch a quarter of the reachable pages, at most 900. `closes` is where the mean recall of a
walk lies between breadth-first (0) and the oracle (1). The difference between topic and parent is paired by class and draw;
its 95 % interval is over the draws.

`few` are topics from one text, from three pages and from a query, against general words or the first pages of a crawl, as
before a first crawl: the harvest against breadth-first's, and how much of the way to the oracle it closes.

All of it takes about an hour. With `--keep FILE` each walk is written there when it ends, and walks that the file has are not
walked again: a run that was stopped continues. Remove the file after a change of the code.
"""

import argparse
import json
import math
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from gossamer.assess.orders.compare_orders import Ground, Walk, walk_order
from gossamer.assess.orders.order_curves import QUARTER, compute_recall, estimate_mean
from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.text.topics.train_topic import choose_kind
from gossamer.topic_training.example_sources import write_general_texts
from gossamer.topic_training.query_topic import QueryPages, train_on_query
from grounds import TEXTS, LabelledWeb, draw_examples, list_webs, make_ground, read_web

LONGEST_WALK = 900
EXAMPLES, AGAINST = 30, 60
DRAWS = 5
TARGETS = 3
FEW_PAGES = 3
FIRST_CRAWL = 150
"""Pages of the crawl that a query is asked in."""
QUERY_RESULTS = 10
HALF_WAY = 0.5
SOURCES = ("text", "pages", "query")


class FewResult(msgspec.Struct, frozen=True):
    """Wanted pages that walks of three orders found, with a topic of few examples."""

    web: str
    target: str
    source: str
    breadth: int
    topic: int
    oracle: int

    @property
    def reached(self) -> float:
        """The harvest as a share of what is asked for: twice breadth-first's, or half of the way to the oracle.

        The latter only where breadth-first finds more than half of what the oracle does, so that twice is impossible.
        """
        doubled = self.topic / max(1, 2 * self.breadth)
        half_way = (self.topic - self.breadth) / max(1.0, HALF_WAY * (self.oracle - self.breadth))
        return max(doubled, half_way) if 2 * self.breadth > self.oracle else doubled


class KeptWalks:
    """Figures of walks that have ended, in a file of JSON if one is named."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._found: dict[str, tuple[float, int]] = {}
        if path is not None and path.exists():
            self._found = json.loads(path.read_bytes())

    def measure(self, name: str, walk: Callable[[], tuple[float, int]]) -> tuple[float, int]:
        """Return the figures of a walk by its name; walk if there are none."""
        if name not in self._found:
            self._found[name] = walk()
            if self._path is not None:
                self._path.write_text(json.dumps(self._found, indent=0))
        return self._found[name]


class Course(msgspec.Struct, frozen=True):
    """A web to walk on: its pages as breadth-first finds them, and walks that have ended."""

    web: LabelledWeb
    reachable: list[str]
    kept: KeptWalks

    @property
    def most(self) -> int:
        """Pages that a walk fetches."""
        return min(LONGEST_WALK, len(self.reachable) // QUARTER)

    def measure_walk(self, order: str, ground: Ground, name: str, seed: int = 0) -> tuple[float, int]:
        """Return the mean recall of a walk, and the wanted pages that it found.

        Breadth-first knows no topic: its walks are the beginning of the one that found the reachable pages.
        """
        if order == "breadth":
            return self._measure(Walk(order, seed, self.reachable[: self.most], 0, 0.0), ground)
        return self.kept.measure(
            f"{self.web.name} {name} {order}",
            lambda: self._measure(walk_order(order, ground, self.most, seed), ground),
        )

    def _measure(self, walk: Walk, ground: Ground) -> tuple[float, int]:
        wanted = ground.wanted & frozenset(self.reachable)
        recall = float(compute_recall(walk, wanted, self.most).mean())
        return recall, sum(url in wanted for url in walk.fetched)


def measure_web(course: Course, draws: int, targets: int) -> dict[str, float]:
    """Compare the orders on one web."""
    closes: dict[str, list[float]] = {"parent": [], "topic": []}
    for draw in range(draws):
        rows = [_measure_draw(course, target, draw) for target in course.web.list_targets(targets)]
        for order, found in closes.items():
            found.append(statistics.mean(row[order] for row in rows))
    means = {order: statistics.mean(found) for order, found in closes.items()}
    beyond = estimate_mean(
        [topic - parent for topic, parent in zip(closes["topic"], closes["parent"], strict=True)]
    )
    print(
        f"{course.web.name}: parent closes {means['parent']:.3f}, topic {means['topic']:.3f}, "
        f"beyond parent {beyond.mean:+.3f} ± {beyond.within:.3f}",
        file=sys.stderr,
        flush=True,
    )
    return {**means, "beyond": beyond.mean, "within": beyond.within}


def _measure_draw(course: Course, target: str, draw: int) -> dict[str, float]:
    web = course.web
    about, against = draw_examples(web, target, draw, EXAMPLES, AGAINST)
    model = train_topic([web.read_example(url) for url in about], [web.read_example(url) for url in against])
    ground = make_ground(web, target, model, frozenset(about))
    recall = {
        order: course.measure_walk(order, ground, f"{target} draw {draw}", draw)[0]
        for order in ("breadth", "parent", "topic", "oracle")
    }
    reach = recall["oracle"] - recall["breadth"]
    return {order: (recall[order] - recall["breadth"]) / reach for order in ("parent", "topic")}


def measure_few(course: Course, source: str, targets: int) -> list[FewResult]:
    """Walk one web with topics of few examples from one source, one class after the other."""
    results = []
    for target in course.web.list_targets(targets):
        if target not in TEXTS:
            continue
        model, known = train_few(course.web, course.reachable, target, source)
        ground = make_ground(course.web, target, model, frozenset(known))
        found = [
            course.measure_walk(order, ground, f"{target} from {source}")[1]
            for order in ("breadth", "topic", "oracle")
        ]
        one = FewResult(course.web.name, target, source, *found)
        results.append(one)
        print(f"{one}: {one.reached:.2f} of what is asked for", file=sys.stderr, flush=True)
    return results


def sum_up(results: list[FewResult]) -> float:
    """Return what all walks of one web reached together."""
    total = [sum(getattr(one, order) for one in results) for order in ("breadth", "topic", "oracle")]
    return FewResult(results[0].web, "", results[0].source, *total).reached


def train_few(
    web: LabelledWeb, reachable: list[str], target: str, source: str
) -> tuple[TopicModel, list[str]]:
    """Train a topic as a person would who has a text, three pages, or a small crawl and a query."""
    if source == "query":
        return _train_from_query(web, reachable[:FIRST_CRAWL], TEXTS[target])
    known = draw_examples(web, target, 0, FEW_PAGES, 0)[0] if source == "pages" else []
    about = [web.read_example(url) for url in known] or [Example(TEXTS[target])]
    general = write_general_texts(about)
    return train_topic(about, general, choose_kind(len(about)), 0.5, len(general)), known


def _train_from_query(web: LabelledWeb, pages: list[str], query: str) -> tuple[TopicModel, list[str]]:
    """Search a small crawl: the pages that have most words of the query are found, rare words count more."""
    texts = {url: web.read_example(url) for url in pages}
    words = {url: set(one.text.lower().split()) for url, one in texts.items()}
    wanted = {word.strip(",:") for word in query.lower().split()}
    having = {word: sum(word in one for one in words.values()) for word in wanted}
    rarity = {word: math.log((1 + len(pages)) / (1 + number)) for word, number in having.items()}
    ranked = sorted(pages, key=lambda url: -math.fsum(rarity[word] for word in wanted & words[url]))
    found, others = (
        [texts[url] for url in part] for part in (ranked[:QUERY_RESULTS], ranked[QUERY_RESULTS:])
    )
    return train_on_query(QueryPages(query, found, others)), []


def measure(
    webs: list[str] | None = None, draws: int = DRAWS, targets: int = TARGETS, keep: Path | None = None
) -> dict[str, float]:
    """Measure everything; webs whose sources are not installed are left out."""
    kept = KeptWalks(keep)
    webs = webs or list_webs()
    found, few = {}, []
    for name in webs:
        web = read_web(name)
        ground = make_ground(web, "", None, frozenset())
        course = Course(web, walk_order("breadth", ground, 0).fetched, kept)
        found[name] = measure_web(course, draws, targets)
        few += [one for source in SOURCES for one in measure_few(course, source, targets)]
    return {
        "focus.beyond_parent": statistics.mean(one["beyond"] for one in found.values()),
        "focus.beyond_parent_least": min(one["beyond"] for one in found.values()),
        "focus.closes": statistics.mean(one["topic"] for one in found.values()),
        **{f"focus.beyond_parent_{name}": one["beyond"] for name, one in found.items()},
        **{
            f"focus.few_{source}_{name}": sum_up(
                [one for one in few if (one.web, one.source) == (name, source)]
            )
            for source in SOURCES
            for name in webs
        },
    }


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="How well the order topic does on webs of several kinds.")
    parser.add_argument("--webs", default=",".join(list_webs()), help="names of webs, separated by commas")
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws of training pages")
    parser.add_argument("--targets", type=int, default=TARGETS, help="classes of each web")
    parser.add_argument("--keep", type=Path, help="a file for the figures of walks that have ended")
    chosen = parser.parse_args()
    print(json.dumps(measure(chosen.webs.split(","), chosen.draws, chosen.targets, chosen.keep), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
