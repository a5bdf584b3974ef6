"""The batch that one transaction writes, and the interface of every store."""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from gossamer.records import Decision, HostNote, LinkType, Page, PageLink, Request, Visit

TaskState = Literal["running", "paused", "stopped", "finished"]

HIGHEST_COUNTS = frozenset({"elapsed_ms"})
"""Counts that are not summed over shards: each shard reports the total, and the highest report counts."""

# Their order is part of the format: add new types at the end. A byte has room for 32 types beside the flags.
LINK_TYPES: tuple[LinkType, ...] = (
    *("a", "area", "frame", "iframe", "link", "refresh", "form", "redirect", "sitemap", "seed"),
)  # fmt: skip
KIND_OF_TYPE: dict[LinkType, int] = {link_type: 8 * number for number, link_type in enumerate(LINK_TYPES)}
NOFOLLOW, SPANS_HOSTS, SPANS_SITES = 4, 2, 1
"""Flags that are added to the kind of a link."""


class LinkColumns(msgspec.Struct, frozen=True, gc=False):
    """The links of one page in page order, as columns of equal length: cheaper than a hundred records a page."""

    source: int
    targets: list[int]
    kinds: bytes
    """For each link its `KIND_OF_TYPE` plus its flags."""
    texts: list[str]


LinkRow = tuple[int, int, bytes, bytes, bytes]
"""The number of a row, the source of its links, and their packed targets, kinds and texts (see `record_rows`)."""


class TaskNote(msgspec.Struct, frozen=True, gc=False):
    """A task as the store keeps it."""

    number: int
    name: str
    spec: bytes
    """The task's settings, in JSON."""
    state: TaskState = "running"
    reason: str = ""
    """Why it ended or is paused."""
    created_s: float = 0.0
    ended_s: float = 0.0
    counts: dict[str, int] = {}
    """checked, queued, seen, filtered:RULE, downloaded, cache hits, refused:CAUSE, failed:CAUSE, bytes …

    They are written with a new task only; afterwards, `Batch.counted` adds to them."""


class Widening(msgspec.Struct, frozen=True, gc=False):
    """Work left after the rules of a task were widened: the links of its visited pages are judged again."""

    task: int
    depth: int = 0
    """Pages of a smaller depth are skipped."""
    shard: int = 0
    shards: int = 1
    """Which shard's hosts it covers, and the number of shards."""
    after: int = 0
    """The number of the last visit that is done."""
    number: int = 0
    """Its number in the store; 0 if it is new."""


class TaskWork(msgspec.Struct, frozen=True, gc=False):
    """A task, and the requests that are left for it, in one snapshot."""

    note: TaskNote
    waiting: int
    """Requests in queues, those under way among them."""
    sent: int
    """Requests in inboxes: the shard that owns their host has not counted them yet."""


HostOrder = Literal["waiting", "failures", "next turn", "name"]


class HostWork(msgspec.Struct, frozen=True, gc=False):
    """A host, and how many requests wait for it."""

    name: str
    waiting: int
    ready_s: float = 0.0
    crawl_delay_s: float = 0.0
    failures: int = 0
    address: str = ""


class Batch(msgspec.Struct):
    """All changes from a number of finished pages; the store writes them in one transaction."""

    pages: list[Page] = []
    links: list[LinkColumns] = []
    """A page's links replace its older ones; those of page 0, the source of start pages, accumulate."""
    read: list[int] = []
    """Pages whose links were read: their older links are deleted even if there are no new ones."""
    known: list[tuple[int, str]] = []
    """Ids and URLs of newly discovered pages; each is written once."""
    scheduled: list[int] = []
    """Keys for the seen set: which page is scheduled for which task (see `crawl.seen_keys`)."""
    requests: list[Request] = []
    """New requests, with their numbers."""
    finished: list[Request] = []
    """Requests to delete, with any outcome."""
    retried: list[Request] = []
    """Requests that stay, with a new attempt count."""
    moved: list[tuple[Request, Request]] = []
    """Requests before and after a change of priority, in the order of the changes."""
    dismissed: list[tuple[str, int]] = []
    """Hosts and tasks whose remaining requests are given up: the budget is spent, or the host is dead."""
    spent: list[tuple[int, str, int]] = []
    """Tasks with a budget for each host, hosts, and the number of pages fetched from each so far."""
    visits: list[Visit] = []
    decisions: list[Decision] = []
    hosts: list[HostNote] = []
    tasks: list[TaskNote] = []
    """New tasks, and known ones that changed in more than their counts."""
    counted: list[tuple[int, dict[str, int]]] = []
    """Tasks, and by how much each of their counts grew since this writer's last batch."""
    sent: list[tuple[int, Request]] = []
    """Requests for the shards that own their hosts, each with the host's share of the web."""
    received: list[int] = []
    """Numbers of inbox entries that were accepted."""
    widenings: list[Widening] = []
    """New widenings, and known ones with their progress."""
    widened: list[int] = []
    """Numbers of finished widenings."""
    archive_ends: dict[str, int] = {}
    """WARC files of this batch and their committed lengths."""
    last_number: int = 0
    """The highest request number ever used, if it is higher than those of `requests`: for a copy of a web."""

    notes: dict[tuple[str, str], bytes | None] = {}
    """Notes of other parts of the program, by room and name; None deletes one."""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__struct_fields__)


