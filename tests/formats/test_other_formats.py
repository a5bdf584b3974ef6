"""Language models, back-ups and journals of each version are read; those of a later one are refused with a sentence that says so."""

import json
import shutil
import sqlite3
import tarfile
from pathlib import Path

import pytest
from tests.formats.make_others import WORDS

from gossamer.cli.main import run_verb
from gossamer.errors import BadInput
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.open_journal import VERSION as JOURNAL
from gossamer.store.backup.restore_web import list_backups, restore_web
from gossamer.store.backup.snapshot import FORMAT as BACKUP
from gossamer.text.language.model.model import VERSION as LANGUAGE
from gossamer.text.language.model.model import Model
from gossamer.text.topics import TopicModel
from gossamer.web import Web

HERE = Path(__file__).parent
BACKUPS = sorted(HERE.glob("backup-*.tar.xz"))


@pytest.mark.parametrize(
    "name", [f"language-{LANGUAGE}.bin", f"backup-{BACKUP}.tar.xz", f"journal-{JOURNAL}.db"]
)
def test_there_is_a_file_of_this_version(name: str) -> None:
    assert (HERE / name).exists(), "run tests/formats/make_others.py"


@pytest.mark.parametrize("path", sorted(HERE.glob("language-*.bin")), ids=lambda path: path.name)
def test_an_older_language_model_is_read(path: Path) -> None:
    model = Model.load(path)
    assert set(model.languages) == set(WORDS)
    assert model.select_languages(["de"]).count(1) == 1


@pytest.mark.parametrize("path", BACKUPS, ids=lambda path: path.name)
def test_an_older_back_up_is_restored(path: Path, tmp_path: Path) -> None:
    with tarfile.open(path) as tar:
        tar.extractall(tmp_path / "kept", filter="data")
    assert len(list_backups(tmp_path / "kept")) == 2
    restore_web(tmp_path / "kept", tmp_path / "web")
    with Web(tmp_path / "web") as web:
        assert [page.title for page in web.store.pages()] == ["Kept"]
    assert (tmp_path / "web" / "note").read_text() == "new"
    assert run_verb(["backup", str(tmp_path / "kept"), "--web", str(tmp_path / "web")]) == 0


@pytest.mark.parametrize("path", sorted(HERE.glob("journal-*.db")), ids=lambda path: path.name)
def test_an_older_journal_goes_on(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "journal.db")
    journal = Journal(tmp_path)
    assert [(run.entry, run.state, run.news) for run in journal.list_runs()] == [("weekly", "done", 3)]
    journal.add_run("weekly", 1_790_600_000.0)
    assert len(journal.list_runs()) == 2
    journal.close()


def test_a_later_version_is_named(tmp_path: Path) -> None:
    later = tmp_path / "later.bin"
    later.write_bytes(b"gossamer language model 9\n" + bytes(100))
    with pytest.raises(BadInput, match="another version of gossamer: train it again, or use that version"):
        Model.load(later)
    with pytest.raises(BadInput, match="a later version of gossamer"):
        TopicModel.load(b"gossamer topic model 9\n" + bytes(100), "later")
    with tarfile.open(BACKUPS[-1]) as tar:
        tar.extractall(tmp_path / "kept", filter="data")
    (tmp_path / "kept" / "gossamer-backup.json").write_text(json.dumps({"format": 9}))
    with pytest.raises(BadInput, match="in format 9 and this Gossamer reads format 1: update Gossamer"):
        restore_web(tmp_path / "kept", tmp_path / "web")
    assert not (tmp_path / "web").exists()
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("pragma user_version = 9")
    with pytest.raises(BadInput, match="in format 9 and this Gossamer reads format 1: update Gossamer"):
        Journal(tmp_path)
