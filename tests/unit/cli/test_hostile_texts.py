"""Every verb shows titles, link texts, URLs and marks of a hostile site on a terminal, and none of them steers it."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.unit.cli.terminals import on_terminal

from gossamer.crawl.read_page import Reading
from gossamer.crawl.task.task import Task
from gossamer.web import Web

pytestmark = pytest.mark.slow  # each verb starts the program

# Ends a style that was never opened, opens a link, sets the title of the window, clears the screen in both forms, reverses.
EVIL = "[/] [link=http://evil.example]x[/link] \x1b]0;owned\x07 \x1b]8;;http://evil.example\x1b\\ \x1b[2J \x9b2J \u202eback"
SENTENCE = f"The old river {EVIL} runs slowly through the green valley and past the quiet village."
PAGE = f"""<html lang="en"><head><meta charset="utf-8"><title>{EVIL} river</title></head><body><h1>{EVIL}</h1>
<p>{SENTENCE}</p><p>{SENTENCE.replace("river", "canal")} Few people swim there in winter because it is cold.</p>
<a href="/two">{EVIL}</a> <a href="/[link=x]\x1b]0;y\x07">{EVIL}</a></body></html>"""
# What our own output may contain: colours, and the cursor of progress bars.
ALLOWED = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\x1b\[1A|\x1b\[2K")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"" if self.path == "/robots.txt" else PAGE.replace("river", f"river {self.path}").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def folder(site: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    task = Task(seeds=[f"{site}/"], pages=5, delay_s=0.0, allow_private=["127.0.0.0/8"], name="evil")

    @task.page_classifier
    def mark(reading: Reading) -> dict[str, str]:
        return {"mark": reading.page.title}

    path = tmp_path_factory.mktemp("hostile") / "[web]"
    with Web(path) as web:
        web.run([task])
        web.index()
    return path


@pytest.mark.parametrize(
    ("verb", "shown"),
    [
        ("explain SITE/", "[/] [link=http://evil.example]x[/link]"),
        ("explain SITE/two", "[/] [link=http://evil.example]x[/link]"),
        ("explain SITE/ --json", "\\u009b2J"),
        ("search river", "[/] [link=http://evil.example]x[/link]"),
        ("search river --json", "\\u009b2J"),
        ("search [/]river", "page"),
        ("graph pagerank", "[/] [link=http://evil.example"),
        ("graph communities", "evil"),
        ("graph pagerank --json", "\\u009b2J"),
        ("language detect", "English"),
        ("tasks", "evil"),
        ("status", "evil"),
        ("export corpus", "The old river"),
        ("export corpus --json", "The old river"),
    ],
)
def test_nothing_on_a_page_steers_the_terminal(folder: Path, site: str, verb: str, shown: str) -> None:
    arguments = [part.replace("SITE", site) for part in verb.split()]
    with on_terminal(*arguments, "--web", folder, columns=400) as terminal:
        code = terminal.end()
        raw = terminal.raw
    assert code == 0, raw
    assert shown in ALLOWED.sub("", raw)
    left = ALLOWED.sub("", raw)
    assert not re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", left), left
