"""`gossamer graph tree`: the URLs of a host by folders, with counts, sizes and states."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported by the verb when it runs, so that --help is fast
    from gossamer.reports.url_tree import Folder, FolderRow
    from gossamer.store.links.url_states import HostFact
    from gossamer.web import Web

Sort = Literal["name", "pages", "bytes", "failures"]


def tree(
    host: Annotated[
        str,
        typer.Argument(
            metavar="HOST",
            help="A host, or a part of its name. [default: list all hosts]",
            show_default=False,
        ),
    ] = "",
    folder: Annotated[
        str, typer.Option("--folder", metavar="/PATH/", help="Show this folder of the host.")
    ] = "/",
    sort: Annotated[
        Sort, typer.Option("--sort", help="What comes first: names in order, or the largest.")
    ] = "name",
    top: Annotated[int, typer.Option("--top", min=0, help="Number of rows; 0 for all.")] = 200,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Show the URLs of a host by folders: how many there are, how large their copies, and what became of them.

    Without a host, or with a part of a name, it lists hosts.

    \b
    gossamer graph tree --sort bytes --web docs.web
    gossamer graph tree www.example.org --web docs.web
    gossamer graph tree www.example.org --folder /docs/ --sort failures --json --web docs.web
    """
    from gossamer.errors import BadInput
    from gossamer.reports.url_tree import build_tree, find_folder, find_host, list_hosts
    from gossamer.store.links.url_states import read_hosts, read_url_states
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        hosts = read_hosts(opened.store)
        name = find_host(hosts, host)
        if name is None:
            if folder != "/":
                raise BadInput(_explain_missing(opened, host))
            return _show_hosts(opened, list_hosts(hosts, host, sort), host, top, json)
        root = build_tree(read_url_states(opened.store, name))
    found = find_folder(root, folder)
    if found is None:
        raise BadInput(
            f"the web knows no URL in the folder {folder} of {name}; `gossamer graph tree {name}` shows its folders"
        )
    _show_folder(name, found, sort, top, json)
    return 0


def _explain_missing(web: "Web", host: str) -> str:
    if not host:
        return "--folder needs a host: `gossamer graph tree` lists those of the web"
    return f"the web at {web.name} has no host {host!r}; `gossamer graph tree` lists its hosts"


def _show_hosts(web: "Web", hosts: "list[HostFact]", wanted: str, top: int, json: bool) -> int:
    """Print hosts as a table or as JSON lines."""
    import msgspec

    from gossamer.errors import BadInput

    if wanted and not hosts:
        raise BadInput(_explain_missing(web, wanted))
    shown = hosts[:top] if top else hosts
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in shown:
            print_json(msgspec.to_builtins(one))
        return 0
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import format_bytes

    if not hosts:
        console.print("The web has no pages yet: `gossamer crawl URL` fetches some.")
        return 0
    rows = [(clean_text(one.host), one.pages, format_bytes(one.body_bytes), one.waiting) for one in shown]
    print_table("", ("host", "pages", "size", "waiting"), rows)
    _print_rest(len(hosts) - len(shown))
    return 0


def _show_folder(host: str, folder: "Folder", sort: Sort, top: int, json: bool) -> None:
    """Print what is directly in a folder as a table, or as a line of JSON for the folder and one for each row."""
    from gossamer.reports.url_tree import describe_states, list_rows

    rows = list_rows(folder, sort)
    shown = rows[:top] if top else rows
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(
            {"host": host, "folder": folder.path, **_count(folder), "rows": list(map(_to_record, shown))}
        )
        return
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import format_bytes, format_count

    console.print(
        f"{host}{clean_text(folder.path, 300)}: {format_count(folder.urls, 'URL')}, {format_bytes(folder.body_bytes)}: "
        f"{describe_states(folder)}"
    )
    cells = []
    for row in shown:
        if row.folder is not None:
            below = row.folder
            name, states = f"{row.name}/", describe_states(below)
            cells.append((clean_text(name, 200), f"{below.kept:,}", format_bytes(below.body_bytes), states))
        elif row.fact is not None:
            size = format_bytes(row.fact.body_bytes) if row.fact.state == "kept" else ""
            cells.append((clean_text(row.name, 200) or "(this folder)", "", size, row.fact.state))
    print_table("", ("name", "pages", "size", "states"), cells)
    _print_rest(len(rows) - len(shown))


def _count(folder: "Folder") -> dict[str, object]:
    from gossamer.store.links.url_states import STATES

    return {
        "urls": folder.urls,
        "bytes": folder.body_bytes,
        "states": dict(zip(STATES, folder.counts, strict=True)),
    }


def _to_record(row: "FolderRow") -> dict[str, object]:
    if row.folder is not None:
        return {"folder": row.folder.path, **_count(row.folder)}
    fact = row.fact
    return {"url": fact.url, "state": fact.state, "bytes": fact.body_bytes} if fact is not None else {}


def _print_rest(left_out: int) -> None:
    from gossamer.cli.output.tables import console

    if left_out:
        console.print(f"{left_out:,} more rows: `--top 0` shows all.")
