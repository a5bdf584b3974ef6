"""Report the status of a shard about once a second, for those who look at the crawl from elsewhere."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from gossamer.crawl.events import Notice
from gossamer.crawl.loop.visit_step import name_step
from gossamer.crawl.status.status_file import StatusSink, find_place
from gossamer.crawl.status.status_records import ShardStatus, VisitUnderWay
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.records import Request
from gossamer.store.batch import TaskState

REPORT_S = 1.0
RATE_S = 10.0
"""Rates are those of the last seconds, of which some have fewer pages than others."""
MOST_VISITS, MOST_TURNS, MOST_NOTICES = 200, 200, 20
_LONGEST_NOTICE = 500
_LOOK_S = 0.25

Visits = Mapping["asyncio.Task[None]", tuple[Request, float]]


class StatusReporter:
    """Collects the status of a shard and publishes it."""

    def __init__(
        self, shard: ShardContext, visits: Visits, sink: StatusSink, stall: Callable[[], str]
    ) -> None:
        self._shard = shard
        self._visits = visits
        """The visits under way, the oldest first, each with the time when it began."""
        self._sink = sink
        self._stall = stall
        self._name = f"{shard.territory.shard + 1}" if shard.territory.shards > 1 else ""
        self._notices: deque[tuple[float, str]] = deque(maxlen=MOST_NOTICES)
        self._moments: deque[tuple[float, dict[int, tuple[int, int]]]] = deque()
        self._states: dict[int, TaskState] = {}
        self._due_s = 0.0
        self._reporting: asyncio.Task[None] | None = None
        watch = shard.watch

        def observe(event: Any) -> None:
            if type(event) is Notice:
                self._notices.append((event.when_s, event.text[:_LONGEST_NOTICE]))
            watch(event)

        shard.watch = observe

    def start(self) -> None:
        """Report from now on, also while the shard waits for its store."""
        self._reporting = asyncio.create_task(self._report_again())

    def stop(self) -> None:
        """Report no more: the shard has ended."""
        if self._reporting is not None and not self._reporting.cancel():
            self._reporting.result()
        self._sink.remove()

    async def _report_again(self) -> None:
        while True:
            self.report_if_due()
            await asyncio.sleep(_LOOK_S)

    def report_if_due(self) -> None:
        """Report if a second has passed, or at once if the state of a task has changed."""
        now_s = self._shard.clock()
        states = {task.number: task.state for task in self._shard.tasks.values()}
        if now_s >= self._due_s or states != self._states:
            self._states, self._due_s = states, now_s + REPORT_S
            self._measure(now_s)
            self.report()

    def report(self) -> None:
        """Publish the status now."""
        self._sink.publish(self._collect(self._shard.clock()))

    def report_block(self) -> None:
        """Publish from another thread that the event loop is blocked: the visits are those of the last report."""
        self._sink.publish(self._collect(self._shard.clock(), blocked=True))

    def _measure(self, now_s: float) -> None:
        counts = {
            task.number: (task.tally["downloaded"], task.tally["bytes"])
            for task in self._shard.tasks.values()
        }
        self._moments.append((now_s, counts))
        while len(self._moments) > 2 and self._moments[1][0] <= now_s - RATE_S:
            self._moments.popleft()

    def _find_rates(self) -> dict[int, tuple[float, float]]:
        """Return pages and bytes a second of each task."""
        if len(self._moments) < 2:
            return {}
        (began_s, first), (ended_s, last) = self._moments[0], self._moments[-1]
        took_s = max(ended_s - began_s, REPORT_S / 2)
        return {
            task: tuple((now - before) / took_s for now, before in zip(last[task], first[task], strict=True))  # type: ignore[misc]
            for task in last
            if task in first
        }

    def _collect(self, now_s: float, blocked: bool = False) -> ShardStatus:
        shard, rates = self._shard, self._find_rates()
        tasks = list(shard.tasks.values())
        visits = [
            VisitUnderWay(
                request.url,
                request.host,
                request.task,
                "work" if blocked else name_step(one),
                since_s,
                self._name,
            )
            for one, (request, since_s) in list(self._visits.items())[:MOST_VISITS]
        ]
        return ShardStatus(
            self._name,
            time.time() if shard.territory.groups is None else now_s,
            visits,
            {task.number: task.under_way for task in tasks},
            sum(pages for pages, _ in rates.values()),
            sum(body_bytes for _, body_bytes in rates.values()),
            {} if blocked else shard.frontier.count_hosts(now_s),
            self._stall(),
            list(self._notices),
            rates,
            {} if blocked else shard.frontier.list_turns(MOST_TURNS),
            os.getpid(),
            shard.connections.number if shard.connections is not None else 0,
            shard.connections.describe() if shard.connections is not None else "",
            {task.number: task.reception.describe() for task in tasks if task.reception is not None},
            find_place(),
        )
