"""Draw a picture of a graph as SVG, for browsers without scripts and for export: no script, no style, no request."""

from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.graph import Nodes
from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.node_columns import NodeColumn
from gossamer.ui.workbench.views.palette import colour_nodes, size_nodes

WIDTH, HEIGHT, _MARGIN = 1200, 900, 30
MOST_NODES, MOST_LINKS = 3_000, 6_000
"""What a picture on a page draws; an export draws up to ten times as much."""
EXPORT_FACTOR = 10
_LEAST_RADIUS, _MOST_RADIUS = 1.6, 14.0
_LINK, _INK = "#8b9692", "#74827c"
_MOST_LABELS, _MOST_CHARACTERS = 12, 40
# Control characters, which XML does not allow, and characters that change the writing direction.
_DROPPED = dict.fromkeys(
    [*range(9), 11, 12, *range(14, 32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)]
) | {0xFFFE: None, 0xFFFF: None}


def draw_svg(
    view: GraphView,
    shown: NDArray[np.bool_],
    columns: tuple[str, str],
    labels: dict[int, str],
    factor: int = 1,
) -> str:
    """Return a picture of the nodes that are shown: the largest ones, and the links among them.

    `columns` are those that colour and size the nodes; `labels` are texts of the web, and are escaped.
    """
    colour, size = (view.columns.get(name) for name in columns)
    sizes = size_nodes(size, view.nodes)
    drawn = _choose_largest(shown, sizes, MOST_NODES * factor)
    places = _fit(view.places, drawn)
    radii = _scale_radii(sizes, len(drawn))
    lines = _draw_links(view, drawn, places, MOST_LINKS * factor)
    circles = _draw_nodes(drawn, places, radii, colour, view.nodes)
    texts = _draw_labels(drawn, places, radii, labels)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="20">\n<g stroke="{_LINK}" stroke-opacity="0.35" stroke-width="0.6">\n'
        f"{lines}</g>\n<g>\n{circles}</g>\n<g>\n{texts}</g>\n</svg>\n"
    )


def clean_text(text: str, most: int = _MOST_CHARACTERS) -> str:
    """Return a text of the web on one line, escaped, without characters that XML does not allow."""
    plain = " ".join(text.encode("utf-8", "replace").decode().translate(_DROPPED).split())
    return escape(plain if len(plain) <= most else f"{plain[: most - 1]}…", {'"': "&quot;"})


def _choose_largest(shown: NDArray[np.bool_], sizes: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Return the largest nodes, the smallest of them first, so that large ones are drawn last."""
    nodes = np.flatnonzero(shown)
    return nodes[np.argsort(sizes[nodes], kind="stable")][-most:]


def _fit(places: NDArray[np.float64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scale places so that the nodes that are drawn fill the picture."""
    if not len(drawn):
        return places
    low, high = places[drawn].min(axis=0), places[drawn].max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * _MARGIN
    scale = float((room / np.maximum(high - low, 1e-9)).min())
    upward = [1, -1]  # as on the canvas
    return np.asarray((places - (low + high) / 2) * min(scale, 1e9) * upward + np.array([WIDTH, HEIGHT]) / 2)


def _scale_radii(sizes: NDArray[np.float64], drawn: int) -> NDArray[np.float64]:
    crowd = min(1.0, 20 / max(drawn, 1) ** 0.5)
    return np.asarray((_LEAST_RADIUS + (_MOST_RADIUS - _LEAST_RADIUS) * sizes) * (0.3 + 0.7 * crowd))


def _draw_links(view: GraphView, drawn: NDArray[np.int64], places: NDArray[np.float64], most: int) -> str:
    is_drawn = np.zeros(view.nodes, np.bool_)
    is_drawn[drawn] = True
    both = np.flatnonzero(is_drawn[view.sources] & is_drawn[view.targets])
    if len(both) > most:
        both = both[:: -(-len(both) // most)]
    ends: list[Nodes] = [view.sources[both], view.targets[both]]
    rows = np.column_stack([places[ends[0]], places[ends[1]]]).round(1).tolist()
    return "".join(f'<line x1="{x}" y1="{y}" x2="{u}" y2="{v}"/>\n' for x, y, u, v in rows)


def _draw_nodes(
    drawn: NDArray[np.int64],
    places: NDArray[np.float64],
    radii: NDArray[np.float64],
    column: NodeColumn | None,
    nodes: int,
) -> str:
    colours = colour_nodes(column, nodes)
    rows = np.column_stack([places[drawn], radii[drawn]]).round(1).tolist()
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colours[node]}"/>\n'
        for (x, y, radius), node in zip(rows, drawn.tolist(), strict=True)
    )


def _draw_labels(
    drawn: NDArray[np.int64],
    places: NDArray[np.float64],
    radii: NDArray[np.float64],
    labels: dict[int, str],
) -> str:
    """Draw the labels of the largest nodes that have one, where there is room for them."""
    texts, taken = [], list[tuple[float, float]]()
    for node in reversed(drawn.tolist()):
        x, y = places[node].tolist()
        label = clean_text(labels.get(node, ""))
        if not label or any(abs(x - other_x) < 300 and abs(y - other_y) < 26 for other_x, other_y in taken):
            continue
        taken.append((x, y))
        anchor, away = ("end", -1) if x > 0.7 * WIDTH else ("start", 1)
        at = x + away * (radii[node] + 4)
        texts.append(
            f'<text x="{at:.1f}" y="{y + 6:.1f}" text-anchor="{anchor}" fill="{_INK}">{label}</text>\n'
        )
        if len(texts) >= _MOST_LABELS:
            break
    return "".join(texts)
