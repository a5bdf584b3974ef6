"""Learning keeps copies fresh over many simulated days of a changing world, through the real crawl."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gossamer.config import Fetching, Filters, Politeness, TaskSpec
from gossamer.crawl.control.start_tasks import start_tasks
from gossamer.crawl.recrawl.page_table import read_pages
from gossamer.crawl.recrawl.revisit_plan import DuePage, Schedule
from gossamer.crawl.recrawl.revisit_rounds import schedule_visits
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.crawl.run.simulate_crawl import SimulatedNetwork
from gossamer.crawl.task.task import Task
from gossamer.fetch.fake_fetcher import FakeFetcher, make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.http.request_head import parse_target
from gossamer.freshness.change_history import DAY_S
from gossamer.lab.behaviour.page_changes import EPOCH_S
from gossamer.lab.options import Changes
from gossamer.lab.server.answer import LabRequest
from gossamer.lab.world.world import World
from gossamer.records import NotModified, Outcome
from gossamer.store.batch import TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore

DAYS = 24
MANNERS = Politeness(robots=False, delay_s=1.0, per_address=False)


class Days:
    """A web of a world with a simulated clock, crawled once and revisited every day."""

    def __init__(self, folder: Path) -> None:
        self.world = World(seed=3, hosts=6, pages=120, port=8100, changes=Changes(changes_per_day=1.5))
        self._folder = folder
        self.store = SqliteStore(folder / "state.sqlite", create=True)
        self.time = SimulatedNetwork(FakeFetcher(self._answer), float(EPOCH_S))
        spec = TaskSpec(
            seeds=tuple(self.world.seeds()),
            scope="any",
            filters=Filters(traps=False),
            politeness=MANNERS,
            fetching=Fetching(allow_private=("127.0.0.0/8",)),
        )
        self._crawl(start_tasks(self.store, [], [spec], self.time.now_s)[0])
        self.pages = {page.id: page.url for page in self.store.pages()}

    def _answer(self, url: str, ask: FetchOptions) -> Outcome:
        target = parse_target(url)
        assert target is not None
        headers = {"if-none-match": ask.etag} if ask.etag else {}
        said = self.world.answer(LabRequest("GET", target.authority, target.path, headers), self._world_s())
        return make_response(url, said.body, said.status, said.headers, ask, now_s=self.time.now_s)

    def _world_s(self) -> float:
        return self.time.now_s - EPOCH_S

    def _crawl(self, note: TaskNote) -> None:
        async def run() -> None:
            crawl = Crawl(self.store, self._folder, lambda _: None, fresh=True, simulated=self.time)
            task = Task(TaskSpec())
            crawl.resume(note, task)
            await crawl.walk(self.time, lambda: False)

        asyncio.run(run())

    def visit(self, due: list[DuePage]) -> None:
        """Visit pages now."""
        if due:
            [note] = schedule_visits(self.store, due, self.time.now_s)
            self._crawl(note)

    def fresh(self) -> float:
        """Return the share of copies that are current."""
        asked = (
            self._answer(page.url, FetchOptions(Fetching(), "", etag=page.etag))
            for page in self.store.pages()
        )
        return float(np.mean([isinstance(outcome, NotModified) for outcome in asked]))

    def live(self, choose: Callable[["Days", int], list[DuePage]], a_day: int) -> float:
        """Simulate days; return the mean freshness over the second half of them, eight hours after visits."""
        seen = []
        for day in range(1, DAYS + 1):
            self.time.now_s = EPOCH_S + day * DAY_S
            self.visit(choose(self, a_day))
            if day > DAYS // 2:
                self.time.now_s = EPOCH_S + (day + 1 / 3) * DAY_S
                seen.append(self.fresh())
        return float(np.mean(seen))


def by_schedule(days: Days, most: int) -> list[DuePage]:
    """Choose the most valuable pages, by learnt rates."""
    schedule = Schedule(read_pages(days.store, rank_of=lambda ids: np.zeros(len(ids))), {1: MANNERS})
    return schedule.find_due(days.time.now_s, most, schedule.share_budget(1e9))


def by_turns(days: Days, most: int) -> list[DuePage]:
    """Choose the pages not visited for longest."""
    pages = read_pages(days.store, rank_of=lambda ids: np.zeros(len(ids)))
    oldest = pages.ids[np.argsort(pages.seen_s, kind="stable")][:most]
    return [DuePage(page, 1.0, 0.1, 1.0, 0.5, 1.0, False, 0) for page in oldest.tolist()]


@pytest.mark.slow
def test_learnt_rates_keep_copies_fresher_than_visits_in_turn(tmp_path: Path) -> None:
    found = {}
    for name, choose in {"schedule": by_schedule, "turns": by_turns}.items():
        (tmp_path / name).mkdir()
        days = Days(tmp_path / name)
        a_day = len(days.pages) // 10
        found[name] = days.live(choose, a_day)
        if name == "schedule":
            pages = read_pages(days.store, rank_of=lambda ids: np.zeros(len(ids)))
            rates = Schedule(pages, {1: MANNERS}).rates.mean
            truth = [
                len(known.change_times) / DAYS
                for url in (days.pages[page] for page in pages.ids.tolist())
                if (known := days.world.page(url, DAYS * DAY_S)) is not None
            ]
            often = np.array(truth) > np.median(truth)
            assert rates.mean() == pytest.approx(np.mean(truth), rel=0.5)
            assert rates[often].mean() > 1.3 * rates[~often].mean()
        days.store.close()
    # Measured: 1.15, and 1.18 as the mean of five worlds.
    assert found["schedule"] > 1.1 * found["turns"], found
