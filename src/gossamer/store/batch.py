"""What is written in one transaction, and what any store can do. SQLite's own ways stay in its own file."""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from gossamer.records import Decision, HostNote, LinkType, Page, PageLink, Request, Visit

TaskState = Literal["running", "paused", "stopped", "finished"]

HIGHEST_COUNTS = frozenset({"elapsed_ms"})
"""Counts that shards do not share: each tells the whole, and the highest holds."""

# Their order is part of the format: new types go to the end. 32 find room in a byte beside the flags.
LINK_TYPES: tuple[LinkType, ...] = (
    *("a", "area", "frame", "iframe", "link", "refresh", "form", "redirect", "sitemap", "seed"),
)  # fmt: skip
KIND_OF_TYPE: dict[LinkType, int] = {link_type: 8 * number for number, link_type in enumerate(LINK_TYPES)}
NOFOLLOW, SPANS_HOSTS, SPANS_SITES = 4, 2, 1
"""What is added to the kind of a link for what holds of it."""


class LinkColumns(msgspec.Struct, frozen=True, gc=False):
    """The links of one page in page order, each column as long: a hundred of them a page are cheaper so."""

    source: int
    targets: list[int]
    kinds: bytes
    """Of each its `KIND_OF_TYPE`, and what is added to it."""
    texts: list[str]


LinkRow = tuple[int, int, bytes, bytes, bytes]
"""The number of a row, the source of its links, and packed: their targets, kinds and texts (see `store.rows`)."""


class TaskNote(msgspec.Struct, frozen=True, gc=False):
    """A task as the web knows it."""

    number: int
    name: str
    spec: bytes
    """The task as it was told, in JSON."""
    state: TaskState = "running"
    reason: str = ""
    """Why it ended or pauses."""
    created_s: float = 0.0
    ended_s: float = 0.0
    counts: dict[str, int] = {}
    """checked, queued, seen, filtered:RULE, downloaded, cache hits, refused:CAUSE, failed:CAUSE, bytes …

    Those with which a task is written down the first time; after that, `Batch.counted` adds to them."""


class Widening(msgspec.Struct, frozen=True, gc=False):
    """What is left to do since the rules of a task were widened: links of pages that it has visited are judged anew."""

    task: int
    depth: int = 0
    """Pages that are nearer to the start than this need not be looked at."""
    shard: int = 0
    shards: int = 1
    """Pages of the hosts of this one, of so many shards."""
    after: int = 0
    """Up to the visit of this number it is done."""
    number: int = 0
    """By which the store knows it; 0 if it does not yet."""


class Batch(msgspec.Struct):
    """Everything that a number of finished pages changes. Filled by the crawl, written whole or not at all."""

    pages: list[Page] = []
    links: list[LinkColumns] = []
    """Those of one page replace what it had; those of page 0, which stands for the person who started, add up."""
    read: list[int] = []
    """Pages whose links were read: what they had before goes, even if there are none any more."""
    known: list[tuple[int, str]] = []
    """Ids and URLs that were never heard of before; written once each."""
    scheduled: list[int] = []
    """Keys for the seen set: which page is scheduled for which task (see `crawl.naming.task_mark`)."""
    requests: list[Request] = []
    """New requests, with their numbers."""
    finished: list[Request] = []
    """Requests to be forgotten: done with, one way or the other."""
    retried: list[Request] = []
    """Requests that stay, with a new attempt count."""
    moved: list[tuple[Request, Request]] = []
    """Requests whose priority has changed, as they were and as they are now; in the order in which that happened."""
    dismissed: list[tuple[str, int]] = []
    """Hosts and tasks whose remaining requests are given up: their budget is spent, or the host is dead."""
    spent: list[tuple[int, str, int]] = []
    """Tasks that have a budget for each host, hosts, and how many pages of each were fetched by now."""
    visits: list[Visit] = []
    decisions: list[Decision] = []
    hosts: list[HostNote] = []
    tasks: list[TaskNote] = []
    """New tasks, and known ones of which something else than their counts has changed."""
    counted: list[tuple[int, dict[str, int]]] = []
    """Tasks, and by how much each of their counts is higher now than this writer said before."""
    sent: list[tuple[int, Request]] = []
    """Requests for whoever owns their hosts, with the share of the web to which the host belongs."""
    received: list[int] = []
    """Numbers of inbox entries that were taken in."""
    widenings: list[Widening] = []
    """New ones, and known ones that have come further."""
    widened: list[int] = []
    """Numbers of widenings that are done."""
    archive_ends: dict[str, int] = {}
    """WARC files of this batch and how long they are now: what lies behind was never promised."""

    notes: dict[tuple[str, str], bytes | None] = {}
    """What rooms above the crawl remember, by room and name; None to forget it."""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__struct_fields__)


