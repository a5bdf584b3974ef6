"""Why no page comes is said in one sentence."""

from gossamer.crawl.status.describe_stall import describe_stall
from gossamer.crawl.status.read_shards import ShardsSeen
from gossamer.crawl.status.status_records import ShardStatus, TaskStatus
from gossamer.store.batch import TaskNote, TaskState


def make_task(state: TaskState = "running") -> TaskStatus:
    return TaskStatus(TaskNote(1, "trier", b"{}", state), True, 5, 0, 0, 0, 0, 1)


def make_shard(stall: str = "", pages_per_s: float = 0.0, when_s: float = 100.0) -> ShardStatus:
    return ShardStatus("1", when_s, stall=stall, pages_per_s=pages_per_s)


def test_nothing_is_said_while_pages_come_or_nothing_is_to_be_crawled() -> None:
    running = ShardsSeen(True, [make_shard("all hosts are in their pause"), make_shard(pages_per_s=1.0)])
    assert describe_stall(running, [make_task()], 100.0) == ""
    assert describe_stall(ShardsSeen(False), [make_task("finished")], 100.0) == ""
    assert describe_stall(ShardsSeen(True, [make_shard()]), [make_task()], 100.0) == ""


def test_a_process_that_died_is_named_by_its_tasks() -> None:
    assert "has died: trier can be resumed" in describe_stall(ShardsSeen(False), [make_task()], 100.0)


def test_what_shards_say_is_passed_on() -> None:
    full = make_shard("the disk is full")
    assert describe_stall(ShardsSeen(True, [full, full]), [make_task()], 100.0) == "the disk is full"
    several = ShardsSeen(True, [full, make_shard("the database is away")], [make_shard(when_s=60.0)])
    assert (
        describe_stall(several, [make_task()], 100.0) == "the disk is full; 2 more of 3 shards have stalled"
    )
    silent = ShardsSeen(True, [], [make_shard(when_s=60.0)])
    assert "process 1 has said nothing for 40 s" in describe_stall(silent, [make_task()], 100.0)
