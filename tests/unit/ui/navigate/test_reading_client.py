"""The Python client and the events, against a real server."""

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from typing import get_type_hints
from urllib.parse import urlencode

import msgspec
import pytest
from tests.conftest import REPOSITORY
from tests.unit.ui.navigate.running_server import RunningServer, run_server
from tests.wait_until import wait_until

from gossamer.navigate.backlinks import Backlink, Backlinks
from gossamer.navigate.client import reading_answers
from gossamer.navigate.client.reading_client import ReadingClient, ReadingError
from gossamer.navigate.link_card import LinkCard
from gossamer.navigate.reading_event import ReadingEvent
from gossamer.navigate.sites.page_place import PagePlace
from gossamer.navigate.sites.page_versions import KeptVersion, KeptVersions
from gossamer.navigate.sites.site_overview import SiteOverview
from gossamer.store.batch import Batch
from gossamer.ui.access.paired_browsers import FILE_NAME, PairedBrowsers
from gossamer.ui.api.navigate.card_api import NavigateStatus
from gossamer.web import Web

pytestmark = pytest.mark.slow
SOCKET = """const [tools, address, token] = process.argv.slice(1), { WebSocket } = require(tools);
const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
socket.addEventListener("open", () => console.log("open"));
socket.addEventListener("error", () => { console.log("refused"); process.exit(1); });
socket.addEventListener("message", ({ data }) => { console.log(data); socket.close(1000); });
socket.addEventListener("close", ({ code }) => process.exit(code === 1000 ? 0 : 2));"""


@pytest.fixture
def server(own: Path, tmp_path: Path) -> Iterator[RunningServer]:
    with run_server(own, tmp_path / "config", "--history") as running:
        yield running


def make_client(server: RunningServer, token: str | None = None) -> ReadingClient:
    return ReadingClient(f"http://{server.host}:{server.port}/", server.token if token is None else token)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (reading_answers.Card, LinkCard),
        (reading_answers.Backlink, Backlink),
        (reading_answers.Backlinks, Backlinks),
        (reading_answers.Site, SiteOverview),
        (reading_answers.Place, PagePlace),
        (reading_answers.KeptVersion, KeptVersion),
        (reading_answers.KeptVersions, KeptVersions),
        (reading_answers.Event, ReadingEvent),
        (reading_answers.Status, NavigateStatus),
    ],
)
def test_the_types_of_the_client_have_the_fields_of_the_server(
    ours: type, theirs: type[msgspec.Struct]
) -> None:
    assert list(get_type_hints(ours)) == [one.encode_name for one in msgspec.structs.fields(theirs)]


def test_the_client_needs_only_the_standard_library() -> None:
    code = (
        "import sys; import gossamer.navigate.client.reading_client; "
        "print(*{name.partition('.')[0] for name in sys.modules if not name.startswith('_')})"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": "src"},
    )
    assert ran.returncode == 0, ran.stderr
    assert {one for one in ran.stdout.split() if one not in sys.stdlib_module_names} <= {
        "gossamer",
        "sitecustomize",
    }


def test_a_program_asks_what_a_browser_may_ask(server: RunningServer, start: str) -> None:
    client = make_client(server)
    assert {"cards", "site", "versions", "events"} <= set(client.status()["features"])
    assert client.card(f"{start}haydn")["title"] == "Joseph Haydn"
    assert [one["known"] for one in client.cards([start, "http://unknown.example/"])] == [True, False]
    assert client.marks(start, [f"{start}haydn"]) == [["known"]]
    assert start in [one["url"] for one in client.backlinks(f"{start}haydn")["items"]]
    assert len(client.site(f"{start}symphony/2")["sequence"]) == 14
    assert client.versions(f"{start}haydn")["visits"] == 1
    assert client.related(f"{start}haydn")["items"]
    with pytest.raises(ReadingError, match="is not the address of a page") as refused:
        client.card("nothing")
    assert refused.value.status == 400
    with pytest.raises(ReadingError, match="not paired"):
        make_client(server, "wrong").status()
    with pytest.raises(ReadingError, match="start it with `gossamer serve`"):
        ReadingClient("http://127.0.0.1:9/").status()
    with pytest.raises(ReadingError, match="is not the address of a server"):
        ReadingClient("localhost")


