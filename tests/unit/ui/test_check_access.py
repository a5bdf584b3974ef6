"""Every route of the application, for every role: the table of routes is read, so that new tables are covered by themselves."""

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask

from gossamer.ui import app as application
from gossamer.ui.access.change_users import add_user, change_role, remove_user, renew_token
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.roles import ANYONE, JUDGE, NAMES, OPERATOR, READER, Role
from gossamer.ui.access.users_file import UsersFile
from gossamer.ui.access.visitor import get_user, is_for_programs
from gossamer.ui.forms import WITHOUT_KEY
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION, ROUTES
from gossamer.ui.security import HEADERS

NOW = datetime(2026, 5, 31, tzinfo=UTC)
OURS = {"origin": "http://127.0.0.1:8080"}
EVIL = {"origin": "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}
JSON = {"content-type": "application/json"}
SHARED = "a token that all share"


def say_who(request: Request) -> Response:
    """Stand for a page: say who opened it."""
    user = get_user(request)
    return PlainTextResponse(f"inside: {user.name or 'nameless'}, {user.role.word}")


# Whatever the console has: a page, a stream for programs, and what steers.
PROBES = (
    Route("/console-probe", say_who),
    Route("/api/console-probe", say_who),
    Route("/console-probe/{name}/stop", say_who, methods=["POST"]),
)
TABLES = (*ROUTES, (OPERATOR, PROBES))


class Call(msgspec.Struct, frozen=True):
    """A request to one route with one of its methods."""

    method: str
    path: str
    role: Role

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def list_calls() -> Iterator[Call]:
    for role, table in TABLES:
        for route in table:
            assert isinstance(route, Route | Mount), f"{route} has no path that this test could open"
            if isinstance(route, Route):
                path = re.sub(
                    r"\{\w+(?::(\w+))?\}", lambda kind: "7" if kind[1] == "int" else "x", route.path
                )
                for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
                    yield Call(method, path, role)


CALLS = list(list_calls())
POSTS = [call for call in CALLS if call.method != "GET"]


def stand_in(route: BaseRoute, *_: object) -> BaseRoute:
    """Return the route without its handler: whom it lets in is what is tested, not what it does."""
    return (
        Route(route.path, say_who, methods=list(route.methods or ())) if isinstance(route, Route) else route
    )


class Server:
    """The application with users of all roles, which other machines can reach."""

    def __init__(self, app: ASGIApp, file: Path, tokens: dict[Role, str]) -> None:
        self.app = app
        self.file = file
        self.tokens = tokens
        self.cookies = {role: self.log_in(token) for role, token in tokens.items()}

    def log_in(self, token: str) -> str:
        entered = ask(self.app, "/enter", "POST", OURS, urlencode({"token": token}).encode())
        return entered.headers["set-cookie"].partition(";")[0]

    def open(self, call: Call, role: Role, headers: dict[str, str] | None = None, body: bytes = b"") -> Reply:
        cookie = {"cookie": self.cookies[role]} if role is not ANYONE else {}
        return ask(self.app, call.path, call.method, {**cookie, **(headers or {})}, body)

    def read_key(self, role: Role) -> str:
        (key,) = re.findall(
            r'name="form_key" value="(\w+)"', self.open(Call("GET", "/nowhere", READER), role).text
        )
        return str(key)


def make_server(
    context: PageContext, file: Path, patch: pytest.MonkeyPatch, guard: Guard, real: tuple[str, ...]
) -> Server:
    """Return a server whose routes have no handlers, but for those of the paths `real`."""
    tokens = {Role[role.upper()]: add_user(file, f"{role}1", role, NOW) for role in NAMES.values()}
    patch.setattr(application, "ROUTES", TABLES)
    patch.setattr(
        application,
        "bound_route",
        lambda route, *_: route if getattr(route, "path", "") in real else stand_in(route),
    )
    users = msgspec.structs.replace(guard, users=UsersFile(file))
    return Server(application.make_application(context, users), file, tokens)


@pytest.fixture(scope="module")
def context(library: Path) -> Iterator[PageContext]:
    with PageContext(library, NAVIGATION) as opened:
        yield opened


@pytest.fixture(scope="module")
def server(context: PageContext, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server that no test changes."""
    file = tmp_path_factory.mktemp("users") / "users.toml"
    with pytest.MonkeyPatch.context() as patch:
        return make_server(context, file, patch, Guard(SHARED, names=(), console=True), real=("/enter",))


@pytest.fixture
def own_server(context: PageContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server whose users a test may change."""
    return make_server(
        context,
        tmp_path / "users.toml",
        monkeypatch,
        Guard(names=(), console=True),
        real=("/enter", "/leave"),
    )


def test_all_tables_are_walked() -> None:
    assert len(CALLS) > 30
    assert {call.role for call in CALLS} == set(Role)
    assert {"/api/submit", "/submit", "/assess"} <= {call.path for call in POSTS if call.role is JUDGE}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_each_route_is_open_to_its_roles_alone(server: Server, call: Call, role: Role) -> None:
    reply = server.open(call, role, headers=OURS if call.method == "GET" else {**OURS, **JSON})
    assert HEADERS.items() <= reply.headers.items()
    if call.path == "/enter":
        assert (reply.status, "<h1>Log in</h1>" in reply.text) == (200 if call.method == "GET" else 403, True)
        return
    if role >= call.role:
        name = f"{role.word}1" if role is not ANYONE else "nameless"
        assert (reply.status, reply.text) == (200, f"inside: {name}, {role.word}")
        return
    assert "inside" not in reply.text
    if role is not ANYONE:
        assert reply.status == 403
        assert call.role.word in reply.text
    elif is_for_programs(call.path):
        assert reply.status == 401
    else:
        assert (reply.status, reply.headers["location"]) == (303, "/enter")
    is_json = reply.headers.get("content-type") == "application/json"
    assert is_json == is_for_programs(call.path)


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "GET", "POST"])
@pytest.mark.parametrize("path", ["/console-probe", "/console-probe/x/stop"])
def test_no_method_leads_a_reader_past_the_role(server: Server, method: str, path: str) -> None:
    assert server.open(Call(method, path, OPERATOR), READER).status == 403


