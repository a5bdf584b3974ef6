"""A folder of saved pages and an FTP server are crawled like sites, and no page of the web reaches a file."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import HTML, LOOPBACK, Toy, make_link_page, read_pages, run
from warcio.archiveiterator import ArchiveIterator

from gossamer.cli.main import run_verb
from gossamer.crawl.task.task import Task
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    (folder / "more").mkdir(parents=True)
    (folder / "index.html").write_text(
        '<title>Start</title><a href="more/walrus.html">w</a><a href="/etc/passwd">p</a>'
    )
    (folder / "more" / "walrus.html").write_text("<title>Walrus</title>The walrus lives in the north.")
    (folder / "alone.html").write_text("<title>Alone</title>No page links here.")
    return folder


def test_a_folder_of_saved_pages_is_crawled_and_searched(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = tmp_path / "w"
    events = run(web, Task(seeds=[f"file://{saved}/"], allow_files=[str(saved)], delay_s=60.0))
    base = f"file://localhost{saved}/"
    titles = {url: page.title for url, page in read_pages(web).items() if url.endswith(".html")}
    assert titles == {
        f"{base}index.html": "Start",
        f"{base}alone.html": "Alone",
        f"{base}more/walrus.html": "Walrus",
    }
    counts = events.get_end().counts
    assert counts["refused:folder"] == 1, "/etc/passwd is outside"
    with next((web / "archive").glob("*.warc.gz")).open("rb") as file:
        records = [(one.rec_type, one.rec_headers["WARC-Target-URI"]) for one in ArchiveIterator(file)]
    assert ("resource", f"{base}alone.html") in records
    assert "response" not in {kind for kind, _ in records}
    with Web(web) as opened:
        opened.index()
        [hit] = opened.search("walrus").answers
    assert hit.url == f"{base}more/walrus.html"
    assert run_verb(["verify", "--web", str(web)]) == 0
    assert run_verb(["explain", "file:///etc/passwd", "--web", str(web)]) == 0
    assert "--allow-files" in capsys.readouterr().out


def test_a_second_crawl_asks_only_for_what_changed(saved: Path, tmp_path: Path) -> None:
    task: dict[str, Any] = {"seeds": [f"file://{saved}/"], "allow_files": [str(saved)]}
    run(tmp_path / "w", Task(**task))
    again = run(tmp_path / "w", Task(**task, max_age_s=3600.0, name="again"))
    assert again.get_end("again").counts["cache hits"] == 5


def test_no_page_of_the_web_reaches_a_file(saved: Path, tmp_path: Path) -> None:
    target = f"file://{saved}/alone.html"
    page = LabAnswer(
        200, HTML, f"<base href='file://{saved}/'><a href='{target}'>x</a><a href='alone.html'>y</a>".encode()
    )
    sitemap = LabAnswer(
        200,
        (("Content-Type", "application/xml"),),
        f"<urlset><url><loc>{target}</loc></url></urlset>".encode(),
    )
    world = Toy(
        {
            "127.0.0.1": {
                "/robots.txt": LabAnswer(302, (("Location", target),)),
                "/": page,
                "/moved": LabAnswer(302, (("Location", target),)),
                "/sitemap.xml": sitemap,
            }
        }
    )
    with serving(world) as lab:
        seeds = [lab.url(), lab.url(path="/moved"), lab.url(path="/sitemap.xml")]
        task = Task(seeds=seeds, scope="any", delay_s=0.0, allow_private=LOOPBACK, allow_files=[str(saved)])
        events = run(tmp_path / "w", task)
        assert lab.log is not None
    assert not [visit.url for visit in events.visits if visit.url.startswith("file:")]
    assert not [url for url in read_pages(tmp_path / "w") if url.startswith("file:")]


def test_files_need_a_named_folder(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web = ["--web", str(tmp_path / "w")]
    assert run_verb(["crawl", f"file://{saved}/", *web]) == 2
    assert "--allow-files" in capsys.readouterr().err
    assert run_verb(["crawl", f"file://{saved}/", "--allow-files", str(saved / "none"), *web]) == 2
    assert "is not a folder" in capsys.readouterr().err
    assert not (tmp_path / "w").exists()


@contextmanager
def serve_ftp(folder: Path, mlsd: bool = True) -> Iterator[int]:
    authorizers = pytest.importorskip("pyftpdlib.authorizers")
    handlers = pytest.importorskip("pyftpdlib.handlers")
    servers = pytest.importorskip("pyftpdlib.servers")
    authorizer = authorizers.DummyAuthorizer()
    authorizer.add_anonymous(str(folder))

    known = handlers.FTPHandler.proto_cmds
    commands = {name: facts for name, facts in known.items() if mlsd or name != "MLSD"}
    handler = type("Handler", (handlers.FTPHandler,), {"proto_cmds": commands, "authorizer": authorizer})
    server = servers.FTPServer(("127.0.0.1", 0), handler)
    ending = threading.Event()

    def serve() -> None:
        while not ending.is_set():
            server.serve_forever(timeout=0.1, blocking=False)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.socket.getsockname()[1]
    finally:
        ending.set()
        thread.join()
        server.close_all()


@pytest.mark.slow
@pytest.mark.parametrize("mlsd", [True, False], ids=["MLSD", "LIST"])
def test_an_ftp_server_is_crawled_by_its_listings(saved: Path, tmp_path: Path, mlsd: bool) -> None:
    (saved / "robots.txt").write_text("User-agent: *\nDisallow: /alone.html\n")
    with serve_ftp(saved, mlsd) as port:
        base = f"ftp://127.0.0.1:{port}/"
        task = Task(seeds=[base, f"{base}more", f"{base}none.html"], delay_s=0.01, allow_private=LOOPBACK)
        events = run(tmp_path / "w", task)
    pages = read_pages(tmp_path / "w")
    assert pages[f"{base}more/walrus.html"].title == "Walrus"
    assert f"{base}more/" in pages, "a folder without its slash redirects to it"
    results = {visit.url: (visit.result, visit.cause, visit.status) for visit in events.visits}
    assert results[f"{base}alone.html"][:2] == ("refused", "robots")
    assert results[f"{base}none.html"] == ("failed", "status", 404)


@pytest.mark.slow
def test_ftp_keeps_to_the_guard_and_is_followed_from_the_web_only_if_wanted(
    saved: Path, tmp_path: Path
) -> None:
    with serve_ftp(saved) as port:
        base = f"ftp://127.0.0.1:{port}/"
        events = run(tmp_path / "private", Task(seeds=[base], tries=1))
        assert [visit.cause for visit in events.visits] == ["private address"]
        world = Toy({"127.0.0.1": {"/robots.txt": LabAnswer(404), "/": make_link_page(f"{base}alone.html")}})
        with serving(world) as lab:
            for name, schemes, pages in (("web", [], 1), ("both", ["ftp"], 2)):
                task = Task(
                    seeds=[lab.url()], scope="any", delay_s=0.01, allow_private=LOOPBACK, schemes=schemes
                )
                run(tmp_path / name, task)
                assert len(read_pages(tmp_path / name)) == pages, name
