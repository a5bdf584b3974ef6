"""What can be done with the nodes that a person selects: crawl on, exclude, judge, export."""

import base64
import binascii
import re
import time
from collections.abc import Mapping, Sequence
from io import StringIO
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.assess.judgements import check_name, find_sample, save_sample
from gossamer.assess.sample.draw_sample import MOST_ITEMS, SampleRequest, draw_sample
from gossamer.assess.sample.page_facts import read_crawled_pages
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.submit_pages import make_submission, select_crawls, submit
from gossamer.crawl.steer.command_lines import make_submit_command
from gossamer.errors import BadInput
from gossamer.graph.export.gexf_graphml import NodeAttribute, write_gexf
from gossamer.graph.export.node_layout import NodeLayout
from gossamer.graph.graph import Graph
from gossamer.graph.node_names import NameList, name_nodes
from gossamer.store.batch import TaskNote
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.ui.render_template import encode_parameters
from gossamer.ui.workbench import node_facts
from gossamer.ui.workbench.graph_picture import EXPORT_FACTOR, draw_svg
from gossamer.ui.workbench.view_requests import find_ready_view, get_views
from gossamer.ui.workbench.views.graph_view import GraphView
from gossamer.ui.workbench.views.palette import colour_nodes, size_nodes
from gossamer.web import Web

MOST_SUBMITTED = 1_000
"""More start pages than that are a list, and `gossamer submit --file` takes it."""
_MOST_CHARACTERS = 4_000
_MOST_HOSTS = 20
_SVG = "image/svg+xml"
_GEXF_SIZES = (4.0, 40.0)
Mask = NDArray[np.bool_]


async def take_selection(request: Request) -> Response:
    """Do what the form asks with the nodes that it names."""
    form = await read_form(request)
    return await run_in_threadpool(_carry_out, request, form)


def _carry_out(request: Request, form: Mapping[str, str]) -> Response:
    context = get_context(request)
    view = find_ready_view(request, form)
    chosen = decode_selection(form.get("selection", ""), view.nodes)
    if not chosen.any():
        raise BadInput("nothing is selected; draw a rectangle, or choose “Select what the filter shows”")
    action = form.get("act", "")
    if action == "gexf":
        with context.borrow_web() as web:
            return _send_file(
                make_gexf(web, view, chosen, _read_columns(form)), "application/xml", "graph.gexf"
            )
    if action == "svg":
        with context.borrow_web() as web:
            labels = node_facts.label_nodes(web, view, _find_largest(view, chosen, 200))
        return _send_file(
            draw_svg(view, chosen, _read_columns(form), labels, EXPORT_FACTOR), _SVG, "graph.svg"
        )
    if action == "judge":
        return RedirectResponse(f"/assess/{quote(judge_pages(context, view, chosen, form))}", 303)
    if action == "exclude":
        return RedirectResponse(_make_change_address(context, view, chosen, form), 303)
    if action == "crawl":
        return _submit(request, view, chosen, form)
    raise BadInput("choose what to do with the selection")


