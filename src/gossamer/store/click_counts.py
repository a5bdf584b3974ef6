"""Count how often people open the pages they find: recrawling visits those more often."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from gossamer.store.batch import Batch, Store

_ROOM = "opened"


class Openings(msgspec.Struct, frozen=True, array_like=True):
    """How often a page was opened from search results, and when last."""

    times: int = 0
    last_s: float = 0.0


_DECODE = msgspec.msgpack.Decoder(Openings).decode


def count_opening(store: Store, page: int, now_s: float) -> None:
    """Count one opening of a page; openings in two processes at the same time may be counted once."""
    counted = Openings(openings(store, page).times + 1, now_s)
    store.commit(Batch(notes={(_ROOM, str(page)): msgspec.msgpack.encode(counted)}))


def openings(store: Store, page: int) -> Openings:
    """Return how often a page was opened."""
    kept = store.note(_ROOM, str(page))
    return _decode(kept) if kept is not None else Openings()


def all_openings(store: Store) -> Iterator[tuple[int, Openings]]:
    """Yield the pages that were ever opened, with their counts."""
    for name, kept in store.notes(_ROOM):
        with suppress(ValueError):  # the damaged name of a note
            yield int(name), _decode(kept)


def _decode(kept: bytes) -> Openings:
    """Decode a note; a damaged one counts nothing."""
    with suppress(msgspec.MsgspecError):
        return _DECODE(kept)
    return Openings()
