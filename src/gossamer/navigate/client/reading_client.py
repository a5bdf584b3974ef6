"""A client of `/api/navigate`: cards, marks, backlinks, sites and events of a server that `gossamer serve` runs.

It needs only the standard library, and may be copied with `reading_answers` into a program of its own.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlencode, urlsplit

from gossamer.navigate.client.reading_answers import (
    Backlinks,
    Card,
    CardAnswer,
    Event,
    KeptVersions,
    MarksAnswer,
    Pairing,
    Place,
    RelatedPages,
    Site,
    Status,
    Token,
)

_TIMEOUT_S = 60.0
_SILENCE_S = 45.0
"""The server says every 15 seconds that it is still there."""
_PAUSE_S = 1.0
_OK, _MADE, _WAITS, _REFUSED = 200, 201, 202, 401
Answer = TypeVar("Answer")


class ReadingError(Exception):
    """The server refused a request, or cannot be reached; the text is one sentence that says what to do."""

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status
        """Of the answer; 0 if there was none."""


class ReadingClient:
    """Asks one server, as one paired browser. Not for several threads at once."""

    def __init__(self, address: str, token: str = "", timeout_s: float = _TIMEOUT_S) -> None:
        """Prepare to ask a server, such as `http://127.0.0.1:8080/`, with the token of a pairing."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ReadingError(
                f"{address!r} is not the address of a server; give one such as http://127.0.0.1:8080/"
            )
        self._parts, self._token, self._timeout_s = parts, token, timeout_s

    def pair(self, name: str, show: Callable[[str, str], None], wait_s: float = 300.0) -> str:
        """Pair this program, and return its token, which is also used from now on.

        `show` is called with a code and the address of the page on which a person compares it and agrees.
        """
        begun = self._ask("POST", "pairings", Pairing, {"name": name})
        show(begun["code"], f"{self._parts.scheme}://{self._parts.netloc}{begun['approve']}")
        ends_s = time.monotonic() + min(wait_s, begun["expires_s"])
        while time.monotonic() < ends_s:
            given = {"code": begun["code"], "secret": begun["secret"]}
            collected = self._ask("POST", "pairings/collect", Token, given)
            if collected["token"]:
                self._token = collected["token"]
                return self._token
            time.sleep(_PAUSE_S)
        raise ReadingError("the pairing was not confirmed in time; pair again")

    def status(self) -> Status:
        """Return what the server offers."""
        return self._ask("GET", "status", Status)

    def card(self, url: str) -> Card:
        """Return what the collection knows of a page."""
        return self._ask("GET", f"card?{urlencode({'url': url})}", Card)

    def cards(self, urls: Sequence[str]) -> list[Card]:
        """Return the same of up to 100 pages."""
        return self._ask("POST", "cards", CardAnswer, {"urls": list(urls)})["cards"]

    def marks(self, page: str, links: Sequence[str]) -> list[list[str]]:
        """Return the marks of each of up to 2,000 links of a page."""
        return self._ask("POST", "marks", MarksAnswer, {"page": page, "links": list(links)})["marks"]

    def backlinks(
        self,
        url: str,
        offset: int = 0,
        count: int = 20,
        site: str = "",
        topic: str = "",
        order: Literal["best", "latest"] = "best",
    ) -> Backlinks:
        """Return pages that link to a page, the best or the latest first, of one site or topic if it is given."""
        given = {"url": url, "offset": offset, "count": count, "site": site, "topic": topic, "order": order}
        asked = urlencode(given)
        return self._ask("GET", f"backlinks?{asked}", Backlinks)

    def related(self, url: str) -> RelatedPages:
        """Return pages like one of the collection."""
        return self._ask("GET", f"related?{urlencode({'url': url})}", RelatedPages)

    def site(self, url: str, since: str = "") -> Site:
        """Return the overview of the site of a page, with what changed since a day (2026-05-31)."""
        return self._ask("GET", f"site?{urlencode({'url': url, 'since': since})}", Site)

    def place(self, url: str) -> Place:
        """Return where a page stands in its site."""
        return self._ask("GET", f"place?{urlencode({'url': url})}", Place)

    def versions(self, url: str) -> KeptVersions:
        """Return the versions of a page, the latest first, with what differs."""
        return self._ask("GET", f"versions?{urlencode({'url': url})}", KeptVersions)

    def events(self) -> Iterator[Event]:
        """Yield what happens from now on, as long as the server runs; it closes streams after minutes, and then is asked again."""
        while True:
            try:
                yield from self._read_stream()
            except (OSError, HTTPException) as error:
                raise self._explain(error) from error
            time.sleep(_PAUSE_S)

    def _read_stream(self) -> Iterator[Event]:
        connection = self._connect(_SILENCE_S)
        try:
            answer = self._send(connection, "GET", "events", None)
            if answer.status != _OK:
                raise _make_error(answer.status, answer.read())
            for line in iter(answer.readline, b""):
                if line.startswith(b"data: "):
                    yield cast("Event", json.loads(line.removeprefix(b"data: ")))
        finally:
            connection.close()

    def _ask(self, method: str, path: str, _: type[Answer], given: object = None) -> Answer:
        connection = self._connect(self._timeout_s)
        try:
            answer = self._send(connection, method, path, given)
            status, body = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            raise self._explain(error) from error
        finally:
            connection.close()
        if status not in (_OK, _MADE, _WAITS):
            raise _make_error(status, body)
        return cast("Answer", json.loads(body))

    def _send(self, connection: HTTPConnection, method: str, path: str, given: object) -> HTTPResponse:
        body = json.dumps(given).encode() if given is not None else None
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, f"{self._parts.path.rstrip('/')}/api/navigate/{path}", body, headers)
        return connection.getresponse()

    def _connect(self, timeout_s: float) -> HTTPConnection:
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=timeout_s)

    def _explain(self, error: Exception) -> ReadingError:
        return ReadingError(f"{self._parts.netloc} does not answer ({error}); start it with `gossamer serve`")


def _make_error(status: int, body: bytes) -> ReadingError:
    """Return the error that an answer tells."""
    try:
        told: Any = json.loads(body)
    except ValueError:
        told = None
    sentence = told.get("error") if isinstance(told, dict) else None
    return ReadingError(str(sentence or f"the server answered with status {status}"), status)
