"""The URLs of a host by folders: counts, sizes and states, opened folder by folder."""

import re
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.steer.command_lines import make_command
from gossamer.printable_text import format_bytes
from gossamer.reports.url_tree import (
    SORTINGS,
    STATE_WORDS,
    Folder,
    FolderRow,
    Sorting,
    describe_states,
    find_folder,
    find_host,
    list_hosts,
    list_rows,
)
from gossamer.store.links.url_states import STATES, HostFact, UrlFact
from gossamer.task_file import make_pair
from gossamer.ui.page_context import get_context
from gossamer.ui.render_template import encode_parameters
from gossamer.ui.workbench.kept_data import get_kept_data
from gossamer.web import Web

HERE = "/workbench/tree"
_AT_ONCE = 200
_NOT_FOUND = 404
_MOST_CHARACTERS = 4_000


class Bar(msgspec.Struct, frozen=True):
    """A part of the bar of states, in percent of its length."""

    state: str
    start: float
    length: float


class ListPage(msgspec.Struct, frozen=True):
    """Which part of a list is shown."""

    number: int
    count: int
    rows: list[Any]


def show_tree(request: Request) -> Response:
    """Show the hosts of the web, or a folder of one host."""
    return _show(request, "workbench/tree.html")


def show_folder(request: Request) -> Response:
    """Return the rows of a folder, as a part of the page."""
    return _show(request, "workbench/tree_rows.html")


def _show(request: Request, template: str) -> Response:
    asked = request.query_params
    typed = asked.get("site", "").strip()[:_MOST_CHARACTERS]
    sorting = _get_sorting(asked.get("sort", ""))
    with get_context(request).borrow_web() as web:
        hosts = get_kept_data(request).get_hosts(web)
        host = find_host(hosts, typed)
        if host is None:
            return _show_hosts(request, hosts, typed, sorting)
        root = get_kept_data(request).get_tree(web, host)
        crawl = _find_crawl(web)
    folder = find_folder(root, asked.get("folder", "/")[:_MOST_CHARACTERS])
    rows = list_rows(folder or root, sorting)
    return get_context(request).render_page(
        request,
        template,
        200 if folder else _NOT_FOUND,
        path=HERE,
        host=host,
        typed=typed,
        folder=folder or root,
        missing=folder is None,
        is_part=template == "workbench/tree_rows.html",
        steps=_list_steps(folder or root),
        shown=_cut(rows, asked.get("page", "")),
        sort=sorting,
        sortings=SORTINGS,
        exclude=lambda one: _make_exclusion(crawl, host, one),
        search=lambda one: _make_query(host, one),
        describe=describe_states,
        address=_make_address,
        command=_make_command(request, host, folder or root, sorting),
        **_FORMATS,
    )


def _make_command(request: Request, host: str, folder: Folder | None, sorting: Sorting) -> str:
    """Return the command that shows the same folder, or the same hosts."""
    named = [host] if host and not host.startswith("-") else []
    within = make_pair("--folder", folder.path) if folder is not None and folder.path != "/" else []
    sort = ["--sort", sorting] if sorting != "name" else []
    return make_command(get_context(request).folder, "graph", "tree", *named, *within, *sort)


def _show_hosts(request: Request, hosts: list[HostFact], typed: str, sorting: Sorting) -> Response:
    """Show the hosts whose names contain what was typed."""
    found = list_hosts(hosts, typed, sorting)
    return get_context(request).render_page(
        request,
        "workbench/hosts.html",
        path=HERE,
        typed=typed,
        hosts=hosts,
        shown=_cut(found, request.query_params.get("page", "")),
        found=len(found),
        sort=sorting,
        address=_make_address,
        command=_make_command(request, typed if found else "", None, sorting),
        **_FORMATS,
    )


def _get_sorting(given: str) -> Sorting:
    return next((one for one in SORTINGS if one == given), "name")


def _cut(rows: list[Any], page: str) -> ListPage:
    count = max(1, -(-len(rows) // _AT_ONCE))
    number = min(max(int(page), 1), count) if page.isdecimal() and len(page) < 9 else 1
    return ListPage(number, count, rows[(number - 1) * _AT_ONCE : number * _AT_ONCE])


def _list_steps(folder: Folder) -> list[tuple[str, str]]:
    """Return the folders above a folder and itself, by name and path."""
    names = folder.path.strip("/").split("/") if folder.path != "/" else []
    return [(name, "/" + "/".join(names[: at + 1]) + "/") for at, name in enumerate(names)]


class _Crawl(msgspec.Struct, frozen=True):
    """A crawl whose rules can be changed."""

    number: int
    exclude: tuple[str, ...]
    """The patterns of what it leaves out."""


def _find_crawl(web: Web) -> _Crawl | None:
    """Return the newest crawl of the web that has start pages; None if there is none."""
    for note in reversed(web.tasks()):
        spec = read_spec(note)
        if spec.seeds:
            return _Crawl(note.number, tuple(spec.filters.exclude))
    return None


def _make_exclusion(crawl: _Crawl | None, host: str, folder: Folder) -> str:
    """Return the address of the form that changes a crawl, with the pattern of a folder filled in; "" without a crawl."""
    if crawl is None:
        return ""
    patterns = [*crawl.exclude, f"^https?://{re.escape(host)}{re.escape(folder.path)}"]
    return f"/console/task/change?{encode_parameters({'number': crawl.number, 'exclude': chr(10).join(patterns)})}"


def _make_query(host: str, folder: Folder) -> str:
    """Return the address of a search among the pages of a host whose addresses have the words of a folder."""
    words = folder.path.strip("/").replace('"', " ")
    query = f'host:{host} url:"{words}"' if words else f"host:{host}"
    return f"/search?{encode_parameters({'q': query})}"


def _make_address(host: str, folder: str = "/", sort: str = "", page: int = 1) -> str:
    """Return the address of a folder."""
    given = {
        "site": host,
        "folder": folder if folder != "/" else "",
        "sort": sort if sort != "name" else "",
        "page": page if page > 1 else "",
    }
    return f"{HERE}?{encode_parameters(given)}"


def _make_bar(folder: Folder) -> list[Bar]:
    bars, start = [], 0.0
    for state, number in zip(STATES, folder.counts, strict=True):
        length = 100 * number / max(folder.urls, 1)
        if number:
            bars.append(Bar(state, start, length))
        start += length
    return bars


def _name_row(row: FolderRow) -> str:
    return row.name or "(this folder)"


def _name_state(fact: UrlFact) -> str:
    return STATE_WORDS[fact.state]


_FORMATS: dict[str, Any] = {
    "format_bytes": format_bytes,
    "make_bar": _make_bar,
    "name_row": _name_row,
    "name_state": _name_state,
    "states": STATE_WORDS,
}
ROUTES = [Route(HERE, show_tree), Route(f"{HERE}/folder", show_folder)]
