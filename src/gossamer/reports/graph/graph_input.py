"""The input of an analysis: a graph from a web or from files, how it was selected, and where its progress goes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gossamer.crawl.task_counts import format_count
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported when a graph is loaded, so that the help of the command line is fast
    import numpy as np
    from numpy.typing import NDArray

    from gossamer.graph.graph import Graph, LoadedGraph
    from gossamer.graph.link_selection import LinkSelection

DEFAULT_WEB = Path("web")


class GraphInput(msgspec.Struct, frozen=True, eq=False):
    """The input of an analysis: a graph and how it was selected."""

    loaded: "LoadedGraph"
    top: int
    progress: Callable[[float], None]
    source: "Mapping[str, Path | None]"
    selection: "LinkSelection"
    chose_links: bool = False
    """Whether the user said if the links that templates repeat count."""
    on_page: bool = False
    """Whether the result is for a page: its sentences name no options of the command line."""


@contextmanager
def open_graph(
    source: Mapping[str, Path | None], selection: "LinkSelection", with_facts: bool = False
) -> "Iterator[LoadedGraph]":
    """Load a graph from a web or from files; a web stays open, since names are looked up in it."""
    from gossamer.graph.link_selection import select_graph

    if source.get("edges") is None and source.get("nodes") is not None:
        raise BadInput("--nodes needs --edges: a file with the links between these nodes")
    if (edges := source.get("edges")) is not None:
        from gossamer.graph.files.read_graph import read

        if selection.of_web_only:
            raise BadInput(f"--{selection.of_web_only[0]} needs a web, and {edges} is a file")
        yield select_graph(read(edges, source.get("nodes")), selection)
    else:
        from gossamer.store.links.load_graph import read_edges
        from gossamer.web import open_to_read

        with open_to_read(source.get("web") or DEFAULT_WEB) as web:
            yield select_graph(read_edges(web.store, selection, with_facts), selection)


def name_links(graph_input: GraphInput) -> str:
    """Return which links were used: content, or all."""
    return "content" if graph_input.selection.content else "all"


def describe_links(graph_input: GraphInput, what: str) -> str:
    """Say which links were used, and how to use the others."""
    if graph_input.on_page:
        left_out = "; those that templates repeat do not count" if graph_input.selection.content else ""
        return f"{what} is by {name_links(graph_input)} links{left_out}."
    if graph_input.selection.content:
        return f"{what} is by content links; --links all counts those that templates repeat, too."
    if graph_input.source.get("edges") is not None:
        return f"{what} is by all links."
    return f"{what} is by all links; --links content leaves out those that templates repeat."


def name_source(source: "Mapping[str, Path | None]") -> str:
    """Return the name of a graph's source: a web or a file."""
    from gossamer.store.opening.web_name import name_web

    return str(source.get("edges") or name_web(source.get("web") or DEFAULT_WEB))


def describe_omissions(loaded: "LoadedGraph") -> str:
    """Return what was left out of a graph when it was loaded; "" if nothing was."""
    omissions = [
        (loaded.loops, "link", "from a node to itself"),
        (loaded.repeated, "repeated link", ""),
        (loaded.unknown, "link", "to pages that were not selected or not fetched"),
        (loaded.disturbing, "page", "of noise"),
        (loaded.template, "link", "that templates repeat"),
    ]
    return ", ".join(
        f"{format_count(number, noun)} {more}".rstrip() for number, noun, more in omissions if number
    )


def label_nodes(graph: "Graph", nodes: "Sequence[int] | NDArray[np.integer]") -> list[dict[str, str]]:
    """Return the name and title of each of these nodes."""
    pairs = zip(graph.names.of(nodes), graph.names.titles(nodes), strict=True)
    return [{"name": name, "title": title} for name, title in pairs]


def make_node_columns(graph: "Graph") -> dict[str, Sequence[Any]]:
    """Return the names and titles of all nodes as columns, for --out."""
    all_nodes = range(graph.nodes)
    return {"name": graph.names.of(all_nodes), "title": graph.names.titles(all_nodes)}
