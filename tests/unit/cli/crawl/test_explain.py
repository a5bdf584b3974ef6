"""`explain` gives the true reason for every kind of URL, whether a crawl found it or not."""

import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gossamer.cli import main
from gossamer.crawl.explain.explain_url import Explanation, InTask, explain
from gossamer.crawl.task.task import Task
from gossamer.records import Link
from gossamer.web import Web

pytestmark = pytest.mark.slow  # ten crawls, one after the other

FILLER = "the quick brown fox jumps over the lazy dog near the river bank while seven wise owls look on " * 3


def page(*links: str, text: str = "", head: str = "") -> tuple[int, dict[str, str], bytes]:
    body = (
        f"<html><head><title>{text or 'page'}</title>{head}</head><body>{text}{''.join(links)}</body></html>"
    )
    return 200, {"Content-Type": "text/html"}, body.encode()


def a(path: str, text: str = "", rel: str = "") -> str:
    return f'<a href="{path}" rel="{rel}">{text or path}</a> '


def moved(path: str) -> tuple[int, dict[str, str], bytes]:
    return 302, {"Location": path}, b""


SITE: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /closed/\n"),
    "/": page(
        a("/plain", "a plain page"),
        a("/closed/page"),
        a("http://127.0.0.2:PORT/other"),
        a("/skipped/page"),
        a("/unwanted.html"),
        a("/secret", rel="nofollow"),
        a("/one"),
        a("/moved"),
        a("/chain0"),
        a("/gone"),
        a("/flaky"),
        a("/broken"),
        a("/again/again/again/again/again"),
        a("/quiet"),
        a("/same"),
        a("/image.png"),
        a("/nowhere"),
        text="start",
    ),
    "/plain": page(text="plain " + FILLER),
    "/same": page(text="plain " + FILLER),
    "/closed/page": page(text="closed"),
    "/skipped/page": page(text="skipped"),
    "/unwanted.html": page(text="unwanted"),
    "/secret": page(text="secret"),
    "/one": page(a("/two"), text="one"),
    "/two": page(a("/three"), text="two"),
    "/moved": moved("/target"),
    "/target": page(text="target"),
    "/broken": (500, {}, b"no"),
    "/quiet": page(a("/hush"), text="quiet", head='<meta name="robots" content="nofollow">'),
    "/image.png": (200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n" + b"x" * 50),
    "/nowhere": moved("http://[broken"),
    "/calendar": page(*(a(f"/day?n={n}") for n in range(40)), text="calendar"),
    "/diary": page(a("/day?n=777"), text="diary"),
    "/flaky": page(text="flaky"),
    "/hub": page(*(a(f"/leaf{n}") for n in "abcdefgh"), text="hub"),
    "/outward": page(a("http://127.0.0.1:CLOSED/x"), a("http://127.0.0.1:CLOSED/y"), text="outward"),
    **{f"/chain{n}": moved(f"/chain{n + 1}") for n in range(12)},
    **{f"/leaf{n}": page(text=f"leaf {n}") for n in "abcdefgh"},
}


class Server(BaseHTTPRequestHandler):
    """Answers from the table; flaky pages fail the first time."""

    asked: Counter[str]
    closed_port: int

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        if self.path.startswith("/day"):
            found = page(a("/day?n=" + "9" * self.asked.total()), text="a day like any other " + FILLER)
        elif self.path == "/flaky" and self.asked[self.path] == 1:
            found = 503, {"Retry-After": "0"}, b""
        else:
            found = SITE.get(self.path, (404, {}, b"not here"))
        status, headers, body = found
        port = str(self.server.server_port).encode()  # type: ignore[attr-defined]
        body = body.replace(b"PORT", port).replace(b"CLOSED", str(self.closed_port).encode())
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def site(closed_port: int) -> Iterator[str]:
    Server.asked, Server.closed_port = Counter(), closed_port
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def task(name: str, site: str, *paths: str, **options: Any) -> Task:
    usual: dict[str, Any] = {
        "allow_private": ["127.0.0.1"],
        "delay_s": 0.0,
        "adaptive": 0.0,
        "back_off_s": 0.05,
        "scope": "host",
        "name": name,
    }
    return Task(seeds=[site + path for path in paths], **usual | options)


