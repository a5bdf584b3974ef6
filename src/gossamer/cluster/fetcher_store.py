"""The store as one fetcher sees it: it writes only what it has leased, and asks the database seldom."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from gossamer.crawl.control.stored_mailbox import ROOM as MAILBOX
from gossamer.records import HostNote, Request
from gossamer.store.batch import Batch, TaskNote, Widening
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.coordination.leases import Fence
from gossamer.store.postgres.coordination.news import News, read_news
from gossamer.store.postgres.postgres_store import PostgresStore
from gossamer.store.wait_for_store import NO_PATIENCE, Waiting

POLL_S = 0.25
"""How soon the database is asked again for new inbox entries, seen keys, tasks, widenings and orders."""
LONGEST_POLL_S = 1.0
"""The same while this fetcher has work of its own, and others send it nothing."""
_MOST_PIECES, _MOST_ENTRIES = 4000, 1000
_MOST_URLS = 100_000


class FetcherStore(PostgresStore):
    """The state of a web, for the crawl of one fetcher with its leases."""

    def __init__(
        self,
        address: Address,
        fetcher: int,
        epochs: Mapping[int, int],
        spend: Callable[[Mapping[int, int]], None] = lambda _: None,
        waiting: Waiting = Waiting(NO_PATIENCE),  # noqa: B008 - it is frozen
    ) -> None:
        super().__init__(address)
        self._reader.waiting = waiting
        self._fetcher = fetcher
        self._epochs = dict(epochs)
        self._spend = spend
        """Is told how many pages of tasks with a page limit a batch has brought."""
        self._limited: set[int] = set()
        self._polled_s = 0.0
        self._poll_s = POLL_S
        self._has_written = False
        """Whether a batch was written since the last look at the database."""
        self._inbox_after = self._seen_after = 0
        """From where on the crawl has asked last."""
        self._news: News | None = None
        """What the last look has found and the crawl has not yet asked for."""
        self._orders: list[tuple[str, bytes]] | None = None
        self._tasks: list[TaskNote] | None = None
        self._widenings: list[Widening] | None = None
        self._hosts: dict[str, HostNote | None] | None = None
        self._urls: dict[int, str] = {}
        """URLs of pages that this fetcher has written lately."""

    # Writing

    def commit(
        self,
        batch: Batch,
        fence: Fence | None = None,  # noqa: ARG002 - it has its own
        key_shares: Sequence[int] = (),
    ) -> None:
        """Write a batch, if all leases are still this fetcher's; raise `LeaseLost` otherwise."""
        brought = {
            task: pages
            for task, counts in batch.counted
            if task in self._limited and (pages := counts.get("downloaded", 0))
        }
        super().commit(batch, Fence(self._fetcher, self._epochs, brought), key_shares)
        self._spend(brought)
        self._has_written = True
        self._update_tasks(batch.tasks)
        if batch.widenings or batch.widened:
            self._widenings = None
        if any(room == MAILBOX for room, _ in batch.notes):
            self._orders = None
        if self._hosts is not None:
            self._hosts.update((note.name, note) for note in batch.hosts)
        if len(self._urls) > _MOST_URLS:
            self._urls.clear()
        self._urls.update((page.id, page.url) for page in batch.pages)

    # Reading what others write

    def inbox(
        self,
        shard: int,  # noqa: ARG002 - it has its own groups
        shards: int,  # noqa: ARG002
        after: int = 0,
        most: int = 1000,
        groups: Collection[int] | None = None,  # noqa: ARG002
    ) -> list[tuple[int, Request]]:
        """Return new inbox entries of the leased groups; nothing between two looks at the database."""
        if after != self._inbox_after:
            self._inbox_after, self._news = after, None
        if self._news is None:
            self._look_if_due(most)
        news, self._news = self._news, None
        if news is None:
            return []
        if news.inbox:
            self._inbox_after = news.inbox[-1][0]
        if len(news.inbox) == most:
            self._polled_s = 0.0  # there is more
        self._remember_hosts({request.host for _, request in news.inbox})
        return news.inbox

    def seen_keys(self, after: int = 0, groups: Collection[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield new pieces of the seen set, as often as the inbox is read."""
        if not after or groups is not None:
            yield from super().seen_keys(after, groups)
            return
        self._seen_after = after
        self._look_if_due()
        pieces = self._news.seen if self._news else []
        if len(pieces) == _MOST_PIECES:
            yield from super().seen_keys(after)
            return
        last = after
        for settled, number, keys in pieces:
            last = number if settled else last
            yield last, keys

    def notes(self, room: str, after: str = "", most: int = -1) -> list[tuple[str, bytes]]:
        """Return notes of a room; those of the mailbox as they were at the last look at the database."""
        if room != MAILBOX or after or most >= 0:
            return super().notes(room, after, most)
        if self._orders is None:
            self._orders = super().notes(room)
        return self._orders

    def _look_if_due(self, most: int = _MOST_ENTRIES) -> None:
        """Look at what others wrote, in one round trip; seldom while this fetcher is busy and nothing arrives."""
        now_s = time.monotonic()
        if now_s - self._polled_s < self._poll_s:
            return
        news = read_news(
            self._reader, self._epochs, self._inbox_after, most, MAILBOX, self._seen_after, _MOST_PIECES
        )
        is_quiet = self._has_written and not news.inbox and news.orders == self._orders
        self._poll_s = min(LONGEST_POLL_S, 2 * self._poll_s) if is_quiet else POLL_S
        self._polled_s, self._has_written = now_s, False
        self._news, self._orders, self._widenings = news, news.orders, news.widenings
        self._keep_tasks(news.tasks)

    def tasks(self) -> list[TaskNote]:
        """Return all tasks as they were at the last look at the database."""
        if self._tasks is None:
            self._keep_tasks(super().tasks())
        return self._tasks or []

    def _keep_tasks(self, notes: list[TaskNote]) -> None:
        self._tasks = notes
        self._limited = {note.number for note in notes if _has_page_limit(note)}

    def _update_tasks(self, changed: Sequence[TaskNote]) -> None:
        """Note what was written about tasks; what is counted is read from the database."""
        known = {note.number: note for note in self._tasks or ()}
        if not changed or self._tasks is None:
            return
        if any(note.number not in known for note in changed):
            self._tasks = None
            return
        known |= {
            note.number: msgspec.structs.replace(note, counts=known[note.number].counts) for note in changed
        }
        self._keep_tasks([*known.values()])

    def widenings(self) -> list[Widening]:
        """Return the unfinished widenings as they were at the last look at the database."""
        if self._widenings is None:
            self._widenings = super().widenings()
        return self._widenings

    # Reading what this fetcher writes

    def host(self, name: str) -> HostNote | None:
        """Return the note of a host; the database is asked only for hosts that it has a note of."""
        if self._hosts is None:
            self._hosts = dict.fromkeys(self.host_names())
        if name not in self._hosts:
            return None
        known = self._hosts[name]
        if known is None:
            known = self._hosts[name] = super().host(name)
        return known

    def waiting_hosts(
        self,
        task: int,
        after: str = "",
        most: int = -1,
        groups: Collection[int] | None = None,  # noqa: ARG002 - it has its own
    ) -> list[str]:
        """Return hosts of the leased groups with requests of a task, sorted by name, after this name."""
        found = super().waiting_hosts(task, after, most, self._epochs)
        self._remember_hosts(found)
        return found

    def page_urls(self, page_ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs of those of these pages that were fetched."""
        wanted = set(page_ids)
        known = {page_id: self._urls[page_id] for page_id in wanted & self._urls.keys()}
        missing = wanted - known.keys()
        return known | super().page_urls(missing) if missing else known

    def _remember_hosts(self, names: Collection[str]) -> None:
        """Read the notes of hosts that the crawl is about to ask, in one go."""
        if self._hosts is None:
            self._hosts = dict.fromkeys(self.host_names())
        unread = [name for name in names if name in self._hosts and self._hosts[name] is None]
        if unread:
            self._hosts.update(self.hosts(unread))


class _Limits(msgspec.Struct):
    pages: int = 0


class _Spec(msgspec.Struct):
    limits: _Limits = msgspec.field(default_factory=_Limits)


def _has_page_limit(note: TaskNote) -> bool:
    return bool(msgspec.json.decode(note.spec, type=_Spec).limits.pages)