@pytest.mark.parametrize("call", POSTS, ids=str)
def test_no_route_takes_what_another_site_sends(server: Server, call: Call) -> None:
    for given in (EVIL, {**EVIL, **JSON}, {"origin": "null"}, {"sec-fetch-site": "same-site"}):
        assert server.open(call, OPERATOR, headers=given).status == 403


@pytest.mark.parametrize("call", POSTS, ids=str)
def test_every_route_that_changes_something_wants_a_proof(server: Server, call: Call) -> None:
    token = server.tokens[OPERATOR]
    key = urlencode({"form_key": server.read_key(OPERATOR), "act": "x"}).encode()
    if call.path in WITHOUT_KEY:
        assert server.open(call, OPERATOR).status == 400  # no browser says that it is our page
        return
    for wrong in (b"", b"form_key=", b"form_key=guess", key[::-1]):
        assert server.open(call, OPERATOR, OURS, wrong).status == 400
    others = urlencode({"form_key": server.read_key(JUDGE)}).encode()
    assert server.open(call, OPERATOR, OURS, others).status == 400
    # A browser sends the password of basic authentication by itself.
    basic = {"authorization": "Basic " + b64encode(f":{token}".encode()).decode()}
    assert ask(server.app, call.path, call.method, basic).status == 400
    proofs = ((OURS, key), (JSON, b"{}"), ({"authorization": f"Bearer {token}"}, b""))
    for given, body in proofs:
        assert server.open(call, OPERATOR, given, body).text.startswith("inside: operator1"), given


