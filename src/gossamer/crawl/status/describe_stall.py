"""Say in one sentence why no page comes, from what the shards and the store say."""

from collections.abc import Sequence

from gossamer.crawl.status.read_shards import ShardsSeen
from gossamer.crawl.status.status_records import TaskStatus


def describe_stall(shards: ShardsSeen, tasks: Sequence[TaskStatus], now_s: float) -> str:
    """Return why no page comes; "" if pages come, or if nothing is to be crawled."""
    left = [task.note.name for task in tasks if task.note.state == "running"]
    if not left:
        return ""
    if not shards.running:
        names = ", ".join(left[:3]) + (f" and {len(left) - 3} more" if len(left) > 3 else "")
        return f"the process that crawled has died: {names} can be resumed"
    if any(shard.pages_per_s > 0 for shard in shards.fresh):
        return ""
    reasons = list(dict.fromkeys(shard.stall for shard in shards.fresh if shard.stall))
    for shard in shards.silent:
        who = f"process {shard.name}" if shard.name else "the crawl"
        reasons.append(
            f"{who} has said nothing for {now_s - shard.when_s:.0f} s: it hangs, or its machine is busy"
        )
    if len(reasons) > 1:
        return f"{reasons[0]}; {len(reasons) - 1} more of {len(shards.fresh) + len(shards.silent)} shards have stalled"
    return reasons[0] if reasons else ""
