"""Scheduling requisites: each once, beside pages, and with counts that say how many are left."""

from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.task.schedule_requisites import MOST_STEPS, RequisiteScheduler
from gossamer.crawl.task_counts import REQUISITES_FINISHED, REQUISITES_QUEUED, Tally
from gossamer.frontier.seen_set import SeenSet
from gossamer.net import url as urls
from gossamer.records import Request
from gossamer.store.batch import Batch

PAGE = "http://a.example/"
SOURCE = Request(urls.page_id(PAGE), PAGE, "a.example", 1, depth=3, priority=0.5)
IMAGES = [f"http://host{number}.example/x.png" for number in range(20)]


def make(tally: Tally, territory: Territory = WHOLE) -> RequisiteScheduler:
    return RequisiteScheduler(1, SeenSet(), tally, territory)


def test_each_requisite_is_scheduled_once_before_all_pages() -> None:
    tally = Tally()
    scheduler = make(tally)
    first = scheduler.schedule(SOURCE, [*IMAGES, IMAGES[0]], Batch())
    assert [one.url for one in first] == IMAGES
    assert scheduler.schedule(SOURCE, IMAGES, Batch()) == []
    assert {(one.type, one.depth, one.parent) for one in first} == {("requisite", 3, SOURCE.id)}
    assert min(one.priority for one in first) > 1000
    assert tally[REQUISITES_QUEUED] == tally["queued"] == tally["checked"] == 20


def test_chains_of_requisites_end() -> None:
    scheduler, source, steps = make(Tally()), SOURCE, 0
    while found := scheduler.schedule(source, [f"http://a.example/{steps}.css"], Batch()):
        source, steps = found[0], steps + 1
        assert steps < 100
    assert steps == MOST_STEPS + 1


def test_requisites_of_other_shards_are_sent_and_counted_until_they_are_refused_there() -> None:
    mine, others, batch = Tally(), Tally(), Batch()
    sender, receiver = make(mine, Territory(0, 2)), make(others, Territory(1, 2))
    kept = sender.schedule(SOURCE, IMAGES, batch)
    sent = [one for _, one in batch.sent]
    assert sorted(one.url for one in (*kept, *sent)) == sorted(IMAGES)
    assert kept
    assert sent
    assert mine[REQUISITES_QUEUED] == 20
    assert mine["queued"] == len(kept)
    assert receiver.accept(sent, Batch()) == sent
    assert receiver.accept(sent, Batch()) == []
    assert others[REQUISITES_FINISHED] == len(sent)
    assert others["queued"] == len(sent)
    assert others["seen"] == len(sent)
