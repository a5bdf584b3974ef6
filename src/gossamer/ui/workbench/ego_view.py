"""One page and its surroundings: who links to it, where it leads, which pages are like it, and how it is reached."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import GossamerError
from gossamer.graph.graph import Graph, Nodes
from gossamer.net import url as urls
from gossamer.reports.graph.page_paths import PageFinder, PageGraph, PagePath, open_page_finder
from gossamer.search.links.page_neighbours import score_neighbours
from gossamer.store.batch import Store
from gossamer.task_file import make_pair
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench.kept_data import get_kept_data
from gossamer.ui.workbench.neighbour_picture import NeighbourPicture, draw_neighbours
from gossamer.ui.workbench.page_paths import TypedPage, find_typed_page, list_best_linked
from gossamer.ui.workbench.read_neighbours import Neighbour, NeighbourReader
from gossamer.web import Web

_WRONG_USE = 400
_MOST_CHARACTERS = 4_000
_SIMILAR, _MOST_HOSTS = 15, 30


class Side(msgspec.Struct, frozen=True):
    """The pages on one side of a page: those that link to it, or those that it links to."""

    found: int
    shown: list[Neighbour]


class EgoView(msgspec.Struct, frozen=True):
    """A page and its surroundings."""

    url: str
    title: str
    depth: int | None
    """The number of links from a start page; None if the web does not have the page."""
    way: PagePath | None
    incoming: Side
    outgoing: Side
    similar: list[Neighbour]
    hosts: list[tuple[str, int]]
    """Hosts of all neighbours, for the filter."""
    picture: NeighbourPicture


def show_surroundings(request: Request) -> Response:
    """Show a page and its surroundings."""
    asked = request.query_params
    typed = asked.get("url", "").strip()[:_MOST_CHARACTERS]
    site = asked.get("site", "").strip().lower()[:_MOST_CHARACTERS]
    with get_context(request).borrow_web() as web:
        is_empty = not web.store.counts()["pages"]
        view, field, suggestions = None, TypedPage(typed), list[str]()
        if not is_empty:
            pages = get_kept_data(request).get_graph(web)
            suggestions = list_best_linked(web.store, pages)
            field = find_typed_page(open_page_finder(web.store, pages, web.folder), web.store, typed)
            if field.node >= 0:
                view = make_ego_view(web, pages, field.node, site)
    return get_context(request).render_page(
        request,
        "workbench/around.html",
        _WRONG_USE if field.wrong else 200,
        path="/workbench",
        field=field,
        site=site,
        view=view,
        suggestions=suggestions,
        is_empty=is_empty,
        command=_list_commands(get_context(request).folder, view.url, site) if view else "",
    )


def _list_commands(folder: Path, url: str, site: str) -> str:
    """Return the commands that say who links to a page and what the web knows of it."""
    only = make_pair("--site", site) if site else []
    return "\n".join([make_command(folder, "backlinks", url, *only), make_command(folder, "card", url)])


def make_ego_view(web: Web, pages: PageGraph, node: int, site: str = "") -> EgoView:
    """Return the surroundings of a node, of one host alone if `site` names it."""
    store, graph = web.store, pages.graph
    finder = open_page_finder(store, pages, web.folder)
    sources = graph.sources[graph.in_starts[node] : graph.in_starts[node + 1]]
    targets = graph.targets[graph.starts[node] : graph.starts[node + 1]]
    page_id = int(pages.ids[node])
    own, page = store.url(page_id) or "", store.page(page_id)
    found = {side: _sort_best(pages, nodes) for side, nodes in (("in", sources), ("out", targets))}
    names = store.urls(pages.ids[np.concatenate([*found.values(), np.empty(0, np.int32)])].tolist())
    hosts = Counter(urls.host(url) for url in names.values())
    chosen = {side: _choose(pages, nodes, names, site) for side, nodes in found.items()}
    both = set(sources.tolist()) & set(targets.tolist())
    reader = NeighbourReader(store, pages, finder, open_page_finder(store, pages, None))
    incoming = reader.read(chosen["in"], both, lambda other: (other, node))
    outgoing = reader.read(chosen["out"], both, lambda other: (node, other))
    title = page.title if page is not None else ""
    return EgoView(
        own,
        title,
        page.depth if page is not None else None,
        _find_way(web, finder, node),
        Side(len(chosen["in"]), incoming),
        Side(len(chosen["out"]), outgoing),
        reader.read(_find_similar(store, pages, node), set()),
        sorted(hosts.items(), key=lambda one: (-one[1], one[0]))[:_MOST_HOSTS],
        draw_neighbours(title or own, incoming, outgoing),
    )


def _sort_best(pages: PageGraph, nodes: Nodes) -> Nodes:
    """Return nodes with the best linked first, by links that templates do not repeat, then by all."""
    content, every = pages.content.in_degrees(), pages.graph.in_degrees()
    return nodes[np.lexsort((nodes, -every[nodes], -content[nodes]))]


def _choose(pages: PageGraph, nodes: Nodes, names: Mapping[int, str], site: str) -> list[int]:
    """Return the nodes of a host or of a site, or all."""
    if not site:
        return [int(node) for node in nodes]
    return [int(node) for node in nodes if _belongs(names.get(int(pages.ids[node]), ""), site)]


def _belongs(url: str, site: str) -> bool:
    host = urls.host(url) if url else ""
    return host == site or host.endswith(f".{site}")


def _find_similar(store: Store, pages: PageGraph, node: int) -> list[int]:
    """Return the pages that link to the same pages, or that the same pages link to, the nearest first."""

    def count_in_links(page_ids: list[int]) -> list[int]:
        degrees = pages.graph.in_degrees()
        nodes = [pages.find_node(page) for page in page_ids]
        return [int(degrees[one]) if one >= 0 else 0 for one in nodes]

    own, content = _get_targets(pages.graph, node), _get_targets(pages.content, node)
    repeated = set(pages.ids[np.setdiff1d(own, content)].tolist())
    near = score_neighbours(store, int(pages.ids[node]), count_in_links, repeated)
    nodes = [pages.find_node(page) for page in list(near)[:_SIMILAR]]
    return [one for one in nodes if one >= 0]


def _get_targets(graph: Graph, node: int) -> Nodes:
    return graph.targets[graph.starts[node] : graph.starts[node + 1]]


def _find_way(web: Web, finder: PageFinder, node: int) -> PagePath | None:
    """Return a shortest path from a start page of any task; None if none leads there."""
    starts: list[int] = []
    for note in web.tasks():
        with suppress(GossamerError):  # a file of start pages may be gone
            starts += [urls.page_id(url) for url in list_start_pages(read_spec(note))]
    return finder.find_way_from(starts, node)


ROUTES = [Route("/workbench/around", show_surroundings)]
