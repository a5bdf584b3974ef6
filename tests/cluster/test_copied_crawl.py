"""A crawl that was stopped goes on in the copy of its web, and ends with the pages that it would have had."""

from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import crawl_truth, get_world, make_quick_task, run, serve_lab

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")
pytest.importorskip("tantivy", reason="tantivy is not installed (extra search)")

from gossamer.cli.main import run_verb
from gossamer.lab.world.world import World
from gossamer.search.answers.answer_records import Answers
from gossamer.store.opening.web_location import resolve_web
from gossamer.web import Web

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=4, pages=90)
NO_LIMIT = 1_000_000


def copy(source: str | Path, target: str | Path) -> None:
    assert run_verb(["export", "web", str(target), "--web", str(source)]) == 0


def test_a_crawl_goes_on_in_a_database_and_then_in_a_directory(
    postgres_web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    first, last, address = (
        tmp_path / "a.web",
        tmp_path / "b.web",
        f"{postgres_web}?archive={tmp_path / 'archive'}",
    )
    with serve_lab(WORLD) as lab:
        task = make_quick_task(lab, pages=20)
        run(first, task)
        copy(first, address)
        run(resolve_web(address), again=True, pages=45)
        copy(address, last)
        run(last, again=True, pages=NO_LIMIT)
        with Web(last) as web:
            found = [page.url for page in web.store.pages()]
            assert sorted(found) == sorted(
                crawl_truth(get_world(lab), list(task.spec.seeds), lambda *_: True)
            )
            [note] = web.tasks()
            assert (note.state, note.counts["downloaded"]) == ("finished", len(found))
    assert run_verb(["verify", "--web", str(last)]) == 0
    copy(last, again := tmp_path / "c.web")
    assert search(again) == search(last)


def search(folder: Path) -> Answers:
    with Web(folder) as web:
        web.index()
        answers = web.search("the")
        assert answers.total
        return msgspec.structs.replace(answers, took_s=0.0)
