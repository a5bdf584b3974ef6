"""Measure the forecast of a crawl's end: in ten worlds of known size, how far it is off when half of the time has passed.

    python bench/forecast.py [--json] [--worlds 3] [--seeds 21 22 23]

The crawls are simulated (`crawl.run.simulate_crawl`): the real path, frontier and store over the lab's pages, with pauses
by a clock that jumps. The worlds differ in size, hosts, pauses, scope and limits. At each step of a crawl a forecast is
made from what is known then; afterwards the one at half of the true time is compared with the truth. `within` is the share
of all forecasts between a fifth and nine tenths of the time whose range has the true end.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from gossamer import config
from gossamer.cli.lab.compare_worlds import make_fetch
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork
from gossamer.crawl.status.forecast import ForecastSigns, Moment, forecast, thin_out
from gossamer.crawl.status.status_records import Forecast
from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.fetch.fake_fetcher import FakeFetcher
from gossamer.lab.world.world import World
from gossamer.store.sqlite.sqlite_store import SqliteStore

FROM, UNTIL = 0.2, 0.9


class GroundTruth(msgspec.Struct, frozen=True):
    """A world, and how it is crawled."""

    name: str
    world: dict[str, Any]
    task: dict[str, Any] = {}
    sites: int = 0
    """How many of the start pages are used; 0 for all."""


WORLDS = [
    GroundTruth("small", {"pages": 150, "hosts": 3}, {"delay_s": 1.0}),
    GroundTruth("one host", {"pages": 250, "hosts": 1}, {"delay_s": 2.0}, 1),
    GroundTruth("many hosts", {"pages": 500, "hosts": 60}, {"delay_s": 1.0}),
    GroundTruth("one site of many", {"pages": 500, "hosts": 12}, {"delay_s": 0.5, "scope": "host"}, 1),
    GroundTruth("few large hosts", {"pages": 500, "hosts": 6}, {"delay_s": 0.2}),
    GroundTruth("page limit", {"pages": 500, "hosts": 20}, {"delay_s": 1.0, "pages": 150}),
    GroundTruth("time limit", {"pages": 500, "hosts": 20}, {"delay_s": 1.0, "time_s": 15.0}),
    GroundTruth("depth limit", {"pages": 600, "hosts": 30}, {"delay_s": 1.0, "depth": 3}),
    GroundTruth("byte limit", {"pages": 500, "hosts": 10}, {"delay_s": 1.0, "body_bytes": 1_200_000}),
    GroundTruth("budget for each host", {"pages": 500, "hosts": 40}, {"delay_s": 1.0, "per_host": 8}),
]


class Step(msgspec.Struct, frozen=True):
    """What was forecast after some time."""

    elapsed_s: float
    pages: int
    found: Forecast | None


def crawl_world(truth: GroundTruth, seed: int = 1) -> list[Step]:
    """Crawl a world in simulated time; return the forecasts, and the end as the last step."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_crawl(truth, seed, Path(folder)))


async def _crawl(truth: GroundTruth, seed: int, folder: Path) -> list[Step]:
    world = World(seed=seed, **truth.world)
    seeds = world.seeds()[: truth.sites or None]
    options = {"scope": "any", "adaptive": 0.0, "robots": False, "per_address": False, "bodies": False}
    spec = config.from_options(seeds=seeds, allow_private=["127.0.0.0/8"], **options | truth.task)
    simulated = SimulatedNetwork(FakeFetcher(make_fetch(world)))
    store = SqliteStore(folder / "state.sqlite", create=True)
    try:
        [note] = start_tasks(store, [], [spec], 0.0)
        crawl = Crawl(store, folder, lambda _: None, fresh=True, simulated=simulated)
        task = crawl.resume(note, Task(spec))
        observer = Observer(task, crawl, store, simulated)
        await crawl.walk(simulated, observer.is_over)
        return observer.end()
    finally:
        store.close()


