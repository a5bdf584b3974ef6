"""Options that all verbs of `gossamer graph` share: source of the graph, selection, and output."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import typer

from gossamer.cli.task_options import Json, parse_web
from gossamer.errors import BadInput
from gossamer.reports.graph.graph_input import GraphInput, name_source, open_graph

if TYPE_CHECKING:  # imported by the verbs when they run, so that --help is fast
    from gossamer.graph.link_selection import LinkSelection
    from gossamer.reports.analysis import Analysis

Result = TypeVar("Result")

_SOURCE = {
    "web": Annotated[
        Path | None,
        typer.Option(
            "--web",
            parser=parse_web,
            metavar="WEB",
            help="Folder or database of the web. [default: web]",
            envvar="GOSSAMER_WEB",
        ),
    ],
    "nodes": Annotated[
        Path | None,
        typer.Option("--nodes", help='Instead of a web, with --edges: lines id,"name", or Parquet.'),
    ],
    "edges": Annotated[
        Path | None,
        typer.Option("--edges", help="Instead of a web: lines from,to (CSV, edge list), Parquet or GraphML."),
    ],
}
_SELECTION = {
    "links": Annotated[
        str | None,
        typer.Option(
            "--links",
            help="content (without those that templates repeat) or all, and only those between hosts or sites: "
            "content, or all,hosts. [default: content to find groups, else all]",
        ),
    ],
    "unit": Annotated[
        str | None, typer.Option("--unit", help="What a node is: pages, hosts or sites. [default: pages]")
    ],
    "site_rule": Annotated[
        str | None,
        typer.Option("--site-rule", help="Which hosts are a site: suffix or name. [default: suffix]"),
    ],
    "rim": Annotated[
        bool | None,
        typer.Option("--rim", help="Include pages that were linked to but not fetched."),
    ],
    "relevance": Annotated[
        float | None, typer.Option("--relevance", help="Only pages with at least this relevance.")
    ],
    "depth": Annotated[
        str | None, typer.Option("--depth", help="Only pages at this distance from a start page: 0-2, or 3.")
    ],
    "types": Annotated[
        str | None, typer.Option("--types", help="Only links of these types, such as a,area,frame.")
    ],
    "without_noise": Annotated[
        bool | None,
        typer.Option("--without-noise", help="Leave out mirrors, misconfigured servers and link farms."),
    ],
}
_SHOWN = {
    "top": Annotated[int, typer.Option("--top", help="Number of rows of long lists; 0 for all.", min=0)],
    "out": Annotated[
        Path | None, typer.Option("--out", help="Write the whole result to this file: .csv or .parquet.")
    ],
    "plot": Annotated[
        Path | None, typer.Option("--plot", help="Draw the result to this file: .svg, .png or .html.")
    ],
    "json": Json,
}
_DEFAULTS: dict[str, Any] = {"top": 20, "json": False}


def make_graph_verb(
    function: "Callable[..., Analysis]", with_facts: bool = False, content: bool = False
) -> Callable[..., int]:
    """Make a verb, with the shared options, from a function that analyses a graph (and facts about its nodes).

    With `content`, links that templates repeat are left out unless the user asks for all.
    """

    def verb(**given: Any) -> int:
        from gossamer.cli.output.plot_files import check_plot, write_plot
        from gossamer.cli.output.result_tables import check_out, show_result

        shown = _take_options(given, _SHOWN)
        check_out(shown["out"])
        check_plot(shown["plot"])
        with ExitStack() as stack:
            graph_input, result = _run_on_graph(function, given, shown["top"], with_facts, content, stack)
            if shown["plot"] is not None:
                title = f"{function.__name__.capitalize()} of {name_source(graph_input.source)}"
                write_plot(result, shown["plot"], title)
            show_result(result, graph_input.loaded, shown["json"], shown["out"], shown["plot"])
        return 0

    return _add_options(verb, function, {**_SOURCE, **_SELECTION, **_SHOWN})


def make_writing_verb(function: Callable[..., list[Path]], with_facts: bool = False) -> Callable[..., int]:
    """Make a verb from a function that writes a graph to files and returns their paths."""

    def verb(**given: Any) -> int:
        from gossamer.cli.output.result_tables import report_files

        json = given.pop("json")
        with ExitStack() as stack:
            graph_input, paths = _run_on_graph(function, given, _DEFAULTS["top"], with_facts, False, stack)
        report_files(paths, graph_input.loaded, json)
        return 0

    return _add_options(verb, function, {**_SOURCE, **_SELECTION, "json": Json})


def _run_on_graph(
    function: Callable[..., Result],
    given: dict[str, Any],
    top: int,
    with_facts: bool,
    content: bool,
    stack: ExitStack,
) -> tuple[GraphInput, Result]:
    """Load a graph, which stays open as long as the stack, and run a verb on it, with a progress display."""
    from gossamer.cli.output.result_tables import show_progress

    source, options = (_take_options(given, group) for group in (_SOURCE, _SELECTION))
    chose_links = bool({"content", "all"} & {word.strip() for word in (options["links"] or "").split(",")})
    selection = parse_selection_options(options)
    if content and not chose_links and source["edges"] is None:  # files do not say where on a page a link is
        selection = msgspec.structs.replace(selection, content=True)
    with show_progress(function.__name__) as progress:
        loaded = stack.enter_context(open_graph(source, selection, with_facts))
        graph_input = GraphInput(loaded, top, progress, source, selection, chose_links)
        return graph_input, function(graph_input, **given)


def make_selection_verb(function: Callable[..., int]) -> Callable[..., int]:
    """Make a verb that gets the options of selection and output, and loads its graphs itself."""

    def verb(**given: Any) -> int:
        options, shown = (_take_options(given, group) for group in (_SELECTION, _SHOWN))
        return function(shared_options=options, shown=shown, **given)

    return _add_options(verb, function, {**_SELECTION, **_SHOWN})


def _take_options(given: dict[str, Any], group: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given.pop(name, _DEFAULTS.get(name)) for name in group}


def _add_options(
    verb: Callable[..., int], function: Callable[..., Any], shared: Mapping[str, Any]
) -> Callable[..., int]:
    """Give a verb the options of its function and the shared options, and the name and help of its function."""
    own = [
        p
        for p in inspect.signature(function).parameters.values()
        if p.name not in ("graph_input", "shared_options", "shown")
    ]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=kind)
        for name, kind in shared.items()
    ]
    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    verb.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in [*own, *more]}
    verb.__doc__, verb.__name__ = function.__doc__, function.__name__
    return verb


def parse_selection_options(options: Mapping[str, Any]) -> "LinkSelection":
    """Make a selection from the options of the command line."""
    from gossamer.graph.link_selection import parse_selection

    named: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if "depth" in named:
        named["depth"] = _parse_depths(named["depth"])
    if "types" in named:
        named["types"] = [name.strip() for name in named["types"].split(",")]
    return parse_selection(named)


def _parse_depths(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    try:
        return int(first), int(last if dash else first)
    except ValueError:
        raise BadInput(f"--depth {text}: give a range such as 0-2, or one number") from None