def test_the_handler_reads_the_form_that_was_checked(context: PageContext, own: Path) -> None:
    with PageContext(own) as opened:
        app = application.make_application(opened, Guard())
        (key,) = re.findall(r'name="form_key" value="(\w+)"', ask(app, "/assess").text)
        form = urlencode({"form_key": key, "name": "a name with spaces"}).encode()
        assert "a name with spaces" in ask(app, "/assess", "POST", OURS, form).text


def test_a_role_holds_at_once(own_server: Server) -> None:
    probe = Call("GET", "/console-probe", OPERATOR)
    assert own_server.open(probe, READER).status == 403
    change_role(own_server.file, "reader1", "operator")
    assert own_server.open(probe, READER).text == "inside: reader1, operator"
    change_role(own_server.file, "reader1", "reader")
    assert own_server.open(probe, READER).status == 403


@pytest.mark.parametrize("change", [remove_user, renew_token])
def test_a_session_ends_with_its_user_or_token(own_server: Server, change: object) -> None:
    home = Call("GET", "/", READER)
    bearer = {"authorization": f"Bearer {own_server.tokens[JUDGE]}"}
    assert own_server.open(home, JUDGE).status == 200
    assert ask(own_server.app, "/api", headers=bearer).status == 200
    assert callable(change)
    change(own_server.file, "judge1")
    assert own_server.open(home, JUDGE).headers["location"] == "/enter"
    assert ask(own_server.app, "/api", headers=bearer).status == 401
    assert own_server.open(home, READER).status == 200


def test_who_logs_out_is_out_even_with_a_copy_of_the_cookie(own_server: Server) -> None:
    home = Call("GET", "/", READER)
    second = own_server.log_in(own_server.tokens[JUDGE])
    key = urlencode({"form_key": own_server.read_key(JUDGE)}).encode()
    left = own_server.open(Call("POST", "/leave", READER), JUDGE, OURS, key)
    assert (left.status, left.headers["location"]) == (303, "/enter")
    assert 'gossamer=""' in left.headers["set-cookie"]
    assert own_server.open(home, JUDGE).headers["location"] == "/enter"
    assert ask(own_server.app, "/", headers={"cookie": second}).status == 200  # another session


def test_the_cookie_is_for_https_alone_if_the_browser_speaks_it(own_server: Server) -> None:
    body = urlencode({"token": own_server.tokens[READER]}).encode()
    https = {"origin": "https://search.example", "host": "search.example"}
    for headers, is_secure in ((OURS, False), ({**OURS, "x-forwarded-proto": "https"}, True), (https, True)):
        cookie = ask(own_server.app, "/enter", "POST", headers, body).headers["set-cookie"]
        assert ("; Secure" in cookie, "; HttpOnly" in cookie, "SameSite=lax" in cookie) == (
            is_secure,
            True,
            True,
        )


def test_a_costly_page_of_one_visitor_is_not_shown_to_another(
    library: Path, tmp_path: Path, start: str
) -> None:
    file = tmp_path / "users.toml"
    tokens = [add_user(file, name, "reader", NOW) for name in ("anna", "ben")]
    with PageContext(library) as opened:
        app = application.make_application(opened, Guard(names=(), users=UsersFile(file)))
        pages = []
        for token in tokens:
            entered = ask(app, "/enter", "POST", OURS, urlencode({"token": token}).encode())
            cookie = {"cookie": entered.headers["set-cookie"].partition(";")[0]}
            pages.append(ask(app, f"/cached?url={start}haydn", headers=cookie).text)
    assert [("anna</bdi>" in page, "ben</bdi>" in page) for page in pages] == [(True, False), (False, True)]


