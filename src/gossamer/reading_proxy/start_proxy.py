"""Start mitmdump of the proxy's own environment with our addon: it takes the place of this process."""

import ast
import os
import re
import socket
import ssl
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from gossamer.errors import BadInput
from gossamer.reading_proxy.addon.page_rewriters import FUNCTION

LOOPBACK = "127.0.0.1"
_ADDON = Path(__file__).with_name("addon") / "load_addon.py"
_HOST = re.compile(r"(?:\*\.)?[\w-]+(?:\.[\w-]+)*", re.ASCII)


class ProxyOptions(NamedTuple):
    """How the proxy runs."""

    folder: Path
    port: int
    has_cards: bool
    left_hosts: tuple[str, ...]
    """Hosts whose connections are passed through unread."""
    authority: Path | None
    """Certificates that servers may be signed by, instead of the system's."""
    time_s: float | None
    is_json: bool
    rewriters: tuple[Path, ...] = ()
    """Files whose functions rewrite pages."""


def find_mitmdump(chosen: Path | None = None) -> Path:
    """Return the program mitmdump of the proxy's environment; raise BadInput, which names `make proxy`, if there is none."""
    path = chosen if chosen is not None else Path(sys.prefix) / "proxy" / "bin" / "mitmdump"
    if not os.access(path, os.X_OK) or path.is_dir():
        raise BadInput(
            f"the proxy needs mitmproxy in an environment of its own, and {path} is missing; run `make proxy`"
            + ("" if chosen is None else ", or name the program mitmdump of version 11")
        )
    return path


def check_port(port: int) -> None:
    """Raise BadInput if another program listens at a port."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((LOOPBACK, port))
        except OSError as error:
            raise BadInput(
                f"the proxy cannot listen at {LOOPBACK}:{port}: {error.strerror}; choose another with --port"
            ) from None


def compose_command(mitmdump: Path, pairing: Path, options: ProxyOptions) -> list[str]:
    """Return the command line; no secret is on it."""
    settings = {
        "confdir": str(options.folder),
        "listen_host": LOOPBACK,
        "listen_port": str(options.port),
        "connection_strategy": "lazy",  # the host of cards has no server, so none may be asked for its certificate
        "onboarding": "false",  # mitmproxy would answer for a host of its own, with a server of web pages
        "flow_detail": "0",
        "termlog_verbosity": "error",
        "gossamer_pairing": str(pairing),
        "gossamer_cards": str(options.has_cards).lower(),
        "gossamer_json": str(options.is_json).lower(),
    }
    if options.time_s is not None:
        settings["gossamer_time"] = str(options.time_s)
    trusted = options.authority or ssl.get_default_verify_paths().cafile
    if trusted is not None:
        settings["ssl_verify_upstream_trusted_ca"] = str(trusted)
    command = [str(mitmdump), "--quiet", "--scripts", str(_ADDON)]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    for file in options.rewriters:
        command += ["--set", f"gossamer_rewriters={file.resolve()}"]
    for host in options.left_hosts:
        command += ["--ignore-hosts", _write_pattern(host)]
    return command


def start(command: list[str]) -> NoReturn:
    """Replace this process by the proxy, whose files only this user can read."""
    os.umask(0o077)
    # Variables for our Python would lead mitmproxy's to packages of another environment.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    os.execve(command[0], command, environment)  # noqa: S606 - our own environment's program, no shell


def check_authority(path: Path | None) -> None:
    """Raise BadInput if a file has no certificates."""
    if path is None:
        return
    try:
        ssl.create_default_context(cafile=str(path))
    except (OSError, ssl.SSLError):
        raise BadInput(f"{path} has no certificates in PEM form") from None


def check_rewriters(paths: Sequence[Path]) -> None:
    """Raise BadInput if a file has no function that rewrites pages; nothing of it runs yet."""
    for path in paths:
        try:
            tree = ast.parse(path.read_bytes(), str(path))
        except (OSError, SyntaxError, ValueError) as error:
            reason = getattr(error, "strerror", None) or getattr(error, "msg", None) or error
            raise BadInput(f"{path} cannot be read as a Python file: {reason}") from None
        functions = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
        if FUNCTION not in functions:
            raise BadInput(
                f"{path} has no function {FUNCTION}(page); docs/extending.md says what it gets and returns"
            )


def _write_pattern(host: str) -> str:
    if not _HOST.fullmatch(host):
        raise BadInput(
            f"{host[:200]!r} is not the name of a host; give one such as bank.example or *.bank.example"
        )
    name = re.escape(host.removeprefix("*."))
    return rf"^(?:.+\.)?{name}:\d+$" if host.startswith("*.") else rf"^{name}:\d+$"