@pytest.fixture(scope="module")
def folder(site: str, closed_port: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web with every kind of decision, made by eleven tasks in turn."""
    main_task = task("main", site, "/", depth=2, exclude=["/skipped/"], tries=2)

    @main_task.link_filter
    def no_unwanted(link: Link) -> bool:
        return "unwanted" not in link.url

    tasks = [
        task("unheard", f"http://127.0.0.1:{closed_port}", "/z", tries=1),
        main_task,
        task("pictures", site, "/image.png", kinds=["html"]),
        task("calendar", site, "/calendar"),
        task("diary", site, "/diary"),
        task("few", site, "/hub", pages=2),
        task("budget", site, "/hub", per_host=3),
        task("seen", site, "/plain", "/same", "/one", content_seen=True),
        task("outward", site, "/outward", scope="any", robots=False, tries=9, back_off_s=0.001),
        task("closed", site, "/plain", allow_private=[]),
        task("cached", site, "/plain", max_age_s=3600.0),
    ]
    path = tmp_path_factory.mktemp("explained") / "web"
    with Web(path) as web:
        for one in tasks:
            web.run([one])
    return path


@pytest.fixture(scope="module")
def web(folder: Path) -> Iterator[Web]:
    with Web(folder, create=False) as opened:
        yield opened


def explain_url(web: Web, url: str) -> Explanation:
    return explain(web.store, url)


def explain_in_task(web: Web, name: str, url: str) -> InTask:
    return next(one for one in explain_url(web, url).tasks if one.task == name)


KINDS = [
    # task, path, verdict, rule, detail
    ("main", "/", "fetched", "", ""),
    ("main", "/plain", "fetched", "", ""),
    ("main", "/closed/page", "refused", "robots", ""),
    ("main", "OTHER/other", "not followed", "scope", "the scope is host"),
    ("main", "/skipped/page", "not followed", "exclude", "/skipped/"),
    ("main", "/unwanted.html", "not followed", "no_unwanted", ""),
    ("main", "/secret", "not followed", "nofollow", ""),
    ("main", "/three", "not followed", "depth", "depth 3; the limit is 2"),
    ("main", "/moved", "redirected", "", "/target"),
    ("main", "/target", "fetched", "", ""),
    ("main", "/chain8", "redirected", "", "/chain9"),
    ("main", "/chain9", "not followed", "redirects", "8 in a row"),
    ("main", "/gone", "failed", "status", "404"),
    ("main", "/flaky", "fetched", "", ""),
    ("main", "/broken", "failed", "status", "500"),
    ("main", "/again/again/again/again/again", "not followed", "trap", "path segment repeats"),
    ("main", "/hush", "not followed", "nofollow page", "/quiet"),
    ("main", "/same", "fetched", "", ""),
    ("main", "/nowhere", "redirected", "", "http://[broken"),
    ("main", "/unknown", "not found", "", "its rules would follow it"),
    ("main", "OTHER/unknown", "not found", "scope", "its rules would refuse it: scope"),
    ("pictures", "/image.png", "not kept", "kinds", "the task keeps only html"),
    ("diary", "/day?n=777", "not followed", "trap", "near copies under one pattern"),
    ("few", "/leafh", "waiting", "", "limit reached: 2 pages"),
    ("budget", "/leafh", "given up", "per_host", "requests given up"),
    ("outward", "CLOSED/y", "given up", "dead host", "requests given up"),
    ("closed", "/plain", "refused", "private address", ""),
    ("cached", "/plain", "cache hit", "", ""),
    ("unheard", "CLOSED/z", "refused", "connect", "Connection refused"),
]


@pytest.mark.parametrize(("name", "path", "verdict", "rule", "detail"), KINDS)
def test_the_true_reason_is_given(
    web: Web, site: str, closed_port: int, name: str, path: str, verdict: str, rule: str, detail: str
) -> None:
    elsewhere = {
        "OTHER": site.replace("127.0.0.1", "127.0.0.2"),
        "CLOSED": f"http://127.0.0.1:{closed_port}",
    }
    start, slash, rest = path.partition("/")
    found = explain_in_task(web, name, elsewhere.get(start, site) + slash + rest)
    assert (found.verdict, found.rule) == (verdict, rule)
    assert detail in found.detail


def test_a_trap_is_the_reason_for_all_its_urls(web: Web, site: str) -> None:
    refused = [explain_in_task(web, "calendar", f"{site}/day?n={n}") for n in range(40)]
    kinds = Counter((one.verdict, one.rule) for one in refused)
    assert kinds.keys() == {("fetched", ""), ("refused", "trap")}
    found = [link for one in refused for link in one.found_on]
    assert {link.url for link in found} == {f"{site}/calendar"}


def test_links_to_the_page_are_listed_with_their_texts(web: Web, site: str) -> None:
    [link] = explain_in_task(web, "main", f"{site}/plain").found_on
    assert (link.url, link.type, link.text, link.nofollow, link.depth) == (
        f"{site}/",
        "a",
        "a plain page",
        False,
        1,
    )
    [link] = explain_in_task(web, "main", f"{site}/secret").found_on
    assert link.nofollow
    [link] = explain_in_task(web, "main", f"{site}/target").found_on
    assert (link.url, link.type, link.depth) == (f"{site}/moved", "redirect", 1)
    assert explain_url(web, f"{site}/target").redirected_from == [f"{site}/moved"]


def test_each_try_is_listed(web: Web, site: str) -> None:
    flaky = explain_in_task(web, "main", f"{site}/flaky")
    assert [(visit.result, visit.status) for visit in flaky.visits] == [("failed", 503), ("fetched", 200)]
    assert explain_in_task(web, "main", f"{site}/broken").tries == 2


def test_a_waiting_page_has_a_place_in_the_queue(web: Web, site: str) -> None:
    waiting = explain_in_task(web, "few", f"{site}/leafh").waiting
    assert waiting is not None
    assert (waiting.priority, waiting.place) == (-1.0, 7)


def test_copies_are_named(web: Web, site: str) -> None:
    first, second = f"{site}/plain", f"{site}/same"
    assert {explain_url(web, first).same_as, explain_url(web, second).same_as} & {first, second}


def test_links_of_a_copy_have_the_rule_content_seen(web: Web, site: str) -> None:
    decisions = [explain_in_task(web, "seen", f"{site}{path}").decisions for path in ("/plain", "/same")]
    assert [decision.rule for each in decisions for decision in each] == ["content seen"]


def test_the_verdict_of_robots_txt_is_given(web: Web, site: str) -> None:
    assert explain_in_task(web, "main", f"{site}/closed/page").robots_allow is False
    assert explain_in_task(web, "main", f"{site}/plain").robots_allow is True


def test_start_pages_are_marked(web: Web, site: str) -> None:
    assert explain_in_task(web, "main", f"{site}/").start_page
    assert not explain_in_task(web, "main", f"{site}/plain").start_page
    assert explain_url(web, f"{site.upper()}/#top").url == f"{site}/"


# Output on the terminal


def run_explain(capsys: pytest.CaptureFixture[str], folder: Path, url: str) -> str:
    assert main.run_verb(["explain", url, "--web", str(folder)]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("path", "sentences"),
    [
        ("/plain", ["It was fetched and kept.", "Found on", "'a plain page'", "robots.txt allows it"]),
        ("/closed/page", ["It was not requested: robots.txt forbids it.", "robots.txt forbids it."]),
        ("/skipped/page", ["It is not followed: an exclude pattern matches it."]),
        ("/unwanted.html", ["It is not followed: by 'no_unwanted'."]),
        ("/moved", ["It redirects to /target"]),
        ("/gone", ["It could not be fetched: the server answered 404."]),
        ("/leafh", ["It is waiting to be fetched.", "Priority -1, place 7 at its host", "given up"]),
        ("/unknown", ["This web does not know this URL.", "This task did not find it."]),
    ],
)
def test_the_terminal_shows_sentences(
    folder: Path, site: str, path: str, sentences: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run_explain(capsys, folder, site + path)
    for sentence in sentences:
        assert sentence in shown


def test_a_refused_connection_is_not_told_as_robots_txt(
    folder: Path, closed_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run_explain(capsys, folder, f"http://127.0.0.1:{closed_port}/z")
    assert "It was not requested: its host refuses connections or cannot be reached." in shown
    assert "Detail: Connection refused" in shown
    assert "robots.txt" not in shown


def test_json_is_one_object(folder: Path, site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run_verb(["explain", f"{site}/plain", "--web", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["page"]["url"] == f"{site}/plain"
    assert {one["task"] for one in found["tasks"]} >= {"main", "few", "budget"}