class Store(Protocol):
    """The state of a web."""

    def commit(self, batch: Batch) -> None:
        """Write a batch, whole or not at all; raise `StoreFailed` if it is not. The only way in."""
        ...

    # For the crawl

    def tasks(self) -> list[TaskNote]:
        """Return all tasks, the oldest first."""
        ...

    def count_remaining(self, task: int) -> int:
        """Count what a task has left, as of one moment: requests that wait, are under way or in an inbox, widenings."""
        ...

    def seen_keys(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Return the keys of all known pages and all schedulings, as packed 64-bit integers.

        They come in pieces, each with its number; those up to `after` are left out.
        """
        ...

    def waiting_hosts(self, task: int, after: str = "", most: int = -1) -> list[str]:
        """Return the hosts at which a task has requests, by name, from the first after this one; -1 for all."""
        ...

    def inbox(self, shard: int, shards: int, after: int = 0, most: int = 1000) -> list[tuple[int, Request]]:
        """Return requests for the hosts of one of so many shards, the oldest first, each with its number.

        A share of the web belongs to the shard that is its remainder by the number of shards. Whatever is written
        later has a higher number.
        """
        ...

    def widenings(self) -> list[Widening]:
        """Return what is left to do since rules were widened, the oldest first."""
        ...

    def last_visit(self) -> int:
        """Return the number of the newest visit; 0 if there is none."""
        ...

    def visited_pages(self, task: int, after: int, upto: int) -> list[int]:
        """Return the pages that led a task to others, by its visits after this number and up to that: each once."""
        ...

    def pages_by_digest(self, digests: Iterable[str]) -> dict[str, Page]:
        """Return the first page that had each of these payloads; what no page had is left out."""
        ...

    def count_waiting(self, host: str, task: int) -> int:
        """Count the requests of a task at a host."""
        ...

    def pages_by_host(self, task: int) -> dict[str, int]:
        """Return how many pages of each host a task with a budget for each host has fetched."""
        ...

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        """Return what one rule decided and was kept, the oldest first."""
        ...

    def count_waiting_by_depth(self) -> dict[int, int]:
        """Count the requests of all tasks by depth."""
        ...

    def requests(self, host: str, task: int, most: int) -> list[Request]:
        """Return the best requests of a task at a host, the best first."""
        ...

    def last_number(self) -> int:
        """Return the highest number that a request ever had."""
        ...

    def host(self, name: str) -> HostNote | None:
        """Return what is remembered of a host."""
        ...

    def note(self, room: str, name: str) -> bytes | None:
        """Return what a room remembers by this name; None if nothing."""
        ...

    def notes(self, room: str, after: str = "", most: int = -1) -> list[tuple[str, bytes]]:
        """Return what a room remembers, in the order of its names, from the first after this one."""
        ...

    def archive_ends(self) -> dict[str, int]:
        """Return the WARC files and how much of each is promised."""
        ...

    # For people

    def page(self, page_id: int) -> Page | None:
        """Return the newest state of a page."""
        ...

    def url(self, page_id: int) -> str | None:
        """Return the URL of a page that was ever heard of."""
        ...

    def page_urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were kept; cheap enough for the crawl."""
        ...

    def urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were ever heard of."""
        ...

    def pages(self) -> Iterator[Page]:
        """Return all pages in order of arrival."""
        ...

    def links_to(self, page_id: int, most: int = 100) -> list[PageLink]:
        """Return links that lead to a page, those of the pages that were read first."""
        ...

    def links_from(self, page_id: int) -> list[PageLink]:
        """Return the links of a page as it was last read, in page order."""
        ...

    def links(self) -> Iterator[PageLink]:
        """Return all links, page by page."""
        ...

    def link_rows(self) -> Iterator[LinkRow]:
        """Return all links as they are packed, page by page: for whoever reads all of them and makes little of each."""
        ...

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Return all addresses that redirect, each with the one that it leads to."""
        ...

    def link_texts(self, numbers: Iterable[int]) -> dict[int, list[str]]:
        """Return the texts of all links of some rows; rows that are no longer there are left out."""
        ...

    def visits(self, page_id: int) -> list[Visit]:
        """Return all visits to a page, the oldest first."""
        ...

    def all_visits(self) -> Iterator[Visit]:
        """Return all visits, the oldest first."""
        ...

    def decisions(self, page_id: int) -> list[Decision]:
        """Return what was decided about a page and kept, the oldest first."""
        ...

    def request(self, page_id: int, task: int) -> Request | None:
        """Return the request for a page, if it waits, or is on its way to the shard where it will."""
        ...

    def counts(self) -> dict[str, int]:
        """Count pages, links, known URLs, waiting requests, visits and hosts."""
        ...

    def close(self) -> None:
        """Let go of the web."""
        ...
