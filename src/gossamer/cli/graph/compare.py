"""`gossamer graph compare`: several crawls, or several selections of one, side by side."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.graph.graph_options import parse_selection_options
from gossamer.cli.output.plot_files import check_plot, write_plot
from gossamer.cli.output.result_tables import check_out, show_progress, show_result
from gossamer.cli.task_options import parse_web
from gossamer.errors import BadInput
from gossamer.reports.graph.graph_input import open_graph
from gossamer.reports.graph.graphs_beside import tabulate_graphs

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.graph import Graph

_SELECTION_KEYS = ("links", "unit", "site_rule", "rim", "relevance", "depth", "types", "without_noise")


def compare(
    graphs: Annotated[
        list[str],
        typer.Argument(
            help="Webs or edge files, each with options of its own.", metavar="GRAPH[,KEY=VALUE]…"
        ),
    ],
    shared_options: dict[str, Any],
    shown: dict[str, Any],
    whole_web: Annotated[
        bool,
        typer.Option("--whole-web", help="Add a column for the whole web (Broder et al. 2000)."),
    ] = False,
) -> int:
    """Put the bow-ties, densities and reciprocities of several graphs side by side.

    Options apply to all graphs. After a comma you can give options for one graph: links (as content+hosts), unit, site-rule, rim,
    relevance, depth, types (as a+area), nodes=FILE for an edge file, and name=TEXT for the head of its column.

    \b
    gossamer graph compare broad.web focused.web focused.web,relevance=0.9
    gossamer graph compare broad.web broad.web,links=sites broad.web,unit=hosts --whole-web
    """
    from gossamer.graph.structure.compare_graphs import WHOLE_WEB
    from gossamer.graph.structure.compare_graphs import compare as summarise_graphs

    check_out(shown["out"])
    check_plot(shown["plot"])
    wanted = dict(_parse_graph(graph, shared_options) for graph in graphs)
    if len(wanted) < len(graphs):
        raise BadInput("two of these graphs are the same: give one of them other options, or a name=TEXT")
    with show_progress("compare") as progress:
        columns = [*([WHOLE_WEB] if whole_web else []), *summarise_graphs(wanted, progress)]
    result = tabulate_graphs(columns)
    if shown["plot"] is not None:
        write_plot(result, shown["plot"], "Side by side")
    show_result(result, None, shown["json"], shown["out"], shown["plot"])
    return 0


def _parse_graph(graph: str, shared_options: Mapping[str, Any]) -> "tuple[str, Callable[[], Graph]]":
    """Parse one GRAPH argument; return the name of its column, and a function that loads its graph."""
    path, *options = graph.split(",")
    own = {key.replace("-", "_"): value for key, _, value in (option.partition("=") for option in options)}
    name, nodes = own.pop("name", graph), own.pop("nodes", None)
    for key in own:
        if key not in _SELECTION_KEYS:
            raise BadInput(
                f"{graph}: there is no option {key!r}; choose from {', '.join(_SELECTION_KEYS)}, nodes and name"
            )
    own = {key: value.replace("+", ",") or "true" for key, value in own.items()}
    selection = parse_selection_options({**shared_options, **own})
    folder = parse_web(path)
    source = {"web" if folder.is_dir() else "edges": folder}
    if nodes is not None:
        source["nodes"] = Path(nodes)

    def load_graph() -> "Graph":
        with open_graph(source, selection) as loaded:
            return loaded.graph

    return name, load_graph
