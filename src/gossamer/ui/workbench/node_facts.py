"""What the workbench tells about one node: facts, the beginning of its text, and its neighbours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.assess.judge.judge_view import read_view
from gossamer.errors import GossamerError
from gossamer.records import Page
from gossamer.ui.pages.cached_page import open_attempts
from gossamer.ui.pages.copy_links import READABLE
from gossamer.ui.pages.page_picture import find_pictured
from gossamer.ui.render_template import format_minute
from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.node_columns import MARK
from gossamer.web import Web

_MOST_NEIGHBOURS = 50
_MOST_CHARACTERS = 400
_MEASURES = ("pagerank", "hub", "links in", "links out", "region", "community")
_GROUP_OF = {"hosts": "host", "sites": "site", "communities": "community"}


def describe_node(web: Web, view: GraphView, node: int) -> dict[str, Any]:
    """Return what is known about a node, as texts and numbers for a JSON answer; the browser shows them as text."""
    described = _describe_page(web, view, node) if not view.names else _describe_group(view, node)
    outward = view.graph.targets[view.graph.starts[node] : view.graph.starts[node + 1]]
    inward = view.graph.sources[view.graph.in_starts[node] : view.graph.in_starts[node + 1]]
    return {
        "node": node,
        **described,
        "in": {"count": len(inward), "nodes": _list_neighbours(web, view, inward)},
        "out": {"count": len(outward), "nodes": _list_neighbours(web, view, outward)},
    }


def name_nodes(web: Web, view: GraphView, nodes: NDArray[np.integer]) -> list[tuple[str, str]]:
    """Return the title and the address of nodes; for hosts, sites and communities their name and ""."""
    if view.names:
        return [(view.names[node], "") for node in nodes.tolist()]
    ids = view.keys[nodes].tolist()
    pages = web.store.pages_by_id(ids)
    return [(pages[one].title, pages[one].url) if one in pages else ("", "") for one in ids]


def label_nodes(web: Web, view: GraphView, nodes: NDArray[np.integer]) -> dict[int, str]:
    """Return what stands beside nodes: their titles, or the ends of their addresses."""
    named = name_nodes(web, view, nodes)
    labels = [" ".join(title.split()) or url.partition("://")[2] for title, url in named]
    return dict(zip(nodes.tolist(), labels, strict=True))


def _describe_page(web: Web, view: GraphView, node: int) -> dict[str, Any]:
    page = web.store.page(int(view.keys[node]))
    if page is None:
        return {"title": "", "url": "", "facts": [], "text": ""}
    facts = [
        ("address", page.url),
        ("host", page.host),
        ("status", str(page.status)),
        ("kind", page.kind),
        ("depth", str(page.depth)),
        ("language", page.language or "unknown"),
        ("words", f"{page.words:,}"),
        ("fetched", format_minute(page.fetched_s)),
    ]
    marks = [(f"mark {name}", value) for name, value in page.marks.items()]
    return {
        "title": page.title,
        "url": page.url,
        "facts": [*facts, *list_measures(view, node), *marks],
        "text": _read_beginning(web, page),
        "archive": page.archive,
        "pictured": bool(find_pictured(web, [page.url])),
    }


def _describe_group(view: GraphView, node: int) -> dict[str, Any]:
    kind, name = _GROUP_OF[view.key.level], view.names[node]
    within = f"community:{node + 1}" if kind == "community" else f"{kind}:{name}"
    facts = [("pages", f"{int(view.columns['pages'].values[node]):,}")]
    for column_name in ("language", "status", "depth", "words"):
        column = view.columns[column_name]
        facts.append((column.label, format_value(view, column_name, node)))
    marks = [(name, format_value(view, name, node)) for name in view.columns if name.startswith(MARK)]
    shown = [(f"mark {name.removeprefix(MARK)}", value) for name, value in marks if value]
    return {
        "title": name,
        "url": "",
        "facts": [*facts, *list_measures(view, node), *shown],
        "text": "",
        "within": within,
    }


def list_measures(view: GraphView, node: int) -> list[tuple[str, str]]:
    """Return what the links say about a node."""
    return [
        (view.columns[name].label, format_value(view, name, node))
        for name in _MEASURES
        if name in view.columns
    ]


def format_value(view: GraphView, name: str, node: int) -> str:
    """Return the value of a column as text; "" if there is none."""
    column = view.columns[name]
    value = float(column.values[node])
    if np.isnan(value):
        return ""
    if column.is_category:
        return column.names[int(value)] if int(value) < len(column.names) else ""
    return f"{int(value):,}" if value == int(value) and abs(value) >= 1 else f"{value:.3g}"


def _list_neighbours(web: Web, view: GraphView, nodes: NDArray[np.int32]) -> list[dict[str, Any]]:
    """Return the neighbours with the highest PageRank."""
    best = nodes[np.argsort(-view.columns["pagerank"].values[nodes], kind="stable")][:_MOST_NEIGHBOURS]
    named = name_nodes(web, view, best)
    return [
        {"node": node, "title": title, "url": url}
        for node, (title, url) in zip(best.tolist(), named, strict=True)
    ]


def _read_beginning(web: Web, page: Page) -> str:
    """Return the beginning of a page's text; "" if it does not allow copies, or cannot be read."""
    attempts = open_attempts(web.folder)
    if not page.archive or page.kind not in READABLE or page.id in attempts.banned:
        return ""
    try:
        with attempts.attempt(page.id):
            text = read_view(web.folder, page).text
    except (GossamerError, OSError):
        return ""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]}…"
