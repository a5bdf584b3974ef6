"""`gossamer graph path`: the shortest paths of links between two pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.reports.graph.page_paths import PageFinder, PagePath, PathSearch
    from gossamer.store.batch import Store

_FOUND, _NO_PATH = 0, 1


def path(
    source: Annotated[str, typer.Argument(metavar="FROM", help="URL of the first page.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="URL of the last page.")],
    back: Annotated[bool, typer.Option("--back", help="Also the way back.")] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Find the shortest paths of links from one page to another, with the words of the links.

    If all of them use links that templates repeat, such as menus, the shortest path of other links follows. Without a path, the
    places of both pages in the bow-tie say why, and the exit code is 1.

    \b
    gossamer graph path http://example.org/ http://example.org/deep/page.html --web docs.web
    gossamer graph path example.org example.org/contact --back --json --web docs.web
    """
    import msgspec

    from gossamer.cli.output.json_lines import print_json
    from gossamer.reports.graph.load_page_graph import load_page_graph
    from gossamer.reports.graph.page_paths import open_page_finder
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        finder = open_page_finder(opened.store, load_page_graph(opened.store), opened.folder)
        first, last = (_find_node(finder, opened.store, typed) for typed in (source, target))
        found = [finder.search(first, last), *([finder.search(last, first)] if back else [])]
    for one in found:
        if json:
            print_json(msgspec.to_builtins(one))
        else:
            _print_search(one)
    return _FOUND if found[0].paths else _NO_PATH


def _find_node(finder: "PageFinder", store: "Store", typed: str) -> int:
    from gossamer.errors import BadInput, BadUrl
    from gossamer.search.links.page_neighbours import find_page

    try:
        return finder.find_page(find_page(store, typed))
    except BadUrl as error:
        raise BadInput(f"{typed!r} is not a URL: {error}") from None
    except BadInput as error:
        raise BadInput(f"{typed}: {error}") from None


def _print_search(found: "PathSearch") -> None:
    from gossamer.cli.output.tables import console

    if not found.paths:
        console.print(f"From {found.source} to {found.target}:")
        console.print(found.reason)
    for one in found.paths:
        _print_path(one)


def _print_path(found: "PagePath") -> None:
    from gossamer.cli.output.tables import console, print_line
    from gossamer.cli.output.wording import format_count
    from gossamer.printable_text import clean_text

    by = ", without links that templates repeat" if found.content else ""
    console.print(f"{format_count(found.links, 'link')}{by}:")
    for step in found.steps:
        print_line(f"  {step.url}", (f"  {clean_text(step.title)}" if step.title else "", "dim"))
        if step is not found.steps[-1]:
            around = clean_text(f"{step.before} [{step.link_text}] {step.after}", 160)
            repeated = " (a template repeats this link)" if step.repeated else ""
            print_line(("    ↓ ", "bold"), around, (repeated, "dim"))
    console.print()
