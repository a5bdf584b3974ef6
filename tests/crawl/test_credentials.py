"""Passwords reach the origin that they were given for and nothing else: no other server, no file of the web, no output."""

import gzip
import io
import shutil
import threading
import time
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
from tests.crawl.harness import LOOPBACK, check_archive
from tests.wait_until import wait_until

from gossamer.cli.main import run_verb
from gossamer.config import from_options
from gossamer.crawl.recrawl.revisit_plan import DuePage
from gossamer.crawl.recrawl.revisit_rounds import schedule_visits
from gossamer.crawl.task.task import Task
from gossamer.errors import BadInput
from gossamer.fetch.credential_file import FILE_NAME
from gossamer.store.batch import Batch, TaskNote
from gossamer.web import Web

FIRST, SECOND, OTHER = "S3cret-first", "S3cret-second", "S3cret-proxy"
QUICK = ("--allow-private", "127.0.0.0/8", "--delay", "0", "--adaptive", "0")


def encode(pair: str) -> str:
    return b64encode(pair.encode()).decode()


class Host:
    """A server that records which Authorization came with which target; all its pages have the same text."""

    def __init__(self, address: str, page: str = "<a href='/next'>next</a>") -> None:
        self.seen: list[tuple[str, str]] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host.seen.append((self.path, self.headers.get("Authorization", "")))
                body = page.format(len(host.seen)).encode() if self.path != "/robots.txt" else b""
                self.send_response(200)
                for name, value in (
                    ("Content-Type", "text/html"),
                    ("Content-Length", str(len(body))),
                    ("Set-Cookie", f"id=S3cret-cookie{len(host.seen)}; Path=/"),
                ):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer((address, 0), Handler)
        self.origin = f"http://{address}:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator["Host"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def passwords(self) -> set[str]:
        return {authorization for _, authorization in self.seen}


@pytest.fixture
def hosts() -> Iterator[tuple[Host, Host]]:
    """The host that the password is for, and another one."""
    with ExitStack() as stack:
        yield (
            stack.enter_context(Host("127.0.9.5").serving()),
            stack.enter_context(Host("127.0.9.8").serving()),
        )


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("GOSSAMER_CONFIG", str(folder))
    return folder


