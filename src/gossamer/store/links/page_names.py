"""Look up the URLs and titles of a graph's pages in the store, for those that are shown."""

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.node_names import Rows
from gossamer.store.batch import Store
from gossamer.store.links.snapshot import Snapshot, open_snapshot
from gossamer.store.packed_bytes import unpack_texts

# From about this number on, reading whole tables is faster than looking up rows.
_MANY = 20_000
_AT_ONCE = 500


class StoredNames(msgspec.Struct, frozen=True, eq=False):
    """The names of pages by their ids; needs the store to be open."""

    store: Store
    ids: NDArray[np.int64]

    def names(self, rows: Rows) -> list[str]:
        return self._look_up(rows, self.store.urls, ("page", "known"), "url")

    def titles(self, rows: Rows) -> list[str]:
        return self._look_up(rows, self._titles, ("page",), "title")

    def _titles(self, page_ids: list[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        with open_snapshot(self.store) as state:
            for at in range(0, len(page_ids), _AT_ONCE):
                these = ", ".join(map(str, page_ids[at : at + _AT_ONCE]))
                query = f"select id, title from page where id in ({these})"  # noqa: S608 - nothing but numbers is put in
                found.update(_read_pairs(state, query))
        return found

    def _look_up(
        self, rows: Rows, look_up: Callable[[list[int]], dict[int, str]], tables: tuple[str, ...], column: str
    ) -> list[str]:
        wanted: list[int] = self.ids[rows].tolist()
        found = look_up(wanted) if len(wanted) < _MANY else self._scan_tables(set(wanted), tables, column)
        return [found.get(page_id, "") for page_id in wanted]

    def _scan_tables(self, wanted: set[int], tables: tuple[str, ...], column: str) -> dict[int, str]:
        found: dict[int, str] = {}
        with open_snapshot(self.store) as state:
            for table in tables:
                query = f"select id, {column} from {table}"  # noqa: S608 - names written here
                found.update(pair for pair in _read_pairs(state, query) if pair[0] in wanted)
        return found


def _read_pairs(state: Snapshot, query: str) -> Iterator[tuple[int, str]]:
    """Yield the ids and texts that a query selects."""
    for ids, packed in state.read_batches(query, "nb"):
        yield from zip(ids.tolist(), map(state.restore, unpack_texts(packed)), strict=True)
