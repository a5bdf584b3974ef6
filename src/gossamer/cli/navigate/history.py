"""The group of verbs `gossamer history`: find, export, import and forget what was read in paired browsers."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, UsersPath

if TYPE_CHECKING:  # imported when the verb runs, so that --help is fast
    from gossamer.navigate.history.history_records import HistoryItem

app = typer.Typer(name="history", rich_markup_mode=None)
_FACT_CHARS = 300
_INDENT = "   "
UserName = Annotated[
    str,
    typer.Option(
        "--user", help="The history of this user of the server, instead of your own.", metavar="NAME"
    ),
]


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Find, export, import and forget what you have read in paired browsers.

    `gossamer serve --history` keeps it, once the extension of the browser was told to send it. It is in your configuration folder.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("search")
def search(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words of the page; without them, all pages.", metavar="[WORD…]"),
    ] = None,
    site: Annotated[str, typer.Option("--site", help="Only pages of this host or site.")] = "",
    since: Annotated[
        str, typer.Option("--since", help="From this year, month or day: 2026, 2026-05, 2026-05-31.")
    ] = "",
    until: Annotated[str, typer.Option("--until", help="Up to the end of this year, month or day.")] = "",
    count: Annotated[int, typer.Option("--count", help="How many pages.", min=1, max=1_000)] = 20,
    offset: Annotated[int, typer.Option("--offset", help="How many pages to leave out first.", min=0)] = 0,
    user: UserName = "",
    users: UsersPath = None,
    json: Json = False,
) -> int:
    """Find what was read by its words, the best first; without words, the latest first.

    \b
    gossamer history search optical libraries --since 2026-03 --until 2026-05
    gossamer history search --site example.org --json
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.navigate.history.history_records import HistoryQuery
    from gossamer.navigate.history.read_time import read_time
    from gossamer.navigate.history.search_history import search_history

    query = HistoryQuery(
        " ".join(words or ()), site, read_time(since), read_time(until, is_end=True), offset, count
    )
    found = search_history(_find_file(user, users), query)
    if json:
        for one in found.items:
            print_json(one)
        return 0
    typer.echo(f"{found.found:,} page{'' if found.found == 1 else 's'}")
    for number, one in enumerate(found.items, offset + 1):
        _show(number, one)
    return 0


@app.command("addresses")
def addresses(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words of the page; without them, all pages.", metavar="[WORD…]"),
    ] = None,
    site: Annotated[str, typer.Option("--site", help="Only pages of this host or site.")] = "",
    since: Annotated[
        str, typer.Option("--since", help="From this day, month or year: today, 2026-05-31, 2026-05.")
    ] = "",
    until: Annotated[str, typer.Option("--until", help="Up to the end of this day, month or year.")] = "",
    count: Annotated[
        int, typer.Option("--count", help="How many pages at most.", min=1, max=100_000)
    ] = 1_000,
    user: UserName = "",
    users: UsersPath = None,
) -> int:
    """Print the addresses of what was read, one on each line: start pages of a crawl, or examples of a topic.

    \b
    gossamer history addresses --since today >read.txt
    gossamer crawl --seed-files read.txt --scope any --depth 1 --web reading.web
    gossamer topics train optics --examples read.txt --web reading.web
    """
    from gossamer.errors import BadInput
    from gossamer.navigate.history.history_records import HistoryQuery
    from gossamer.navigate.history.read_time import read_time
    from gossamer.navigate.history.search_history import search_history

    times = read_time(since), read_time(until, is_end=True)
    query = HistoryQuery(" ".join(words or ()), site, *times, 0, count)
    found = search_history(_find_file(user, users), query)
    if not found.items:
        raise BadInput(
            "nothing that you have read matches this; `gossamer history search` shows what is kept"
        )
    for one in found.items:
        typer.echo(one.url)
    return 0


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="File to write; - for the terminal.", metavar="FILE")],
    user: UserName = "",
    users: UsersPath = None,
) -> int:
    """Write all visits as JSON lines, which `gossamer history import` reads.

    \b
    gossamer history export history.jsonl
    """
    import os
    import sys

    from gossamer.atomic_file import write_atomically
    from gossamer.errors import BadInput
    from gossamer.navigate.history.export_visits import export_visits

    lines = export_visits(_find_file(user, users))
    if str(file) == "-":
        for line in lines:
            sys.stdout.buffer.write(line)
        return 0
    try:
        with write_atomically(file) as new, open(os.open(new, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
            out.writelines(lines)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}") from None
    return 0


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="File with JSON lines.", metavar="FILE")],
    user: UserName = "",
    users: UsersPath = None,
    json: Json = False,
) -> int:
    """Add the visits of an exported file; visits that are there already are not counted twice.

    \b
    gossamer history import history.jsonl
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.errors import BadInput
    from gossamer.navigate.history.export_visits import import_visits

    try:
        with file.open("rb") as lines:
            kept = import_visits(_find_file(user, users), lines)
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from None
    if json:
        print_json({"kept": kept})
    else:
        typer.echo(f"{kept:,} visit{' was' if kept == 1 else 's were'} read.")
    return 0


@app.command("forget")
def forget(
    url: Annotated[str, typer.Option("--url", help="Forget this page.", metavar="URL")] = "",
    site: Annotated[str, typer.Option("--site", help="Forget this site or host.")] = "",
    day: Annotated[str, typer.Option("--day", help="Forget this day, such as 2026-05-31.")] = "",
    all_: Annotated[bool, typer.Option("--all", help="Forget everything.")] = False,
    user: UserName = "",
    users: UsersPath = None,
    json: Json = False,
) -> int:
    """Forget what was read, so that no byte of it is left in the file.

    \b
    gossamer history forget --site example.org
    gossamer history forget --day 2026-05-31
    gossamer history forget --all
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.navigate.history.forget_visits import ForgetVisits, forget_visits

    count = forget_visits(_find_file(user, users), ForgetVisits(url, site, day, all_))
    if json:
        print_json({"forgotten": count})
    else:
        typer.echo(f"{count:,} visit{' is' if count == 1 else 's are'} forgotten.")
    return 0


def _find_file(user: str, users: Path | None) -> Path:
    """Return the history of a user of the server, or one's own."""
    from gossamer.navigate.history.history_folder import find_history_file

    if not user:
        return find_history_file()
    from gossamer.ui.access.change_users import find_account
    from gossamer.ui.access.users_file import find_users_file, read_accounts

    account = find_account(read_accounts(users if users is not None else find_users_file()), user)
    return find_history_file(account.name, account.created)


def _show(number: int, one: "HistoryItem") -> None:
    from gossamer.cli.output.tables import clean_text, print_line
    from gossamer.search.answers.readable_address import decode_address

    print_line(f"{number}. ", (clean_text(one.title, _FACT_CHARS) or "(no title)", "bold"))
    if one.snippet:
        print_line(_INDENT, clean_text(one.snippet, _FACT_CHARS))
    print_line(_INDENT, (clean_text(decode_address(one.url), _FACT_CHARS), "cyan"))
    when = datetime.fromtimestamp(one.opened_s).strftime("%Y-%m-%d %H:%M")
    visits = f", {one.visits:,} visits" if one.visits > 1 else ""
    print_line(_INDENT, (f"{when}, {one.seconds:,.0f} s{visits}", "dim"))