class Store(Protocol):
    """The state of a web."""

    def commit(self, batch: Batch) -> None:
        """Write a batch in one transaction, the only way to change a store; raise `StoreFailed` if that fails."""
        ...

    # For the crawl

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, oldest first."""
        ...

    def count_remaining(self, task: int) -> int:
        """Count, in one snapshot, a task's waiting, active and inbox requests and its widenings."""
        ...

    def seen_keys(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield the keys of all known pages and scheduled pages, as packed 64-bit integers.

        They come in numbered pieces; pieces up to `after` are skipped.
        """
        ...

    def waiting_hosts(self, task: int, after: str = "", most: int = -1) -> list[str]:
        """Return up to `most` hosts with requests of a task, sorted by name, after this name; -1 for all."""
        ...

    def inbox(self, shard: int, shards: int, after: int = 0, most: int = 1000) -> list[tuple[int, Request]]:
        """Return the inbox requests of one shard, oldest first, each with its number.

        A share of the web belongs to the shard `share % shards`. Later entries have higher numbers.
        """
        ...

    def widenings(self) -> list[Widening]:
        """Return the unfinished widenings, oldest first."""
        ...

    def release_memory(self) -> None:
        """Forget what was read of the web: the caches that a crawl has filled are of no use after it."""
        ...

    def last_visit(self) -> int:
        """Return the number of the newest visit; 0 if there is none."""
        ...

    def last_visit_s(self) -> float:
        """Return the time of the newest visit; 0 if there is none."""
        ...

    def visited_pages(self, task: int, after: int, upto: int, most: int) -> tuple[list[int], int]:
        """Return the pages with links that a task visited, each once, and the number of the last visit that was read.

        Read are the next `most` visits of all tasks after `after` up to `upto`; that is returned if there are no more.
        """
        ...

    def pages_by_digest(self, digests: Iterable[str]) -> dict[str, Page]:
        """Return the first page with each of these payload digests; digests without a page are left out."""
        ...

    def count_waiting(self, host: str, task: int) -> int:
        """Count the waiting requests of a task at a host."""
        ...

    def pages_by_host(self, task: int) -> dict[str, int]:
        """Return the number of pages of each host that a task with a budget for each host has fetched."""
        ...

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        """Return the stored decisions of one rule, oldest first."""
        ...

    def longest_queue(self) -> tuple[str, int]:
        """Return the host at which most requests wait, and how many; "" and 0 if none wait."""
        ...

    def count_waiting_by_depth(self) -> dict[int, int]:
        """Count the waiting requests of all tasks by depth."""
        ...

    def requests(self, host: str, task: int, most: int) -> list[Request]:
        """Return the best requests of a task at a host, best first."""
        ...

    def last_number(self) -> int:
        """Return the highest request number ever used."""
        ...

    def host(self, name: str) -> HostNote | None:
        """Return the note of a host; None if there is none."""
        ...

    def note(self, room: str, name: str) -> bytes | None:
        """Return a room's note of this name; None if there is none."""
        ...

    def notes(self, room: str, after: str = "", most: int = -1) -> list[tuple[str, bytes]]:
        """Return up to `most` notes of a room, sorted by name, after this name; -1 for all."""
        ...

    def archive_ends(self) -> dict[str, int]:
        """Return the WARC files and the committed length of each."""
        ...

    # For people

    def page(self, page_id: int) -> Page | None:
        """Return the latest version of a page; None if it was never fetched."""
        ...

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return the latest versions of those of these pages that were fetched."""
        ...

    def url(self, page_id: int) -> str | None:
        """Return the URL of a known page, fetched or not."""
        ...

    def page_urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were fetched; cheap enough for the crawl."""
        ...

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that are known, fetched or not."""
        ...

    def pages(self) -> Iterator[Page]:
        """Yield all pages in order of arrival."""
        ...

    def links_to(self, page_id: int, most: int = 100) -> list[PageLink]:
        """Return up to `most` links to a page, in the order in which their pages were read."""
        ...

    def count_links_to(self, page_id: int) -> int:
        """Count all links to a page."""
        ...

    def links_from(self, page_id: int) -> list[PageLink]:
        """Return the links of a page's latest version, in page order."""
        ...

    def links(self) -> Iterator[PageLink]:
        """Yield all links, page by page."""
        ...

    def link_rows(self) -> Iterator[LinkRow]:
        """Yield all links in packed form, page by page: for readers that need little of each."""
        ...

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield all redirects: ids of the redirecting and the target address."""
        ...

    def link_texts(self, numbers: Iterable[int]) -> dict[int, list[str]]:
        """Return the link texts of some rows; deleted rows are left out."""
        ...

    def visits(self, page_id: int) -> list[Visit]:
        """Return all visits to a page, oldest first."""
        ...

    def all_visits(self) -> Iterator[Visit]:
        """Yield all visits, oldest first."""
        ...

    def decisions(self, page_id: int) -> list[Decision]:
        """Return the stored decisions about a page, oldest first."""
        ...

    def request(self, page_id: int, task: int, host: str = "") -> Request | None:
        """Return the request for a page, if it waits or is in an inbox; without its host, the page's URL is looked up."""
        ...

    def count_page_kinds(self) -> list[tuple[bool, int, str, int]]:
        """Count pages by whether they may be indexed, status and kind."""
        ...

    def counts(self) -> dict[str, int]:
        """Count pages, links, known URLs, waiting requests, visits and hosts."""
        ...

    # For a look at a crawl that runs anywhere

    def work_left(self) -> list[TaskWork]:
        """Return all tasks with the requests that are left for them, in one snapshot. Cost: a scan of all inboxes."""
        ...

    def hosts_by(self, order: HostOrder, most: int, task: int = 0) -> list[HostWork]:
        """Return all hosts, or those at which requests of a task wait; for `next turn` only hosts with requests."""
        ...

    def deepest_waiting(self) -> dict[int, int]:
        """Return the greatest depth among the waiting requests of each task. Cost: a scan of all of them."""
        ...

    def task_visits(
        self, task: int, result: str, before: int, most: int
    ) -> tuple[list[tuple[int, Visit]], int]:
        """Return the visits of a task with a result, newest first, with their numbers, and the number of the oldest one read.

        Read are the next `most` visits of all tasks before a number, 0 for the newest; 0 is returned if there are no more.
        """
        ...

    def task_decisions(
        self, task: int, rule: str, before: int, most: int
    ) -> tuple[list[tuple[int, Decision]], int]:
        """Return the stored decisions of a task by a rule, newest first; for the numbers see `task_visits`."""
        ...

    def visits_of_pages(self, page_ids: Iterable[int]) -> dict[int, list[Visit]]:
        """Return all visits to each of these pages, oldest first; pages without one are left out."""
        ...

    def some_known_urls(self, after: int, most: int) -> list[tuple[int, int, str]]:
        """Return the places, ids and URLs of the known pages after a place; 0 is before the first."""
        ...

    # For a copy of the whole web, in pieces; no crawl may be running

    def known_urls(self) -> Iterator[tuple[int, str]]:
        """Yield the ids and URLs of all pages that were discovered, each once."""
        ...

    def sample_urls(self, most: int, seed: int) -> list[tuple[int, str]]:
        """Return the ids and URLs of a uniform sample of the known pages; the same seed draws the same ones."""
        ...

    def all_hosts(self) -> Iterator[HostNote]:
        """Yield the notes of all hosts."""
        ...

    def all_requests(self) -> Iterator[Request]:
        """Yield all waiting requests of all tasks."""
        ...

    def all_sent(self) -> Iterator[tuple[int, Request]]:
        """Yield all requests that are in an inbox, oldest first, each with its host's share of the web."""
        ...

    def all_decisions(self) -> Iterator[Decision]:
        """Yield all stored decisions, oldest first."""
        ...

    def all_budgets(self) -> Iterator[tuple[int, str, int]]:
        """Yield tasks with a budget for each host, hosts, and the number of pages fetched from each so far."""
        ...

    def rooms(self) -> list[str]:
        """Return the rooms that have notes, sorted."""
        ...

    def count_visits(self, upto: int) -> int:
        """Count the visits up to this number."""
        ...

    def close(self) -> None:
        """Close the store."""
        ...
