"""`gossamer graph report`: one HTML page with all tables and figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gossamer.cli.graph.bowtie import bowtie
from gossamer.cli.graph.clusters import CLUSTER_PRESET, Similar, cliques, clusters, find_preset
from gossamer.cli.graph.communities import communities
from gossamer.cli.graph.compare import tabulate_graphs
from gossamer.cli.graph.cores import CORE_PRESET, cores
from gossamer.cli.graph.findings import describe_findings
from gossamer.cli.graph.graph_options import DEFAULT_WEB, GraphInput, name_source, open_graph
from gossamer.cli.graph.hits import hits
from gossamer.cli.graph.noise import noise
from gossamer.cli.graph.pagerank import pagerank
from gossamer.cli.graph.stats import stats
from gossamer.cli.output.result_tables import VerbResult, check_file, describe_omissions
from gossamer.cli.output.wording import format_count

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.graph.graph import Graph
    from gossamer.graph.link_selection import LinkSelection
    from gossamer.plots.html_page import HtmlTable, Section
    from gossamer.store.batch import TaskNote

_SETTING_CHARS = 200
_FINDINGS = {"bowtie": "Bow-tie", "pagerank": "PageRank", "communities": "Communities"}
_BY_ALL_LINKS = ("Pages and links", "Bow-tie", "Side by side", "Link noise")
# What fits on ten screens of a desktop, with figures where they say more than a table.
_TABLES, _ROWS, _LINES = 3, 10, 2
_SHORT_ROWS = {
    "Hubs and authorities": 5,
    "Clusters": 5,
    "Bipartite cores": 5,
    "Communities": 8,
    "Link noise": 5,
}
_SHORT_FIGURES = ("Pages and links", "Bow-tie", "Communities")
_COUNTS = ("downloaded", "bytes")
_OTHER_SELECTIONS = {
    "links between sites": {"links": "sites"},
    "hosts as nodes": {"unit": "hosts"},
}


def report(
    graph_input: GraphInput,
    target: Annotated[Path, typer.Option("--out", help="The page to write: FILE.html.")] = Path(
        "report.html"
    ),
    cluster_preset: Annotated[
        str, typer.Option("--cluster-preset", help="Which clusters: see gossamer graph clusters.")
    ] = CLUSTER_PRESET,
    core_preset: Annotated[
        str, typer.Option("--core-preset", help="Which bipartite cores: see gossamer graph cores.")
    ] = CORE_PRESET,
    similar: Similar = None,
    full: Annotated[
        bool, typer.Option("--full", help="All tables, figures and settings, not only ten screens.")
    ] = False,
) -> list[Path]:
    """Write one HTML page with the findings in plain words, tables and figures, the crawl, version and date.

    The page has at most ten screens; --full writes everything: more rows and figures, cliques, a comparison with other
    selections, and the settings of the crawl. It is self-contained: you can mail it, print it, or attach it to a paper.

    \b
    gossamer graph report --web docs.web --out report.html
    gossamer graph report --web docs.web --full --links sites --cluster-preset 4-0.7-1 --similar 0.7
    gossamer graph report --nodes webpages.del --edges hyperlinks.del
    """
    from gossamer.cli.output.plot_files import make_section, write_file
    from gossamer.plots.html_page import render_page

    _check(target, cluster_preset, core_preset)
    with ExitStack() as stack:
        content = _load_content(graph_input, stack)
        results = _run_parts(
            graph_input, content, _list_parts(graph_input, cluster_preset, core_preset, similar, full)
        )
        findings = describe_findings(
            graph_input.loaded,
            content.loaded if content.selection.content else None,
            {name: results[title].facts for name, title in _FINDINGS.items()},
        )
        shown = results if full else {title: _shorten(title, result) for title, result in results.items()}
        sections = [make_section(result, title) for title, result in shown.items()]
    tasks = _read_tasks(graph_input)
    sections.append(_describe_source(graph_input, tasks))
    if tasks and full:
        sections.append(_tabulate_settings(tasks))
    title = f"The graph of {_read_title(graph_input.source) or name_source(graph_input.source)}"
    write_file(target, render_page(title, findings, sections).encode())
    return [target]


def _list_parts(
    graph_input: GraphInput, cluster_preset: str, core_preset: str, similar: float | None, full: bool
) -> "dict[str, Callable[[GraphInput], VerbResult]]":
    """Return the parts of the report by title, each with the verb that computes it."""
    return {
        "Pages and links": stats,
        "Bow-tie": bowtie,
        **({"Side by side": _compare_selections} if full else {}),
        "PageRank": pagerank,
        "Hubs and authorities": hits,
        **({"Cliques": cliques} if full else {}),
        "Clusters": lambda part: clusters(part, cluster_preset, similar=similar),
        "Bipartite cores": lambda part: cores(part, core_preset, similar=similar),
        "Communities": communities,
        **({"Link noise": noise} if _is_web_of_pages(graph_input) else {}),
    }


def _run_parts(
    graph_input: GraphInput, content: GraphInput, parts: "dict[str, Callable[[GraphInput], VerbResult]]"
) -> dict[str, VerbResult]:
    """Compute the parts: best pages and groups by content links, the others by the links that were selected."""
    results = {}
    for number, (title, part) in enumerate(parts.items()):
        source = graph_input if title in _BY_ALL_LINKS else content
        results[title] = part(_share_progress(source, number, len(parts)))
    return results


def _load_content(graph_input: GraphInput, stack: ExitStack) -> GraphInput:
    """Return the same graph without the links that templates repeat; from files, or if --links says so, as it is."""
    if graph_input.chose_links or graph_input.source.get("edges") is not None:
        return graph_input
    selection = msgspec.structs.replace(graph_input.selection, content=True)
    loaded = stack.enter_context(open_graph(graph_input.source, selection))
    return msgspec.structs.replace(graph_input, loaded=loaded, selection=selection)


def _shorten(title: str, result: VerbResult) -> VerbResult:
    """Return the first rows of each table, and the figure only where it shows more than they do."""
    tables = [
        msgspec.structs.replace(
            table, rows=[_shorten_row(row) for row in table.rows[: _SHORT_ROWS.get(title, _ROWS)]]
        )
        for table in result.tables[:_TABLES]
    ]
    return msgspec.structs.replace(
        result, tables=tables, plot=result.plot if title in _SHORT_FIGURES else None
    )


def _shorten_row(row: Sequence[object]) -> list[object]:
    """Return a row whose cells have no more than a few lines."""
    cells = [(cell, cell.splitlines()) if isinstance(cell, str) else (cell, []) for cell in row]
    return [
        "\n".join([*lines[:_LINES], f"and {len(lines) - _LINES} more"]) if len(lines) > _LINES + 1 else cell
        for cell, lines in cells
    ]


def _check(target: Path, cluster_preset: str, core_preset: str) -> None:
    """Check all arguments before any long computation starts."""
    from gossamer.cli.output.plot_files import require_matplotlib
    from gossamer.graph.groups.density import CLUSTER_PRESETS, CORE_PRESETS

    check_file("--out", target, ".html")
    require_matplotlib()
    find_preset(cluster_preset, CLUSTER_PRESETS)
    find_preset(core_preset, CORE_PRESETS)


def _share_progress(graph_input: GraphInput, number: int, parts: int) -> GraphInput:
    """Return the input for one section, whose progress counts as a share of the whole report."""
    on_progress = graph_input.progress
    on_progress(number / parts)
    return msgspec.structs.replace(graph_input, progress=lambda part: on_progress((number + part) / parts))


def _is_web_of_pages(graph_input: GraphInput) -> bool:
    return graph_input.source.get("edges") is None and graph_input.selection.unit == "pages"


def _compare_selections(graph_input: GraphInput) -> VerbResult:
    """Compare the graph with the whole web and, if it is from a web, with other selections."""
    from gossamer.graph.structure.compare_graphs import WHOLE_WEB, compare

    wanted: dict[str, Callable[[], Graph]] = {"as selected": lambda: graph_input.loaded.graph}
    if _is_web_of_pages(graph_input):
        for name, other in _OTHER_SELECTIONS.items():
            selection = msgspec.structs.replace(graph_input.selection, **other)
            if selection != graph_input.selection:
                wanted[name] = partial(_load_graph, graph_input, selection)
    return tabulate_graphs([WHOLE_WEB, *compare(wanted, graph_input.progress)])


def _load_graph(graph_input: GraphInput, selection: "LinkSelection") -> "Graph":
    with open_graph(graph_input.source, selection) as loaded:
        return loaded.graph


def _describe_graph(graph_input: GraphInput) -> list[str]:
    from gossamer.cli.output.plot_files import describe_origin

    loaded = graph_input.loaded
    left_out = describe_omissions(loaded)
    graph = f"{format_count(loaded.graph.nodes, 'node')} and {format_count(loaded.graph.links, 'link')}."
    return [f"{graph} Left out: {left_out}." if left_out else graph, describe_origin()]


def _describe_source(graph_input: GraphInput, tasks: "Sequence[TaskNote]") -> "Section":
    """Describe the source, the selection and, for a web, its crawls."""
    from gossamer.cli.output.plot_files import format_date
    from gossamer.plots.html_page import HtmlTable, Section

    rows = [
        (
            note.name,
            f"{note.state} {note.reason}".strip(),
            format_date(note.created_s),
            _format_end(note),
            note.counts,
        )
        for note in tasks
    ]
    crawls = HtmlTable(
        "Crawls",
        ["task", "state", "began", "ended", *_COUNTS],
        [(*cells, *(counts.get(name, 0) for name in _COUNTS)) for *cells, counts in rows],
    )
    return Section(
        "What this is",
        [_tabulate_selection(graph_input), *([crawls] if rows else [])],
        _describe_graph(graph_input),
    )


def _tabulate_selection(graph_input: GraphInput) -> "HtmlTable":
    from gossamer.plots.html_page import HtmlTable

    source = [(name, str(path)) for name, path in graph_input.source.items() if path is not None]
    chosen = msgspec.to_builtins(graph_input.selection)
    chosen["depth"] = _format_depths(*chosen["depth"])
    rows = [
        *(source or [("web", str(DEFAULT_WEB))]),
        *((name, _format_setting(value)) for name, value in chosen.items()),
    ]
    return HtmlTable("Source and selection", ["", ""], rows)


def _format_depths(first: int, last: int) -> str:
    from gossamer.graph.link_selection import DEEPEST

    return f"{first} and more" if last == DEEPEST else f"{first} to {last}"


def _read_tasks(graph_input: GraphInput) -> "list[TaskNote]":
    """Return the tasks of the web; none if the graph is from files."""
    from gossamer.web import open_to_read

    if graph_input.source.get("edges") is not None:
        return []
    with open_to_read(graph_input.source.get("web") or DEFAULT_WEB) as web:
        return web.tasks()


def _read_title(source: "Mapping[str, Path | None]") -> str:
    """Return the title of the web; "" if it has none, or if the graph is from files."""
    from gossamer.web import open_to_read

    if source.get("edges") is not None:
        return ""
    with open_to_read(source.get("web") or DEFAULT_WEB) as web:
        return web.title


def _tabulate_settings(tasks: "Sequence[TaskNote]") -> "Section":
    """Make tables of the settings and counts of all tasks."""
    from gossamer.crawl.control.move_credentials import hide_passwords
    from gossamer.plots.html_page import HtmlTable, Section

    tables = []
    for note in tasks:
        settings = msgspec.json.decode(hide_passwords(note))
        rows = [(name, _format_setting(value)) for name, value in _flatten(settings)]
        tables.append(HtmlTable(f"Task {note.name}: settings", ["", ""], rows))
        tables.append(HtmlTable(f"Task {note.name}: counts", ["", ""], sorted(note.counts.items())))
    return Section("Settings of the crawl", tables)


def _flatten(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested settings one by one, without empty ones."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{before}{name}.")
        elif value not in (None, "", [], ()):
            yield f"{before}{name}", value


def _format_setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    if value is None or not text:
        return "—"
    return text if len(text) <= _SETTING_CHARS else text[: _SETTING_CHARS - 1] + "…"


def _format_end(note: "TaskNote") -> str:
    from gossamer.cli.output.plot_files import format_date

    return format_date(note.ended_s) if note.ended_s else ""
