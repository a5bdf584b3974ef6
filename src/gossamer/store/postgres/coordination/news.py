"""What others wrote that a fetcher looks at again and again, read in one round trip."""

from collections.abc import Collection

import msgspec

from gossamer.records import Request
from gossamer.store import record_rows
from gossamer.store.batch import TaskNote, Widening
from gossamer.store.postgres.connect import Session, Statement
from gossamer.store.postgres.reading import queries

_SEEN = (
    "select number < (select horizon()), number, keys from seen where number > %s order by number limit %s"
)


class News(msgspec.Struct, frozen=True):
    """What others wrote that a shard looks at again and again."""

    inbox: list[tuple[int, Request]]
    widenings: list[Widening]
    tasks: list[TaskNote]
    orders: list[tuple[str, bytes]]
    """The notes of the mailbox."""
    seen: list[tuple[bool, int, bytes]]
    """New pieces of the seen set: whether all pieces up to this one have arrived, number, and keys."""


def read_news(
    session: Session,
    groups: Collection[int],
    after: int,
    most: int,
    room: str,
    seen_after: int,
    most_seen: int,
) -> News:
    """Return what is new for some groups of shares, in one round trip: inbox, widenings, tasks, notes and seen keys."""
    asked = (
        queries.ask_inbox(0, 1, after, most, groups),
        queries.ask_widenings(),
        queries.ask_tasks(),
        queries.ask_notes(room),
        Statement(_SEEN, (seen_after, most_seen)),
    )
    inbox, widenings, tasks, orders, seen = session.query_all(asked)
    pieces = [(settled, number, record_rows.check_keys(keys)) for settled, number, keys in seen]
    return News(
        queries.to_inbox(inbox),
        queries.to_widenings(widenings),
        queries.to_tasks(tasks),
        queries.to_notes(orders),
        pieces,
    )
