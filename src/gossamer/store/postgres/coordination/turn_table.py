"""Turns at addresses and hosts that fetchers on different machines exchange."""

from collections.abc import Mapping

import msgspec

from gossamer.store.postgres.binary_columns import Floats, Texts, pack_array
from gossamer.store.postgres.connect import Session, Statement


class TurnState(msgspec.Struct, frozen=True):
    """What the database says about a name."""

    is_own: bool
    ready_s: float
    """When it may be asked again, by the database's clock."""
    is_wanted: bool
    """Whether another fetcher waits for it."""


def exchange_turns(
    session: Session, fetcher: int, given: Mapping[str, float], wished: Mapping[str, float]
) -> dict[str, TurnState]:
    """Give names back, each with the time from which it may be asked, and ask for others, in one round trip.

    With each wish comes the pause that holds if its owner has vanished. Returned is the state of each wish, and of what
    others want of this fetcher.
    """
    columns = (
        pack_array(Texts, [*given]),
        pack_array(Floats, [*given.values()]),
        pack_array(Texts, [*wished]),
        pack_array(Floats, [*wished.values()]),
    )
    asked = Statement("select * from exchange_turns(%s, %s, %s, %s, %s)", (fetcher, *columns))
    [found] = session.transact([asked])
    return {name: TurnState(*rest) for name, *rest in found}


def release_turns(session: Session, fetcher: int, pause_s: float) -> None:
    """Give back all names of a fetcher that does not know any more when it asked them: as if just now."""
    ready_s = "greatest(ready_s, extract(epoch from clock_timestamp()) + %s::float8)"
    free = f"update turn set owner = null, wanted = false, ready_s = {ready_s} where owner = %s"  # noqa: S608 - constants
    session.transact([Statement(free, (pause_s, fetcher))])


def read_time(session: Session) -> float:
    """Return the time of the database, in seconds since 1970."""
    [(now_s,)] = session.query("select extract(epoch from clock_timestamp())::float8")
    return float(now_s)
