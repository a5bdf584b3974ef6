"""`gossamer graph report`: one page with all tables and pictures, to be attached to a paper."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.graph_bowtie import bowtie
from gossamer.cli.graph_hits import hits
from gossamer.cli.graph_options import DEFAULT_WEB, Material
from gossamer.cli.graph_pagerank import pagerank
from gossamer.cli.graph_stats import stats
from gossamer.errors import BadInput

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.graph.page import Section, Table

_PARTS = {"Pages and links": stats, "Bow-tie": bowtie, "PageRank": pagerank, "Hubs and authorities": hits}
_SETTING_CHARS = 200


def report(
    material: Material,
    target: Annotated[Path, typer.Option("--out", help="The page to write: FILE.html.")] = Path(
        "report.html"
    ),
) -> list[Path]:
    """Write one page of HTML with all tables and pictures, the crawl, its settings, version and date.

    The page needs nothing else: it can be mailed, printed and attached to a paper.

    \b
    gossamer graph report --web docs.web --out report.html
    gossamer graph report --web docs.web --links sites --out sites.html
    gossamer graph report --nodes webpages.del --edges hyperlinks.del
    """
    from gossamer.cli.graph_plot import check_plot, section, write_file
    from gossamer.graph.page import page

    if target.suffix != ".html":
        raise BadInput(f"--out {target}: the name must end with .html")
    check_plot(target)
    sections = list(_about(material))
    for number, (title, part) in enumerate(_PARTS.items()):
        material.progress(number / len(_PARTS))
        sections.append(section(part(material), title))
    write_file(target, page(f"The graph of {_name(material)}", _head(material), sections).encode())
    return [target]


def _name(material: Material) -> str:
    return str(next((path for path in material.source.values() if path is not None), DEFAULT_WEB))


def _head(material: Material) -> list[str]:
    import gossamer

    graph, loaded = material.loaded.graph, material.loaded
    left_out = f"{loaded.loops:,} links of a node to itself, {loaded.repeated:,} repeated links and {loaded.unknown:,}"
    return [
        f"{graph.nodes:,} nodes and {graph.links:,} links. Left out: {left_out} to pages that are no nodes.",
        f"Written by gossamer {gossamer.__version__} on {_date(time.time())}.",
    ]


def _about(material: Material) -> "Iterator[Section]":
    """Tell what of the graph was chosen and, of a web, how it was crawled."""
    from gossamer.graph.page import Section

    tables = [_choice(material)]
    if material.source.get("edges") is None:
        tables += _tasks(material.source.get("web") or DEFAULT_WEB)
    yield Section("What this is", tables)


def _choice(material: Material) -> "Table":
    import msgspec

    from gossamer.graph.page import Table

    source = [(name, str(path)) for name, path in material.source.items() if path is not None]
    chosen = msgspec.to_builtins(material.choice)
    chosen["depth"] = _depths(*chosen["depth"])
    return Table(
        "Source and choice", ["", ""], [*source, *((name, _said(value)) for name, value in chosen.items())]
    )


def _depths(first: int, last: int) -> str:
    from gossamer.graph.choices import DEEPEST

    return f"{first} and more" if last == DEEPEST else f"{first} to {last}"


def _tasks(folder: Path) -> "Iterator[Table]":
    """Tell the tasks of a web: what was asked for, when, and what came of it."""
    import msgspec

    from gossamer.graph.page import Table
    from gossamer.web import reading

    with reading(folder) as web:
        for note in web.tasks():
            rows = [
                ("state", f"{note.state} {note.reason}".strip()),
                ("began", _date(note.created_s)),
                ("ended", _date(note.ended_s) if note.ended_s else ""),
                *_flat(msgspec.json.decode(note.spec)),
            ]
            yield Table(
                f"Task {note.name}: settings", ["", ""], [(name, _said(value)) for name, value in rows]
            )
            yield Table(f"Task {note.name}: counts", ["", ""], sorted(note.counts.items()))


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested settings one by one, without those that say nothing."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif value not in (None, "", [], ()):
            yield f"{before}{name}", value


def _said(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= _SETTING_CHARS else text[: _SETTING_CHARS - 1] + "…"


def _date(moment_s: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment_s))
