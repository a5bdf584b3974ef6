"""The pages and links of a web as edges of a graph.

The links of a page are one row, their targets packed, so whole arrays come out of the store and nothing is done link
by link. Pages are numbered in the order of arrival. A link to an address that redirects counts as a link to where the
redirects end, since that is the page that a reader gets.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.choices import Choice
from gossamer.graph.edges import Edges, Facts, Hosts, LinkCounts, hosts_by_name
from gossamer.graph.names import named
from gossamer.graph.numbering import Numbering
from gossamer.net import url as urls
from gossamer.records import LinkType
from gossamer.store.arrow_rows import Snapshot, numbers, packed, snapshot
from gossamer.store.graph_names import StoredNames
from gossamer.store.rows import LINK_TYPES
from gossamer.store.sqlite import SqliteStore

Ids = NDArray[np.int64]
Nodes = NDArray[np.int32]

_MOST_HOPS = 20
# The others say how the crawl came to a page; they stand on none.
_NOT_ON_PAGES: tuple[LinkType, ...] = ("redirect", "sitemap", "seed")
# A link's byte says its type, nofollow, whether it spans hosts, and sites: see rows.py.
_KINDS = np.arange(256)
_TYPE, _SPANS_HOSTS, _SPANS_SITES = _KINDS // 8, (_KINDS & 2) > 0, (_KINDS & 1) > 0
_REDIRECT = LINK_TYPES.index("redirect")

# ADBC takes the type of a column from its first rows, so there must be a number in each.
_RELEVANCE = (
    "case when marks = x'7b7d' then -1.0 else "
    "coalesce(cast(json_extract(cast(marks as text), '$.relevance') as real), -1.0) end"
)


class _Pages(msgspec.Struct, frozen=True, eq=False):
    """The pages that were chosen."""

    ids: Ids
    depths: Nodes
    relevance: NDArray[np.float64]
    hosts: list[str]
    """Empty unless somebody needs them."""


class _Links(msgspec.Struct, frozen=True, eq=False):
    """The links of the chosen pages: those among them as nodes, the others by the ids that they lead to."""

    sources: Nodes
    targets: Nodes
    leaving: Nodes
    """The sources of those that lead elsewhere."""
    elsewhere: Ids
    kinds: NDArray[np.int64]
    """How many there are of each kind."""


def read_edges(store: SqliteStore, choice: Choice) -> Edges:
    """Read what was chosen of a web, as of one moment."""
    with snapshot(store.path) as state:
        needs_hosts = choice.links != "all" or choice.unit != "pages"
        pages = _read_pages(state, choice, needs_hosts)
        if not len(pages.ids):
            raise BadInput(f"the graph is empty: {store.path.parent} has no such pages")
        known = Numbering(len(pages.ids))
        known.add(pages.ids)
        links = _read_links(state, known, choice)
        ends = known.add(links.elsewhere) if choice.rim else known.find(links.elsewhere)
        ids = known.ids()
        hosts = _hosts(state, pages, known) if needs_hosts else None
    names = named(StoredNames(store, ids), len(ids))
    found = ends >= 0
    return Edges(
        _joined([links.sources, links.leaving[found]], np.int32),
        _joined([links.targets, ends[found]], np.int32),
        names,
        lambda: hosts_by_name(names) if hosts is None else hosts,
        _facts(pages, links, len(ids)),
        len(ends) - int(np.count_nonzero(found)),
    )


def _read_pages(state: Snapshot, choice: Choice, with_hosts: bool) -> _Pages:
    chosen = f"depth between {choice.depth[0]} and {choice.depth[1]}"
    if choice.relevance is not None:
        chosen += f" and {_RELEVANCE} >= {choice.relevance}"
    relevance = _RELEVANCE if choice.relevance is not None else "-1.0"
    host = "host" if with_hosts else "''"
    query = f"select id, depth, {relevance}, {host} from page where {chosen} order by number"  # noqa: S608 - numbers only
    columns = list(zip(*(batch.columns for batch in state.batches(query)), strict=True))
    ids, depths, relevances, hosts = columns or [()] * 4
    return _Pages(
        _joined((numbers(piece, np.int64) for piece in ids), np.int64),
        _joined((numbers(piece, np.int32) for piece in depths), np.int32),
        _joined((numbers(piece, np.float64) for piece in relevances), np.float64),
        [host for piece in hosts for host in piece.to_pylist()] if with_hosts else [],
    )


def _read_links(state: Snapshot, known: Numbering, choice: Choice) -> _Links:
    types = choice.types or [name for name in LINK_TYPES if name not in _NOT_ON_PAGES]
    wanted = np.isin(_TYPE, [LINK_TYPES.index(name) for name in types])
    among: list[tuple[Nodes, Nodes]] = []
    beyond: list[tuple[Nodes, Ids]] = []
    redirects: list[tuple[Ids, Ids]] = []
    counts = np.zeros(256, np.int64)
    for batch in state.batches("select source, targets, kinds from link"):
        pages = numbers(batch.column(0), np.int64)
        targets, ends = packed(batch.column(1), np.int64)
        kinds, _ = packed(batch.column(2), np.uint8)
        sources = np.repeat(known.find(pages), np.diff(ends))
        moved = _TYPE[kinds] == _REDIRECT
        if moved.any():
            redirects.append((np.repeat(pages, np.diff(ends))[moved], targets[moved]))
        keep = wanted[kinds] & (sources >= 0)
        counts += np.bincount(kinds[keep], minlength=256)
        sources, targets = sources[keep], np.ascontiguousarray(targets[keep], np.int64)
        found = known.find(targets)
        inside = found >= 0
        among.append((sources[inside], found[inside]))
        beyond.append((sources[~inside], targets[~inside]))
    elsewhere = _followed(_joined((ids for _, ids in beyond), np.int64), redirects)
    return _Links(
        _joined((sources for sources, _ in among), np.int32),
        _joined((nodes for _, nodes in among), np.int32),
        _joined((sources for sources, _ in beyond), np.int32),
        elsewhere,
        counts,
    )


def _followed(ids: Ids, redirects: list[tuple[Ids, Ids]]) -> Ids:
    """Return where these ids lead in the end; what goes round in a ring stays somewhere in it."""
    moved = Numbering()
    moved.add(_joined((origins for origins, _ in redirects), np.int64))
    leads_to = np.empty(len(moved), np.int64)
    for origins, targets in redirects:
        leads_to[moved.find(np.ascontiguousarray(origins))] = targets
    for _ in range(_MOST_HOPS):
        at = moved.find(ids)
        moves = at >= 0
        if not moves.any():
            break
        ids[moves] = leads_to[at[moves]]
    return ids


def _hosts(state: Snapshot, pages: _Pages, known: Numbering) -> Hosts:
    """Number the hosts of all nodes; pages that were not fetched have only a URL."""
    number_of: dict[str, int] = {}
    of = np.zeros(len(known), np.int32)
    of[: len(pages.ids)] = [number_of.setdefault(host, len(number_of)) for host in pages.hosts]
    if len(known) > len(pages.ids):
        for batch in state.batches("select id, url from known"):
            nodes = known.find(numbers(batch.column(0), np.int64))
            rim = np.flatnonzero(nodes >= len(pages.ids))
            found = batch.column(1).take(rim).to_pylist() if len(rim) else []
            of[nodes[rim]] = [number_of.setdefault(urls.host(url), len(number_of)) for url in found]
    return Hosts(of, list(number_of))


def _facts(pages: _Pages, links: _Links, nodes: int) -> Facts:
    rim = nodes - len(pages.ids)
    types = np.bincount(_TYPE, weights=links.kinds)
    counts = LinkCounts(
        int(links.kinds.sum()),
        int(links.kinds[_SPANS_HOSTS].sum()),
        int(links.kinds[_SPANS_SITES].sum()),
        {name: int(types[at]) for at, name in enumerate(LINK_TYPES) if types[at]},
    )
    return Facts(
        np.concatenate([pages.depths, np.full(rim, -1, np.int32)]),
        np.concatenate([np.where(pages.relevance < 0, np.nan, pages.relevance), np.full(rim, np.nan)]),
        counts,
    )


def _joined(pieces: Iterable[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *pieces])
