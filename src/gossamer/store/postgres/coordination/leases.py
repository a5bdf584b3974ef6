"""Leases: which fetcher owns which groups of shares, until when, by the clock of the database.

A fetcher joins with its capacity, renews its lease every few seconds, and takes groups that are free or whose owner
was silent for longer than a lease. Each time a group changes hands, its epoch grows. A commit names the epochs that
it depends on; the database checks them in the same transaction, and the fetcher that takes a group waits for (or ends) such a
transaction of the former owner first. So a fetcher that was cut off cannot write into what is another's, and the new
owner sees all that was written before. A lease that has expired but was not taken is still its owner's: when the
database was away, everyone just goes on.
"""

from collections.abc import Collection

import msgspec

from gossamer.store.postgres.address import Address, parse_address
from gossamer.store.postgres.binary_columns import Int2s, Int8s, escape_nul, pack_array, restore_nul
from gossamer.store.postgres.connect import Session, Statement, Step
from gossamer.store.postgres.coordination.page_reservations import plan_spending
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.share_groups import GROUPS, share_fairly

LEASE_S = 20.0
"""How long a fetcher may be silent. Three renewals fit into it, and a crawl goes on within 30 s after a machine died."""
_FORGOTTEN_AFTER = "1 day"
_JOIN = (
    "insert into fetcher (name, machine, capacity, expires, status) "
    "values (%s, %s, %s, clock_timestamp() + make_interval(secs => %s), '{}') returning number"
)
_FORGET = (
    f"delete from fetcher where expires < clock_timestamp() - interval '{_FORGOTTEN_AFTER}' "  # noqa: S608 - a constant
    "and not exists (select from lease where owner = fetcher.number)"
)
_RENEW = (
    "update fetcher set renewed = clock_timestamp(), expires = clock_timestamp() + make_interval(secs => %s), "
    "status = %s where number = %s returning number"
)
_HELD = "select share_group, epoch from lease where owner = %s order by share_group"
_PRESENT = "select number, capacity, status from fetcher where expires > clock_timestamp()"
_WAIT_FOR_COMMIT = "select pg_advisory_xact_lock('web'::regclass::oid::integer, %s)"
_RELEASE = (
    "update lease set owner = null, since = clock_timestamp() where owner = %s and share_group = any(%s)"
)
_LIST = """
select number, name, machine, capacity, extract(epoch from joined)::float8,
    extract(epoch from clock_timestamp() - renewed)::float8, extract(epoch from expires - clock_timestamp())::float8,
    (select count(*) from lease where owner = fetcher.number), status
from fetcher order by number
"""


class Fence(msgspec.Struct, frozen=True):
    """A fetcher and the leases that a batch depends on: it is written only if all of them are still the fetcher's."""

    fetcher: int
    epochs: dict[int, int]
    """The epoch of the lease of each group of shares."""
    brought: dict[int, int] = {}
    """How many pages the batch brings to tasks with a page limit; the fetcher must have reserved them."""

    def plan(self) -> list[Step]:
        """Return the steps that check it. The first waits for a fetcher that is taking leases at this moment."""
        groups, epochs = [*self.epochs.keys()], [*self.epochs.values()]
        wanted = pack_array(Int2s, groups), pack_array(Int8s, epochs)
        return [
            Statement("select lock_fetcher(%s)", (self.fetcher,)),
            Statement("select require_leases(%s, %s, %s)", (self.fetcher, *wanted)),
            *plan_spending(self.fetcher, self.brought),
        ]


class Standing(msgspec.Struct, frozen=True):
    """What a fetcher holds after a renewal, and what it should hold."""

    epochs: dict[int, int]
    """The groups that it owns, with the epochs of their leases."""
    target: int
    """How many groups are its part, by its capacity among all fetchers that are present."""
    browser_groups: frozenset[int] = frozenset()
    """The groups whose pages need a browser, if a fetcher is present that has one; they are no part of `target`."""
    browser_target: int = 0
    """How many of them are its part."""
    others_render: bool = False
    """Whether another fetcher is present that has a browser."""

    @property
    def missing(self) -> int:
        """How many groups it should take, if it can."""
        plain, needing = self._sort(self.epochs)
        return max(0, self.target - len(plain)) + max(0, self.browser_target - len(needing))

    @property
    def surplus(self) -> int:
        """How many groups it should give to others."""
        return len(self.list_surplus())

    def list_surplus(self) -> list[int]:
        """Return the groups that it should give to others."""
        plain, needing = self._sort(self.epochs)
        return plain[self.target :] + needing[self.browser_target :]

    def choose_missing(self, free: Collection[int]) -> set[int]:
        """Return which of these groups it should take."""
        plain, needing = self._sort(self.epochs)
        free_plain, free_needing = self._sort(free)
        return {
            *free_plain[: max(0, self.target - len(plain))],
            *free_needing[: max(0, self.browser_target - len(needing))],
        }

    def _sort(self, groups: Collection[int]) -> tuple[list[int], list[int]]:
        """Return those of the groups that need no browser, and those that do."""
        ordered = sorted(groups)
        return (
            [group for group in ordered if group not in self.browser_groups],
            [group for group in ordered if group in self.browser_groups],
        )


