"""Paths of links from one page to another, with the words of each link, or the reason why there is none."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.crawl.from_archive.archived_pages import read_document
from gossamer.errors import BadInput
from gossamer.graph.graph import Graph
from gossamer.graph.structure.bowtie import Region, bowtie
from gossamer.graph.structure.shortest_paths import find_nearest_start, find_shortest_paths
from gossamer.net import url as urls
from gossamer.net.main_text.text_blocks import words_around
from gossamer.store.archive.archive_reader import ArchiveReader
from gossamer.store.batch import Store

MOST_PATHS = 3
"""How many of the shortest paths are listed."""
_REACH = 12
_MOST_HOPS = 5
_REGIONS = {
    Region.SCC: "in the core (SCC)",
    Region.IN: "in the IN part, which leads into the core",
    Region.OUT: "in the OUT part, from which no link leads back into the core",
    Region.TUBES: "in a tube from the IN part to the OUT part, beside the core",
    Region.INTENDRILS: "in a tendril of the IN part, which leads nowhere else",
    Region.OUTTENDRILS: "in a tendril of the OUT part, into which no link leads",
    Region.DISC: "not connected with the core",
}


class PageGraph(msgspec.Struct, frozen=True, eq=False):
    """The links among the known pages of a web, as arrays."""

    graph: Graph
    """All links; pages that were only linked to are nodes, too."""
    content: Graph
    """The same nodes, without the links that templates repeat."""
    ids: NDArray[np.int64]
    """The page id of each node."""
    order: NDArray[np.int64]
    """The nodes sorted by page id."""
    last_visit: int
    """The last visit of the web when the graph was read."""

    def find_node(self, page_id: int) -> int:
        """Return the node of a page; -1 if it has none."""
        at = int(np.searchsorted(self.ids, page_id, sorter=self.order))
        found = int(self.order[at]) if at < len(self.order) else -1
        return found if found >= 0 and self.ids[found] == page_id else -1


class PathStep(msgspec.Struct, frozen=True):
    """A page on a path, and the link that leads to the next one."""

    url: str
    title: str = ""
    link_text: str = ""
    """Of the link to the next page; "" for the last page, and for links without text."""
    before: str = ""
    after: str = ""
    """The words around the link, if the page is in the archive."""
    repeated: bool = False
    """Whether the link is one that templates repeat."""


class PagePath(msgspec.Struct, frozen=True):
    """One path."""

    steps: tuple[PathStep, ...]
    content: bool = False
    """Whether the path was searched without the links that templates repeat."""

    @property
    def links(self) -> int:
        """How many links it follows."""
        return len(self.steps) - 1


class PathSearch(msgspec.Struct, frozen=True):
    """What was found between two pages, in one direction."""

    source: str
    target: str
    paths: tuple[PagePath, ...]
    """The shortest ones by all links, then the shortest by content links if it is another one."""
    reason: str = ""
    """Why there is none."""


class PageFinder:
    """Finds paths between the pages of a web."""

    def __init__(self, store: Store, pages: PageGraph, reader: ArchiveReader | None = None) -> None:
        self._store = store
        self._pages = pages
        self._reader = reader
        """None if the words around links are not wanted."""

    def find_page(self, page_id: int) -> int:
        """Return the node of a page, or of the page where its redirects end; raise `BadInput` if there is none."""
        for _ in range(_MOST_HOPS):
            node = self._pages.find_node(page_id)
            if node >= 0:
                return node
            ways = [link.target for link in self._store.links_from(page_id) if link.type == "redirect"]
            if not ways:
                break
            page_id = ways[0]
        raise BadInput("the web does not know this page, or it knows no link to it or from it")

    def search(self, source: int, target: int) -> PathSearch:
        """Find the shortest paths from one node to another."""
        every, content = self._pages.graph, self._pages.content
        found = find_shortest_paths(every, source, target, MOST_PATHS)
        named = self._name_nodes([source, target])
        if not found:
            return PathSearch(named[0], named[1], (), self._explain_absence(source, target))
        paths = [self.describe_path(nodes) for nodes in found]
        if source != target and not any(self._is_content(nodes) for nodes in found):
            others = find_shortest_paths(content, source, target, 1)
            paths += [self.describe_path(nodes, content=True) for nodes in others]
        return PathSearch(named[0], named[1], tuple(paths))

    def find_way_from(self, starts: Iterable[int], target: int) -> PagePath | None:
        """Return a shortest path to a node from the nearest of some pages; None if none of them leads there."""
        marked = np.zeros(self._pages.graph.nodes, np.bool_)
        nodes = [self._pages.find_node(page) for page in starts]
        marked[[node for node in nodes if node >= 0]] = True
        start = find_nearest_start(self._pages.graph, target, marked)
        if start < 0:
            return None
        return self.describe_path(find_shortest_paths(self._pages.graph, start, target)[0])

    def describe_path(self, nodes: Sequence[int], content: bool = False) -> PagePath:
        """Return a path with the titles of its pages and the words of its links."""
        ids = [int(self._pages.ids[node]) for node in nodes]
        known, found = self._store.urls(ids), self._store.pages_by_id(ids)
        steps = []
        for at, page_id in enumerate(ids):
            title = found[page_id].title if page_id in found else ""
            step = PathStep(known.get(page_id, ""), title)
            if at + 1 < len(ids):
                repeated = not _has_link(self._pages.content, nodes[at], nodes[at + 1])
                step = self._add_link(step, page_id, ids[at + 1], repeated)
            steps.append(step)
        return PagePath(tuple(steps), content)

    def _add_link(self, step: PathStep, source: int, target: int, repeated: bool) -> PathStep:
        """Add the text of the link between two pages, and the words around it."""
        ends = self._list_ends(target)
        texts = [link.text for link in self._store.links_from(source) if link.target in ends]
        before, after = self._read_words_around(source, ends) if self._reader is not None else ("", "")
        text = next(filter(None, texts), "")
        return msgspec.structs.replace(step, link_text=text, before=before, after=after, repeated=repeated)

    def _list_ends(self, target: int) -> set[int]:
        """Return a page and the addresses that redirect to it."""
        ends, new = {target}, [target]
        for _ in range(_MOST_HOPS):
            links = [link for end in new for link in self._store.links_to(end)]
            new = [link.source for link in links if link.type == "redirect" and link.source not in ends]
            ends.update(new)
            if not new:
                break
        return ends

    def _read_words_around(self, source: int, ends: set[int]) -> tuple[str, str]:
        page = self._store.page(source)
        document = read_document(page, self._reader) if page is not None and self._reader else None
        if document is None:
            return "", ""
        places = {at for at, url in enumerate(document.links.urls) if urls.page_id(url) in ends}
        for words in words_around(document, _REACH):
            if words.link in places and (words.before or words.after):
                return " ".join(words.before), " ".join(words.after)
        return "", ""

    def _is_content(self, nodes: Sequence[int]) -> bool:
        content = self._pages.content
        return all(_has_link(content, nodes[at], nodes[at + 1]) for at in range(len(nodes) - 1))

    def _explain_absence(self, source: int, target: int) -> str:
        """Say where both pages are in the bow-tie."""
        regions = bowtie(self._pages.graph).regions
        first, second = Region(int(regions[source])), Region(int(regions[target]))
        there = "so is the other page" if first == second else f"the other page is {_REGIONS[second]}"
        if self._pages.graph.starts[source] == self._pages.graph.starts[source + 1]:
            why = "no link of this page leads to a known page"
        else:
            why = f"this page is {_REGIONS[first]}, and {there}"
        return f"No path: {why}."

    def _name_nodes(self, nodes: Sequence[int]) -> list[str]:
        ids = [int(self._pages.ids[node]) for node in nodes]
        known = self._store.urls(ids)
        return [known.get(page_id, "") for page_id in ids]


def open_page_finder(store: Store, pages: PageGraph, folder: Path | None) -> PageFinder:
    """Return a finder of paths; with the folder of the web, it reads the words around links from the archive."""
    from gossamer.store.opening.open_archive import open_reader

    return PageFinder(store, pages, open_reader(folder / "archive") if folder is not None else None)


def _has_link(graph: Graph, source: int, target: int) -> bool:
    targets = graph.targets[graph.starts[source] : graph.starts[source + 1]]
    at = int(np.searchsorted(targets, target))
    return at < len(targets) and bool(targets[at] == target)