def read_everything(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder, packed ones as they are and unpacked."""
    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        data = found[str(path)] = path.read_bytes()
        if path.suffix == ".gz":
            found[f"{path}!"] = gzip.decompress(data)
        elif path.suffix == ".parquet":
            found[f"{path}!"] = str(pyarrow.parquet.read_table(path).to_pylist()).encode()
        elif path.suffix == ".wacz":
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                for name in packed.namelist():
                    inner = packed.read(name)
                    found[f"{path}!{name}"] = gzip.decompress(inner) if name.endswith(".gz") else inner
    return found


def find_secrets(folder: Path, *secrets: str) -> list[str]:
    """Return the names of files that hold one of these secrets."""
    wanted = [secret.encode() for secret in secrets]
    return [name for name, data in read_everything(folder).items() if any(one in data for one in wanted)]


@pytest.mark.slow
def test_a_password_leaves_no_trace_in_the_web_its_exports_and_the_output(
    hosts: tuple[Host, Host], config: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    host, other = hosts
    place = tmp_path / "place"
    place.mkdir()
    web = str(place / "a.web")
    begin = (f"{host.origin}/", "--auth", f"alice:{FIRST}", "--cookies", "--index", *QUICK, "--json")
    assert run_verb(["crawl", *begin, "--web", web]) == 0
    assert run_verb(["change", "1", "--auth", f"alice:{SECOND}", "--pages", "9", "--web", web, "--json"]) == 0
    assert run_verb(["submit", f"{host.origin}/more", f"{other.origin}/steal", "--web", web]) == 0
    assert run_verb(["resume", "1", "--web", web, "--json"]) == 0
    assert run_verb(["tasks", "--web", web, "--json"]) == 0
    assert run_verb(["explain", f"{host.origin}/next", "--web", web]) == 0
    for form, name in (("warc", "a.warc.gz"), ("wacz", "a.wacz"), ("parquet", "tables"), ("csv", "csv")):
        assert run_verb(["export", form, str(place / name), "--web", web]) == 0
    assert run_verb(["crawl", f"http://mallory:{OTHER}@127.0.9.5:x/", "--web", web]) == 2

    assert host.seen[0] == ("/robots.txt", f"Basic {encode(f'alice:{FIRST}')}")
    assert ("/more", f"Basic {encode(f'alice:{SECOND}')}") in host.seen
    assert ("/steal", "") in other.seen
    assert other.passwords() == {""}, "a submitted page gets no password"
    secrets = [FIRST, SECOND, OTHER, encode(f"alice:{FIRST}"), encode(f"alice:{SECOND}"), "S3cret-cookie"]
    assert find_secrets(place, *secrets) == []
    output = "".join(capfd.readouterr())
    assert not [secret for secret in secrets if secret in output]
    assert "alice@" in output, "the login itself is no secret"
    assert find_secrets(config, FIRST) == []
    assert find_secrets(config, SECOND) == [str(config / FILE_NAME)]
    assert (config.stat().st_mode & 0o777, (config / FILE_NAME).stat().st_mode & 0o777) == (0o700, 0o600)
    check_archive(Path(web))


@pytest.mark.slow
def test_a_web_that_was_copied_asks_for_the_password(
    hosts: tuple[Host, Host],
    config: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host, _ = hosts
    begin = (f"{host.origin}/", "--auth", f"alice:{FIRST}", "--pages", "1", *QUICK, "--json")
    assert run_verb(["crawl", *begin, "--web", str(tmp_path / "a.web")]) == 0
    shutil.copytree(tmp_path / "a.web", tmp_path / "b.web")
    asked = ("resume", "1", "--web", str(tmp_path / "b.web"), "--json")
    capfd.readouterr()
    assert run_verb(list(asked)) == 2
    assert f"the password of alice at {host.origin} is not known here" in capfd.readouterr().err
    monkeypatch.setenv("GOSSAMER_AUTH", "mallory:x")
    assert run_verb(list(asked)) == 2
    monkeypatch.setenv("GOSSAMER_AUTH", f"alice:{SECOND}")
    assert run_verb(["change", "1", "--pages", "3", "--web", str(tmp_path / "b.web")]) == 0
    assert run_verb(list(asked)) == 0
    assert host.seen[-1][1] == f"Basic {encode(f'alice:{SECOND}')}"
    assert find_secrets(tmp_path / "b.web", SECOND) == []
    assert find_secrets(config, SECOND) == [], "what comes from the environment is not kept"


@pytest.mark.slow
def test_each_process_of_a_crawl_sends_the_password_and_its_change(
    hosts: tuple[Host, Host], config: Path, tmp_path: Path
) -> None:
    host, other = hosts
    seeds = [f"{host.origin}/".replace("://", f"://alice:{FIRST}@"), f"{other.origin}/"]
    options: dict[str, Any] = {"delay_s": 0.0, "adaptive": 0.0, "allow_private": LOOPBACK}
    with Web(tmp_path / "a.web") as web:
        task = Task(seeds=seeds, auth=f"bob:{SECOND}", **options)
        web.run([task], processes=2)
        assert FIRST not in repr(task.credentials)
    assert host.passwords() == {f"Basic {encode(f'alice:{FIRST}')}"}
    assert other.passwords() == {f"Basic {encode(f'bob:{SECOND}')}"}
    assert find_secrets(tmp_path / "a.web", FIRST, SECOND) == []
    with Web(tmp_path / "b.web") as web:
        web.run([task])  # the same task in another web
    assert len(host.seen) == 6
    assert host.passwords() == {f"Basic {encode(f'alice:{FIRST}')}"}


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_running_crawl_takes_a_changed_password(config: Path, tmp_path: Path, processes: int) -> None:
    folder = tmp_path / "a.web"
    with Host("127.0.9.6", "<a href='/{}'>on and on</a>").serving() as host, Web(folder) as web:
        options: dict[str, Any] = {
            "delay_s": 0.01,
            "adaptive": 0.0,
            "allow_private": LOOPBACK,
            "traps": False,
        }
        crawl = web.start(
            Task(seeds=[f"{host.origin}/"], auth=f"alice:{FIRST}", **options), processes=processes
        )
        try:
            wait_until(lambda: len(host.seen) > 5)
            assert run_verb(["change", "1", "--auth", f"alice:{SECOND}", "--web", str(folder)]) == 0
            wait_until(lambda: host.seen[-1][1] == f"Basic {encode(f'alice:{SECOND}')}")
        finally:
            crawl.stop()
            crawl.wait()
    assert host.passwords() == {f"Basic {encode(f'alice:{pw}')}" for pw in (FIRST, SECOND)}
    assert find_secrets(folder, FIRST, SECOND) == []
    assert find_secrets(config, FIRST) == []


@pytest.mark.usefixtures("config")
def test_revisits_log_in_where_the_crawl_did(hosts: tuple[Host, Host], tmp_path: Path) -> None:
    host, other = hosts
    options: dict[str, Any] = {"delay_s": 0.0, "adaptive": 0.0, "allow_private": LOOPBACK, "scope": "page"}
    with Web(tmp_path / "a.web") as web:
        seeds = [f"{other.origin}/", f"{host.origin}/".replace("://", f"://alice:{FIRST}@")]
        web.run([Task(seeds=seeds, **options)])
        due = [DuePage(page.id, 1.0, 0.1, 1.0, 0.5, 1.0, False, 0) for page in web.store.pages()]
        before = len(host.seen), len(other.seen)
        web.run(again=schedule_visits(web.store, due, time.time()))
    assert [sent for _, sent in host.seen[before[0] :]] == [f"Basic {encode(f'alice:{FIRST}')}"]
    assert [sent for _, sent in other.seen[before[1] :]] == [""]


def test_the_password_of_an_older_web_is_moved_out_of_it(config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old.web"
    seeds = ["https://a.example/", "https://evil.example/submitted"]
    spec = from_options(seeds=seeds, auth=f"alice:{FIRST}", proxy=f"http://bob:{OTHER}@127.0.0.1:3128")
    with Web(folder) as web:
        for pages in range(40):  # former versions of a row stay in the free space of the file
            old = msgspec.json.encode(
                msgspec.structs.replace(spec, weight=1.0 + pages, seeds=(*seeds, "x" * pages))
            )
            web.store.commit(Batch(tasks=[TaskNote(1, "old", old), TaskNote(2, "recrawl", old)]))
        stored = msgspec.json.encode(spec)
        again = msgspec.json.encode(from_options(seeds=seeds[1:], auth=f"alice:{FIRST}"))
        web.store.commit(Batch(tasks=[TaskNote(1, "old", stored), TaskNote(2, "recrawl", again)]))
    order = {"order": "change", "task": 1, "told": {"auth": f"alice:{SECOND}", "pages": 5}}
    (folder / "control").write_bytes(msgspec.json.encode(order) + b"\n")
    assert find_secrets(folder, FIRST, SECOND, OTHER) != []
    with Web(folder, create=False) as web:
        first, second = (msgspec.json.decode(note.spec)["fetching"] for note in web.tasks())
        assert first["auth"] == second["auth"] == "https://alice@a.example", "not the submitted page"
        assert first["proxy"] == "http://bob@127.0.0.1:3128"
        assert find_secrets(folder, FIRST, SECOND, OTHER) == []
    assert find_secrets(folder, FIRST, SECOND, OTHER) == []
    assert b'"auth":"https://alice@a.example"' in (folder / "control").read_bytes()
    kept = msgspec.json.decode((config / FILE_NAME).read_bytes())
    assert kept == {
        str(folder.resolve()): [
            {"origin": "http://127.0.0.1:3128", "user": "bob", "password": OTHER},
            {"origin": "https://a.example", "user": "alice", "password": SECOND},
        ]
    }


@pytest.mark.usefixtures("config")
@pytest.mark.parametrize(
    ("options", "auth"),
    [
        ({"seeds": ["https://a.example/"], "auth": ":"}, ":"),
        ({"auth": f"alice:{FIRST}"}, ""),
        ({"seeds": ["https://a.example/"], "auth": f"{FIRST}:"}, "https://a.example"),
    ],
)
def test_odd_tasks_of_older_webs_can_be_opened(tmp_path: Path, options: dict[str, Any], auth: str) -> None:
    folder = tmp_path / "old.web"
    with Web(folder) as web:
        web.store.commit(Batch(tasks=[TaskNote(1, "old", msgspec.json.encode(from_options(**options)))]))
    with Web(folder, create=False) as web:
        assert msgspec.json.decode(web.tasks()[0].spec)["fetching"]["auth"] == auth
    assert find_secrets(folder, FIRST) == []


def test_an_older_web_keeps_its_password_if_it_cannot_be_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "old.web"
    spec = from_options(seeds=["https://a.example/"], auth=f"alice:{FIRST}")
    with Web(folder) as web:
        web.store.commit(Batch(tasks=[TaskNote(1, "old", msgspec.json.encode(spec))]))
    (tmp_path / "file").touch()
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "file" / "config"))
    assert run_verb(["tasks", "--web", str(folder), "--json"]) == 0
    assert FIRST not in capsys.readouterr().out
    assert find_secrets(folder, FIRST) != []
    with Web(folder) as web, pytest.raises(BadInput, match="GOSSAMER_CONFIG"):
        web.run(again=web.tasks())
