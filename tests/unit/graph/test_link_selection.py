"""Selections keep the right links and make the right nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import BadInput
from gossamer.graph.edges import Edges, find_hosts
from gossamer.graph.graph import LoadedGraph
from gossamer.graph.link_selection import Links, LinkSelection, Unit, parse_selection, select_graph
from gossamer.graph.node_names import NameList, name_nodes
from gossamer.net import url as urls
from gossamer.net.url.public_suffix import SiteRule, is_same_site, site

HOSTS = [
    "www.uni-trier.de",
    "wep.uni-trier.de:8080",
    "publications.wep.uni-trier.de",
    "trier.de",
    "www.example.co.uk",
    "other.co.uk",
    "127.0.0.1",
    "127.0.0.2",
    "a.github.io",
    "b.github.io",
]
PAGES = [f"http://{host}/{page}" for host in HOSTS for page in range(3)]
NUMBERS = st.integers(0, len(PAGES) - 1)
EDGES = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=60)
RULES: list[SiteRule] = ["suffix", "name"]


def make_edges(pairs: list[tuple[int, int]], pages: list[str] = PAGES) -> Edges:
    names = name_nodes(NameList(pages), len(pages))
    sources, targets = (np.array([pair[end] for pair in pairs], np.int32) for end in (0, 1))
    return Edges(sources, targets, names, lambda: find_hosts(names))


def links(loaded: LoadedGraph) -> set[tuple[str, str]]:
    graph = loaded.graph
    ends = graph.names.of(graph.link_sources()), graph.names.of(graph.targets)
    return set(zip(*ends, strict=True))


@given(EDGES, st.sampled_from(["all", "hosts", "sites"]), st.sampled_from(RULES))
def test_links_between_hosts_or_sites_are_selected(
    pairs: list[tuple[int, int]], kind: Links, rule: SiteRule
) -> None:
    def spans(a: str, b: str) -> bool:
        if kind == "hosts":
            return urls.spans_hosts(a, b)
        return kind == "all" or urls.spans_sites(a, b, rule)

    loaded = select_graph(make_edges(pairs), LinkSelection(links=kind, site_rule=rule))
    named_pairs = {(PAGES[a], PAGES[b]) for a, b in pairs if a != b}
    assert links(loaded) == {(a, b) for a, b in named_pairs if spans(a, b)}
    assert loaded.graph.nodes == len(PAGES)


@given(EDGES, st.sampled_from(["hosts", "sites"]), st.sampled_from(RULES))
def test_hosts_and_sites_as_nodes(pairs: list[tuple[int, int]], unit: Unit, rule: SiteRule) -> None:
    loaded = select_graph(make_edges(pairs), LinkSelection(unit=unit, site_rule=rule))
    groups = host_groups(unit, rule)
    hosts = [(urls.host(PAGES[a]), urls.host(PAGES[b])) for a, b in pairs]
    assert links(loaded) == {(groups[a], groups[b]) for a, b in hosts if groups[a] != groups[b]}
    assert loaded.graph.nodes == len(set(groups.values()))
    assert loaded.loops == sum(groups[a] == groups[b] for a, b in hosts)


def host_groups(unit: Unit, rule: SiteRule) -> dict[str, str]:
    """Join hosts of one site until nothing changes, and name each group by its shortest name."""
    if unit == "hosts":
        return {host: host for host in HOSTS}
    groups = [{host} for host in HOSTS]
    for a in HOSTS:
        for b in HOSTS:
            if is_same_site(a, b, rule):
                joined = [group for group in groups if a in group or b in group]
                groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return {host: min((site(other, rule) for other in group), key=len) for group in groups for host in group}


def test_hosts_need_urls() -> None:
    with pytest.raises(BadInput, match="named by URLs have hosts and sites; this node is named 'x'"):
        select_graph(make_edges([(0, 1)], ["x", "y"]), LinkSelection(links="hosts"))


def test_invalid_selections_are_refused() -> None:
    with pytest.raises(BadInput, match="from 0 to 1"):
        LinkSelection(relevance=1.5)
    with pytest.raises(BadInput, match="from 0 to 1"):
        LinkSelection(relevance=float("nan"))
    with pytest.raises(BadInput, match="depth"):
        LinkSelection(depth=(3, 2))


def test_options_that_need_a_web_are_listed() -> None:
    assert LinkSelection(rim=True, depth=(0, 2), links="sites").of_web_only == ["rim", "depth"]
    assert LinkSelection(links="sites", unit="hosts").of_web_only == []


@pytest.mark.parametrize(
    ("words", "selection"),
    [
        ("content", LinkSelection(content=True)),
        ("all", LinkSelection()),
        ("content,hosts", LinkSelection(links="hosts", content=True)),
        ("sites, all", LinkSelection(links="sites")),
        ("hosts", LinkSelection(links="hosts")),
    ],
)
def test_the_words_of_links_choose_links_and_templates(words: str, selection: LinkSelection) -> None:
    assert parse_selection({"links": words}) == selection


@pytest.mark.parametrize("words", ["content,all", "hosts,sites", "contents", ""])
def test_other_words_of_links_are_refused(words: str) -> None:
    with pytest.raises(BadInput, match="links cannot be"):
        parse_selection({"links": words})


def test_files_do_not_tell_content_from_templates() -> None:
    assert LinkSelection(content=True).of_web_only == ["links content"]
