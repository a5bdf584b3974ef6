"""`gossamer mirror`: a folder that holds a site, updates what has changed, and harms nothing else."""

import json
import os
import subprocess
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from tests.crawl.harness import HTML, Toy, make_command, make_link_page, make_quick_task, run

from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import LabServer, serving

pytestmark = pytest.mark.slow

HOST, OTHER = "127.0.0.81", "127.0.0.82"
CSS = (("Content-Type", "text/css"),)
IMAGE = LabAnswer(200, (("Content-Type", "image/png"),), b"\x89PNG\r\n\x1a\n" + bytes(40))
ROBOTS = LabAnswer(404)
changes: dict[str, LabAnswer] = {}
served: list[LabServer] = []


def answer(target: str, usual: LabAnswer) -> Any:
    return lambda: changes.get(target, usual)


def make_page(text: str, *links: str) -> LabAnswer:
    other = f"http://{OTHER}:{served[-1].port}"
    body = f"""<!doctype html><title>{text}</title><base href="/"><link rel=stylesheet href={other}/s.css?v=1>
    <p>{text}<img src="{other}/moved.png" alt=x>{"".join(f'<a href="{link}">{link}</a> ' for link in links)}
    <a href="{other}/far.html#there">far</a>"""
    return LabAnswer(200, HTML, body.encode())


@pytest.fixture
def lab() -> Iterator[LabServer]:
    changes.clear()
    links = (
        "docs/",
        "docs/a",
        "docs/a?x=1",
        "docs/A",
        "old",
        "docs/%2e%2e%2f%2e%2e%2fetc",
        "docs/con.html",
        "gone#x",
    )
    pages: dict[str, Any] = {
        "/": answer("/", LabAnswer(301, (("Location", "/home"),))),
        "/home": lambda: changes.get("/home") or make_page("home", *links),
        "/old": LabAnswer(302, (("Location", "/docs/a"),)),
    }
    for target in ("/docs/", "/docs/a", "/docs/a?x=1", "/docs/A", "/docs/..%2F..%2Fetc", "/docs/con.html"):
        pages[target] = lambda target=target: changes.get(target) or make_page(target, "home#top")
    other = {
        "/s.css?v=1": LabAnswer(200, CSS, b"p { background: url(deep.png) }"),
        "/moved.png": LabAnswer(302, (("Location", "/there"),)),
        "/there": IMAGE,
        "/deep.png": IMAGE,
    }
    world = Toy({HOST: {"/robots.txt": ROBOTS, **pages}, OTHER: {"/robots.txt": ROBOTS, **other}})
    with serving(world) as running:
        served.append(running)
        yield running


def mirror(lab: LabServer, folder: Path, *more: str, path: str = "/", web: bool = False) -> Any:
    options = ["--delay", "0.01", "--adaptive", "0", "--allow-private", "127.0.0.0/8", "--back-off", "0.01"]
    command = make_command(
        "mirror", f"http://{HOST}:{lab.port}{path}", str(folder), *more, *([] if web else options), "--json"
    )
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return ran.returncode, next((line for line in lines if "mirror" in line), {}), ran.stderr


def read_files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".gossamer" not in path.parts
    }


