"""Statuses of crawls for tests, with names that a stranger may have chosen."""

from gossamer.crawl.status.status_records import (
    CrawlStatus,
    Forecast,
    HostStatus,
    ShardStatus,
    TaskStatus,
    VisitUnderWay,
)
from gossamer.store.batch import TaskNote
from gossamer.ui.console.live.crawl_watch import CrawlSnapshot

NOW_S = 1_000_000.0
HOSTILE = "http://evil.example/<script>alert(1)</script>\"'>\u202ecod.exe"
COUNTS = {
    "checked": 30,
    "queued": 20,
    "seen": 7,
    "filtered:exclude": 2,
    "filtered:depth": 1,
    "downloaded": 8,
    "cache hits": 1,
    "redirected": 1,
    "failed:404": 2,
    "failed:timeout": 1,
    "refused:robots": 1,
    "finished": 14,
    "bytes": 12_345,
}


def make_task(number: int = 1, name: str = "news", **changes: object) -> TaskStatus:
    """Return a running task with 4 requests that wait and 2 under way."""
    facts: dict[str, object] = {
        "note": TaskNote(number, name, b"{}", counts=dict(COUNTS)),
        "active": True,
        "waiting": 4,
        "under_way": 2,
        "failed": 3,
        "refused": 1,
        "filtered": 3,
        "deepest": 3,
        "pages_per_s": 2.5,
        "bytes_per_s": 2_000.0,
        "forecast": Forecast(90.0, 60.0, 200.0, 12, "what waits"),
    }
    return TaskStatus(**facts | changes)  # type: ignore[arg-type]  # names of fields


def make_snapshot(*tasks: TaskStatus, stall: str = "", running: bool = True) -> CrawlSnapshot:
    """Return a snapshot with two visits under way, one of them to a hostile URL, and a host."""
    visits = [
        VisitUnderWay("http://a.example/young", "a.example", 1, "robots", NOW_S - 2.0),
        VisitUnderWay(HOSTILE, "evil.example", 1, "fetch", NOW_S - 61.0, "process 2"),
    ]
    shard = ShardStatus("", NOW_S, visits, {1: 2}, notices=[(NOW_S - 5, "the disk is nearly full")])
    status = CrawlStatus(NOW_S, running, stall, list(tasks), [shard] if running else [])
    hosts = [HostStatus("<b>evil</b>.example", 4, 1, 0.5, NOW_S + 75, 2, "127.0.0.9")]
    return CrawlSnapshot(status, {0: hosts, 1: hosts})