def test_a_program_is_paired_by_a_person(server: RunningServer) -> None:
    def agree(code: str, page: str) -> None:
        origin = f"http://{server.host}:{server.port}"
        with closing(server.connect()) as connection:
            connection.request("GET", page.removeprefix(origin))
            text = connection.getresponse().read().decode()
            assert code in text
            (key, *_) = re.findall(r'name="form_key" value="(\w+)"', text)
            connection.request(
                "POST", "/pair", urlencode({"form_key": key, "code": code}), {"Origin": origin}
            )
            assert connection.getresponse().status == 200

    client = make_client(server, "")
    token = client.pair("a program", agree)
    assert token
    assert client.status()["pages"] > 20


def listen(client: ReadingClient) -> "Queue[object]":
    """Put the events of a client into a queue, and what ends them."""
    heard: Queue[object] = Queue()

    def run() -> None:
        try:
            for event in client.events():
                heard.put(event)
        except ReadingError as error:
            heard.put(error)

    threading.Thread(target=run, daemon=True).start()
    return heard


def wait_until_heard(client: ReadingClient, heard: "Queue[object]", start: str) -> None:
    """Ask for cards until the listener hears of one: then it is connected."""

    def is_heard() -> bool:
        client.card(start)
        return not heard.empty()

    wait_until(is_heard)
    time.sleep(0.5)
    while not heard.empty():
        heard.get()


def test_events_of_cards_visits_and_pages_of_topics(server: RunningServer, own: Path, start: str) -> None:
    client = make_client(server)
    heard = listen(make_client(server))
    wait_until_heard(client, heard, start)
    client.card(f"{start}haydn")
    event = heard.get(timeout=60)
    assert isinstance(event, dict)
    assert (event["event"], event["url"], event["title"]) == ("card", f"{start}haydn", "Joseph Haydn")
    read = {"visits": [{"url": "https://read.example/a#b", "title": "Read", "opened_s": 1_790_000_000.0}]}
    assert server.ask("POST", "visits", read) == (200, {"kept": 1})
    assert heard.get(timeout=60) == {
        "event": "visit", "url": "https://read.example/a", "title": "Read", "when_s": 1_790_000_000.0, "topics": [],
    }  # fmt: skip
    time.sleep(2.5)  # by then the server knows which visit was the last
    with Web(own) as web:
        pages = [page for page in web.store.pages() if page.kind == "html"][:2]
        relevant = msgspec.structs.replace(pages[0], marks={"music": "0.9", "sport": "0.1"})
        visits = [web.store.visits(page.id)[-1] for page in pages]
        web.store.commit(Batch(pages=[relevant, pages[1]], visits=visits))
    event = heard.get(timeout=60)
    assert isinstance(event, dict)
    assert (event["event"], event["url"], event["topics"]) == ("page", pages[0].url, ["music"])
    assert heard.empty()


def test_a_revoked_pairing_hears_no_more(server: RunningServer, start: str, tmp_path: Path) -> None:
    browsers = PairedBrowsers(tmp_path / "config" / FILE_NAME)
    pairing, secret = browsers.begin("another")
    browsers.agree(pairing.code, "")
    collected = browsers.collect(pairing.code, secret)
    assert collected is not None
    client, heard = make_client(server), listen(make_client(server, collected.token))
    wait_until_heard(client, heard, start)
    browsers.revoke(next(one.number for one in browsers.list_browsers() if one.name == "another"))
    client.card(start)
    ended = heard.get(timeout=60)
    assert isinstance(ended, ReadingError)
    assert ended.status == 401


def test_a_websocket_client_of_another_program_hears_the_same_events(server: RunningServer) -> None:
    tools = REPOSITORY / ".venv" / "extension-tools" / "node_modules" / "undici"
    if shutil.which("node") is None or not tools.is_dir():
        pytest.skip("there is no other WebSocket client: make extension-tools")
    address = f"ws://{server.host}:{server.port}/api/navigate/socket"
    command = ["node", "-e", SOCKET, str(tools), address, server.token]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listening:
        assert listening.stdout is not None
        assert listening.stdout.readline() == "open\n"
        make_client(server).card("http://unknown.example/")
        event = json.loads(listening.stdout.readline())
        assert (event["event"], event["url"]) == ("card", "http://unknown.example/")
        assert listening.wait(60) == 0
    refused = [*command[:-1], "wrong"]
    found = subprocess.run(refused, capture_output=True, text=True, check=False, timeout=60)
    assert (found.stdout, found.returncode) == ("refused\n", 1)
