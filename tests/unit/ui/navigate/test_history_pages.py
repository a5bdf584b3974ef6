"""The history of a server: its API for paired browsers and its page, each user for themselves."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask

from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.change_users import add_user, remove_user
from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import PairedBrowsers
from gossamer.ui.access.users_file import UsersFile
from gossamer.ui.app import make_application
from gossamer.ui.navigate.histories import Histories
from gossamer.ui.navigate.reading_parts import ReadingParts
from gossamer.ui.page_context import PageContext

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
OURS = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
APRIL = datetime(2026, 4, 10, 12, 30).timestamp()
VISIT = {
    "url": "https://optics.example/libraries",
    "title": "Optical <b>libraries</b>",
    "text": "A page about libraries of lenses.",
    "opened_s": APRIL,
    "seconds": 75,
}


class Served:
    """An application whose users have histories, with the tokens of their browsers."""

    def __init__(self, app: ASGIApp, browsers: PairedBrowsers, guard: Guard) -> None:
        self.app, self._browsers, self._authenticator = app, browsers, Authenticator(guard)

    def pair(self, user: str = "") -> dict[str, str]:
        """Return the headers of a browser that a user has paired."""
        pairing, secret = self._browsers.begin("a browser")
        self._browsers.agree(pairing.code, user, self._authenticator.prove_pairing)
        collected = self._browsers.collect(pairing.code, secret)
        assert collected is not None
        return {"authorization": f"Bearer {collected.token}", "origin": "moz-extension://one"}

    def post(self, path: str, given: object, headers: dict[str, str]) -> Reply:
        """Post JSON."""
        sent = {**headers, "content-type": "application/json"}
        return ask(self.app, f"/api/navigate/{path}", "POST", sent, json.dumps(given).encode())

    def get(self, path: str, headers: dict[str, str]) -> Reply:
        """Get an answer."""
        return ask(self.app, f"/api/navigate/{path}", headers=headers)


@pytest.fixture
def context(library: Path) -> Iterator[PageContext]:
    with PageContext(library) as opened:
        opened.keeps_history = True
        yield opened


def serve(context: PageContext, folder: Path, guard: Guard | None = None) -> Served:
    browsers, used = PairedBrowsers(folder / "browsers.json"), guard or Guard()
    app = make_application(context, used, browsers, ReadingParts(histories=Histories(folder)))
    return Served(app, browsers, used)


def test_a_browser_tells_finds_and_forgets(context: PageContext, tmp_path: Path) -> None:
    served = serve(context, tmp_path)
    headers = served.pair()
    assert "history" in served.get("status", headers).text
    assert json.loads(served.post("visits", {"visits": [VISIT]}, headers).text) == {"kept": 1}
    found = json.loads(served.get("history?q=lens&since=2026-04&until=2026-04", headers).text)
    (one,) = found["items"]
    assert (found["found"], one["seconds"], one["from"]) == (1, 75, "")
    trail = json.loads(served.get(f"trail?{urlencode({'url': VISIT['url']})}", headers).text)
    assert [step["opened_s"] for step in trail["items"]] == [APRIL]
    exported = served.get("history/export", headers)
    assert exported.headers["content-type"] == "application/x-ndjson"
    assert json.loads(served.post("history/forget", {"day": "2026-04-10"}, headers).text) == {"forgotten": 1}
    assert json.loads(served.get("history", headers).text)["found"] == 0
    sent = {**headers, "content-type": "application/x-ndjson"}
    imported = ask(served.app, "/api/navigate/history/import", "POST", sent, exported.body)
    assert json.loads(imported.text) == {"kept": 1}
    assert json.loads(served.get("history", headers).text)["found"] == 1


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "visits", b'{"visits": []}'),
        ("GET", "history", b""),
        ("GET", "trail?url=https://x.example/", b""),
        ("POST", "history/forget", b'{"all": true}'),
        ("GET", "history/export", b""),
        ("POST", "history/import", b"{}"),
    ],
)
def test_nobody_else_reads_or_changes_a_history(
    context: PageContext, tmp_path: Path, method: str, path: str, body: bytes
) -> None:
    served = serve(context, tmp_path)
    headers = served.pair()
    served.post("visits", {"visits": [VISIT]}, headers)
    kinds = {"content-type": "application/json"} if body else {}
    address = f"/api/navigate/{path}"
    extension = {"origin": "moz-extension://other"}
    assert ask(served.app, address, method, {**extension, **kinds}, body).status == 401
    guess = {**extension, **kinds, "authorization": "Bearer guess"}
    assert ask(served.app, address, method, guess, body).status == 401
    evil = {**headers, **kinds, "origin": "https://evil.example"}
    assert ask(served.app, address, method, evil, body).status == 403
    assert json.loads(served.get("history", headers).text)["found"] == 1


def test_what_one_user_has_read_stays_with_them(context: PageContext, tmp_path: Path) -> None:
    users = tmp_path / "users.toml"
    tokens = {name: add_user(users, name, "reader", NOW) for name in ("anna", "ben")}
    guard = Guard("a shared token of many", users=UsersFile(users))
    served = serve(context, tmp_path, guard)
    anna, ben = served.pair("anna"), served.pair("ben")
    served.post("visits", {"visits": [VISIT]}, anna)
    assert json.loads(served.get("history", ben).text)["found"] == 0
    assert json.loads(served.post("history/forget", {"all": True}, ben).text) == {"forgotten": 0}
    for name, shown in (("anna", True), ("ben", False)):
        page = ask(served.app, "/history", headers={"authorization": f"Bearer {tokens[name]}"})
        assert (page.status, "optics.example" in page.text) == (200, shown)
    assert ask(served.app, "/history").status == 303
    remove_user(users, "anna")
    add_user(users, "anna", "reader", datetime(2026, 6, 1, tzinfo=UTC))
    assert json.loads(served.get("history", served.pair("anna")).text)["found"] == 0


def test_visitors_without_a_name_from_other_machines_have_no_history(
    context: PageContext, tmp_path: Path
) -> None:
    guard = Guard("a shared token of many", names=())
    served = serve(context, tmp_path, guard)
    refused = served.post("visits", {"visits": [VISIT]}, served.pair())
    assert (refused.status, "gossamer users add" in refused.text) == (400, True)
    page = ask(served.app, "/history", headers={"authorization": f"Bearer {guard.token}"})
    assert (page.status, "gossamer users add" in page.text) == (400, True)


def test_without_the_option_nothing_is_kept(context: PageContext, tmp_path: Path) -> None:
    browsers = PairedBrowsers(tmp_path / "browsers.json")
    served = Served(make_application(context, Guard(), browsers), browsers, Guard())
    headers = served.pair()
    assert "history" not in served.get("status", headers).text
    refused = served.post("visits", {"visits": [VISIT]}, headers)
    assert (refused.status, "gossamer serve --history" in refused.text) == (404, True)
    assert "gossamer serve --history" in ask(served.app, "/history").text
    assert not (tmp_path / "history").exists()


def test_the_page_shows_what_was_read_and_forgets_it(context: PageContext, tmp_path: Path) -> None:
    served = serve(context, tmp_path)
    headers = served.pair()
    other = {**VISIT, "url": "https://other.example/", "title": "Other", "text": "", "opened_s": APRIL + 60}
    served.post("visits", {"visits": [VISIT, {**other, "from": VISIT["url"]}]}, headers)
    page = ask(served.app, "/history")
    assert "Optical &lt;b&gt;libraries&lt;/b&gt;" in page.text
    assert "2026-04-10 12:30" in page.text
    assert 'aria-current="page">History' in page.text
    trail = ask(served.app, f"/history?{urlencode({'trail': other['url']})}").text
    assert re.findall(r"<li dir=\"auto\"><a[^>]*>([^<]*)", trail) == [
        "Optical &lt;b&gt;libraries&lt;/b&gt;",
        "Other",
    ]
    (key, *_) = re.findall(r'name="form_key" value="(\w+)"', page.text)

    def forget(**what: str) -> Reply:
        return ask(served.app, "/history", "POST", OURS, urlencode({"form_key": key, **what}).encode())

    assert forget(day="tomorrow").status == 400
    assert ask(served.app, "/history", "POST", OURS, b"all=yes").status == 400  # without the key of the form
    done = forget(site="optics.example")
    assert (done.status, done.headers["location"]) == (303, "/history?forgotten=1")
    left = ask(served.app, done.headers["location"]).text
    assert ("optics.example" in left, "1 visit is forgotten" in left) == (False, True)
    assert json.loads(ask(served.app, "/history/export").text)["url"] == other["url"]


def test_a_day_is_drawn_as_a_graph_of_links(context: PageContext, tmp_path: Path) -> None:
    served = serve(context, tmp_path)
    hers = served.pair()
    later = {
        **VISIT,
        "url": "https://optics.example/jena?a=<b>",
        "opened_s": APRIL + 60,
        "from": VISIT["url"],
    }
    served.post("visits", {"visits": [VISIT, later]}, hers)
    page = ask(served.app, "/history/session?day=2026-04-10")
    assert page.status == 200
    assert "2 pages; lines lead" in page.text
    assert page.text.count("<circle") == 2
    assert "Optical &lt;b&gt;libraries&lt;/b&gt;" in page.text
    assert "Nothing that you have read on this day" in ask(served.app, "/history/session?day=2026-04-11").text
    wrong = ask(served.app, "/history/session?day=soon")
    assert (wrong.status, "is not a time" in wrong.text) == (400, True)


def test_wrong_times_are_a_sentence(context: PageContext, tmp_path: Path) -> None:
    served = serve(context, tmp_path)
    headers = served.pair()
    for path in ("history?since=spring", "history?until=2026-13", "history?since=nan"):
        refused = served.get(path, headers)
        assert (refused.status, "is not a time" in refused.text) == (400, True)
    assert "is not a time" in ask(served.app, "/history?since=spring").text


def test_links_to_what_was_read_are_marked(context: PageContext, tmp_path: Path, start: str) -> None:
    served = serve(context, tmp_path)
    headers = served.pair()
    visit = {"url": f"{start}haydn", "opened_s": APRIL}
    served.post("visits", {"visits": [visit, VISIT]}, headers)
    links = [f"{start}haydn#top", VISIT["url"], "https://unread.example/"]
    marked = served.post("marks", {"page": start, "links": links}, headers)
    assert json.loads(marked.text)["marks"] == [["known", "read"], ["read"], []]
