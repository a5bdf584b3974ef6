"""Writers of GEXF and GraphML, for Gephi and other programs, with attributes, positions, colours and sizes.

Sources: https://gexf.net (version 1.3), http://graphml.graphdrawing.org/specification.html. Texts come from the web:
characters that XML does not allow are removed, the rest is escaped.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TextIO
from xml.sax.saxutils import quoteattr

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.graph.export.node_layout import NodeLayout
from gossamer.graph.graph import Graph

Progress = Callable[[float], None]
Kind = Literal["string", "integer", "double"]

_AT_ONCE = 20_000
# XML 1.0, section 2.2, and characters that change the writing direction, which could make one name look like another.
_NOT_IN_XML = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
_GRAPHML_TYPES = {"string": "string", "integer": "long", "double": "double"}


class NodeAttribute(msgspec.Struct, frozen=True, eq=False):
    """An attribute with a value for every node."""

    kind: Kind
    values: Sequence[Any] | NDArray[Any]


def strip_invalid(text: str) -> str:
    """Remove the characters that XML does not allow."""
    return _NOT_IN_XML.sub("", text)


def write_gexf(
    file: TextIO,
    graph: Graph,
    lay_out_nodes: NodeLayout,
    columns: Mapping[str, NodeAttribute],
    progress: Progress | None = None,
) -> None:
    """Write a graph as GEXF 1.3; nodes have the ids n0, n1 …, and as labels their titles, or names where there are none."""
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    file.write('<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n')
    file.write('<graph defaultedgetype="directed" mode="static">\n<attributes class="node">\n')
    for at, (name, column) in enumerate(columns.items()):
        file.write(f'<attribute id="{at}" title={_quote(name)} type="{column.kind}"/>\n')
    file.write("</attributes>\n<nodes>\n")
    for nodes in _iterate_pieces(graph.nodes, progress, 0.0):
        file.writelines(_format_gexf_nodes(graph, lay_out_nodes, columns, nodes))
    file.write("</nodes>\n<edges>\n")
    for at, (source, target) in enumerate(_iterate_links(graph, progress)):
        file.write(f'<edge id="{at}" source="n{source}" target="n{target}"/>\n')
    file.write("</edges>\n</graph>\n</gexf>\n")


def write_graphml(
    file: TextIO,
    graph: Graph,
    lay_out_nodes: NodeLayout,
    columns: Mapping[str, NodeAttribute],
    progress: Progress | None = None,
) -> None:
    """Write a graph as GraphML; label, x, y, size, r, g and b have the names that Gephi uses to draw it."""
    shown = {
        "x": NodeAttribute("double", lay_out_nodes.x.round(3)),
        "y": NodeAttribute("double", lay_out_nodes.y.round(3)),
        "size": NodeAttribute("double", lay_out_nodes.sizes.round(3)),
        **{name: NodeAttribute("integer", lay_out_nodes.colours[:, at]) for at, name in enumerate("rgb")},
    }
    every = {"label": NodeAttribute("string", ()), **columns, **shown}
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name, column in every.items():
        kind = _GRAPHML_TYPES[column.kind]
        file.write(f'<key id={_quote_key(name)} for="node" attr.name={_quote(name)} attr.type="{kind}"/>\n')
    file.write('<graph edgedefault="directed">\n')
    for nodes in _iterate_pieces(graph.nodes, progress, 0.0):
        cells = [_format_cells(column, nodes) for column in {**columns, **shown}.values()]
        keys = [_quote_key(name) for name in every]
        for node, *values in zip(nodes, _escape_texts(_label_nodes(graph, nodes)), *cells, strict=True):
            attributes = "".join(
                f"<data key={key}>{text}</data>" for key, text in zip(keys, values, strict=True)
            )
            file.write(f'<node id="n{node}">{attributes}</node>\n')
    for source, target in _iterate_links(graph, progress):
        file.write(f'<edge source="n{source}" target="n{target}"/>\n')
    file.write("</graph>\n</graphml>\n")


def _format_gexf_nodes(
    graph: Graph, lay_out_nodes: NodeLayout, columns: Mapping[str, NodeAttribute], nodes: range
) -> Iterator[str]:
    names = [_quote(label) for label in _label_nodes(graph, nodes)]
    cells = zip(*(_quote_cells(column, nodes) for column in columns.values()), strict=True)
    for node, name, values in zip(nodes, names, cells, strict=True):
        attributes = "".join(f'<attvalue for="{at}" value={value}/>' for at, value in enumerate(values))
        red, green, blue = lay_out_nodes.colours[node].tolist()
        yield (
            f'<node id="n{node}" label={name}><attvalues>{attributes}</attvalues>'
            f'<viz:size value="{lay_out_nodes.sizes[node]:.2f}"/>'
            f'<viz:position x="{lay_out_nodes.x[node]:.2f}" y="{lay_out_nodes.y[node]:.2f}" z="0.0"/>'
            f'<viz:color r="{red}" g="{green}" b="{blue}"/></node>\n'
        )


def _label_nodes(graph: Graph, nodes: range) -> list[str]:
    """Return the titles of nodes, or their names where there are none."""
    titles = (" ".join(strip_invalid(title).split()) for title in graph.names.titles(nodes))
    return [title or name for title, name in zip(titles, graph.names.of(nodes), strict=True)]


def _iterate_pieces(nodes: int, progress: Progress | None, begun: float) -> Iterator[range]:
    for start in range(0, nodes, _AT_ONCE):
        if progress is not None:
            progress(begun + 0.5 * start / nodes)
        yield range(start, min(start + _AT_ONCE, nodes))


def _iterate_links(graph: Graph, progress: Progress | None) -> Iterator[tuple[int, int]]:
    for nodes in _iterate_pieces(graph.nodes, progress, 0.5):
        starts = graph.starts[nodes.start : nodes.stop + 1]
        sources = np.repeat(np.array(nodes), np.diff(starts)).tolist()
        yield from zip(sources, graph.targets[starts[0] : starts[-1]].tolist(), strict=True)


def _format_cells(column: NodeAttribute, nodes: range) -> list[str]:
    values = column.values[nodes.start : nodes.stop]
    return _escape_texts(
        values if column.kind == "string" else [str(value) for value in np.asarray(values).tolist()]
    )


def _escape_texts(values: Sequence[Any] | NDArray[Any]) -> list[str]:
    """Escape texts for use between tags."""
    return [_escape(strip_invalid(str(value))) for value in values]


def _quote_cells(column: NodeAttribute, nodes: range) -> list[str]:
    return [_quote(str(value)) for value in np.asarray(column.values[nodes.start : nodes.stop]).tolist()]


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _quote_key(name: str) -> str:
    """Return the quoted id of an attribute: one word, as GraphML requires."""
    return _quote(name.replace(" ", "_"))


def _quote(text: str) -> str:
    return quoteattr(strip_invalid(text))
