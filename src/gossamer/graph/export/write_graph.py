"""Write a graph as lines of text, Parquet, GEXF or GraphML; `graph.files` can read all but GEXF."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.export.gexf_graphml import NodeAttribute, Progress, write_gexf, write_graphml
from gossamer.graph.export.node_layout import NodeLayout, lay_out_nodes
from gossamer.graph.files.parquet_files import require_arrow, write_parquet
from gossamer.graph.graph import Graph
from gossamer.graph.ranking.pagerank import pagerank
from gossamer.graph.structure.bowtie import Region, bowtie

_AT_ONCE = 100_000
Columns = Mapping[str, NodeAttribute]


class NodeCommunities(msgspec.Struct, frozen=True, eq=False):
    """The community of each node, from 1, and what each community is called, the first one first."""

    numbers: NDArray[np.int64]
    names: Sequence[str]


def write_graph(
    form: str, out: Path, graph: Graph, progress: Progress, communities: NodeCommunities | None = None
) -> list[Path]:
    """Write a graph to a new file or folder; return the files that were written.

    Every node is written with its title, its region in the bow-tie, its PageRank, its degrees and its community, if given; lines
    hold only names.
    """
    if form not in _WRITERS:
        raise BadInput(f"a graph cannot be written as {form!r}; choose one of {', '.join(_WRITERS)}")
    if out.exists():
        raise BadInput(f"{out} exists already: choose a new file or folder")
    if not out.parent.is_dir():
        raise BadInput(f"there is no folder {out.parent}")
    try:
        return _WRITERS[form](out, graph, progress, communities)
    except OSError as error:
        raise BadInput(f"cannot write {out}: {error.strerror}") from None


def _write_lines(out: Path, graph: Graph, progress: Progress, _: NodeCommunities | None) -> list[Path]:
    """Write lines id,"name" and from,to, in the format of Schmitz 2001, section 6.1.2."""
    out.mkdir()
    nodes, edges = out / "nodes.csv", out / "edges.csv"
    # A lone surrogate becomes a question mark; all other text is read back unchanged.
    with nodes.open("w", encoding="utf-8", errors="replace", newline="") as file:
        for start in range(0, graph.nodes, _AT_ONCE):
            progress(0.5 * start / graph.nodes)
            piece = range(start, min(start + _AT_ONCE, graph.nodes))
            names = (name.replace('"', '""') for name in graph.names.of(piece))
            file.writelines(f'{node},"{name}"\n' for node, name in zip(piece, names, strict=True))
    with edges.open("w", encoding="ascii", newline="") as file:
        sources = graph.link_sources()
        for start in range(0, graph.links, _AT_ONCE):
            progress(0.5 + 0.5 * start / graph.links)
            ends = (array[start : start + _AT_ONCE].tolist() for array in (sources, graph.targets))
            file.writelines(f"{source},{target}\n" for source, target in zip(*ends, strict=True))
    return [nodes, edges]


def _write_parquet(
    out: Path, graph: Graph, progress: Progress, communities: NodeCommunities | None
) -> list[Path]:
    require_arrow()
    columns, _ = _describe_nodes(graph, progress, communities)
    out.mkdir()
    nodes, edges = out / "nodes.parquet", out / "edges.parquet"
    ids = np.arange(graph.nodes)
    values = {name: column.values for name, column in columns.items()}
    write_parquet(nodes, {"id": ids, "url": graph.names.of(ids), **values})
    write_parquet(edges, {"source": graph.link_sources(), "target": graph.targets})
    return [nodes, edges]


def _write_xml(
    write_xml: Callable[..., None],
    out: Path,
    graph: Graph,
    progress: Progress,
    communities: NodeCommunities | None,
) -> list[Path]:
    columns, layout = _describe_nodes(graph, progress, communities)
    if any(columns["title"].values):  # titles are labels, so names need a place of their own
        columns = {"url": NodeAttribute("string", graph.names.of(range(graph.nodes))), **columns}
    with out.open("w", encoding="utf-8", newline="\n") as file:
        write_xml(file, graph, layout, columns, progress)
    return [out]


_WRITERS: dict[str, Callable[[Path, Graph, Progress, NodeCommunities | None], list[Path]]] = {
    "gexf": partial(_write_xml, write_gexf),
    "graphml": partial(_write_xml, write_graphml),
    "parquet": _write_parquet,
    "lines": _write_lines,
}


def _describe_nodes(
    graph: Graph, progress: Progress, communities: NodeCommunities | None
) -> tuple[Columns, NodeLayout]:
    """Compute the attributes and the layout of all nodes."""
    regions = bowtie(graph).regions
    scores = pagerank(graph, progress=progress).scores
    columns = {
        "title": NodeAttribute("string", graph.names.titles(range(graph.nodes))),
        "region": NodeAttribute("string", np.array([region.name for region in Region])[regions].tolist()),
        "pagerank": NodeAttribute("double", scores),
        "links in": NodeAttribute("integer", graph.in_degrees()),
        "links out": NodeAttribute("integer", graph.out_degrees()),
    }
    if communities is not None:
        names = [communities.names[number - 1] for number in communities.numbers.tolist()]
        columns["community"] = NodeAttribute("integer", communities.numbers)
        columns["community name"] = NodeAttribute("string", names)
    return columns, lay_out_nodes(graph, scores, regions)
