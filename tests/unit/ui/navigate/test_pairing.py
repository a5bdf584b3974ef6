"""Pairing a browser, and what a paired one may ask; pages of the web get nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import Reply, ask

from gossamer.ui.access.guard import Guard
from gossamer.ui.access.paired_browsers import EXPIRES_S, PairedBrowsers
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext

JSON = {"content-type": "application/json"}
OURS = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
EXTENSION = {"origin": "chrome-extension://abcdefghijklmnop", "sec-fetch-site": "none"}
EVIL = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}


class Clock:
    now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def served(library: Path, tmp_path: Path, clock: Clock) -> Iterator[ASGIApp]:
    with PageContext(library) as context:
        browsers = PairedBrowsers(tmp_path / "config" / "browsers.json", clock)
        yield make_application(context, Guard(), browsers)


def _post(app: ASGIApp, path: str, given: object, **headers: str) -> Reply:
    return ask(app, path, "POST", {**EXTENSION, **JSON, **headers}, json.dumps(given).encode())


def _begin(app: ASGIApp) -> dict[str, str]:
    begun = _post(app, "/api/navigate/pairings", {"name": "Chromium on a desk"})
    assert begun.status == 201
    found: dict[str, str] = json.loads(begun.text)
    return found


def _agree(app: ASGIApp, code: str) -> Reply:
    page = ask(app, f"/pair?code={code}")
    (key, *_) = re.findall(r'name="form_key" value="(\w+)"', page.text)
    return ask(app, "/pair", "POST", OURS, urlencode({"form_key": key, "code": code}).encode())


def _pair(app: ASGIApp) -> str:
    begun = _begin(app)
    assert "is paired" in _agree(app, begun["code"]).text
    given = {"code": begun["code"], "secret": begun["secret"]}
    collected = json.loads(_post(app, "/api/navigate/pairings/collect", given).text)
    assert (collected["state"], collected["name"]) == ("paired", "Chromium on a desk")
    return str(collected["token"])


def test_a_person_pairs_a_browser_with_one_click(served: ASGIApp, tmp_path: Path) -> None:
    begun = _begin(served)
    secret = {"code": begun["code"], "secret": begun["secret"]}
    waiting = _post(served, "/api/navigate/pairings/collect", secret)
    assert (waiting.status, json.loads(waiting.text)["token"]) == (202, "")
    shown = ask(served, begun["approve"])
    assert "Chromium on a desk" in shown.text
    assert begun["code"] in shown.text
    _agree(served, begun["code"])
    token = json.loads(_post(served, "/api/navigate/pairings/collect", secret).text)["token"]
    assert _post(served, "/api/navigate/pairings/collect", secret).status == 410  # the token is sent once
    status = ask(served, "/api/navigate/status", headers={**EXTENSION, "authorization": f"Bearer {token}"})
    assert (status.status, json.loads(status.text)["version"]) == (200, 1)
    file = tmp_path / "config" / "browsers.json"
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_code_without_its_secret_collects_nothing(served: ASGIApp) -> None:
    begun = _begin(served)
    _agree(served, begun["code"])
    wrong = {"code": begun["code"], "secret": "guess"}
    assert _post(served, "/api/navigate/pairings/collect", wrong).status == 410
    right = {"code": begun["code"], "secret": begun["secret"]}
    assert _post(served, "/api/navigate/pairings/collect", right).status == 200


def test_a_pairing_ends_after_minutes_and_few_can_wait(served: ASGIApp, clock: Clock) -> None:
    first = _begin(served)
    for _ in range(4):
        _begin(served)
    full = _post(served, "/api/navigate/pairings", {})
    assert (full.status, "wait for five minutes" in full.text) == (400, True)
    clock.now_s += EXPIRES_S + 1
    assert "press “Pair” in the extension again" in ask(served, first["approve"]).text
    _begin(served)


def test_a_revoked_browser_reads_no_more(served: ASGIApp) -> None:
    bearer = {**EXTENSION, "authorization": f"Bearer {_pair(served)}"}
    assert ask(served, "/api/navigate/status", headers=bearer).status == 200
    page = ask(served, "/pair").text
    (key, *_), (number,) = (
        re.findall(r'name="form_key" value="(\w+)"', page),
        re.findall(r'name="revoke" value="(\w+)"', page),
    )
    ask(served, "/pair", "POST", OURS, urlencode({"form_key": key, "revoke": number}).encode())
    refused = ask(served, "/api/navigate/status", headers=bearer)
    assert (refused.status, "not paired" in refused.text) == (401, True)


@pytest.mark.parametrize(
    "path", ["status", "card?url=http://x.example/", "backlinks?url=http://x.example/", "cards", "marks"]
)
def test_nothing_is_read_without_a_token_or_by_a_page_of_the_web(
    served: ASGIApp, start: str, path: str
) -> None:
    address, body = f"/api/navigate/{path}", b'{"urls": [], "page": "", "links": []}'
    method, kind = ("POST", JSON) if path in ("cards", "marks") else ("GET", {})
    sent = body if method == "POST" else b""
    assert ask(served, address, method, {**EXTENSION, **kind}, sent).status == 401
    assert (
        ask(served, address, method, {**EXTENSION, **kind, "authorization": "Bearer x"}, sent).status == 401
    )
    bearer = {"authorization": f"Bearer {_pair(served)}"}
    assert ask(served, address, method, {**EVIL, **kind, **bearer}, sent).status == 403
    rebound = {**EXTENSION, **kind, **bearer, "host": "evil.example:8080"}
    assert ask(served, address, method, rebound, sent).status == 421


def test_an_extension_gets_no_other_part_by_its_origin(served: ASGIApp) -> None:
    assert _post(served, "/api/submit", {"url": "http://x.example/"}).status == 403


def test_a_paired_browser_gets_cards_marks_and_backlinks(served: ASGIApp, start: str) -> None:
    bearer = {**EXTENSION, "authorization": f"Bearer {_pair(served)}"}
    card = json.loads(ask(served, f"/api/navigate/card?url={quote(start)}haydn", headers=bearer).text)
    assert (card["known"], card["language"], card["kind"]) == (True, "en", "html")
    assert card["sentences"][0].startswith("Joseph Haydn wrote")
    urls = [f"{start}haydn", "http://unknown.example/"]
    cards = json.loads(_post(served, "/api/navigate/cards", {"urls": urls}, **bearer).text)["cards"]
    assert [one["known"] for one in cards] == [True, False]
    marks = _post(served, "/api/navigate/marks", {"page": start, "links": [*urls, "no address"]}, **bearer)
    assert json.loads(marks.text)["marks"] == [["known"], [], []]
    back = json.loads(ask(served, f"/api/navigate/backlinks?url={quote(start)}haydn", headers=bearer).text)
    assert back["known"]
    assert start in [one["url"] for one in back["items"]]


def test_more_than_the_limit_is_refused_in_a_sentence(served: ASGIApp) -> None:
    bearer = {"authorization": f"Bearer {_pair(served)}"}
    many = _post(served, "/api/navigate/cards", {"urls": ["http://x.example/"] * 101}, **bearer)
    assert (many.status, "length <= 100" in many.text) == (400, True)
    wrong = ask(served, "/api/navigate/card?url=%00", headers={**EXTENSION, **bearer})
    assert (wrong.status, "not the address of a page" in wrong.text) == (400, True)


def test_a_get_of_firefox_has_no_origin_and_its_token_lets_it_in(served: ASGIApp, start: str) -> None:
    from_firefox = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    bearer = {"authorization": f"Bearer {_pair(served)}"}
    address = f"/api/navigate/card?url={quote(start)}haydn"
    assert ask(served, address, headers={**from_firefox, **bearer}).status == 200
    assert ask(served, address, headers=from_firefox).status == 403
    assert ask(served, address, headers={**from_firefox, "authorization": "Bearer guess"}).status == 403
    for origin in ("https://evil.example", "null", ""):
        assert ask(served, address, headers={**from_firefox, **bearer, "origin": origin}).status == 403
    assert ask(served, "/api/search?q=x", headers={**from_firefox, **bearer}).status == 403


def test_an_answer_to_a_paired_browser_is_not_given_to_others(served: ASGIApp, start: str) -> None:
    bearer = {**EXTENSION, "authorization": f"Bearer {_pair(served)}"}
    for address in (f"card?url={quote(start)}haydn", f"backlinks?url={quote(start)}haydn"):
        assert ask(served, f"/api/navigate/{address}", headers=bearer).status == 200
        assert ask(served, f"/api/navigate/{address}", headers=EXTENSION).status == 401


def test_two_thousand_long_links_fit_into_a_request_for_marks(served: ASGIApp, start: str) -> None:
    bearer = {"authorization": f"Bearer {_pair(served)}"}
    links = [f"http://x.example/{number:0400}" for number in range(1_999)] + [f"{start}haydn"]
    marked = _post(served, "/api/navigate/marks", {"page": start, "links": links}, **bearer)
    assert json.loads(marked.text)["marks"] == [[]] * 1_999 + [["known"]]
    many = {"page": start, "links": ["http://x.example/" + "x" * 1_000] * 2_000}
    refused = _post(served, "/api/navigate/marks", many, **bearer)
    assert (refused.status, "at most 1,000,000 bytes" in refused.text) == (400, True)


def test_pages_like_one_come_from_the_index(served: ASGIApp, start: str) -> None:
    bearer = {**EXTENSION, "authorization": f"Bearer {_pair(served)}"}
    page = f"{start}haydn"
    found = json.loads(ask(served, f"/api/navigate/related?url={quote(page)}", headers=bearer).text)["items"]
    assert found
    assert page not in [one["url"] for one in found]
    assert all(one["why"].startswith("similar words and links") for one in found)
    unknown = ask(served, "/api/navigate/related?url=http://unknown.example/", headers=bearer)
    assert json.loads(unknown.text) == {"items": []}


def test_a_picture_that_is_not_there_is_a_sentence(served: ASGIApp, start: str) -> None:
    bearer = {**EXTENSION, "authorization": f"Bearer {_pair(served)}"}
    missing = ask(served, f"/api/navigate/picture?url={quote(start)}haydn", headers=bearer)
    assert (missing.status, "no picture" in missing.text) == (404, True)
    assert ask(served, f"/api/navigate/picture?url={quote(start)}haydn", headers=EXTENSION).status == 401
