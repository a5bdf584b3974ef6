"""The table of packs of a web in PostgreSQL, with the commits of segments that a crawl would make."""

from gossamer.store.batch import Batch
from gossamer.store.postgres.address import parse_address
from gossamer.store.postgres.coordination.packs import DatabasePacks
from gossamer.store.postgres.postgres_store import PostgresStore


class PostgresPackTable(DatabasePacks):
    """A `PackTable` in the database of a web."""

    def __init__(self, address: str) -> None:
        super().__init__(parse_address(address))
        self._store = PostgresStore(address)

    def commit(self, segments: dict[str, int]) -> None:
        """Commit segments."""
        self._store.commit(Batch(archive_ends=segments))

    def close(self) -> None:
        """Close the connections."""
        self._store.close()
        super().close()
