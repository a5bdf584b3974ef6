"""`gossamer mirror`: keep a browsable copy of a site in a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.cli.crawl.crawl import Processes
from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, parse_web, with_task_options

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.mirror.write_mirror import MirrorCounts

# A mirror asks neither for words nor for the link graph, and fetches what has changed.
_DEFAULTS = {"requisites": True, "texts": False, "links": False, "conditional": True}
_OwnWeb = Annotated[
    Path | None,
    typer.Option(
        "--web",
        parser=parse_web,
        metavar="WEB",
        help="Folder or database of a web that was crawled: it is mirrored without the network.",
    ),
]


@with_run_options()
@with_task_options
def mirror(
    options: dict[str, Any],
    url: Annotated[str, typer.Argument(help="Where the site begins.", metavar="URL")],
    folder: Annotated[Path, typer.Argument(help="A new folder, or that of a mirror.", metavar="DIR")],
    web: _OwnWeb = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Remove the files of pages that are gone from the site.")
    ] = False,
    processes: Processes = 1,
    json: Json = False,
) -> int:
    """Keep a browsable copy of a site in a folder.

    The site is crawled as by `gossamer crawl --requisites`, and each page becomes a file, DIR/HOST/…, with what it needs to be shown. Links are rewritten: to relative ones inside the mirror, to absolute ones outside. Open DIR/index.html in a browser; no server is asked. The same command again fetches and writes what has changed, or continues after an interruption. Pages are read for their links alone (--texts and --links keep more). With --web, pages of a web that was crawled are mirrored; the scope and the patterns choose which.

    \b
    gossamer mirror https://www.example.org/docs/ docs-copy --scope directory
    gossamer mirror https://www.example.org/docs/ docs-copy --scope directory --delete
    gossamer mirror https://www.example.org/ copy --web docs.web
    """
    from gossamer.cli.mirror.run_mirror import crawl_site, open_folder, write_site, write_web
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.cli.typed_url import complete_url
    from gossamer.config import from_options

    start = to_canonical_url(complete_url(url))
    spec = from_options(**_DEFAULTS | options | {"seeds": (start,)})
    if web is not None:
        from gossamer.web import open_to_read

        with open_to_read(web) as opened, open_folder(folder, start) as state:
            return _report(folder, write_web(opened, folder, state, spec, delete), True, json)
    with open_folder(folder, start) as state:
        crawled = crawl_site(folder, spec, processes, json)
        if crawled is None:
            return 1
        note, recent = crawled
        is_whole = note.state == "finished"
        counts = write_site(folder, state, note, recent, delete=delete and is_whole)
        return _report(folder, counts, is_whole, json)


def _report(folder: Path, counts: "MirrorCounts", is_whole: bool, json: bool) -> int:
    """Print what was written, and where to begin; return the exit code: 1 if pages are missing in the archive."""
    import msgspec

    from gossamer.cli.output.json_lines import print_json

    if json:
        start = {"open": str(folder / "index.html"), "complete": is_whole}
        print_json({"mirror": str(folder)} | msgspec.to_builtins(counts) | start)
        return int(counts.missing > 0)
    from gossamer.cli.output.tables import console
    from gossamer.cli.output.wording import format_count

    changes = f"{counts.written:,} written, {counts.unchanged:,} unchanged, {counts.removed:,} removed"
    console.print(f"{format_count(counts.files, 'file')}: {changes}.", highlight=False)
    if counts.missing:
        console.print(
            f"{format_count(counts.missing, 'page')} cannot be read from the archive; `gossamer verify` says why."
        )
    if not is_whole:
        console.print("The mirror is not complete yet: the same command continues it.")
    console.print(
        f"Open {folder / 'index.html'} in a browser.", markup=False, highlight=False, soft_wrap=True
    )
    return int(counts.missing > 0)
