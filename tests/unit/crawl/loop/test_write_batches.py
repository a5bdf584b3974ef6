"""A batch is written when it holds many pages, many new URLs or many bytes, and again while the store is away."""

import asyncio

import pytest
from tests.unit.crawl.visit.shard import TestShard, fetch

from gossamer.crawl.loop import write_batches
from gossamer.crawl.loop.write_batches import BATCH_BYTES, CommitLoop, Hurry
from gossamer.crawl.read_page import read
from gossamer.crawl.visit.judge_page import JudgedPage
from gossamer.crawl.visit.pending_batch import LINK_BYTES, PendingBatch
from gossamer.crawl.visit.record_outcome import record
from gossamer.errors import StoreAway
from gossamer.records import Fetched


def record_page(shard: TestShard, body: str) -> None:
    request, exchange = shard.take(), fetch("http://a.example/", body)
    reading = read(request, exchange, "agent")
    found = shard.running.scheduler.find_candidates(reading.links, 1)
    record(request, Fetched(exchange), shard.context, JudgedPage(reading, found))
    shard.context.turns.end(request, shard.running)
    shard.now_s += 10.0


def test_bodies_and_links_make_a_batch_large() -> None:
    shard = TestShard(delay_s=0.0)
    commits = CommitLoop(shard.context, None, lambda: None, lambda _: False)  # type: ignore[arg-type]
    body = "<a href=x>y</a>" + "words " * (BATCH_BYTES // 2 // 6)
    record_page(shard, body)
    assert shard.context.pending.held_bytes == len(body) + LINK_BYTES
    assert not commits.is_large()
    record_page(shard, body)
    assert commits.is_large()
    assert shard.context.budget.kept_bytes == shard.context.pending.held_bytes


class AwayWriter:
    """A writer whose store is away for some attempts."""

    is_remote = True

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.written: list[PendingBatch] = []
        self.gave_up = False

    def write(self, pending: PendingBatch) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreAway("the archive cannot be reached")
        self.written.append(pending)

    def give_up(self) -> None:
        self.gave_up = True


async def write_one(writer: AwayWriter, hurry: Hurry, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Write a batch; return what was said."""
    monkeypatch.setattr(write_batches, "RETRY_AWAY_S", 0.001)
    shard = TestShard(delay_s=0.0)
    said: list[str] = []
    shard.context.watch = lambda event: said.append(event.text)
    commits = CommitLoop(shard.context, writer, lambda: None, hurry)  # type: ignore[arg-type]
    commits.begin()
    await commits.settle()
    assert not commits.is_paused
    return said


def test_a_batch_is_kept_while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = AwayWriter(3)
    said = asyncio.run(write_one(writer, lambda _: False, monkeypatch))
    assert len(writer.written) == 1
    assert said == [
        "the archive cannot be reached; the crawl pauses and continues by itself as soon as it is back",
        "it is back after 0 s; the crawl continues",
    ]


def test_a_batch_is_given_up_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    writer, asked = AwayWriter(1000), list[float]()

    def hurry(waited_s: float) -> bool:
        asked.append(waited_s)
        return len(asked) == 3

    with pytest.raises(StoreAway):
        asyncio.run(write_one(writer, hurry, monkeypatch))
    assert writer.failures == 997
    assert writer.gave_up
