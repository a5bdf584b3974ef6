"""`gossamer graph stats`: pages, links by kind and type, degrees, density, depths, components, reciprocity."""

from typing import TYPE_CHECKING, Any

from gossamer.cli.graph.graph_options import Material
from gossamer.cli.output.result_tables import Table, Told, cells_of, share

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.graph.edges import LinkCounts
    from gossamer.graph.structure.statistics import Stats
    from gossamer.plots.canvas import Figure


def stats(material: Material) -> Told:
    """Count pages and links: by kind and type, degrees, density, depths, components, reciprocity.

    \b
    gossamer graph stats --web docs.web
    gossamer graph stats --web docs.web --links sites --json
    gossamer graph stats --web docs.web --plot degrees.png
    gossamer graph stats --nodes webpages.del --edges hyperlinks.del
    """
    import msgspec

    from gossamer.graph.structure.statistics import stats as counted

    found = counted(material.loaded)
    tables = [_graph(found), _degrees(found), _components(found)]
    if found.counts is not None:
        tables.append(_links(found.counts))
    if found.depths is not None:
        tables.append(_depths(found.depths))
    if found.relevance is not None:
        tables.append(_relevance(found.relevance))
    facts: dict[str, Any] = msgspec.to_builtins(found, str_keys=True)
    return Told(facts, tables, lambda: cells_of(tables), plot=lambda: _drawn(material))


def _drawn(material: Material) -> "Figure":
    from gossamer.plots.distributions import stats_figure

    return stats_figure(material.loaded.graph, material.loaded.facts)


def _graph(found: "Stats") -> Table:
    rows: list[tuple[str, object]] = [("nodes", found.nodes)]
    if found.rim:
        rows.append(("of these not fetched", found.rim))
    rows += [
        ("links", found.links),
        ("nodes without any link", found.isolated),
        ("density", f"{found.density:.2e}"),
        ("links that are answered by one back", f"{found.reciprocity:.2%}"),
    ]
    return Table("Graph", ["what", "how many"], rows)


def _degrees(found: "Stats") -> Table:
    rows = [
        (name, f"{one.mean:.2f}", f"{one.median:g}", one.most, one.none, share(one.none, found.nodes))
        for name, one in (("in", found.in_degrees), ("out", found.out_degrees))
    ]
    return Table("Links of a node", ["direction", "mean", "median", "most", "none", "share"], rows)


def _components(found: "Stats") -> Table:
    rows = [
        (name, parts.count, place + 1, size, share(size, found.nodes))
        for name, parts in (("strong", found.strong), ("weak", found.weak))
        for place, size in enumerate(parts.largest)
    ]
    return Table("Components", ["kind", "components", "largest", "nodes", "share"], rows)


def _links(counts: "LinkCounts") -> Table:
    kinds = {
        "all": counts.all,
        "spanning hosts": counts.spanning_hosts,
        "spanning sites": counts.spanning_sites,
    }
    types = {f"type {name}": number for name, number in counts.types.items()}
    rows = [(name, number, share(number, counts.all)) for name, number in {**kinds, **types}.items()]
    return Table("Links as they stand on the pages", ["kind", "links", "share"], rows)


def _depths(depths: dict[int, int]) -> Table:
    pages = sum(depths.values())
    rows = [(depth, number, share(number, pages)) for depth, number in sorted(depths.items())]
    return Table("Links away from a start page", ["depth", "pages", "share"], rows)


def _relevance(counts: list[int]) -> Table:
    pages, steps = sum(counts), len(counts)
    rows = [
        (f"{at / steps:.2f} to {(at + 1) / steps:.2f}", number, share(number, pages))
        for at, number in enumerate(counts)
    ]
    return Table("What a classifier said", ["relevance", "pages", "share"], rows)
