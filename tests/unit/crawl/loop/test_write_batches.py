"""A batch is written when it holds many pages, many new URLs or many bytes."""

from tests.unit.crawl.visit.shard import TestShard, fetch

from gossamer.crawl.loop.write_batches import BATCH_BYTES, CommitLoop
from gossamer.crawl.read_page import read
from gossamer.crawl.visit.judge_page import JudgedPage
from gossamer.crawl.visit.pending_batch import LINK_BYTES
from gossamer.crawl.visit.record_outcome import record
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
