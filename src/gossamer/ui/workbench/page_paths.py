"""The page that finds paths of links between two pages of the web."""

from pathlib import Path

import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.steer.command_lines import make_command
from gossamer.errors import BadInput, BadUrl
from gossamer.reports.graph.page_paths import PageFinder, PageGraph, PathSearch, open_page_finder
from gossamer.search.links.page_neighbours import find_page
from gossamer.store.batch import Store
from gossamer.ui.page_context import get_context
from gossamer.ui.workbench.kept_data import get_kept_data

_WRONG_USE = 400
_MOST_CHARACTERS = 4_000
_SUGGESTED = 100


class TypedPage(msgspec.Struct, frozen=True):
    """A field of the form: what was typed, the node that it means, or what is wrong."""

    text: str
    node: int = -1
    wrong: str = ""


def show_paths(request: Request) -> Response:
    """Show the form, and the paths in both directions if both pages are given."""
    typed = [request.query_params.get(name, "").strip()[:_MOST_CHARACTERS] for name in ("from", "to")]
    with get_context(request).borrow_web() as web:
        if not web.store.counts()["pages"]:
            return _render(request, [TypedPage(text) for text in typed], [], [], is_empty=True)
        pages = get_kept_data(request).get_graph(web)
        suggestions = list_best_linked(web.store, pages)
        finder = open_page_finder(web.store, pages, web.folder)
        fields = [find_typed_page(finder, web.store, text) for text in typed]
        found = []
        if all(field.node >= 0 for field in fields):
            source, target = (field.node for field in fields)
            found = [finder.search(source, target), finder.search(target, source)]
    return _render(request, fields, found, suggestions)


def find_typed_page(finder: PageFinder, store: Store, text: str) -> TypedPage:
    """Return the page that a typed address means, or what is wrong with it."""
    if not text:
        return TypedPage(text)
    try:
        return TypedPage(text, finder.find_page(find_page(store, text)))
    except BadUrl:
        return TypedPage(text, wrong="This is not an address: write it as https://example.org/page.")
    except BadInput as error:
        sentence = str(error)
        return TypedPage(text, wrong=f"{sentence[:1].upper()}{sentence[1:]}.")


def list_best_linked(store: Store, pages: PageGraph, most: int = _SUGGESTED) -> list[str]:
    """Return the URLs of the pages with the most links from others, to suggest them."""
    degrees = pages.graph.in_degrees()
    best = np.argsort(-degrees, kind="stable")[:most]
    ids = pages.ids[best].tolist()
    known = store.urls(ids)
    return [known[page] for page in ids if page in known]


def _render(
    request: Request,
    fields: list[TypedPage],
    found: list[PathSearch],
    suggestions: list[str],
    is_empty: bool = False,
) -> Response:
    status = _WRONG_USE if any(field.wrong for field in fields) else 200
    return get_context(request).render_page(
        request,
        "workbench/path.html",
        status,
        path="/workbench",
        source=fields[0],
        target=fields[1],
        found=found,
        suggestions=suggestions,
        is_empty=is_empty,
        command=_make_command(get_context(request).folder, found),
    )


def _make_command(folder: Path, found: list[PathSearch]) -> str:
    """Return the command that finds the same paths, or paths in general."""
    ends = [found[0].source, found[0].target] if found else ["FROM", "TO"]
    return make_command(folder, "graph", "path", *ends, "--back")


ROUTES = [Route("/workbench/path", show_paths)]
