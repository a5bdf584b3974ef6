"""`gossamer graph report`: one HTML page with all tables and figures."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gossamer.cli.graph.clusters import Similar
from gossamer.cli.output.result_tables import check_file
from gossamer.cli.output.wording import format_count
from gossamer.reports.analysis import Analysis, PageListCell
from gossamer.reports.graph.core_groups import CORE_PRESET
from gossamer.reports.graph.dense_groups import CLUSTER_PRESET
from gossamer.reports.graph.graph_input import DEFAULT_WEB, GraphInput, describe_omissions, name_source

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.plots.html_page import HtmlTable, Section
    from gossamer.store.batch import TaskNote

_SETTING_CHARS = 200
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
    from gossamer.cli.output.plot_files import make_section, require_matplotlib, write_file
    from gossamer.plots.html_page import render_page
    from gossamer.reports.graph.graph_report import ReportOptions, make_graph_report

    check_file("--out", target, ".html")
    require_matplotlib()
    options = ReportOptions(cluster_preset, core_preset, similar, full)
    with ExitStack() as stack:
        made = make_graph_report(graph_input, options, stack)
        results = made.parts
        shown = results if full else {title: _shorten(title, result) for title, result in results.items()}
        sections = [make_section(result, title) for title, result in shown.items()]
    tasks = _read_tasks(graph_input)
    sections.append(_describe_source(graph_input, tasks))
    if tasks and full:
        sections.append(_tabulate_settings(tasks))
    title = f"The graph of {_read_title(graph_input.source) or name_source(graph_input.source)}"
    write_file(target, render_page(title, made.findings, sections).encode())
    return [target]


def _shorten(title: str, result: Analysis) -> Analysis:
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
    return [cell.keep_first(_LINES) if isinstance(cell, PageListCell) else cell for cell in row]


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