def test_a_judge_is_asked_for_the_name_that_they_logged_in_with(own: Path, tmp_path: Path) -> None:
    file = tmp_path / "users.toml"
    bearer = {"authorization": f"Bearer {add_user(file, 'anna', 'judge', NOW)}"}
    with PageContext(own) as opened:
        app = application.make_application(opened, Guard(names=(), users=UsersFile(file)))
        drawn = ask(app, "/api/assess/draw", "POST", {**bearer, **JSON}, b'{"name": "first", "sample": 2}')
        assert drawn.status == 200
        assert 'name="judge" value="anna"' in ask(app, "/assess/first", headers=bearer).text


def test_a_broken_file_closes_the_server(own_server: Server, caplog: pytest.LogCaptureFixture) -> None:
    home = Call("GET", "/", READER)
    whole = own_server.file.read_text()
    own_server.file.write_text(whole.replace('role = "reader"', 'role = "king"'))
    for role in (ANYONE, OPERATOR):
        closed = own_server.open(home, role)
        assert (closed.status, "log has the details" in closed.text) == (503, True)
        assert str(own_server.file) not in closed.text
    assert "king" in caplog.text
    own_server.file.write_text(whole)
    assert own_server.open(home, OPERATOR).status == 200


def test_a_server_whose_users_are_gone_stays_closed(own_server: Server) -> None:
    own_server.file.unlink()
    for role in Role:
        assert own_server.open(Call("GET", "/", READER), role).headers["location"] == "/enter"


def test_the_page_says_which_role_is_needed_and_the_navigation_hides_what_is_not_for_you(
    server: Server,
) -> None:
    refused = server.open(Call("GET", "/submit", JUDGE), READER)
    assert "logged in as <bdi>reader1</bdi>, a reader" in refused.text
    assert "gossamer users role reader1 judge" in refused.text
    assert 'href="/assess"' not in refused.text
    assert 'href="/changes"' in refused.text
    assert 'href="/assess"' in server.open(Call("GET", "/nowhere", READER), JUDGE).text


def test_a_shared_token_is_a_judge_and_stays_one(server: Server) -> None:
    cookie = {"cookie": server.log_in(SHARED)}
    assert ask(server.app, "/submit", headers=cookie).text == "inside: nameless, judge"
    refused = ask(server.app, "/console-probe", headers=cookie)
    assert (refused.status, "gossamer users add NAME --role operator" in refused.text) == (403, True)


def test_the_console_is_off_where_others_come_in(
    context: PageContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = make_server(context, tmp_path / "users.toml", monkeypatch, Guard(names=()), real=("/enter",))
    for path in ("/console-probe", "/api/console-probe"):
        assert server.open(Call("GET", path, OPERATOR), OPERATOR).status == 404
    assert server.open(Call("GET", "/submit", JUDGE), OPERATOR).status == 200


@pytest.mark.parametrize("token", ["", SHARED])
def test_at_this_machine_everybody_is_an_operator_but_not_through_a_proxy(
    context: PageContext, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setattr(application, "ROUTES", TABLES)
    monkeypatch.setattr(application, "bound_route", stand_in)
    app = application.make_application(context, Guard(token))
    bearer = {"authorization": f"Bearer {token}"}
    assert ask(app, "/console-probe", headers=bearer).text == "inside: nameless, operator"
    for header in ("x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "x-real-ip"):
        passed_on = {**bearer, header: "192.0.2.7"}
        assert ask(app, "/console-probe", headers=passed_on).status == 404
        assert ask(app, "/submit", headers=passed_on).text == "inside: nameless, judge"
    other_name = ask(app, "/console-probe", headers={**bearer, "host": "search.example"})
    assert other_name.status == (404 if token else 421)


def test_what_is_no_route_tells_nothing_before_the_login(server: Server) -> None:
    assert server.open(Call("GET", "/nowhere", READER), ANYONE).headers["location"] == "/enter"
    assert server.open(Call("GET", "/nowhere", READER), READER).status == 404
    assert server.open(Call("GET", "/enterprise", READER), ANYONE).headers["location"] == "/enter"
    assert ask(server.app, "/static/nothing.css").status == 404  # open to all, and not there
