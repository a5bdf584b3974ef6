"""Look up the URLs and titles of a graph's pages in the store, for those that are shown."""

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.node_names import Rows
from gossamer.store.links.arrow_tables import open_snapshot, unpack_texts
from gossamer.store.sqlite.sqlite_store import SqliteStore

# From about this number on, reading whole tables is faster than looking up rows.
_MANY = 20_000


class StoredNames(msgspec.Struct, frozen=True, eq=False):
    """The names of pages by their ids; needs the store to be open."""

    store: SqliteStore
    ids: NDArray[np.int64]

    def names(self, rows: Rows) -> list[str]:
        return self._look_up(rows, self.store.urls, ("page", "known"), "url")

    def titles(self, rows: Rows) -> list[str]:
        return self._look_up(rows, self._titles, ("page",), "title")

    def _titles(self, page_ids: list[int]) -> dict[int, str]:
        pages = map(self.store.page, page_ids)
        return {page.id: page.title for page in pages if page is not None}

    def _look_up(
        self, rows: Rows, look_up: Callable[[list[int]], dict[int, str]], tables: tuple[str, ...], column: str
    ) -> list[str]:
        wanted: list[int] = self.ids[rows].tolist()
        found = look_up(wanted) if len(wanted) < _MANY else self._scan_tables(set(wanted), tables, column)
        return [found.get(page_id, "") for page_id in wanted]

    def _scan_tables(self, wanted: set[int], tables: tuple[str, ...], column: str) -> dict[int, str]:
        found: dict[int, str] = {}
        with open_snapshot(self.store.path) as state:
            for table in tables:
                for ids, packed in state.read_batches(f"select id, {column} from {table}", "nb"):  # noqa: S608 - names written here
                    pairs = zip(ids.tolist(), unpack_texts(packed), strict=True)
                    found.update(pair for pair in pairs if pair[0] in wanted)
        return found
