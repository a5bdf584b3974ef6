"""Search indexes of each version are searched, or built anew from the web."""

import tarfile
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="tantivy is not installed (extra search)")

from gossamer.cli.main import run_verb
from gossamer.errors import BadInput, NoIndex
from gossamer.search.index.search_index import FORMAT
from gossamer.store.sqlite.schema import VERSION
from gossamer.store.sqlite.views import WRITTEN_BY
from gossamer.web import Web

INDEXES = sorted(Path(__file__).parent.glob("index-*.tar.xz"))


def unpack(path: Path, folder: Path) -> Path:
    with tarfile.open(path) as tar:
        tar.extractall(folder, filter="data")
    return folder


def test_there_is_an_index_of_this_format() -> None:
    assert f"index-{FORMAT}.tar.xz" in [path.name for path in INDEXES], "run tests/formats/make_index.py"


@pytest.mark.slow
@pytest.mark.parametrize("path", INDEXES, ids=lambda path: path.name)
def test_an_older_index_is_searched_or_built_anew(path: Path, tmp_path: Path) -> None:
    folder = unpack(path, tmp_path)
    with Web(folder) as web:
        try:
            found = web.search("kept page")
        except NoIndex:  # of another format, or made with other dictionaries
            web.index()
            found = web.search("kept page")
        assert [answer.title for answer in found.answers] == ["Kept"]


@pytest.mark.slow
def test_an_index_of_a_later_format_is_built_anew(tmp_path: Path) -> None:
    folder = unpack(INDEXES[-1], tmp_path)
    (folder / "index" / "format").write_text(f"{FORMAT + 1} later\n")
    with Web(folder) as web:
        with pytest.raises(NoIndex):
            web.search("kept page")
        web.index()
        assert len(web.search("kept page").answers) == 1


@pytest.mark.slow
def test_a_web_of_a_later_format_names_the_version_that_reads_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import sqlite3

    folder = unpack(INDEXES[-1], tmp_path)
    with Web(folder):
        pass
    with sqlite3.connect(folder / "state.sqlite") as db:
        db.execute(f"drop view {WRITTEN_BY}")
        db.execute(f"create view {WRITTEN_BY} as select '7.5' as program, {VERSION + 1} as format")
        db.execute(f"pragma user_version = {VERSION + 1}")
    with pytest.raises(
        BadInput, match=rf"in format {VERSION + 1} .* update Gossamer to version 7\.5 or later"
    ):
        Web(folder)
    assert run_verb(["search", "kept", "--web", str(folder)]) == 2
    assert "7.5" in capfd.readouterr().err