class _Said(msgspec.Struct):
    """What a fetcher says about browsers in its status."""

    renders: bool = False
    browser_groups: frozenset[int] = frozenset()


def _divide(fetcher: int, epochs: dict[int, int], present: list[tuple[int, int, bytes]]) -> Standing:
    """Return what a fetcher should hold among those that are present."""
    capacities = {number: capacity for number, capacity, _ in present}
    said = {number: msgspec.json.decode(status, type=_Said) for number, _, status in present}
    rendering = {number: capacity for number, capacity in capacities.items() if said[number].renders}
    needing: frozenset[int] = frozenset()
    if rendering:
        known = needing.union(*(one.browser_groups for one in said.values()))
        needing = known & frozenset(range(GROUPS))
    return Standing(
        epochs,
        share_fairly(capacities, GROUPS - len(needing))[fetcher],
        needing,
        share_fairly(rendering, len(needing)).get(fetcher, 0),
        bool(rendering.keys() - {fetcher}),
    )


class FetcherNote(msgspec.Struct, frozen=True):
    """A fetcher as the database knows it."""

    number: int
    name: str
    machine: str
    capacity: int
    joined_s: float
    """Unix time, by the database's clock."""
    silent_s: float
    """For how long it has not renewed its lease."""
    expires_in_s: float
    """Until its lease expires; negative if it has."""
    groups: int
    """How many groups of shares it owns."""
    status: bytes
    """What it says about itself, in JSON."""


class Leases:
    """The leases of one fetcher, over a connection of its own, so that a renewal does not wait for a commit."""

    def __init__(self, address: Address | str, lease_s: float = LEASE_S) -> None:
        self._session = Session(parse_address(address) if isinstance(address, str) else address)
        self._lease_s = lease_s
        self.fetcher = 0
        """The number of this fetcher; 0 before it has joined."""

    @property
    def round_trips(self) -> int:
        """How often a call has waited for the server."""
        return self._session.round_trips

    def join(self, name: str, machine: str, capacity: int) -> int:
        """Register a fetcher that can do this much at a time; return its number."""
        new = Statement(_JOIN, (escape_nul(name), escape_nul(machine), capacity, self._lease_s))
        [[(number,)], _] = self._session.transact([new, Statement(_FORGET)])
        self.fetcher = int(number)
        return self.fetcher

    def renew(self, status: bytes = b"{}") -> Standing:
        """Renew the lease of all groups, in one round trip; raise `LeaseLost` if the database has forgotten the fetcher."""
        steps = [
            Statement(_RENEW, (self._lease_s, status, self.fetcher)),
            Statement(_HELD, (self.fetcher,)),
            Statement(_PRESENT),
        ]
        renewed, held, present = self._session.transact(steps)
        if not renewed:
            raise LeaseLost(())
        return _divide(self.fetcher, dict(held), present)

    def acquire(self, most: int) -> dict[int, int]:
        """Take up to this many groups that are free or expired; return them with their epochs."""
        take = Statement("select taken, taken_epoch from take_leases(%s, %s)", (self.fetcher, most))
        [taken] = self._session.transact([take])
        return dict(sorted(taken))

    def release(self, groups: Collection[int]) -> None:
        """Give groups back, after the commit under way has ended."""
        given = pack_array(Int2s, sorted(groups))
        self._session.transact(
            [Statement(_WAIT_FOR_COMMIT, (self.fetcher,)), Statement(_RELEASE, (self.fetcher, given))]
        )

    def leave(self, fetcher: int = 0) -> None:
        """Give everything back and sign off, as this fetcher or as an earlier one of this process."""
        number = fetcher or self.fetcher
        every = pack_array(Int2s, range(GROUPS))
        self._session.transact(
            [
                Statement(_WAIT_FOR_COMMIT, (number,)),
                Statement(_RELEASE, (number, every)),
                Statement("delete from fetcher where number = %s", (number,)),
            ]
        )
        self.fetcher = 0

    def list_fetchers(self) -> list[FetcherNote]:
        """Return all fetchers that joined and did not leave, oldest first."""
        return [
            FetcherNote(number, restore_nul(name), restore_nul(machine), *rest)
            for number, name, machine, *rest in self._session.query(_LIST)
        ]

    def close(self) -> None:
        """Close the connection; the leases stay until they expire."""
        self._session.close()