class Observer:
    """Notes the counts of a crawl as it goes on, and makes forecasts."""

    def __init__(
        self, task: RunningTask, crawl: Crawl, store: SqliteStore, simulated: SimulatedNetwork
    ) -> None:
        self._task = task
        self._shard = crawl._shard
        self._store = store
        self._simulated = simulated
        self._moments: list[Moment] = [Moment(0.0, 0, 0, 0)]
        self._steps: list[Step] = []
        self._next, self._next_s = 10, 0.3

    def is_over(self) -> bool:
        """Take a look; say whether a limit is reached."""
        tally = self._task.tally
        if tally["finished"] > self._moments[-1].finished:
            self._moments.append(self._look())
        if tally["finished"] >= self._next or self._simulated.now_s >= self._next_s:
            self._next = tally["finished"] + max(1, tally["finished"] // 20)
            self._next_s = self._simulated.now_s * 1.04 + 0.3
            self._steps.append(Step(self._simulated.now_s, tally["downloaded"], forecast(self._read_signs())))
        return bool(self._task.find_reached_limit(self._simulated.now_s))

    def end(self) -> list[Step]:
        """Return the forecasts, and the end as the last step."""
        return [*self._steps, Step(self._simulated.now_s, self._task.tally["downloaded"], None)]

    def _look(self) -> Moment:
        tally = self._task.tally
        return Moment(
            self._simulated.now_s, tally["finished"], tally["queued"], tally["downloaded"], tally["bytes"]
        )

    def _read_signs(self) -> ForecastSigns:
        spec, tally = self._task.spec, self._task.tally
        waiting = Counter({one.name: one.waiting for one in self._store.hosts_by("waiting", -1)})
        waiting.update({host: more for (host, _), more in self._shard.pending.count_waiting().items()})
        budgets = 0
        if spec.limits.per_host:
            spent = self._task.host_pages
            rooms = {
                host: spec.limits.per_host - spent[host]
                for host in waiting
                if host not in self._task.full_hosts
            }
            budgets = sum(max(0, room) for room in rooms.values())
            waiting = Counter({host: min(left, max(0, rooms.get(host, 0))) for host, left in waiting.items()})
        moments = self._moments
        if moments[-1].elapsed_s < self._simulated.now_s:
            moments = [*moments, self._look()]
        return ForecastSigns(
            thin_out(moments),
            tally.outstanding,
            [(left, spec.politeness.delay_s) for left in waiting.values() if left > 0],
            self._count_by_depth(spec.limits.depth) if spec.limits.depth >= 0 else (),
            spec.limits.pages,
            spec.limits.body_bytes,
            spec.limits.time_s,
            tally["queued"] + tally["seen"],
            budgets,
        )

    def _count_by_depth(self, limit: int) -> list[int]:
        """Count the requests that are left at each depth."""
        pending = self._shard.pending
        finished = pending.list_finished_numbers()
        left = Counter(
            one.depth
            for one in (*self._store.all_requests(), *pending.batch.requests)
            if one.number not in finished
        )
        return [left[depth] for depth in range(limit + 1)]


def judge(steps: list[Step]) -> tuple[float, float, float]:
    """Return by how much the forecast at half-time is off, in time and pages, and the share of ranges with the truth."""
    end = steps[-1]
    half = min(steps[:-1], key=lambda step: abs(step.elapsed_s - end.elapsed_s / 2))
    if half.found is None:
        return 1.0, 1.0, 0.0
    off = abs(half.elapsed_s + half.found.left_s - end.elapsed_s) / end.elapsed_s
    off_pages = abs(half.found.pages - end.pages) / end.pages
    middle = [
        (step.found, end.elapsed_s - step.elapsed_s)
        for step in steps[:-1]
        if step.found and FROM * end.elapsed_s <= step.elapsed_s <= UNTIL * end.elapsed_s
    ]
    within = sum(found.least_s - 1e-6 <= left_s <= found.most_s + 1e-6 for found, left_s in middle)
    return off, off_pages, within / max(1, len(middle))


def measure(worlds: int = len(WORLDS), seeds: Sequence[int] = (1,)) -> dict[str, float]:
    """Crawl the worlds, and compare each forecast at half-time with the truth."""
    found = []
    for truth in WORLDS[:worlds]:
        for seed in seeds:
            steps = crawl_world(truth, seed)
            found.append(judge(steps))
            off, off_pages, within = found[-1]
            print(
                f"{truth.name}: {steps[-1].pages} pages in {steps[-1].elapsed_s:.0f} s; at half-time off by {off:.1%} of the "
                f"time and {off_pages:.1%} of the pages; {within:.0%} within",
                file=sys.stderr,
            )
    return {
        "forecast.worst_time": max(off for off, _, _ in found),
        "forecast.time_within_a_quarter": sum(off <= 0.25 for off, _, _ in found) / len(found),
        "forecast.worst_pages": max(off for _, off, _ in found),
        "forecast.within": sum(within for _, _, within in found) / len(found),
    }


def main() -> int:
    """Print the figures."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--worlds", type=int, default=len(WORLDS))
    asked.add_argument("--seeds", type=int, nargs="+", default=[1], help="worlds to make of each kind")
    given = asked.parse_args()
    figures = measure(given.worlds, given.seeds)
    print(
        json.dumps(figures)
        if given.json
        else "\n".join(f"{name} {value:.3f}" for name, value in figures.items())
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
