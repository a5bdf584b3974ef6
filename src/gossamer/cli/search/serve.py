"""`gossamer serve`: run a search page over a web, and a JSON API."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.run_options import with_run_options
from gossamer.cli.task_options import Json, UsersPath, WebPaths, is_server, list_webs, parse_web


@with_run_options(crawls=False)
def serve(
    host: Annotated[
        str,
        typer.Option(
            "--host", help="Address to listen at; any but a loopback address needs users or a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="Port; 0 takes any free one.", min=0, max=65_535)
    ] = 8080,
    token: Annotated[
        str,
        typer.Option(
            "--token", help="Secret that visitors share.", envvar="GOSSAMER_TOKEN", show_envvar=True
        ),
    ] = "",
    users: UsersPath = None,
    console: Annotated[
        bool, typer.Option("--console", help="Let operators see and steer crawls from other machines too.")
    ] = False,
    schedule: Annotated[
        Path | None,
        typer.Option(
            "--schedule", help="Show this schedule of `gossamer run` in the console.", metavar="FILE"
        ),
    ] = None,
    about: Annotated[
        str,
        typer.Option(
            "--about",
            metavar="WHO",
            help="Show a public page /about for webmasters: who runs the robot, and what its tasks say about it.",
        ),
    ] = "",
    about_contact: Annotated[
        str, typer.Option("--about-contact", help="Contact on that page. [default: the tasks' contact]")
    ] = "",
    about_address: Annotated[
        list[str] | None,
        typer.Option("--about-address", help="IP address or network from which the robot comes."),
    ] = None,
    previews: Annotated[
        bool,
        typer.Option(
            "--previews",
            help="Let paired browsers have the robot read the beginning of pages that the web does not know.",
        ),
    ] = False,
    history: Annotated[
        bool,
        typer.Option(
            "--history", help="Let paired browsers keep what their user reads, for this user alone."
        ),
    ] = False,
    plugins: Annotated[
        list[str] | None,
        typer.Option(
            "--plugins",
            help="Plug-in that adds lines to cards and panels or hears of visits.",
            metavar="NAME",
        ),
    ] = None,
    time: Annotated[float | None, typer.Option("--time", help="Stop after this many seconds.", min=0)] = None,
    web: WebPaths = None,
    json: Json = False,
) -> int:
    """Serve a search page over a web, and a JSON API.

    By default, only this machine can use it, and may do everything. Others need a token of their own (`gossamer users`) or a
    shared one (`--token`). Run `gossamer index` first; what it adds later is found at once.

    \b
    gossamer serve --web docs.web
    gossamer serve --web docs.web --web music.web --web https://search.example/
    gossamer serve --host 0.0.0.0 --token "$(openssl rand -hex 16)" --web docs.web
    gossamer serve --host 0.0.0.0 --token "$(openssl rand -hex 16)" --about 'Example University, Trier' --about-address 192.0.2.7
    gossamer users add anna --role operator && gossamer serve --host 0.0.0.0 --console --web docs.web
    """
    from gossamer.cli.check_extra import check_extra
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import console as terminal

    check_extra("serve")
    from gossamer.net import url as urls
    from gossamer.store.opening.web_name import name_web
    from gossamer.ui.run_server import ServerOptions, make_about, serve

    webs = list_webs(web)
    own = [parse_web(one) for one in webs if not is_server(one)]
    folder = own[0] if own else None
    names = [urls.hide_user_info(one) if is_server(one) else name_web(parse_web(one)) for one in webs]
    several = tuple(webs) if len(webs) > 1 or folder is None else ()

    def show_address(address: str) -> None:
        if json:
            print_json({"address": address})
        else:
            terminal.print(f"Search {', '.join(names)} at {address}  Press Ctrl-C to stop.")

    if schedule is not None:
        check_schedule(schedule)
    robot = make_about(about, about_contact, tuple(about_address or ()))
    options = ServerOptions(
        folder,
        host,
        port,
        token,
        time,
        several,
        users,
        console,
        schedule,
        robot,
        previews,
        history,
        tuple(plugins or ()),
    )
    serve(options, show_address)
    return 0


def check_schedule(path: Path) -> None:
    """Raise BadInput if a schedule cannot be read."""
    from time import time

    from gossamer.schedule.schedule_file import read_schedule

    read_schedule(path, time())
