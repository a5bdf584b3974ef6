"""`gossamer watch` as people run it: over real HTTP, with its list, files, command and webhook."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.crawl.harness import HTML, Toy

from gossamer.cli.main import run_verb
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving

pytestmark = pytest.mark.slow
HOST = "127.9.3.1"
LONG = (
    "This paragraph says many things about the shop and its people, so that it counts as text that is read. "
)
OPEN = "The shop is open from {} to 18 on all working days, and closed on Sundays and on all holidays of the year."
EVIL = "`touch OWNED`; $(touch OWNED) &lt;script&gt;alert(1)&lt;/script&gt; &#27;[31m red"
ATOM = "{http://www.w3.org/2005/Atom}"


def parse_own(feed: str | bytes) -> ElementTree.Element:
    return ElementTree.fromstring(feed)  # noqa: S314 - written by this very program


class Shop:
    """A served page whose text can be changed, and the program that watches it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.text = OPEN.format(9)
        self.folder = folder
        self._capsys = capsys
        self.web = folder / "shop.web"
        self.toy = Toy({HOST: {"/": self._answer, "/robots.txt": LabAnswer(404)}})
        self.url = ""

    def _answer(self) -> LabAnswer:
        body = f"<title>Shop</title><h1>Shop</h1><p>{self.text}</p><p>{LONG * 3}</p>"
        return LabAnswer(200, HTML, body.encode())

    def watch(self, *arguments: str, code: int = 0) -> str:
        """Run the verb; return its output, or its errors if it fails."""
        self._capsys.readouterr()
        found = run_verb(["watch", *arguments, "--web", str(self.web)])
        said = self._capsys.readouterr()
        assert found == code, said
        return said.out if not code else said.err

    def tell(self, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
        """Check and return what is told, without the line at the end."""
        self._capsys.readouterr()
        assert run_verb(["watch", *arguments, "--web", str(self.web), "--json"]) == code
        *changes, end = map(json.loads, self._capsys.readouterr().out.splitlines())
        assert end["changes"] == len(changes)
        return changes


@pytest.fixture
def shop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shop]:
    monkeypatch.chdir(tmp_path)
    shop = Shop(tmp_path, capsys)
    with serving(shop.toy) as running:
        shop.url = f"http://{HOST}:{running.port}/"
        shop.tell(shop.url, "--allow-private", "127.0.0.0/8", "--delay", "0.01")
        yield shop


def test_a_change_is_told_in_json_and_in_the_terminal(shop: Shop) -> None:
    assert shop.tell(shop.url) == []
    shop.text = f"{OPEN.format(10)} {EVIL}"
    [change] = shop.tell(shop.url)
    assert (change["change"], change["url"], change["title"]) == ("changed", shop.url, "Shop")
    [block] = change["blocks"]
    gone = "".join(span["text"] for span in block["words"] if span["kind"] == "gone")
    assert gone.strip() == "9"
    shop.text = OPEN.format(9)
    shown = shop.watch(shop.url)
    assert "{+9+}" in shown
    assert "<script>" in shown
    assert "\x1b" not in shown


def test_the_list_is_durable_and_keeps_each_page_once(shop: Shop) -> None:
    shop.tell(shop.url, "--every", "2h", "--once")
    [entry] = map(json.loads, shop.watch("list", "--json").splitlines())
    assert (entry["url"], entry["every_s"], entry["status"]) == (shop.url, 7200.0, "there")
    shop.tell(shop.url, "--heading", "shop")
    assert len(shop.watch("list", "--json").splitlines()) == 2
    assert shop.tell() == []  # nothing is due
    shop.watch("remove", shop.url, "--heading", "shop")
    assert len(shop.watch("list", "--json").splitlines()) == 1
    shop.watch("remove", shop.url)
    assert "No page is watched" in shop.watch("list")
    assert "watches no page" in shop.watch(code=2)


def test_feed_and_page_hold_the_changes_and_no_markup_of_the_page(shop: Shop) -> None:
    shop.text = f"Changed. {EVIL}"
    shop.tell(shop.url, "--feed", "new.atom", "--html", "new.html")
    feed = (shop.folder / "new.atom").read_text("utf-8")
    root = parse_own(feed)
    [entry] = root.findall(f"{ATOM}entry")
    for name in ("id", "title", "updated", "link", "content"):
        assert entry.find(f"{ATOM}{name}") is not None, name
    content = entry.findtext(f"{ATOM}content") or ""
    assert "<ins>" in content
    assert "<script>" not in content
    shop.tell(shop.url, "--feed", "again.atom")
    again = parse_own((shop.folder / "again.atom").read_text("utf-8"))
    assert [one.text for one in again.iter(f"{ATOM}id")] == [one.text for one in root.iter(f"{ATOM}id")]
    page = (shop.folder / "new.html").read_text("utf-8")
    assert "&lt;script&gt;" in page
    assert "<script>" not in page


def test_a_command_reads_the_change_and_no_shell_does(shop: Shop) -> None:
    script = shop.folder / "tell.py"
    script.write_text("import sys; open('told.json', 'ab').write(sys.stdin.buffer.read())")
    command = f"{sys.executable} {script}"
    shop.text = EVIL
    shop.tell(shop.url, "--notify", command)
    told = json.loads((shop.folder / "told.json").read_text())
    assert told["url"] == shop.url
    assert not (shop.folder / "OWNED").exists()
    shop.tell(shop.url, "--notify", command)
    assert len((shop.folder / "told.json").read_text().splitlines()) == 1


def test_a_command_that_fails_is_told_again_at_the_next_check(shop: Shop) -> None:
    shop.text = "The shop is closed for ever."
    assert len(shop.tell(shop.url, "--notify", "false", code=1)) == 1
    assert shop.tell(shop.url, "--notify", f'{sys.executable} -c \'open("told", "w")\'') == []
    assert (shop.folder / "told").exists()


@contextmanager
def receive_posts(statuses: list[int]) -> Iterator[tuple[str, list[bytes]]]:
    """Serve an address that answers posts with these statuses, then with 200."""
    received: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(statuses.pop(0) if statuses else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.9.3.2", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.9.3.2:{server.server_port}/hook", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_webhook_receives_the_change_after_a_failure(shop: Shop) -> None:
    shop.text = "The shop is closed for ever."
    with receive_posts([503]) as (address, received):
        shop.tell(shop.url, "--webhook", address)
        assert [json.loads(body)["change"] for body in received] == ["changed", "changed"]
        assert shop.tell(shop.url, "--webhook", address) == []
        assert len(received) == 2


def test_bad_input_gets_a_sentence_and_changes_nothing(shop: Shop) -> None:
    before = shop.watch("list", "--json")
    for arguments, said in (
        (("--every", "soon"), "is not a time between checks"),
        (("--select", "p["), "is not a CSS selector"),
        (("--select", "p", "--heading", "x"), "not both"),
        (("--webhook", "ftp://x"), "is not an address to post to"),
        (("--notify", "'"), "is not a command"),
        (("--feed", "no/such/folder/a.atom"), "there is no folder"),
        (("remove",), "give the URLs"),
        (("remove", "http://elsewhere.example/"), "is not watched"),
        (("list", "x"), "takes no URL"),
        (("mailto:me",), "is not a page"),
    ):
        assert said in shop.watch(*arguments, code=2), arguments
    assert shop.watch("list", "--json") == before
