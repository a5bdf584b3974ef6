"""Read the pages beside one page, each with the words of the link between the two."""

from collections.abc import Callable, Collection, Sequence

import msgspec

from gossamer.reports.graph.page_paths import PageFinder, PageGraph, PathStep
from gossamer.store.batch import Store

_SHOWN, _WITH_WORDS = 30, 10
Ends = tuple[int, int]


class Neighbour(msgspec.Struct, frozen=True):
    """A page beside the one that is looked at."""

    url: str
    title: str
    is_page: bool
    """Whether the web has it; otherwise it is only linked to."""
    in_links: int
    link: PathStep | None = None
    """The link between the two."""
    is_answered: bool = False
    """Whether there is a link in the other direction, too."""


class NeighbourReader:
    """Reads neighbours from a web."""

    def __init__(self, store: Store, pages: PageGraph, finder: PageFinder, plain: PageFinder) -> None:
        self._store = store
        self._pages = pages
        self._finder = finder
        self._plain = plain
        """Does not read the words around links from the archive."""

    def read(
        self, nodes: Sequence[int], both: Collection[int], get_ends: Callable[[int], Ends] | None = None
    ) -> list[Neighbour]:
        """Read the first of some nodes; `get_ends` returns the ends of the link between a node and the page.

        The words around the links of the first few are read from the archive.
        """
        shown = nodes[:_SHOWN]
        ids = [int(self._pages.ids[node]) for node in shown]
        known, pages = self._store.urls(ids), self._store.pages_by_id(ids)
        degrees = self._pages.graph.in_degrees()
        return [
            Neighbour(
                known.get(page_id, ""),
                pages[page_id].title if page_id in pages else "",
                page_id in pages,
                int(degrees[node]),
                self._read_link(get_ends(node), at) if get_ends is not None else None,
                node in both,
            )
            for at, (node, page_id) in enumerate(zip(shown, ids, strict=True))
        ]

    def _read_link(self, ends: Ends, at: int) -> PathStep:
        finder = self._finder if at < _WITH_WORDS else self._plain
        return finder.describe_path(ends).steps[0]
