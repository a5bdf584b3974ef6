"""A password that cannot be moved out of an older web is still sent only where it was certainly given for."""

from pathlib import Path

import msgspec
import pytest

from gossamer.config import from_options
from gossamer.run_tasks import resolve_task, take_passwords
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.web import Web

SEEDS = ["https://a.example/", "http://submitted.example/"]


def test_a_password_that_stays_in_an_older_web_belongs_to_one_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr(SqliteStore, "rewrite_specs", lambda *_: None)  # as if another process held the file
    crawl, revisits = (
        msgspec.json.encode(from_options(seeds=seeds, auth="alice:S3cret")) for seeds in (SEEDS, SEEDS[1:])
    )
    with Web(tmp_path / "old.web") as web:
        web.store.commit(Batch(tasks=[TaskNote(1, "crawl", crawl), TaskNote(2, "recrawl", revisits)]))
    with Web(tmp_path / "old.web", create=False) as web:
        assert [note.spec for note in web.tasks()] == [crawl, revisits]
        for note in web.tasks():
            _, task = resolve_task(web, note)
            take_passwords(web, task, new=False)
            assert task.spec.fetching.auth == "https://alice@a.example"
            assert {str(one.login): one.secret for one in task.credentials} == {
                "alice at https://a.example": "S3cret"
            }
