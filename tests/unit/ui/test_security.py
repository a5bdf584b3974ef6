from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp
from tests.unit.ui.app_client import ask

from gossamer.errors import BadInput
from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.guard import Guard
from gossamer.ui.check_access import AccessMiddleware
from gossamer.ui.run_server import ServerOptions, make_guard
from gossamer.ui.security import HEADERS, SecurityMiddleware

TOKEN = "a long and secret token"  # noqa: S105 - only for these tests
OURS = "http://127.0.0.1:8080"


def protect(guard: Guard | None = None) -> ASGIApp:
    """Return an application without roles."""
    return SecurityMiddleware(PlainTextResponse("inside"), Authenticator(guard or Guard()))


def restrict(guard: Guard) -> tuple[ASGIApp, Authenticator]:
    """Return an application for readers."""
    authenticator = Authenticator(guard)
    app = AccessMiddleware(PlainTextResponse("inside"), tables=())
    return SecurityMiddleware(app, authenticator), authenticator


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "[::1]"])
def test_loopback_names_are_accepted(host: str) -> None:
    assert ask(protect(), "/", headers={"host": host}).text == "inside"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8080", "", "evil.example:localhost"]
)
def test_other_host_names_are_refused(host: str) -> None:
    assert ask(protect(), "/", headers={"host": host}).status == 421


def test_every_answer_has_the_headers_even_refusals() -> None:
    for host in ("localhost", "evil.example"):
        headers = ask(protect(), "/", headers={"host": host}).headers
        assert HEADERS.items() <= headers.items()


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 200),
        ("GET", {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, 200),
        (
            "GET",
            {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
            200,
        ),
        (
            "GET",
            {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
            403,
        ),
        ("GET", {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ("GET", {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ("POST", {}, 200),
        ("POST", {"origin": OURS, "sec-fetch-site": "same-origin"}, 200),
        ("POST", {"origin": "null"}, 403),
        ("POST", {"origin": "http://evil.example"}, 403),
        ("POST", {"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"}, 403),
        ("POST", {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
    ],
)
def test_other_sites_may_only_link_here(method: str, headers: dict[str, str], status: int) -> None:
    assert ask(protect(), "/", method, headers).status == status


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"content-length": "9"}, 413),
        ("HEAD", {"content-length": "1000000"}, 413),
        ("GET", {"transfer-encoding": "chunked"}, 413),
        ("GET", {"content-length": "0"}, 200),
        ("POST", {"content-length": "9"}, 200),
    ],
)
def test_only_posts_have_bodies(method: str, headers: dict[str, str], status: int) -> None:
    for path in ("/", "/api/search", "/enter"):
        assert ask(protect(), path, method, headers).status == status


def test_without_the_token_nothing_is_shown() -> None:
    app, _ = restrict(Guard(TOKEN, names=()))
    reply = ask(app, "/search?q=x", headers={"host": "any.example"})
    assert (reply.status, reply.headers["location"]) == (303, "/enter")
    for wrong in ("Bearer x", f"Basic {TOKEN}", "Bearer ", "Bearer \udcff", f"Bearer {TOKEN}x"):
        reply = ask(app, "/api/search", headers={"authorization": wrong.encode("utf-8", "replace").decode()})
        assert (reply.status, reply.headers["www-authenticate"][:6]) == (401, "Bearer")
    assert ask(app, "/api", headers={"cookie": "gossamer="}).status == 401
    assert ask(app, "/metrics").status == 401
    assert ask(app, "/apiary").status == 303  # only a path that begins alike


def test_the_token_is_accepted_as_header_and_as_cookie() -> None:
    app, authenticator = restrict(Guard(TOKEN, names=()))
    assert ask(app, "/", headers={"authorization": f"Bearer {TOKEN}"}).text == "inside"
    cookie = authenticator.log_in(TOKEN)
    assert ask(app, "/", headers={"cookie": f"a=b; gossamer={cookie}"}).text == "inside"
    assert TOKEN not in cookie
    again, _ = restrict(Guard(TOKEN, names=()))
    assert ask(again, "/", headers={"cookie": f"gossamer={cookie}"}).text == "inside"  # after a restart
    other, _ = restrict(Guard(TOKEN + "x", names=()))
    assert ask(other, "/", headers={"cookie": f"gossamer={cookie}"}).status == 303


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    guard = make_guard(ServerOptions(host=host, folder=Path("x")))
    assert guard.token == ""
    name = f"[{host}]:8080" if ":" in host else f"{host}:8080"
    assert ask(protect(guard), "/", headers={"host": name}).text == "inside"
    assert ask(protect(guard), "/", headers={"host": "evil.example"}).status == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "crawler.example.org", ""])  # noqa: S104
def test_any_other_address_needs_a_token(host: str) -> None:
    with pytest.raises(BadInput, match="--token"):
        make_guard(ServerOptions(host=host, folder=Path("x")))
    guard = make_guard(ServerOptions(host=host, token=TOKEN, folder=Path("x")))
    assert (guard.token, guard.names, guard.console) == (TOKEN, (), False)


def test_a_short_token_is_refused() -> None:
    with pytest.raises(BadInput, match="at least 16"):
        make_guard(ServerOptions(host="127.0.0.1", token=TOKEN[:15], folder=Path("x")))
