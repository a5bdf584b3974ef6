"""Mark a web as the unfinished copy of another one, and keep fetchers away from a web while it is copied.

The mark is a table that is there as long as the copy is not whole. Fetchers take leases under a lock, which a copy
holds: they wait until it has ended, or its connection was lost.
"""

import time

from gossamer.errors import BadInput
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session, Statement
from gossamer.store.postgres.open_schema import open_schema

_DYING_S = 10.0
_RETRY_S = 0.05
_PLACE = "('web'::regclass::oid::integer, 0)"
_SHARE = f"select pg_try_advisory_lock_shared{_PLACE}"
_TAKE = f"select pg_try_advisory_lock{_PLACE}"
_PRESENT = "select exists (select from fetcher where expires > clock_timestamp())"
_FILLED = (
    "select exists (select from task) or exists (select from page) or exists (select from known) "
    "or exists (select from note) or exists (select from archive)"
)
_IS_MARKED = "select to_regclass('unfinished_copy') is not null"
_EMPTY = """
do $do$ declare names text; begin
    select string_agg(format('%I', relname), ', ') into names from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
            and relname not in ('web', 'lease', 'unfinished_copy');
    execute 'truncate ' || names || ' restart identity';
end $do$
"""


class SourceLock:
    """Keeps fetchers from taking leases while the block runs; raises BadInput if some have.

    With `alone`, no other program may hold such a lock meanwhile.
    """

    def __init__(self, address: Address, alone: bool = False) -> None:
        self._session = Session(address, setup=True)
        self._take = _TAKE if alone else _SHARE

    def __enter__(self) -> "SourceLock":
        try:
            [(taken,)] = self._session.query(self._take)
            [(present,)] = self._session.query(_PRESENT)
            if present or not taken:
                raise BadInput(
                    f"{self._session.address} is being crawled: stop its fetchers first, `gossamer cluster` shows them"
                )
        except BaseException:
            self._session.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()


class CopyMark:
    """The mark of an unfinished copy, and the lock that keeps others away from it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._session = Session(address, setup=True)
        self.is_repeated = False
        """Whether an earlier attempt has left something."""

    def take(self) -> list[str]:
        """Take the lock of a web, which is made if there is none; return the packs that an earlier attempt has begun.

        Raise BadInput if there is a web already.
        """
        open_schema(self._address, create=True, upgrade=True, allow_unfinished=True)
        [(taken,)] = self._session.query(_TAKE)
        if not taken:
            raise BadInput(
                f"{self._address} is in use: another copy is being written there, or it is crawled"
            )
        [(self.is_repeated,)] = self._session.query(_IS_MARKED)
        if not self.is_repeated:
            self._check_empty()
        return [name for (name,) in self._session.query("select name from pack")]

    def write(self, command: str) -> None:
        """Mark the web, and delete what an earlier attempt has written."""
        self._session.execute("create table if not exists unfinished_copy (command text not null)")
        new = Statement("insert into unfinished_copy values (%s)", (command,))
        self._session.transact([Statement("delete from unfinished_copy"), new])
        if self.is_repeated:
            self._session.execute(_EMPTY)

    def remove(self) -> None:
        """Declare the copy whole."""
        self._session.execute("drop table unfinished_copy")

    def close(self) -> None:
        """Release the lock."""
        self._session.close()

    def _take_lock(self) -> None:
        """Take the lock; wait while the server still ends the connection of a copy that was killed."""
        until_s = time.monotonic() + _DYING_S
        while not self._session.query(_TAKE)[0][0]:
            if time.monotonic() >= until_s:
                raise BadInput(
                    f"{self._address} is in use: another copy is being written there, or it is crawled"
                )
            time.sleep(_RETRY_S)

    def _check_empty(self) -> None:
        [(filled,)] = self._session.query(_FILLED)
        [(present,)] = self._session.query(_PRESENT)
        if filled:
            raise BadInput(f"{self._address} holds a web already: choose another database or ?schema=NAME")
        if present:
            raise BadInput(
                f"fetchers have joined {self._address}: stop them first, `gossamer cluster` shows them"
            )