class Addresses(HTMLParser):
    """Collects the addresses of a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value and tag != "base"]


def check_addresses(folder: Path, files: dict[str, bytes], outside: set[str]) -> None:
    """Check that every address leads to a file of the mirror, or is one of those that lead outside."""
    for name, content in files.items():
        for address in Addresses(content).found if name.endswith(".html") else []:
            if address.startswith("http"):
                assert address in outside, f"{name}: {address}"
            else:
                target = (folder / name).parent / unquote(address.partition("#")[0])
                assert target.resolve().is_relative_to(folder.resolve()), f"{name}: {address}"
                assert address[0] == "#" or target.is_file(), f"{name}: {address}"


def test_a_mirror_holds_the_site_and_updates_what_has_changed(lab: LabServer, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    code, first, _ = mirror(lab, folder)
    files = read_files(folder)
    assert (code, first["complete"], first["written"]) == (0, True, len(files))
    host, other = f"{HOST}+{lab.port}", f"{OTHER}+{lab.port}"
    assert f"{host}/home.html" in files
    assert f"{other}/there.png" in files
    assert len([name for name in files if name.startswith(f"{host}/docs/")]) == 6
    home = f"http://{HOST}:{lab.port}/"
    outside = {f"http://{OTHER}:{lab.port}/far.html#there", f"{home}gone#x", home}
    check_addresses(folder, files, outside)
    assert b'href="#top"' not in files[f"{host}/docs/a.html"]
    assert b'"../home.html#top"' in files[f"{host}/docs/a.html"]
    assert f"href=../{other}/s@".encode() in files[f"{host}/home.html"]

    stamps = {name: (folder / name).stat().st_mtime_ns for name in files}
    code, again, _ = mirror(lab, folder, "--delete")
    assert (code, again["written"], again["removed"], again["unchanged"]) == (0, 0, 0, len(files))
    assert {name: (folder / name).stat().st_mtime_ns for name in files} == stamps

    changes["/docs/con.html"] = make_page("changed", "home")
    changes["/docs/a?x=1"] = LabAnswer(404)
    changes["/docs/A"] = LabAnswer(500)
    (folder / host / "mine.txt").write_text("the user's own")
    code, third, _ = mirror(lab, folder, "--delete", "--tries", "1")
    assert (code, third["removed"]) == (0, 1)
    after = read_files(folder)
    assert after.pop(f"{host}/mine.txt") == b"the user's own"
    [removed] = files.keys() - after.keys()
    assert removed.startswith(f"{host}/docs/a@")
    # The page itself, and the start page, whose link leads to the site again.
    assert third["written"] == 2
    check_addresses(folder, after, outside | {f"{home}docs/a?x=1"})


class Tagged(Toy):
    """A world whose pages have tags, and that answers 304 to requests with these."""

    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        found = super().answer(asked, now_s)
        tag = f'"{zlib.crc32(found.body)}"'
        if found.status != 200:
            return found
        if asked.headers.get("if-none-match") == tag:
            return LabAnswer(304, (("ETag", tag),))
        return msgspec.structs.replace(found, headers=(*found.headers, ("ETag", tag)))


def test_a_second_run_fetches_only_what_has_changed(tmp_path: Path) -> None:
    text = ["one"]
    pages: dict[str, Any] = {
        "/": make_link_page("/a", "/b"),
        "/a": lambda: LabAnswer(200, HTML, f"<img src=i.png>{text[0]}<a href=/b>b</a>".encode()),
        "/b": make_link_page("/c"),
        "/c": make_link_page("/a"),
        "/i.png": IMAGE,
        "/robots.txt": ROBOTS,
    }
    with serving(Tagged({HOST: pages})) as lab:
        _, first, _ = mirror(lab, tmp_path / "copy", "--pages", "4")
        before = read_files(tmp_path / "copy")
        text[0] = "two"
        asked = len(lab.log.entries())
        code, second, _ = mirror(lab, tmp_path / "copy", "--pages", "4", "--delete")
        statuses = {entry.target: entry.status for entry in lab.log.entries()[asked:]}
    expected = {"/": 304, "/a": 200, "/b": 304, "/c": 304, "/i.png": 304}
    assert {target: status for target, status in statuses.items() if target != "/robots.txt"} == expected
    assert (code, first["written"], second["written"], second["removed"]) == (0, 6, 1, 0)
    after = read_files(tmp_path / "copy")
    [changed] = [name for name in after if after[name] != before[name]]
    assert b"two" in after[changed]


def test_without_delete_files_of_gone_pages_stay(lab: LabServer, tmp_path: Path) -> None:
    mirror(lab, tmp_path / "copy")
    before = read_files(tmp_path / "copy")
    changes["/docs/a?x=1"] = LabAnswer(404)
    code, second, _ = mirror(lab, tmp_path / "copy")
    assert (code, second["written"], second["removed"]) == (0, 0, 0)
    assert read_files(tmp_path / "copy") == before


def test_a_server_that_is_away_removes_nothing(lab: LabServer, tmp_path: Path) -> None:
    mirror(lab, tmp_path / "copy")
    before = read_files(tmp_path / "copy")
    changes["/"] = LabAnswer(503)
    code, _, error = mirror(lab, tmp_path / "copy", "--delete", "--tries", "1")
    assert code == 1
    assert "could not fetch any page" in error
    assert read_files(tmp_path / "copy") == before


def test_a_mirror_that_is_begun_in_vain_leaves_nothing(lab: LabServer, tmp_path: Path) -> None:
    changes["/"] = LabAnswer(503)
    code, _, error = mirror(lab, tmp_path / "new" / "copy", "--tries", "1")
    assert (code, error.count("\n")) == (1, 1)
    assert "could not fetch any page" in error
    (tmp_path / "empty").mkdir()
    mirror(lab, tmp_path / "empty", "--tries", "1")
    code, _, error = mirror(lab, tmp_path / "refused", "--include", "(")
    assert (code, error.count("\n")) == (2, 1)
    assert list(tmp_path.rglob("*")) == [tmp_path / "empty"]


def test_a_web_is_mirrored_without_the_network(lab: LabServer, tmp_path: Path) -> None:
    home = f"http://{HOST}:{lab.port}/"
    run(tmp_path / "web", make_quick_task(lab, seeds=[home], scope="host", requisites=True))
    mirror(lab, tmp_path / "first")
    asked = len(lab.log.entries())
    code, counts, _ = mirror(lab, tmp_path / "second", "--web", str(tmp_path / "web"), web=True)
    assert len(lab.log.entries()) == asked
    assert (code, counts["complete"]) == (0, True)
    assert read_files(tmp_path / "second") == read_files(tmp_path / "first")
    _, again, _ = mirror(lab, tmp_path / "second", "--web", str(tmp_path / "web"), web=True)
    assert (again["written"], again["unchanged"]) == (0, counts["files"])
    part = ["--web", str(tmp_path / "web"), "--scope", "directory"]
    code, counts, _ = mirror(lab, tmp_path / "third", *part, path="/docs/", web=True)
    names = read_files(tmp_path / "third").keys()
    assert f"{HOST}+{lab.port}/home.html" not in names
    assert f"{OTHER}+{lab.port}/there.png" in names


def test_a_killed_mirror_continues(lab: LabServer, tmp_path: Path) -> None:
    options = ["--delay", "0.4", "--adaptive", "0", "--allow-private", "127.0.0.0/8", "--json"]
    command = make_command("mirror", f"http://{HOST}:{lab.port}/", str(tmp_path / "copy"), *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if b"/home" in line:
                break
        running.kill()
    code, second, _ = mirror(lab, tmp_path / "copy")
    assert (code, second["complete"]) == (0, True)
    mirror(lab, tmp_path / "whole")
    assert read_files(tmp_path / "copy") == read_files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (
            lambda folder: (folder.mkdir(), (folder / "letter.txt").write_text("mine")),
            "not empty and is no mirror",
        ),
        (lambda folder: folder.write_text("a file"), "not a folder"),
        (lambda folder: folder.symlink_to("nowhere"), "not a folder"),
    ],
)
def test_other_folders_are_refused_and_not_changed(
    lab: LabServer, prepare: Any, why: str, tmp_path: Path
) -> None:
    prepare(tmp_path / "copy")
    before = sorted(tmp_path.rglob("*"))
    code, _, error = mirror(lab, tmp_path / "copy")
    assert code == 2
    assert why in error
    assert error.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_mirror_of_another_site_and_a_damaged_one_are_refused(lab: LabServer, tmp_path: Path) -> None:
    mirror(lab, tmp_path / "copy")
    before = read_files(tmp_path / "copy")
    code, _, error = mirror(lab, tmp_path / "copy", path="/docs/")
    assert (code, "is a mirror of" in error) == (2, True)
    (tmp_path / "copy/.gossamer/mirror.json").write_text("{")
    code, _, error = mirror(lab, tmp_path / "copy")
    assert (code, "is damaged" in error) == (2, True)
    assert read_files(tmp_path / "copy") == before


def test_a_planted_link_leads_nowhere(lab: LabServer, tmp_path: Path) -> None:
    folder, outside = tmp_path / "copy", tmp_path / "outside"
    outside.mkdir()
    mirror(lab, folder, "--depth", "0")
    (folder / f"{HOST}+{lab.port}" / "docs").symlink_to(outside)
    code, _, error = mirror(lab, folder)
    assert code == 2
    assert "symbolic link" in error
    assert list(outside.iterdir()) == []
