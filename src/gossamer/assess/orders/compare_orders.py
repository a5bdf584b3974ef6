"""Walks of several orders over the same web, by the real crawl and a simulated clock."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gossamer import config
from gossamer.atomic_file import make_temporary_folder
from gossamer.config import Fetching, Filters, Keeping, Politeness, TaskSpec
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.events import PageVisited
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork
from gossamer.crawl.task.make_guide import make_guide
from gossamer.crawl.task.task import Task
from gossamer.fetch.fake_fetcher import FakeFetcher, Pages
from gossamer.order.link_guide import Guide, GuideOptions
from gossamer.order.order_expression import WeightedTerm
from gossamer.order.terms.fixed_terms import FixedTerm, score_nearness
from gossamer.order.terms.order_term import NewLink, PageView, Topic
from gossamer.store.sqlite.sqlite_store import SqliteStore

ORACLE = "oracle"
"""An order that knows whether each link leads to a wanted page; of the other links the nearest goes first."""
PARENT = "parent"
"""Best-first by parent relevance: `topic` with soft focus."""


class Ground(msgspec.Struct, frozen=True):
    """What orders are compared on: the pages of a web, start URLs, wanted pages, and the topic to find them by."""

    pages: Pages
    seeds: tuple[str, ...]
    wanted: frozenset[str]
    """URLs in canonical form."""
    topic: Topic | None = None


class Walk(msgspec.Struct, frozen=True):
    """The pages that one order fetched, in sequence."""

    order: str
    seed: int
    fetched: list[str]
    """URLs of the pages that exist."""
    failed: int
    """Fetches of pages that do not exist."""
    took_s: float
    """Simulated time: pauses are kept."""


class OracleTerm(FixedTerm):
    """The term of the oracle."""

    def __init__(self, wanted: frozenset[str]) -> None:
        super().__init__(score_nearness)
        self._wanted = wanted

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return 1 for links to wanted pages, and for the others less the farther they are."""
        return [1.0 if one.link.url in self._wanted else score_nearness(page) for one in new]


def make_compared_guide(order: str, ground: Ground, seed: int) -> Guide | None:
    """Make the guide of an order by its name in comparisons, such as `topic:soft`; None if it needs none."""
    if order == ORACLE:
        return Guide(GuideOptions((WeightedTerm(ORACLE),)), {ORACLE: OracleTerm(ground.wanted)})
    name, _, focus = ("topic:soft" if order == PARENT else order).partition(":")
    spec = config.from_options(order=name, focus=focus or "learn", seeds=list(ground.seeds))
    return make_guide(spec, ground.topic, seed)


def walk_order(order: str, ground: Ground, most: int, seed: int = 0) -> Walk:
    """Crawl with one order until `most` pages are fetched (0 for all), or no link is left."""
    with make_temporary_folder(Path(tempfile.gettempdir())) as folder:
        return asyncio.run(_walk_order(order, ground, most, seed, folder))


async def _walk_order(order: str, ground: Ground, most: int, seed: int, folder: Path) -> Walk:
    fetched: list[str] = []
    failed = 0

    def record_event(event: object) -> None:
        nonlocal failed
        if isinstance(event, PageVisited):
            if event.result == "fetched":
                fetched.append(event.url)
            else:
                failed += 1

    guide = make_compared_guide(order, ground, seed)
    simulated = SimulatedNetwork(FakeFetcher(ground.pages))
    store = SqliteStore(folder / "state.sqlite", create=True)
    try:
        spec = _make_spec(order if guide is None else "near", ground)
        (note,) = start_tasks(store, [], [spec], 0.0)
        crawl = Crawl(store, folder, record_event, fresh=True, simulated=simulated)
        task = Task(spec)
        task.guide = guide
        crawl.resume(note, task)
        await crawl.walk(simulated, lambda: bool(most) and len(fetched) >= most)
    finally:
        store.close()
    return Walk(order, seed, fetched, failed, simulated.now_s)


def _make_spec(order: str, ground: Ground) -> TaskSpec:
    return TaskSpec(
        seeds=ground.seeds,
        scope="any",
        order=order,
        filters=Filters(traps=False),
        politeness=Politeness(robots=False, per_address=False),
        fetching=Fetching(allow_private=("127.0.0.0/8",)),
        keeping=Keeping(bodies=False, links=False),
    )
