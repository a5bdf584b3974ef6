"""List the hosts of a crawl: how many requests wait for each, when it may be asked, and whether it fails."""

from collections import Counter
from pathlib import Path

from gossamer.config import Politeness
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.status.read_shards import ShardsSeen, read_shards
from gossamer.crawl.status.status_records import HostStatus
from gossamer.frontier.pauses_and_backoff import least_pause_s
from gossamer.store.batch import HostOrder, HostWork, Store


def list_hosts(
    store: Store,
    folder: Path,
    now_s: float,
    order: HostOrder = "waiting",
    most: int = 50,
    task: int | None = None,
) -> list[HostStatus]:
    """Return up to `most` hosts in this order: all of them, or those at which requests of a task wait.

    The pauses of a running crawl come from its shards, as far as they list them. Cost: a scan of all hosts.
    """
    shards = read_shards(store, folder, now_s)
    # A shard knows later turns than the store, which is told only of long ones: some more are read, and sorted again.
    found = store.hosts_by(order, 4 * most if order == "next turn" else most, task or 0)
    polite = _find_strictest(store, task)
    turns, visits = _gather_turns(shards), Counter(one.host for shard in shards.fresh for one in shard.visits)
    hosts = [_describe_host(host, polite, turns, visits[host.name], now_s) for host in found]
    if order == "next turn":
        hosts.sort(key=lambda host: (host.under_way == 0, host.next_turn_s, -host.waiting, host.name))
    return hosts[:most]


def _find_strictest(store: Store, task: int | None) -> Politeness:
    """Return the strictest politeness of the task, or of the tasks that run, or of all."""
    notes = store.tasks()
    chosen = [note for note in notes if note.number == task] or [
        note for note in notes if note.state == "running"
    ]
    return max(
        (read_spec(note).politeness for note in chosen or notes),
        key=lambda own: own.delay_s,
        default=Politeness(),
    )


def _gather_turns(shards: ShardsSeen) -> dict[str, tuple[float, float]]:
    return {host: turn for shard in shards.fresh for host, turn in shard.turns.items()}


def _describe_host(
    host: HostWork, polite: Politeness, turns: dict[str, tuple[float, float]], under_way: int, now_s: float
) -> HostStatus:
    ready_s, pause_s = turns.get(host.name, (host.ready_s, least_pause_s(host.crawl_delay_s, polite)))
    waiting = max(0, host.waiting - under_way)
    next_turn_s = ready_s if ready_s > now_s else 0.0
    return HostStatus(host.name, waiting, under_way, pause_s, next_turn_s, host.failures, host.address)
