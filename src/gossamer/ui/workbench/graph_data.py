"""Answers for the script of the workbench: the picture as bytes, facts, labels, search, filters, and what is new."""

import gzip

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gossamer.errors import BadInput, GossamerError
from gossamer.store.batch import Store
from gossamer.store.links.page_columns import find_pages
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench import node_facts
from gossamer.ui.workbench.graph_picture import draw_svg
from gossamer.ui.workbench.view_requests import find_ready_view, get_views
from gossamer.ui.workbench.views.graph_payload import encode_growth, encode_view
from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.node_filter import filter_nodes, read_filter
from gossamer.ui.workbench.views.view_jobs import Progress

_OCTETS = "application/octet-stream"
_MOST_LABELS, _MOST_ASKED = 1_500, 500
_MOST_FOUND = 20
_MOST_CHARACTERS = 200
_MOST_NEW = 5_000
"""If more nodes are new, the whole picture is sent again."""
_WRONG_USE, _NOT_READY = 400, 409


def send_progress(request: Request) -> Response:
    """Say whether a picture is there, how far it is, or why there is none."""
    try:
        views, key = get_views(request, request.query_params)
        found = views.find(key)
    except GossamerError as error:
        found = str(error)
    match found:
        case Progress(step, share, left_s):
            return JSONResponse({"state": "working", "step": step, "share": share, "left_s": left_s})
        case GraphView():
            return JSONResponse({"state": "ready", "stamp": found.stamp})
        case _:
            return JSONResponse({"state": "failed", "error": found})


def send_graph(request: Request) -> Response:
    """Send a picture as bytes, compressed if the browser can read that."""
    try:
        view = find_ready_view(request, request.query_params)
    except BadInput as error:
        return JSONResponse({"error": str(error)}, _NOT_READY)
    with get_context(request).borrow_web() as web:
        labels = node_facts.label_nodes(web, view, find_best(view, _MOST_LABELS))
    body = encode_view(view, labels)
    headers = {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = gzip.compress(body, 1), "gzip"
    return Response(body, media_type=_OCTETS, headers=headers)


def find_best(view: GraphView, most: int) -> NDArray[np.int64]:
    """Return the nodes with the highest PageRank, the best first."""
    if not view.nodes:
        return np.empty(0, np.int64)
    return np.argsort(-view.columns["pagerank"].values, kind="stable")[:most]


def send_labels(request: Request) -> Response:
    """Send the labels of some nodes."""
    view = find_ready_view(request, request.query_params)
    nodes = _read_nodes(request.query_params.get("nodes", ""), view)
    with get_context(request).borrow_web() as web:
        return JSONResponse(
            {str(node): text for node, text in node_facts.label_nodes(web, view, nodes).items()}
        )


def send_node(request: Request) -> Response:
    """Send what is known about a node."""
    view = find_ready_view(request, request.query_params)
    nodes = _read_nodes(request.query_params.get("node", ""), view)
    if len(nodes) != 1:
        raise BadInput("this node is not in the picture; reload the page")
    with get_context(request).borrow_web() as web:
        return JSONResponse(node_facts.describe_node(web, view, int(nodes[0])))


def send_found(request: Request) -> Response:
    """Send the nodes whose title or address has all words of a text, the best first."""
    view = find_ready_view(request, request.query_params)
    words = request.query_params.get("q", "")[:_MOST_CHARACTERS].casefold().split()
    with get_context(request).borrow_web() as web:
        best = find_nodes(web.store, view, words) if words else np.empty(0, np.int64)
        named = node_facts.name_nodes(web, view, best[:_MOST_FOUND])
    found = [
        {"node": node, "title": title, "url": url}
        for node, (title, url) in zip(best.tolist()[:_MOST_FOUND], named, strict=True)
    ]
    return JSONResponse({"count": len(best), "nodes": found})


def find_nodes(store: Store, view: GraphView, words: list[str]) -> NDArray[np.int64]:
    """Return the nodes that have all of these words: first those with the words side by side in the title, then by PageRank."""
    if view.names:
        fits = [all(word in name.casefold() for word in words) for name in view.names]
        nodes = np.flatnonzero(np.array(fits, np.bool_))
        is_phrase = np.zeros(len(nodes), np.bool_)
    else:
        ids, phrases = find_pages(store, words)
        nodes = np.flatnonzero(np.isin(view.keys, ids))
        is_phrase = np.isin(view.keys[nodes], ids[phrases])
    if not len(nodes):
        return nodes
    return nodes[np.lexsort((-view.columns["pagerank"].values[nodes], ~is_phrase))]


def send_filter(request: Request) -> Response:
    """Send which nodes a filter lets through, as a bit for each, the first in the lowest bit."""
    try:
        view = find_ready_view(request, request.query_params)
        shown = filter_nodes(view, read_filter(request.query_params))
    except BadInput as error:
        return JSONResponse({"error": str(error)}, _WRONG_USE)
    return Response(np.packbits(shown, bitorder="little").tobytes(), media_type=_OCTETS)


def send_news(request: Request) -> Response:
    """Send the nodes and links that a crawl has added since the browser asked last."""
    views, key = get_views(request, request.query_params)
    nodes, links = (
        _read_count(request.query_params.get(name, "")) for name in ("known_nodes", "known_links")
    )
    view = views.refresh(key)
    is_other = view is None or view.stamp != request.query_params.get("stamp")
    if view is None or is_other or not 0 <= view.nodes - nodes <= _MOST_NEW or links > len(view.sources):
        return JSONResponse({"reload": True})
    with get_context(request).borrow_web() as web:
        labels = node_facts.label_nodes(web, view, np.arange(nodes, view.nodes))
    return JSONResponse(encode_growth(view, nodes, links, labels))


def send_picture(request: Request) -> Response:
    """Send a picture as SVG, for browsers without scripts."""
    given = request.query_params
    view = find_ready_view(request, given)
    shown = filter_nodes(view, read_filter(given))
    with get_context(request).borrow_web() as web:
        labels = node_facts.label_nodes(web, view, find_best(view, 100))
    columns = given.get("colour", "community"), given.get("size", "pagerank")
    return Response(draw_svg(view, shown, columns, labels), media_type="image/svg+xml")


def _read_nodes(text: str, view: GraphView) -> NDArray[np.int64]:
    """Return the numbers of a list, without those that are not in the picture."""
    numbers = [_read_count(part) for part in text.split(",")[:_MOST_ASKED]]
    return np.array([number for number in numbers if 0 <= number < view.nodes], np.int64)


def _read_count(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1


ROUTES = (
    Route("/workbench/progress", send_progress),
    Route("/workbench/graph", send_graph),
    Route("/workbench/labels", send_labels),
    Route("/workbench/node", send_node),
    Route("/workbench/find", send_found),
    Route("/workbench/filter", send_filter),
    Route("/workbench/news", send_news),
    Route("/workbench/picture.svg", send_picture),
)
