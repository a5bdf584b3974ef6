"""The index and the models of a web in a database: every machine has the newest version, and one at a time writes."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("tantivy", reason="tantivy is not installed (extra search)")

from tests.cluster.database import wait_until

from gossamer.net.url import page_id
from gossamer.records import Exchange, Page
from gossamer.store.batch import Batch
from gossamer.store.derived_versions import shared_folder
from gossamer.store.derived_versions.keep_lease import WriterBusy
from gossamer.store.model_folder import keep_language_model, language_model
from gossamer.store.opening.open_archive import open_import_archive
from gossamer.store.opening.web_location import resolve_web
from gossamer.store.opening.web_versions import INDEX, MODELS, change_folder, find_folder
from gossamer.store.shared_archive.location import create_archive
from gossamer.text.language.model.model import Model
from gossamer.web import Web, open_web

_KILLED = """
import os, signal, sys
from pathlib import Path
from gossamer.store.opening.web_versions import INDEX, change_folder
with change_folder(Path(sys.argv[1]), INDEX) as folder:
    (folder / "half").write_text("half an index")
    os.kill(os.getpid(), signal.SIGKILL)
"""


class Machines:
    """Machines with homes of their own that use one web."""

    def __init__(self, address: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._address = f"{address}?archive={folder / 'archive'}"
        self._folder = folder
        self._patch = patch
        create_archive(str(folder / "archive"))

    def folder(self, machine: str) -> Path:
        """Return the working folder of the web on a machine."""
        self._patch.setenv("XDG_DATA_HOME", str(self._folder / machine))
        return resolve_web(self._address)

    def open(self, machine: str) -> Web:
        """Open the web on a machine."""
        return open_web(self.folder(machine))


@pytest.fixture
def machines(postgres_web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machines:
    monkeypatch.setattr(shared_folder, "POLL_S", 0.0)
    return Machines(postgres_web, tmp_path, monkeypatch)


def _add_page(web: Web, name: str) -> None:
    """Add a page whose title is its name."""
    host = f"{name}.example"
    payload = b"<title>%s</title><p>A page about something." % name.encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    exchange = Exchange(
        f"http://{host}/",
        200,
        b"",
        head,
        payload,
        payload,
        (("content-type", "text/html"),),
        "",
        1.0,
        0.1,
        0.1,
    )
    archive = open_import_archive(web.folder, {})
    place = archive.write(exchange, "")
    page = Page(
        page_id(exchange.url),
        exchange.url,
        host,
        1,
        0,
        1.0,
        200,
        "html",
        name,
        warc=place.warc,
        warc_offset=place.offset,
    )
    web.store.commit(Batch(pages=[page], archive_ends=archive.flush()))


def test_two_machines_answer_alike_and_notice_a_newer_index(machines: Machines) -> None:
    with machines.open("one") as one, machines.open("two") as two:
        _add_page(one, "alpha")
        one.index()
        found = one.search("alpha"), two.search("alpha")
        assert [[answer.url for answer in each.answers] for each in found] == [["http://alpha.example/"]] * 2
        _add_page(two, "omega5")
        two.index()
        wait_until(lambda: one.pages_indexed() == 2)
        assert [answer.url for answer in one.search("omega5").answers] == ["http://omega5.example/"]


def test_a_killed_indexer_leaves_the_older_version_in_use(machines: Machines) -> None:
    with machines.open("one") as one, machines.open("two") as two:
        _add_page(one, "alpha")
        one.index()
        killed = subprocess.run([sys.executable, "-c", _KILLED, str(machines.folder("one"))])
        assert killed.returncode == -9
        assert (machines.folder("one") / "index-work" / "half").exists()
        for web in (one, two):
            assert [answer.url for answer in web.search("alpha").answers] == ["http://alpha.example/"]
            assert not (web.index_folder / "half").exists()
        with pytest.raises(WriterBusy, match="is being written by another process"):
            two.index()


def test_an_error_publishes_nothing_and_gives_the_lease_back(machines: Machines) -> None:
    folder = machines.folder("one")
    with pytest.raises(FileNotFoundError), change_folder(folder, INDEX) as index:
        (index / "no such folder" / "half").write_text("half an index")
    assert not find_folder(folder, INDEX).exists()
    with change_folder(machines.folder("two"), INDEX) as index:
        (index / "whole").write_text("an index")
    wait_until(lambda: (find_folder(folder, INDEX) / "whole").exists())
    with change_folder(folder, INDEX) as index:
        assert sorted(path.name for path in index.iterdir()) == ["whole"], (
            "it goes on from what others published"
        )


def test_nothing_new_makes_no_version(machines: Machines) -> None:
    folder = machines.folder("one")
    for _ in range(2):
        with change_folder(folder, INDEX) as index:
            (index / "whole").write_text("an index")
    assert find_folder(folder, INDEX).name == "0000000001"


def test_models_reach_all_machines(machines: Machines) -> None:
    one, two = machines.folder("one"), machines.folder("two")
    assert language_model(two).languages == Model.load().languages
    keep_language_model(Model.load(), one)
    wait_until(lambda: (find_folder(two, MODELS) / "language.bin").exists())
    assert language_model(two).languages == language_model(one).languages
