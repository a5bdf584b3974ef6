"""Selection of links and nodes before a graph is built (Schmitz 2001, section 3.2)."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.edges import Edges, Hosts, NodeFacts
from gossamer.graph.graph import LoadedGraph, build_graph
from gossamer.graph.host_sites import find_sites
from gossamer.graph.node_names import NameList, name_nodes
from gossamer.net.url.public_suffix import SiteRule
from gossamer.records import LinkType

Links = Literal["all", "hosts", "sites"]
Unit = Literal["pages", "hosts", "sites"]
DEEPEST = 2**31 - 1
_WORDS = {
    "links": get_args(Links),
    "unit": get_args(Unit),
    "site_rule": get_args(SiteRule),
    "types": get_args(LinkType),
}


class LinkSelection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which parts of a web become nodes and links of a graph."""

    links: Links = "all"
    """All links, only links between hosts, or only links between sites."""
    content: bool = False
    """Leave out the links that a template repeats; also chosen by the word `content` in `links`."""
    unit: Unit = "pages"
    """What a node is. Two hosts are linked if any page of one links to any page of the other."""
    site_rule: SiteRule = "suffix"
    rim: bool = False
    """Include pages that were linked to but not fetched."""
    relevance: float | None = None
    """Only pages with at least this relevance from a classifier."""
    depth: tuple[int, int] = (0, DEEPEST)
    """Only pages whose distance from a start page is in this range."""
    types: tuple[LinkType, ...] = ()
    """Only links of these types; empty for all types."""
    without_noise: bool = False
    """Leave out mirrors, misconfigured servers and link farms."""

    def __post_init__(self) -> None:
        if self.relevance is not None and not 0 <= self.relevance <= 1:
            raise BadInput(f"relevance must be from 0 to 1, not {self.relevance}")
        if not 0 <= self.depth[0] <= self.depth[1]:
            raise BadInput(f"no page has a depth from {self.depth[0]} to {self.depth[1]}")

    @property
    def of_web_only(self) -> list[str]:
        """The options in use that need a web and cannot be applied to a file."""
        asked = {
            "links content": self.content,
            "rim": self.rim,
            "relevance": self.relevance is not None,
            "depth": self.depth != (0, DEEPEST),
            "types": bool(self.types),
            "without-noise": self.without_noise,
        }
        return [name for name, is_asked in asked.items() if is_asked]


def parse_selection(options: Mapping[str, Any]) -> LinkSelection:
    """Make a selection from options by name, with numbers as text or not; an unknown option is an error."""
    options = _split_links(options)
    for name, words in _WORDS.items():
        given = options.get(name, ())
        for word in [given] if isinstance(given, str) else given:
            if word not in words:
                offered = [*words, "content"] if name == "links" else words
                raise BadInput(f"{name.replace('_', '-')} cannot be {word!r}; there are {', '.join(offered)}")
    try:
        return msgspec.convert(dict(options), LinkSelection, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"this selection is not possible: {error}") from None


def _split_links(options: Mapping[str, Any]) -> dict[str, Any]:
    """Split the words of `links`, such as "content,hosts": whether templates count, and which links are selected."""
    words = options.get("links")
    if not isinstance(words, str):
        return dict(options)
    given = [word.strip() for word in words.split(",")]
    spans = [word for word in given if word not in ("content", "all")]
    if len(spans) > 1 or {"content", "all"} <= set(given):
        raise BadInput(f"links cannot be {words!r}: give content or all, hosts or sites, or one of each")
    split = {**options, "links": spans[0] if spans else "all"}
    if "content" in given or "all" in given:
        split["content"] = "content" in given
    return split


def select_graph(edges: Edges, selection: LinkSelection) -> LoadedGraph:
    """Build the graph of the selected nodes and links."""
    if not len(edges.names):
        raise BadInput("the graph is empty: there are no nodes")
    sources, targets = edges.sources, edges.targets
    if selection.links != "all":
        keep = find_spanning_links(edges, selection)
        sources, targets = sources[keep], targets[keep]
    if selection.unit == "pages":
        loaded = build_graph(sources, targets, len(edges.names), edges.names)
        return _add_origin(loaded, edges, edges.facts)
    group_of, names = _group_nodes(edges.hosts(), selection)
    loaded = build_graph(
        group_of[sources], group_of[targets], len(names), name_nodes(NameList(names), len(names))
    )
    return _add_origin(loaded, edges, None)


def _add_origin(loaded: LoadedGraph, edges: Edges, facts: NodeFacts | None) -> LoadedGraph:
    """Add the counts from reading the edges, and the facts about the nodes."""
    return msgspec.structs.replace(
        loaded,
        unknown=edges.unknown,
        disturbing=edges.disturbing,
        template=edges.template,
        facts=facts,
    )


def find_spanning_links(edges: Edges, selection: LinkSelection) -> NDArray[np.bool_]:
    """Return for each link whether it leads to another host, or to another site."""
    hosts = edges.hosts()
    from_hosts, to_hosts = hosts.of[edges.sources], hosts.of[edges.targets]
    if selection.links == "sites":
        return find_sites(hosts.names, selection.site_rule).differ(from_hosts, to_hosts)
    spans: NDArray[np.bool_] = from_hosts != to_hosts
    return spans


def _group_nodes(hosts: Hosts, selection: LinkSelection) -> tuple[NDArray[np.int32], list[str]]:
    """Return the number of each node's host or site, and their names."""
    if selection.unit == "hosts":
        return hosts.of, hosts.names
    numbers: dict[str, int] = {}
    called = find_sites(hosts.names, selection.site_rule).names
    of_host = np.array([numbers.setdefault(name, len(numbers)) for name in called], np.int32)
    return of_host[hosts.of], list(numbers)
