"""Counts of pages and links, degrees, density, depths, components."""

from typing import TYPE_CHECKING, Any

from gossamer.reports.analysis import Analysis, ResultTable, flatten_tables, format_share
from gossamer.reports.graph.graph_input import GraphInput

if TYPE_CHECKING:  # imported when the analysis runs
    from gossamer.graph.edges import LinkCounts
    from gossamer.graph.structure.statistics import Stats
    from gossamer.plots.canvas import Figure


def analyse_links(graph_input: GraphInput) -> Analysis:
    """Count pages and links: by kind and type, degrees, density, depths, components, reciprocity."""
    import msgspec

    from gossamer.graph.structure.statistics import compute_stats

    found = compute_stats(graph_input.loaded)
    tables = [_tabulate_graph(found), _tabulate_degrees(found), _tabulate_components(found)]
    if found.counts is not None:
        tables.append(_tabulate_links(found.counts))
    if found.depths is not None:
        tables.append(_tabulate_depths(found.depths))
    if found.relevance is not None:
        tables.append(_tabulate_relevance(found.relevance))
    facts: dict[str, Any] = msgspec.to_builtins(found, str_keys=True)
    return Analysis(facts, tables, lambda: flatten_tables(tables), plot=lambda: _draw(graph_input))


def _draw(graph_input: GraphInput) -> "Figure":
    from gossamer.plots.distributions import draw_stats

    return draw_stats(graph_input.loaded.graph, graph_input.loaded.facts)


def _tabulate_graph(found: "Stats") -> ResultTable:
    rows: list[tuple[str, object]] = [("nodes", found.nodes)]
    if found.rim:
        rows.append(("of these not fetched", found.rim))
    rows += [
        ("links", found.links),
        ("nodes without any link", found.isolated),
        ("density", f"{found.density:.2e}"),
        ("links that are answered by one back", f"{found.reciprocity:.2%}"),
    ]
    return ResultTable("Graph", ["what", "how many"], rows)


def _tabulate_degrees(found: "Stats") -> ResultTable:
    rows = [
        (name, f"{one.mean:.2f}", f"{one.median:g}", one.most, one.none, format_share(one.none, found.nodes))
        for name, one in (("in", found.in_degrees), ("out", found.out_degrees))
    ]
    return ResultTable("Links of a node", ["direction", "mean", "median", "most", "none", "share"], rows)


def _tabulate_components(found: "Stats") -> ResultTable:
    rows = [
        (name, parts.count, place + 1, size, format_share(size, found.nodes))
        for name, parts in (("strong", found.strong), ("weak", found.weak))
        for place, size in enumerate(parts.largest)
    ]
    return ResultTable("Components", ["kind", "components", "largest", "nodes", "share"], rows)


def _tabulate_links(counts: "LinkCounts") -> ResultTable:
    kinds = {
        "all": counts.all,
        "spanning hosts": counts.spanning_hosts,
        "spanning sites": counts.spanning_sites,
    }
    types = {f"type {name}": number for name, number in counts.types.items()}
    rows = [(name, number, format_share(number, counts.all)) for name, number in {**kinds, **types}.items()]
    return ResultTable("Links as they stand on the pages", ["kind", "links", "share"], rows)


def _tabulate_depths(depths: dict[int, int]) -> ResultTable:
    pages = sum(depths.values())
    rows = [(depth, number, format_share(number, pages)) for depth, number in sorted(depths.items())]
    return ResultTable("Links away from a start page", ["depth", "pages", "share"], rows)


def _tabulate_relevance(counts: list[int]) -> ResultTable:
    pages, steps = sum(counts), len(counts)
    rows = [
        (f"{at / steps:.2f} to {(at + 1) / steps:.2f}", number, format_share(number, pages))
        for at, number in enumerate(counts)
    ]
    return ResultTable("What a classifier said", ["relevance", "pages", "share"], rows)
