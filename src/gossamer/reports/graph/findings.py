"""The findings of a report: five sentences in plain words, made from the results of other verbs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gossamer.crawl.task_counts import format_count
from gossamer.reports.analysis import format_share

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.graph import LoadedGraph

_NAMED = 3
_NAME_CHARS = 80
_TENTH = 10


def describe_findings(
    every: "LoadedGraph", content: "LoadedGraph | None", results: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return five sentences: size, shape, spread of links, best pages and communities.

    `results` are the facts of the verbs bowtie, pagerank and communities. `content` is the graph without the links that
    templates repeat; None for a graph from files, which do not tell them.
    """
    return [
        _describe_size(every, content),
        _describe_shape(results["bowtie"]["regions"]),
        _describe_spread(content or every, "the links" if content is None else "the content links"),
        _describe_best(results["pagerank"]),
        _describe_communities(results["communities"], every.graph.nodes),
    ]


def _describe_size(every: "LoadedGraph", content: "LoadedGraph | None") -> str:
    graph = every.graph
    size = f"{format_count(graph.nodes, 'page')} are connected by {format_count(graph.links, 'link')}"
    if content is None:
        return f"{size}."
    template = content.template / max(
        content.template + content.graph.links + content.repeated + content.loops, 1
    )
    if template < 0.005:
        return f"{size}; templates repeat next to none of them."
    return (
        f"{size}; templates (navigation, footers, licences) repeat {template:.0%} of the links on the pages, which do not "
        "count for best pages and groups."
    )


def _describe_shape(regions: Mapping[str, Mapping[str, Any]]) -> str:
    share = {name: region["share"] for name, region in regions.items()}
    if share["SCC"] < 0.02:
        return f"The pages hardly lead back to each other: only {share['SCC']:.1%} of them can reach each other in both directions."
    if share["SCC"] > 0.995:
        return "All pages, or nearly all, can reach each other."
    rest = max(1 - share["SCC"] - share["IN"] - share["OUT"], 0)
    return (
        f"{share['SCC']:.0%} of the pages can reach each other (the core), {share['IN']:.0%} lead into the core, "
        f"{share['OUT']:.0%} are only reached from it, and {rest:.0%} are beside it."
    )


def _describe_spread(loaded: "LoadedGraph", links: str) -> str:
    """Say how unevenly links are spread over pages."""
    import numpy as np

    degrees = np.sort(loaded.graph.in_degrees())[::-1]
    if not loaded.graph.links:
        return "No page links to another."
    most = degrees[: max(len(degrees) // _TENTH, 1)].sum() / degrees.sum()
    without = int(np.count_nonzero(degrees == 0))
    return (
        f"The best linked tenth of the pages gets {most:.0%} of {links}; "
        f"the best linked page has {format_count(int(degrees[0]), 'link')} from other pages, and "
        f"{format_count(without, 'page')} ({format_share(without, len(degrees))}) {'has' if without == 1 else 'have'} none."
    )


def _describe_best(ranking: Mapping[str, Any]) -> str:
    names = [_quote(page.get("title") or page["name"]) for page in ranking["pages"][:_NAMED]]
    by = "content links" if ranking["links"] == "content" else "all links"
    if not names:
        return f"PageRank by {by} has no page to name."
    return f"The most important pages by PageRank over {by} are {_enumerate(names)}."


def _describe_communities(found: Mapping[str, Any], pages: int) -> str:
    groups = [group for group in found["communities"] if group["pages"] > 1]
    named = [
        f"{_enumerate(group['words'][:_NAMED]) or 'pages without words'} ({format_share(group['pages'], pages)})"
        for group in groups[:_NAMED]
    ]
    if not named:
        return "The pages do not form communities."
    return f"The pages form {found['found']:,} communities; the largest are about {'; '.join(named)}."


def _quote(name: str) -> str:
    text = " ".join(name.split())
    return f"“{text if len(text) <= _NAME_CHARS else text[: _NAME_CHARS - 1] + '…'}”"


def _enumerate(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
