"""A folder is served as a host, and nothing outside it."""

import os
from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.lab.recordings.serve_folder import Folders
from gossamer.lab.server.answer import LabAnswer, LabRequest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "Site.example"
    (root / "sub folder").mkdir(parents=True)
    (root / "index.html").write_text("front")
    (root / "sub folder" / "index.htm").write_text("below")
    (root / "no index").mkdir()
    (root / "style.css").write_text("a {}")
    (root / "data.csv.gz").write_bytes(b"\x1f\x8b")
    (root / "strange.zzz").write_bytes(b"?")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "Site.example.secret").mkdir()
    (tmp_path / "Site.example.secret" / "index.html").write_text("secret")
    (root / "out").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "ring").symlink_to(root / "ring")
    (root / "alias.html").symlink_to(root / "index.html")
    return root


def ask(root: Path, target: str, method: str = "GET", **headers: str) -> LabAnswer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Folders([root]).answer(LabRequest(method, "site.example", target, named), 0.0)


@pytest.mark.parametrize(
    ("target", "body", "content_type"),
    [
        ("/", b"front", "text/html"),
        ("/?query=../x", b"front", "text/html"),
        ("/index.html", b"front", "text/html"),
        ("/alias.html", b"front", "text/html"),
        ("/sub%20folder/", b"below", "text/html"),
        ("/sub%20folder/../style.css", b"a {}", "text/css"),
        ("//style.css", b"a {}", "text/css"),
        ("/data.csv.gz", b"\x1f\x8b", "application/gzip"),
        ("/strange.zzz", b"?", "application/octet-stream"),
    ],
)
def test_files_are_served_with_their_type(root: Path, target: str, body: bytes, content_type: str) -> None:
    answer = ask(root, target)
    assert (answer.status, answer.body) == (200, body)
    assert dict(answer.headers)["Content-Type"] == content_type


@pytest.mark.parametrize(
    "target",
    [
        "/missing",
        "/no%20index/",
        "/style.css/",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/sub%20folder/../../secret.txt",
        "/../Site.example.secret/",
        "/%2e%2e%2fSite.example.secret/index.html",
        "//../secret.txt",
        "/out",
        "/up/secret.txt",
        "/up/Site.example.secret/",
        "/ring",
        "/%00",
        "/index.html%00.txt",
        "/" + "a" * 5000,
        "/%ff%fe",
        "*",
        "/\udc80",
    ],
)
def test_nothing_else_is_served(root: Path, target: str) -> None:
    answer = ask(root, target)
    assert answer.status in (301, 404)
    assert b"secret" not in answer.body


def test_an_index_page_that_links_outside_is_not_served(root: Path, tmp_path: Path) -> None:
    (root / "no index" / "index.html").symlink_to(tmp_path / "secret.txt")
    assert ask(root, "/no%20index/").status == 404


def test_a_pipe_does_not_block(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert ask(root, "/pipe").status == 404


@pytest.mark.parametrize(
    ("target", "location"),
    [
        ("/sub%20folder", "/sub%20folder/"),
        ("/sub%20folder?a=b", "/sub%20folder/?a=b"),
        ("//sub%20folder", "/sub%20folder/"),
    ],
)
def test_a_folder_without_final_slash_is_redirected(root: Path, target: str, location: str) -> None:
    answer = ask(root, target)
    assert answer.status == 301
    assert dict(answer.headers)["Location"] == location


def test_conditional_requests(root: Path) -> None:
    os.utime(root / "index.html", (1_000_000_000.5, 1_000_000_000.5))
    fresh = dict(ask(root, "/").headers)
    tag, changed = fresh["ETag"], fresh["Last-Modified"]
    assert changed == "Sun, 09 Sep 2001 01:46:40 GMT"
    assert ask(root, "/", if_none_match=f'"other", W/{tag}').status == 304
    assert ask(root, "/", if_none_match="*").status == 304
    assert ask(root, "/", if_modified_since=changed).status == 304
    assert ask(root, "/", if_modified_since="Sun, 09 Sep 2001 01:46:39 GMT").status == 200
    assert ask(root, "/", if_modified_since="yesterday").status == 200
    assert ask(root, "/", if_none_match='"other"', if_modified_since=changed).status == 200
    assert ask(root, "/", if_none_match=tag).body == b""


def test_other_methods_and_unknown_hosts_get_an_error(root: Path) -> None:
    assert ask(root, "/", method="POST").status == 405
    assert Folders([root]).answer(LabRequest("GET", "other.example", "/"), 0.0).status == 404


def test_each_folder_has_a_name_and_an_address(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "same").mkdir(parents=True)
    folders = Folders([tmp_path / "a" / "same", tmp_path / "b" / "same"]).with_port(8000)
    assert folders.host_map() == {"same": "127.0.0.1", "same-2": "127.0.0.2"}
    assert folders.seeds() == ["http://127.0.0.1:8000/", "http://127.0.0.2:8000/"]


def test_wrong_folders_are_errors(root: Path) -> None:
    for wrong in ([], [root / "missing"], [root / "index.html"]):
        with pytest.raises(BadInput):
            Folders(wrong)
