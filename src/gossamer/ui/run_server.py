"""Run the server until a signal or a given time ends it."""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from gossamer.crawl.from_archive.saved_pages import count_waiting
from gossamer.errors import BadInput
from gossamer.navigate.reading_plugins import ReadingPlugins
from gossamer.ui.access.guard import LOOPBACK_NAMES, Guard
from gossamer.ui.access.users_file import UsersFile, find_users_file
from gossamer.ui.app import make_application
from gossamer.ui.connections.connection_limits import ConnectionLimits, fit_to_descriptors
from gossamer.ui.connections.connection_table import ConnectionTable
from gossamer.ui.connections.http_server import HttpServer, limit_buffers
from gossamer.ui.connections.return_memory import bound_memory_kept, freeze_program
from gossamer.ui.log_requests import log_requests
from gossamer.ui.navigate.histories import Histories
from gossamer.ui.navigate.look_up_sorter import LookUpSorter
from gossamer.ui.navigate.reading_parts import ReadingParts
from gossamer.ui.navigate.saved_page_taker import SavedPageTaker
from gossamer.ui.page_context import PageContext, RobotAbout
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import exists

_SHORTEST_TOKEN = 16
# How many clients may wait to be accepted: one whose turn is missed tries again only after a second.
_BACKLOG = 2_048


class ServerOptions(msgspec.Struct, frozen=True):
    """Which web to serve, where, and for how long."""

    folder: Path | None
    """The web whose pages are crawled, judged and shown in copies; None if all are at other servers."""
    host: str = "127.0.0.1"
    port: int = 8080
    """0 takes any free port."""
    token: str = ""
    ends_s: float | None = None
    webs: tuple[str, ...] = ()
    """All webs to search, by folder or address, if there are several."""
    users: Path | None = None
    """The users file; by default the one in the configuration folder."""
    console: bool = False
    """Whether operators may use the console from other machines too."""
    schedule: Path | None = None
    """The schedule that the console shows."""
    about: RobotAbout | None = None
    """What the public page about the robot says; None for no such page."""
    previews: bool = False
    """Whether the robot reads the beginning of a page that a paired browser asks about."""
    history: bool = False
    """Whether paired browsers may keep what their user reads."""
    plugins: tuple[str, ...] = ()
    """Names of plug-ins that add lines to cards and panels, or hear of visits."""


def make_guard(options: ServerOptions) -> Guard:
    """Return who may use the server; refuse to serve other machines without a token or users."""
    if options.token and len(options.token) < _SHORTEST_TOKEN:
        raise BadInput(f"a token needs at least {_SHORTEST_TOKEN} characters")
    users = _open_users(options.users)
    has_users = users is not None and bool(users.read())
    names = (*LOOPBACK_NAMES, _format_host(options.host)) if _is_loopback(options.host) else ()
    if not options.token and not names and not has_users:
        raise BadInput(
            f"other machines can reach {options.host}: add users with `gossamer users add NAME`, give a --token that "
            "visitors must know, or serve at 127.0.0.1"
        )
    return Guard(options.token, names, users, options.console)


def make_about(who: str, contact: str, addresses: tuple[str, ...]) -> RobotAbout | None:
    """Return what the page about the robot says; raise BadInput for an address that is none."""
    if not who:
        if contact or addresses:
            raise BadInput(
                "--about-contact and --about-address need --about WHO: the page says who runs the robot"
            )
        return None
    for address in addresses:
        try:
            ipaddress.ip_network(address, strict=False)
        except ValueError:
            raise BadInput(
                f"--about-address {address!r} is no IP address: write 192.0.2.7 or 192.0.2.0/28"
            ) from None
    return RobotAbout(who, contact, addresses)


def _open_users(named: Path | None) -> UsersFile | None:
    """Return the users file, which must not be in a web, and must exist if it was named; None without a home folder."""
    if named is None:
        with suppress(
            BadInput
        ):  # a user number without an account, as in containers: then there are no users
            return UsersFile(find_users_file())
        return None
    if any(exists(folder) for folder in named.resolve().parents):
        raise BadInput(f"{named} is in a web, which may come from a stranger: keep the users file elsewhere")
    if not named.exists():
        raise BadInput(
            f"there is no users file {named}; `gossamer users add NAME --users {named}` writes one"
        )
    return UsersFile(named)


def serve(options: ServerOptions, on_start: Callable[[str], None]) -> None:
    """Serve until a signal or the given time ends it; call `on_start` with the address once it can be reached."""
    guard = make_guard(options)
    bound_memory_kept()
    table = ConnectionTable(fit_to_descriptors(ConnectionLimits()))
    navigation = NAVIGATION if options.folder is not None else NAVIGATION[-1:]
    with (
        PageContext(options.folder, navigation, options.webs, options.schedule) as context,
        _open_socket(options) as listening,
    ):
        context.about = options.about
        reading = make_reading_parts(options, context)
        on_start(f"http://{_format_host(options.host)}:{listening.getsockname()[1]}/")
        application = make_application(context, guard, reading=reading)
        server = HttpServer(log_requests(application), table)
        freeze_program()
        asyncio.run(_serve(server, listening, options.ends_s, reading))


def make_reading_parts(options: ServerOptions, context: PageContext) -> ReadingParts:
    """Return what the server does for readers of the live web, as far as it was turned on."""
    plugins = ReadingPlugins(options.plugins)  # raises if one is missing
    context.keeps_history = options.history
    histories = Histories() if options.history else None
    saves = SavedPageTaker(context.folder) if context.has_own_web else None
    if saves is not None and saves.can_save and count_waiting(saves.folder):
        saves.start()
    sorter = LookUpSorter(context.folder) if context.has_own_web else None
    if sorter is not None:
        sorter.start()
    if not options.previews:
        return ReadingParts(None, histories, saves, sorter, plugins)
    if not context.has_own_web:
        raise BadInput("previews need a web on this machine, whose tasks say how its robot behaves")
    from gossamer.fetch.http.http_client import CurlFetcher  # loads libcurl
    from gossamer.navigate.previews.manners import PreviewManners, read_manners
    from gossamer.navigate.previews.preview_maker import PreviewMaker

    def read_own_manners() -> PreviewManners:
        with context.borrow_web() as web:
            return read_manners(web.store)

    return ReadingParts(PreviewMaker(CurlFetcher(), read_own_manners), histories, saves, sorter, plugins)


async def _serve(
    server: HttpServer, listening: socket.socket, ends_s: float | None, reading: ReadingParts
) -> None:
    def end() -> None:
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(RuntimeError, ValueError):  # outside the main thread, the caller ends it
            loop.add_signal_handler(number, end)
    if ends_s is not None:
        loop.call_later(ends_s, end)
    try:
        await server.serve(sockets=[listening])
    finally:
        await reading.close()


@contextmanager
def _open_socket(options: ServerOptions) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, protocol)
    except OSError as error:
        raise BadInput(f"{options.host} is not an address of this machine: {error.strerror}") from None
    with found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(address)
            limit_buffers(found)
            found.listen(_BACKLOG)
        except OSError as error:
            raise BadInput(
                f"cannot listen at {options.host}, port {options.port}: {error.strerror}; try --port 0"
            ) from None
        yield found


def _format_host(host: str) -> str:
    """Return a host as it is written in URLs."""
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
