"""The workbench: the link graph of a web, with its controls; a table and a picture without scripts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.submit_pages import select_crawls
from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput
from gossamer.ui.page_context import get_context
from gossamer.ui.render_template import encode_parameters
from gossamer.ui.workbench import node_facts
from gossamer.ui.workbench.graph_data import find_best
from gossamer.ui.workbench.view_requests import get_views, read_key
from gossamer.ui.workbench.views.graph_view import GraphView, choose_level
from gossamer.ui.workbench.views.node_columns import MARK
from gossamer.ui.workbench.views.node_filter import NodeFilter, filter_nodes, read_filter
from gossamer.ui.workbench.views.view_jobs import Progress
from gossamer.web import Web

_MOST_ROWS = 30
_MOST_CHARACTERS = 200
_COLOURS = ("community", "region", "depth", "language", "status", "host", "pagerank", "hub")
_SIZES = ("pagerank", "hub", "links in", "links out", "words", "pages")
_LABELS = {"pagerank": "PageRank", "": "all the same"}


class Choices(msgspec.Struct, frozen=True):
    """What the controls of the page are set to."""

    level: str
    links: str
    within: str
    colour: str
    size: str
    filter: NodeFilter

    @property
    def address(self) -> str:
        """The parameters of an address that shows the same."""
        fields = {"level": self.level, "links": self.links, "within": self.within}
        fields |= {"colour": self.colour, "size": self.size} | msgspec.structs.asdict(self.filter)
        return encode_parameters(fields)


def show_graph(request: Request) -> Response:
    """Show the graph, or how far it is."""
    context = get_context(request)
    with context.borrow_web() as web:
        counts = web.store.counts()
        tasks = list(reversed(select_crawls(web.tasks())))
        given = dict(request.query_params)
        given["level"] = given.get("level") or choose_level(counts["pages"], counts["hosts"])
        views, key = get_views(request, given)
        found = views.find(key)
        facts = _collect_facts(web, found, _read_choices(given))
    facts |= {"tasks": tasks, "counts": counts, "levels": ("pages", "hosts", "sites", "communities")}
    facts["command"] = _make_command(context.folder, facts["choices"])
    return context.render_page(request, "workbench/graph.html", **facts)


def _make_command(folder: Path, choices: Choices) -> str:
    """Return the command that writes the same graph to a file, as far as the command line can select it."""
    links = ["--links", choices.links]
    if choices.level == "communities":
        return make_command(folder, "graph", "communities", *links)
    unit = ["--unit", choices.level] if choices.level != "pages" else []
    least, most = choices.filter.depth_from or "0", choices.filter.depth_to
    depth = ["--depth", f"{least}-{most}"] if least.isdecimal() and most.isdecimal() else []
    return make_command(folder, "graph", "export", "gexf", "graph.gexf", *links, *unit, *depth)


def _read_choices(given: Mapping[str, str]) -> Choices:
    key = read_key(given)
    colour, size = given.get("colour", "community"), given.get("size", "pagerank")
    return Choices(
        key.level,
        key.links,
        key.within,
        colour[:_MOST_CHARACTERS],
        size[:_MOST_CHARACTERS],
        read_filter(given),
    )


def _collect_facts(web: Web, found: GraphView | Progress | str, choices: Choices) -> dict[str, Any]:
    view = found if isinstance(found, GraphView) else None
    wrong, rows = found if isinstance(found, str) else "", []
    if view is not None:
        try:
            rows = _list_rows(web, view, choices.filter)
        except BadInput as error:
            wrong = str(error)
    return {
        "choices": choices,
        "view": view,
        "wrong": wrong,
        "rows": rows,
        "progress": found if isinstance(found, Progress) else None,
        "colours": _list_columns(view, _COLOURS),
        "sizes": [*_list_columns(view, _SIZES, marks=True), ("", _LABELS[""])],
        "numbers": _list_marks(view, categories=False),
        "categories": _list_marks(view, categories=True),
        "filtered": {name: _list_names(view, name) for name in ("language", "status", "region")},
    }


def _list_rows(web: Web, view: GraphView, wanted: NodeFilter) -> list[dict[str, Any]]:
    """Return the best nodes that a filter lets through, for a table."""
    shown = filter_nodes(view, wanted)
    best = find_best(view, view.nodes)
    best = best[shown[best]][:_MOST_ROWS]
    named = node_facts.name_nodes(web, view, best)
    return [
        {"title": title, "url": url, "measures": dict(node_facts.list_measures(view, node))}
        for node, (title, url) in zip(best.tolist(), named, strict=True)
    ]


def _list_columns(
    view: GraphView | None, names: tuple[str, ...], marks: bool = True
) -> list[tuple[str, str]]:
    """Return the columns that a control offers: those of a picture, or all that there may be."""
    if view is None or not view.nodes:
        return [(name, _LABELS.get(name, name)) for name in names]
    known = [name for name in names if name in view.columns]
    known += [name for name in view.columns if marks and name.startswith(MARK)]
    return [
        (name, f"mark {view.columns[name].label}" if name.startswith(MARK) else view.columns[name].label)
        for name in known
    ]


def _list_marks(view: GraphView | None, categories: bool) -> list[tuple[str, str]]:
    """Return the columns of numbers or of categories, by which nodes can be filtered; marks come first."""
    columns = view.columns if view is not None else {}
    names = [name for name, column in columns.items() if column.is_category == categories]
    names.sort(key=lambda name: not name.startswith(MARK))
    return [(name, columns[name].label) for name in names]


def _list_names(view: GraphView | None, name: str) -> list[str]:
    if view is None or name not in view.columns:
        return []
    return [one for one in view.columns[name].names[:100] if one]


ROUTES = (Route("/workbench", show_graph),)
