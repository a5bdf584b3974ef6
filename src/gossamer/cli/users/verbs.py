"""The group of verbs `gossamer users`: who may use `gossamer serve`, and what they may do there."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.task_options import Json, UsersPath

app = typer.Typer(name="users", rich_markup_mode=None)
Name = Annotated[str, typer.Argument(help="Name of the user.", metavar="NAME")]


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Say who may use `gossamer serve`: users, their roles and their tokens.

    A reader may search and read copies. A judge may also judge pages and submit them. An operator may also see and steer crawls.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("add")
def add(
    name: Name,
    role: Annotated[
        str, typer.Option("--role", help="What they may do: reader, judge or operator.", metavar="ROLE")
    ] = "reader",
    users: UsersPath = None,
    json: Json = False,
) -> int:
    """Add a user, and print their token.

    The token is printed once and stored nowhere: give it to the user, who logs in with it. A running server knows them at once.

    \b
    gossamer users add anna --role operator
    gossamer users add ben --json
    """
    from gossamer.ui.access.change_users import add_user
    from gossamer.ui.access.roles import parse_role

    known = parse_role(role)
    token = add_user(_find_file(users), name, known, datetime.now(UTC))
    _print_token(name, f"{name} has the role {known}.", token, json)
    return 0


@app.command("list")
def list_(users: UsersPath = None, json: Json = False) -> int:
    """List the users with their roles.

    \b
    gossamer users list
    gossamer users list --json
    """
    from gossamer.ui.access.users_file import read_accounts

    path = _find_file(users)
    accounts = read_accounts(path)
    if json:
        from gossamer.cli.output.json_lines import print_json

        for one in accounts:
            print_json({"name": one.name, "role": one.role, "created": one.created})
    elif not accounts:
        typer.echo(f"There are no users in {path}; `gossamer users add NAME` adds one.")
    else:
        from gossamer.cli.output.tables import print_table

        rows = [(one.name, one.role, f"{one.created:%Y-%m-%d}") for one in accounts]
        print_table("", ("name", "role", "created"), rows)
    return 0


@app.command("remove")
def remove(name: Name, users: UsersPath = None, json: Json = False) -> int:
    """Remove a user; their token and their sessions end at once.

    \b
    gossamer users remove anna
    """
    from gossamer.ui.access.change_users import remove_user

    remove_user(_find_file(users), name)
    _print_change({"name": name, "removed": True}, f"{name} was removed.", json)
    return 0


@app.command("role")
def role(
    name: Name,
    role: Annotated[str, typer.Argument(help="reader, judge or operator.", metavar="ROLE")],
    users: UsersPath = None,
    json: Json = False,
) -> int:
    """Give a user another role, which holds at once.

    \b
    gossamer users role anna judge
    """
    from gossamer.ui.access.change_users import change_role
    from gossamer.ui.access.roles import parse_role

    known = parse_role(role)
    change_role(_find_file(users), name, known)
    _print_change({"name": name, "role": known}, f"{name} has the role {known} now.", json)
    return 0


@app.command("token")
def token(name: Name, users: UsersPath = None, json: Json = False) -> int:
    """Give a user a new token, and print it; the old one and all of their sessions end at once.

    \b
    gossamer users token anna
    """
    from gossamer.ui.access.change_users import renew_token

    new = renew_token(_find_file(users), name)
    _print_token(name, f"The former token of {name} has ended.", new, json)
    return 0


def _find_file(given: Path | None) -> Path:
    from gossamer.ui.access.users_file import find_users_file

    return given if given is not None else find_users_file()


def _print_token(name: str, sentence: str, token: str, json: bool) -> None:
    _print_change({"name": name, "token": token}, f"{sentence} Their token, shown only now: {token}", json)


def _print_change(record: dict[str, object], sentence: str, json: bool) -> None:
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json(record)
    else:
        typer.echo(sentence)