def decode_selection(text: str, nodes: int) -> Mask:
    """Return which nodes are selected: a bit for each, the first in the lowest bit, in base64 for addresses."""
    try:
        raw = base64.b64decode(text.encode("ascii", "replace"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("the selection cannot be read; select again") from None
    if len(raw) != (nodes + 7) // 8:
        raise BadInput(
            "the picture has changed since the selection was made; reload the page and select again"
        )
    return np.unpackbits(np.frombuffer(raw, np.uint8), count=nodes, bitorder="little").astype(np.bool_)


def list_urls(web: Web, view: GraphView, chosen: Mask) -> list[str]:
    """Return the addresses of the pages that are selected, in order of arrival."""
    ids = view.list_pages(chosen).tolist()
    urls = web.store.page_urls(ids)
    return [urls[one] for one in ids if one in urls]


def _submit(request: Request, view: GraphView, chosen: Mask, form: Mapping[str, str]) -> Response:
    context = get_context(request)
    with context.borrow_web() as web:
        note = find_task(web, form.get("task", ""))
        urls = list_urls(web, view, chosen)
        if len(urls) > MOST_SUBMITTED:
            raise BadInput(
                f"these are {len(urls):,} pages, and a crawl goes on from at most {MOST_SUBMITTED:,} of them: select fewer"
            )
        soon = submit(web.store, web.folder, make_submission(web.store, note, urls))
    return context.render_page(
        request,
        "workbench/submitted.html",
        urls=urls,
        task=note,
        soon=soon,
        command=make_submit_command(web.folder, note.number, urls),
    )


def find_task(web: Web, name: str) -> TaskNote:
    """Return the task with this number or name, or the newest; raise BadInput if it does not crawl."""
    tasks = select_crawls(web.tasks())
    if not tasks:
        raise BadInput("this collection has no task that crawls; start one with `gossamer crawl`")
    if not name:
        return tasks[-1]
    found = web.task(name[:_MOST_CHARACTERS])
    if found not in tasks:
        raise BadInput(f"{found.name} was imported and does not crawl")
    return found


def _make_change_address(context: PageContext, view: GraphView, chosen: Mask, form: Mapping[str, str]) -> str:
    """Return the address of the form that changes a task, with its patterns and those of the selection."""
    with context.borrow_web() as web:
        note = find_task(web, form.get("task", ""))
        patterns = make_patterns(list_urls(web, view, chosen))
    patterns = [*read_spec(note).filters.exclude, *patterns]
    fields = {"number": note.number, "exclude": "\n".join(dict.fromkeys(patterns))}
    return f"/console/task/change?{encode_parameters(fields)}"


def make_patterns(urls: Sequence[str]) -> list[str]:
    """Return patterns that exclude pages: for each host, what the addresses of its pages begin with."""
    by_host: dict[str, list[str]] = {}
    for url in urls:
        by_host.setdefault("/".join(url.split("/", 3)[:3]) + "/", []).append(url)
    if len(by_host) > _MOST_HOSTS:
        raise BadInput(
            f"the selection has pages of {len(by_host):,} hosts, which would be as many patterns; select those of at most {_MOST_HOSTS}"
        )
    return [f"^{re.escape(_find_start(host, some))}" for host, some in by_host.items()]


def _find_start(host: str, urls: Sequence[str]) -> str:
    """Return what the addresses of a host's pages begin with: one page, a folder, or the host."""
    if len(urls) == 1:
        return urls[0]
    first, last = min(urls), max(urls)  # what these two share, all share
    same = next(
        (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    start = first[:same]
    return max(start[: start.rfind("/") + 1], host, key=len)


def judge_pages(context: PageContext, view: GraphView, chosen: Mask, form: Mapping[str, str]) -> str:
    """Draw a sample of the pages that are selected; return its name."""
    name = check_name("name", form.get("name", "").strip() or time.strftime("workbench-%Y%m%d-%H%M%S"))
    ids = set(view.list_pages(chosen).tolist())
    with context.open_web() as web:
        if find_sample(web.store, name) is not None:
            raise BadInput(f"there is a sample {name!r} already; give another name")
        pages = (crawled for crawled in read_crawled_pages(web.store) if crawled.page.id in ids)
        request = SampleRequest(name=name, where="", asked=None)
        sample = draw_sample(pages, request, time.time()) if len(ids) <= MOST_ITEMS else None
        if sample is None:
            raise BadInput(
                f"these are {len(ids):,} pages; select at most {MOST_ITEMS:,} to judge some of them"
            )
        save_sample(web.store, sample)
    return name


def make_gexf(web: Web, view: GraphView, chosen: Mask, columns: tuple[str, str]) -> str:
    """Return the nodes that are selected and the links among them as GEXF, as they look in the picture."""
    graph, kept = view.graph.part(chosen)
    named = node_facts.name_nodes(web, view, kept)
    labels = [title or url for title, url in named]
    graph = Graph(
        graph.starts, graph.targets, graph.in_starts, graph.sources, name_nodes(NameList(labels), graph.nodes)
    )
    colour, size = (view.columns.get(name) for name in columns)
    colours = [colour_nodes(colour, view.nodes)[node] for node in kept.tolist()]
    rgb = np.array([[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colours], np.uint8)
    least, most = _GEXF_SIZES
    sizes = least + (most - least) * size_nodes(size, view.nodes)[kept]
    layout = NodeLayout(view.places[kept, 0], view.places[kept, 1], sizes, rgb.reshape(-1, 3))
    attributes = {"url": NodeAttribute("string", [url for _, url in named])}
    for name in view.columns:
        values = [node_facts.format_value(view, name, node) for node in kept.tolist()]
        attributes[name] = NodeAttribute("string", values)
    out = StringIO()
    write_gexf(out, graph, layout, attributes)
    return out.getvalue()


def _read_columns(form: Mapping[str, str]) -> tuple[str, str]:
    return form.get("colour", "community")[:200], form.get("size", "pagerank")[:200]


def _find_largest(view: GraphView, chosen: Mask, most: int) -> NDArray[np.int64]:
    nodes = np.flatnonzero(chosen)
    return nodes[np.argsort(-view.columns["pagerank"].values[nodes], kind="stable")][:most]


def _send_file(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=kind, headers=headers)


async def lay_out_anew(request: Request) -> Response:
    """Forget the places of a picture's nodes, and lay it out from scratch."""
    form = await read_form(request)
    views, key = await run_in_threadpool(get_views, request, form)
    await run_in_threadpool(views.lay_out_anew, key)
    fields = {"level": key.level, "links": key.links, "within": key.within}
    return RedirectResponse(f"/workbench?{encode_parameters(fields)}", 303)


ROUTES = (
    Route("/workbench/selection", take_selection, methods=["POST"]),
    Route("/workbench/anew", lay_out_anew, methods=["POST"]),
)
