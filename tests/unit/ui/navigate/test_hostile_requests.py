"""A hundred attempts of hostile pages at the server of a reader: every address, from every kind of sender, with a stolen token even."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp
from tests.unit.ui.app_client import ask
from tests.unit.ui.navigate.paired_app import serve_paired

from gossamer.ui.api.navigate.endpoints import NAVIGATE_ENDPOINTS

EVIL = "https://evil.example"
# What browsers send for a page of the web; none of it can be left out or changed by the page.
SENDERS = {
    "fetch": {"origin": EVIL, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    "old browser": {"origin": EVIL},
    "form": {"origin": EVIL, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document",
             "content-type": "text/plain"},
    "picture": {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
    "sandbox": {"origin": "null", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    "neighbour": {"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    "rebinding": {"host": "evil.example:8080", "origin": "http://evil.example:8080", "sec-fetch-site": "same-origin"},
    "worker": {"origin": EVIL, "sec-fetch-site": "cross-site", "sec-fetch-mode": "same-origin", "sec-fetch-dest": "worker"},
}  # fmt: skip
REFUSED = (401, 403, 421)


@pytest.fixture(scope="module")
def served(
    library: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ASGIApp, dict[str, str]]]:
    with serve_paired(library, tmp_path_factory.mktemp("config")) as (app, headers):
        yield app, {"authorization": headers["authorization"]}


ATTEMPTS = [
    (endpoint.path, endpoint.method.upper(), sender) for endpoint in NAVIGATE_ENDPOINTS for sender in SENDERS
]


def test_there_are_more_than_a_hundred_attempts() -> None:
    assert len(ATTEMPTS) > 100


@pytest.mark.parametrize("sender", SENDERS)
def test_no_address_answers_a_page_of_the_web(served: tuple[ASGIApp, dict[str, str]], sender: str) -> None:
    app, token = served
    for path, method, who in ATTEMPTS:
        if who != sender:
            continue
        body = b'{"url": "http://127.0.0.1:1/", "urls": [], "name": "x"}' if method == "POST" else b""
        address = path if method == "POST" else f"{path}?url=http://127.0.0.1:1/"
        for extra in ({}, token):  # also with a token that leaked
            # A picture can have no header of its own, and a form neither.
            sent = SENDERS[sender] if sender in ("picture", "form") else {**SENDERS[sender], **extra}
            found = ask(app, address, method, {"content-type": "application/json", **sent}, body)
            assert found.status in REFUSED, (path, sender, extra, found.status)
            assert "access-control-allow-origin" not in found.headers
            assert b"haydn" not in found.body.lower()


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "HEAD"])
def test_no_preflight_is_granted(served: tuple[ASGIApp, dict[str, str]], method: str) -> None:
    app, _ = served
    asked = {
        "origin": EVIL,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
    }
    for endpoint in NAVIGATE_ENDPOINTS:
        found = ask(app, endpoint.path, method, asked)
        assert found.status >= 400
        assert not [name for name in found.headers if name.startswith("access-control-")]
