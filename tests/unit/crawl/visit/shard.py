"""A shard for unit tests: real frontier, tasks and batch, a fetcher without a network, a clock that is set by hand."""

import math
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.task import Task
from gossamer.crawl.visit.shard_context import ShardContext, ShardMemory
from gossamer.fetch.fake_fetcher import FakeFetcher, make_response
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.seen_set import SeenSet
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.net import url as urls
from gossamer.records import Exchange, Fetched, HostNote, Request
from gossamer.store.batch import TaskNote

NOON_S = 1_800_000_000.0
START = "http://a.example/"


class TestShard:
    """One shard with one task, number 1, that starts at `START`."""

    __test__ = False

    def __init__(self, **options: Any) -> None:
        self.now_s = NOON_S
        self.events: list[Any] = []
        self.fetcher = FakeFetcher({}, clock=self.clock)
        numbers: Iterator[int] = count(1)
        memory = ShardMemory(_no_host, None, None, numbers, -math.inf)  # type: ignore[arg-type]
        self.context = ShardContext(
            Frontier(),
            self.fetcher,
            RobotsCache(self.fetcher, self.clock),
            TrapDetector(),
            self.clock,
            self.events.append,
            memory,
        )
        usual: dict[str, Any] = {"scope": "host", "delay_s": 1.0, "robots": False}
        self.task = Task(seeds=[START], **usual | options)
        note = TaskNote(1, "test", msgspec.json.encode(self.task.spec))
        self.running = RunningTask(note, self.task, (START,), SeenSet(), self.context.traps, NOON_S)
        self.context.tasks[1] = self.running
        self.context.frontier.set_task(1, 1.0, self.task.spec.politeness)

    def clock(self) -> float:
        return self.now_s

    def take(self, url: str = START, **fields: Any) -> Request:
        """Queue a request and take it from the frontier, as the loop does."""
        wanted = Request(urls.page_id(url), url, urls.host(url), 1, **fields)
        self.context.add_requests([wanted])
        taken = self.context.frontier.take(self.now_s)
        assert taken is not None
        self.context.turns.begin(taken, self.running)
        return taken


def _no_host(_: str) -> HostNote | None:
    return None


def fetch(url: str, body: str = "", **fields: Any) -> Exchange:
    """Return the exchange of a page that was fetched."""
    outcome = make_response(url, body, now_s=NOON_S, **fields)
    assert isinstance(outcome, Fetched)
    return outcome.exchange
