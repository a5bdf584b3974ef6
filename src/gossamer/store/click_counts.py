"""How often people open the pages that they found: what they read is worth being fresh."""

from collections.abc import Iterator

import msgspec

from gossamer.store.batch import Batch, Store

_ROOM = "opened"


class Openings(msgspec.Struct, frozen=True, array_like=True):
    """How often a page was opened from a list of answers, and when it was last."""

    times: int = 0
    last_s: float = 0.0


_DECODE = msgspec.msgpack.Decoder(Openings).decode


def count_opening(store: Store, page: int, now_s: float) -> None:
    """Write down that somebody opens a page. Who does so at the same time in another process may not be counted."""
    told = Openings(openings(store, page).times + 1, now_s)
    store.commit(Batch(notes={(_ROOM, str(page)): msgspec.msgpack.encode(told)}))


def openings(store: Store, page: int) -> Openings:
    """Return how often a page was opened."""
    kept = store.note(_ROOM, str(page))
    return _DECODE(kept) if kept is not None else Openings()


def all_openings(store: Store) -> Iterator[tuple[int, Openings]]:
    """Return the pages that were ever opened."""
    for name, kept in store.notes(_ROOM):
        yield int(name), _DECODE(kept)
