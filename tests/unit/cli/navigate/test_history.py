"""`gossamer history`: find, export, import and forget."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.cli.main import run_verb
from gossamer.lab.server.serve_world import LabServer
from gossamer.navigate.history.history_folder import find_history_file
from gossamer.navigate.history.history_records import ReadVisit
from gossamer.navigate.history.keep_visits import keep_visits
from gossamer.ui.access.change_users import add_user
from gossamer.web import Web

APRIL = datetime(2026, 4, 10, 12, 30).timestamp()
VISIT = ReadVisit("https://optics.example/", APRIL, "Optical libraries", "Lenses of Jena.", seconds=75.0)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CONFIG", str(tmp_path / "config"))
    keep_visits(find_history_file(), [VISIT])
    return tmp_path / "config"


def test_what_was_read_is_found_exported_forgotten_and_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["history", "search", "lens", "jena", "--since", "2026-04"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 page\n1. Optical libraries\n")
    assert "2026-04-10 12:30, 75 s" in shown
    file = tmp_path / "history.jsonl"
    assert run_verb(["history", "export", str(file)]) == 0
    assert (json.loads(file.read_text())["url"], file.stat().st_mode & 0o777) == (VISIT.url, 0o600)
    assert run_verb(["history", "forget", "--site", "optics.example", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"forgotten": 1}
    assert run_verb(["history", "search", "--json"]) == 0
    assert capsys.readouterr().out == ""
    assert run_verb(["history", "import", str(file)]) == 0
    assert capsys.readouterr().out == "1 visit was read.\n"
    assert run_verb(["history", "search", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == VISIT.title


def test_what_was_read_can_be_collected_around(
    lab: LabServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The addresses of a day are start pages of a crawl; what is read often is visited again first."""
    front = lab.seeds[0]
    keep_visits(find_history_file(), [ReadVisit(front, time.time(), "Front")])
    assert run_verb(["history", "addresses", "--since", "today"]) == 0
    seeds = tmp_path / "read.txt"
    seeds.write_text(capsys.readouterr().out)
    assert seeds.read_text() == f"{front}\n"
    web = ["--web", str(tmp_path / "read.web")]
    start = ["crawl", "--seed-files", str(seeds), "--scope", "any", "--depth", "0", "--quiet"]
    assert run_verb([*start, "--allow-private", "127.0.0.0/8", *web]) == 0
    with Web(tmp_path / "read.web") as opened:
        assert [page.url for page in opened.store.pages()] == [front]
    capsys.readouterr()
    assert run_verb(["recrawl", "--plan", "--history", "--json", *web]) == 0
    assert run_verb(["history", "addresses", "--since", "2020", "--until", "2021"]) == 2
    assert "nothing that you have read matches this" in capsys.readouterr().err


def test_a_user_of_the_server_has_another_history(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_user(config / "users.toml", "anna", "reader", datetime(2026, 5, 31, tzinfo=UTC))
    assert run_verb(["history", "search", "--user", "anna", "--json"]) == 0
    assert capsys.readouterr().out == ""
    assert run_verb(["history", "search", "--user", "ana"]) == 2
    assert "did you mean 'anna'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["forget"], "say what to forget"),
        (["forget", "--day", "tomorrow"], "is not a day"),
        (["search", "--until", "soon"], "is not a time"),
        (["import", "/nowhere/history.jsonl"], "cannot be read"),
        (["export", "/nowhere/history.jsonl"], "cannot be written"),
    ],
)
def test_wrong_use_is_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["history", *arguments]) == 2
    assert sentence in capsys.readouterr().err
