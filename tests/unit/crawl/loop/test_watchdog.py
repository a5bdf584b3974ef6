"""What the watchdog says and when, by a pretend clock."""

import asyncio
import math

from gossamer.config import Politeness
from gossamer.crawl.events import Notice
from gossamer.crawl.loop.watchdog import REPEAT_S, SHOWN_S, STALL_S, Watchdog
from gossamer.crawl.loop.write_batches import BatchWriter, CommitLoop
from gossamer.crawl.visit.shard_context import ShardContext, ShardMemory
from gossamer.fetch.fake_fetcher import FakeFetcher
from gossamer.fetch.robots_cache import RobotsCache
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.pauses_and_backoff import Pace
from gossamer.frontier.spider_traps import TrapDetector
from gossamer.records import Request, Visit

NOON_S = 1_800_000_000.0


class Pretence:
    """A shard that does nothing, a clock that is turned by hand, and what was said."""

    def __init__(self) -> None:
        self.now_s = NOON_S
        self.said: list[str] = []
        fetcher = FakeFetcher({})
        robots = RobotsCache(fetcher, self.clock)
        memory = ShardMemory(lambda _: None, None, None, 0, -math.inf)  # type: ignore[arg-type]
        self.shard = ShardContext(Frontier(), fetcher, robots, TrapDetector(), self.clock, self.hear, memory)
        self.commits = CommitLoop(self.shard, BatchWriter(None, None), lambda: None, lambda _: False)  # type: ignore[arg-type]
        self.watchdog = Watchdog(self.shard, self.commits, set())

    def clock(self) -> float:
        return self.now_s

    def hear(self, event: object) -> None:
        assert isinstance(event, Notice)
        self.said.append(event.text)

    def after(self, time_s: float) -> list[str]:
        """Let time pass and the watchdog look; return what it says."""
        self.now_s += time_s
        before = len(self.said)
        asyncio.run(self.watchdog.check())
        return self.said[before:]


def test_the_status_says_sooner_than_a_notice_why_no_visit_ends() -> None:
    pretence = Pretence()
    frontier = pretence.shard.frontier
    frontier.set_task(1, 1.0, Politeness())
    frontier.add_host("a.example", Pace(ready_s=NOON_S + 86_400))
    frontier.add([Request(1, "http://a.example/", "a.example", 1)])
    assert pretence.after(0.0) == []
    assert pretence.watchdog.stall == ""
    assert pretence.after(SHOWN_S + 1) == []
    assert "in their pause" in pretence.watchdog.stall
    pretence.commits.is_paused, pretence.commits.trouble = True, "the disk is full"
    assert pretence.after(1.0) == []
    assert pretence.watchdog.stall == "the disk is full; the crawl pauses and continues by itself"
    pretence.commits.is_paused = False
    pretence.shard.shortage.record("this machine has no sockets left", pretence.now_s + 1, 5)
    pretence.after(1.0)
    assert pretence.watchdog.stall.startswith("this machine has no sockets left")
    pretence.shard.pending.batch.visits.append(Visit(1, 1, pretence.now_s, "fetched"))
    pretence.after(10.0)
    assert pretence.watchdog.stall == ""


def test_a_cause_is_told_once_in_a_while_and_its_end_as_well() -> None:
    pretence = Pretence()
    frontier = pretence.shard.frontier
    frontier.set_task(1, 1.0, Politeness())
    frontier.add_host("a.example", Pace(ready_s=NOON_S + 86_400))
    frontier.add([Request(1, "http://a.example/", "a.example", 1)])
    assert pretence.after(0.0) == []
    assert pretence.after(STALL_S - 1) == []
    [told] = pretence.after(2.0)
    assert "in their pause" in told
    assert pretence.after(REPEAT_S - 1) == []
    assert pretence.after(2.0) == [told]
    pretence.shard.pending.batch.visits.append(Visit(1, 1, pretence.now_s, "fetched"))
    assert pretence.after(1.0) == [f"the crawl continues, after {REPEAT_S + STALL_S + 3:.0f} s"]
    assert pretence.after(1.0) == []
