"""`gossamer proxy`: add cards and marks to the pages of browsers that take no extension."""

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli.task_options import Json

_SERVER = "http://127.0.0.1:8080"


def proxy(
    port: Annotated[
        int, typer.Option("--port", help="Port on 127.0.0.1; 0 takes any free one.", min=0, max=65_535)
    ] = 8081,
    pair: Annotated[
        bool, typer.Option("--pair", help="Pair with a server, also if this was done before, and exit.")
    ] = False,
    server: Annotated[
        str, typer.Option("--server", help="Address of `gossamer serve`, to pair with.", metavar="URL")
    ] = _SERVER,
    cards: Annotated[
        bool, typer.Option("--cards/--no-cards", help="Add cards and marks, or pass every page on as it is.")
    ] = True,
    leave: Annotated[
        list[str] | None,
        typer.Option(
            "--leave",
            help="Pass connections to this host through unread, such as *.bank.example.",
            metavar="HOST",
        ),
    ] = None,
    authority: Annotated[
        Path | None,
        typer.Option(
            "--authority",
            help="Certificates that servers may be signed by, instead of the system's.",
            metavar="FILE",
        ),
    ] = None,
    rewrite: Annotated[
        list[Path] | None,
        typer.Option(
            "--rewrite",
            help="Let the function `rewrite` of this Python file rewrite pages as they stream through.",
            metavar="FILE",
        ),
    ] = None,
    mitmdump: Annotated[
        Path | None, typer.Option("--mitmdump", help="The program of mitmproxy 11.", metavar="FILE")
    ] = None,
    time: Annotated[float | None, typer.Option("--time", help="Stop after this many seconds.", min=0)] = None,
    json: Json = False,
) -> int:
    """Add cards and marks to the pages of browsers that take no extension.

    Only this machine can use the proxy. It runs on mitmproxy, which `make proxy` installs. The first start pairs it with
    `gossamer serve`: compare the code, and press the button. Then set your browser's proxy to 127.0.0.1:8081, and let it
    trust the certificate that is named. Alt+Shift+G turns cards and marks off for a site.

    \b
    gossamer proxy
    gossamer proxy --pair --server http://127.0.0.1:8090
    gossamer proxy --leave '*.bank.example' --no-cards
    gossamer proxy --rewrite no_autoplay.py
    """
    from gossamer.reading_proxy import start_proxy
    from gossamer.reading_proxy.addon.pairing_file import FILE_NAME, read_pairing
    from gossamer.reading_proxy.pair_proxy import check_server
    from gossamer.reading_proxy.private_folder import CERTIFICATE, open_private_folder

    program = start_proxy.find_mitmdump(mitmdump)
    start_proxy.check_authority(authority)
    rewriters = tuple(rewrite or ())
    start_proxy.check_rewriters(rewriters)
    check_server(server)
    folder = open_private_folder()
    pairing = folder / FILE_NAME
    options = start_proxy.ProxyOptions(
        folder, port, cards, tuple(leave or ()), authority, time, json, rewriters
    )
    command = start_proxy.compose_command(program, pairing, options)
    if pair or (cards and read_pairing(pairing) is None):
        _pair(server, pairing, json)
        if pair:
            return 0
    start_proxy.check_port(port)
    if not json:
        typer.echo(f"Browsers must trust {folder / CERTIFICATE}, which is made at the first start.")
    start_proxy.start(command)
    return None


def _pair(server: str, path: Path, json: bool) -> None:
    from gossamer.cli.output.json_lines import print_json
    from gossamer.reading_proxy.pair_proxy import pair

    def show_code(code: str, page: str) -> None:
        if json:
            print_json({"code": code, "page": page})
        else:
            typer.echo(f"Open {page}, compare the code {code}, and press “Pair this browser”.")

    pair(server, path, show_code)
    if not json:
        typer.echo(f"The proxy is paired with {server}.")
