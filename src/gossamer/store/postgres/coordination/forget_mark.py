"""The journal of a forgetting in a database: a table that is there from its beginning to its end.

As long as it is there, the web is not opened for writing: a fetcher could collect again what is being removed.
"""

from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session, Statement

TABLE = "forgetting"
_IS_MARKED = f"select to_regclass('{TABLE}') is not null"


def is_forgetting(session: Session) -> bool:
    """Say whether a forgetting began in a web and has not ended."""
    return bool(session.query(_IS_MARKED)[0][0])


class ForgetMark:
    """The journal of one web."""

    def __init__(self, address: Address) -> None:
        self._session = Session(address, setup=True)

    def write(self, journal: bytes) -> None:
        """Write the journal."""
        self._session.execute(f"create table if not exists {TABLE} (journal bytea not null)")
        self._session.transact(
            [
                Statement(f"delete from {TABLE}"),  # noqa: S608 - a name written here
                Statement(f"insert into {TABLE} values (%s)", (journal,)),  # noqa: S608
            ]
        )

    def read(self) -> bytes | None:
        """Return the journal; None if nothing is being forgotten, or it was not written yet."""
        if not is_forgetting(self._session):
            return None
        found = self._session.query(f"select journal from {TABLE}")  # noqa: S608
        if not found:
            self.remove()  # killed before anything was removed
        return bytes(found[0][0]) if found else None

    def remove(self) -> None:
        """Remove the journal: everything is done."""
        self._session.execute(f"drop table if exists {TABLE}")

    def close(self) -> None:
        """Close the connection."""
        self._session.close()
