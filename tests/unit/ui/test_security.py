from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp
from tests.unit.ui.asking import ask

from gossamer.errors import BadInput
from gossamer.ui.run_server import Order, guard_for
from gossamer.ui.security import HEADERS, Guard, Safety

TOKEN = "a token that nobody guesses"  # noqa: S105 - of these tests alone
OURS = "http://127.0.0.1:8080"


def guarded(guard: Guard | None = None) -> ASGIApp:
    return Safety(PlainTextResponse("inside"), guard or Guard())


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "[::1]"])
def test_the_names_of_this_machine_are_answered_to(host: str) -> None:
    assert ask(guarded(), "/", headers={"host": host}).text == "inside"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8080", "", "evil.example:localhost"]
)
def test_a_name_of_somebody_else_is_not_answered_to(host: str) -> None:
    assert ask(guarded(), "/", headers={"host": host}).status == 421


def test_every_answer_has_the_headers_refusals_included() -> None:
    for host in ("localhost", "evil.example"):
        headers = ask(guarded(), "/", headers={"host": host}).headers
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
def test_pages_of_others_may_lead_here_and_nothing_else(
    method: str, headers: dict[str, str], status: int
) -> None:
    assert ask(guarded(), "/", method, headers).status == status


def test_without_the_token_nothing_is_shown() -> None:
    app = guarded(Guard(TOKEN, names=()))
    asked = ask(app, "/search?q=x", headers={"host": "any.example"})
    assert (asked.status, asked.headers["location"]) == (303, "/enter")
    for wrong in ("Bearer x", f"Basic {TOKEN}", "Bearer "):
        assert ask(app, "/api/search", headers={"authorization": wrong}).status == 401
    assert ask(app, "/api", headers={"cookie": "gossamer="}).status == 401


def test_the_token_opens_by_header_and_by_cookie() -> None:
    guard = Guard(TOKEN, names=())
    app = guarded(guard)
    assert ask(app, "/", headers={"authorization": f"Bearer {TOKEN}"}).text == "inside"
    assert ask(app, "/", headers={"cookie": f"a=b; gossamer={guard.cookie()}"}).text == "inside"
    assert TOKEN not in guard.cookie()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    guard = guard_for(Order(host=host, folder=Path("x")))
    assert guard.token == ""
    asked = f"[{host}]:8080" if ":" in host else f"{host}:8080"
    assert ask(guarded(guard), "/", headers={"host": asked}).text == "inside"
    assert ask(guarded(guard), "/", headers={"host": "evil.example"}).status == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "crawler.example.org", ""])  # noqa: S104
def test_any_other_address_demands_a_token(host: str) -> None:
    with pytest.raises(BadInput, match="--token"):
        guard_for(Order(host=host, folder=Path("x")))
    assert guard_for(Order(host=host, token=TOKEN, folder=Path("x"))) == Guard(TOKEN, names=())


def test_a_short_token_is_refused() -> None:
    with pytest.raises(BadInput, match="at least 16"):
        guard_for(Order(host="127.0.0.1", token=TOKEN[:15], folder=Path("x")))
