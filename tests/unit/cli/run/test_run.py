"""`gossamer run --check` and `--list`, and what is said about wrong use."""

import json
from pathlib import Path

import pytest
from tests.unit.schedule.schedules import NOW_S, make_entry, make_schedule

from gossamer.cli.main import run_verb
from gossamer.schedule.journal.journal import Journal
from gossamer.schedule.journal.journal_records import News, NewsItem
from gossamer.schedule.keep_schedule import Ending, Keeper
from gossamer.schedule.read_state import locate_folder

HOUR_S = 3_600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A schedule with a journal: a run that is done, one that failed, and missed ones."""
    schedule = make_schedule(
        tmp_path,
        make_entry("ok"),
        make_entry("bad", 'missed = "skip"', web="other"),
        make_entry("map", 'sitemap = "https://a.example/sitemap.xml"', when="when a sitemap changes"),
        head='feed = "news.atom"',
    )
    path = tmp_path / "schedule.toml"
    locate_folder(path).mkdir()
    journal = Journal(locate_folder(path), create=True)
    keeper = Keeper(journal, schedule)
    keeper.open(NOW_S)
    for run in keeper.look(NOW_S + HOUR_S - NOW_S % HOUR_S, 0.0):
        news = News("x", (NewsItem("a", "A \x1b[31m"),))
        why = "the \x1b[31mweb is gone"
        ending = Ending(0, NOW_S, news=news) if run.entry == "ok" else Ending(2, NOW_S, why=why)
        keeper.end(run, ending, NOW_S + HOUR_S)
    again = Keeper(journal, schedule)
    again.open(NOW_S + 10.5 * HOUR_S)
    again.look(NOW_S + 10.5 * HOUR_S, 0.0)
    journal.close()
    return path


def test_check_says_when_each_entry_is_due_next(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["run", str(path), "--check"]) == 0
    said = capsys.readouterr().out
    assert "ok  index of site, every hour" in said
    assert said.count("next: ") == 3
    assert "next: when https://a.example/sitemap.xml changes" in said
    assert run_verb(["run", str(path), "--check", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["entry"] for one in found] == ["ok", "bad", "map"]
    assert [len(one["next"]) for one in found] == [3, 3, 0]


def test_list_shows_runs_and_why_others_did_not_happen(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["run", str(path), "--list"]) == 0
    said = capsys.readouterr().out
    assert "No runner works on this schedule since 2026-03-20 20:16 UTC." in said
    assert "ok  done, ended" in said
    assert "bad  failed, ended" in said
    assert "the [31mweb is gone" in said
    assert "\x1b" not in said
    assert "the runner was not running from" in said
    assert "one run makes up for them" in said
    assert run_verb(["run", str(path), "--list", "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["counts"]) for one in state["entries"][:2]] == [
        ("ok", {"done": 1, "running": 1, "missed": 9}),
        ("bad", {"failed": 1, "missed": 10}),
    ]
    assert {one["entry"]: one["times"] for one in state["missed"]} in (
        {"ok": 9, "bad": 1},
        {"ok": 9, "bad": 9},
    )


def test_a_schedule_without_a_journal_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_schedule(tmp_path)
    assert run_verb(["run", str(tmp_path / "schedule.toml"), "--list"]) == 0
    assert "No runner has worked on this schedule yet." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.toml"], "cannot read the schedule none.toml: No such file or directory"),
        (["{path}", "--now", "none"], "the schedule has no entry 'none'; its entries are ok, bad, map"),
        (["{path}", "--check", "--list"], "--check, --list, --once and --now exclude each other"),
    ],
)
def test_wrong_use_gets_a_sentence(
    arguments: list[str], sentence: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["run", *(word.replace("{path}", str(path)) for word in arguments)]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_a_verb_that_this_version_does_not_have_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from gossamer.cli.run.run import check_verbs
    from gossamer.errors import BadInput

    schedule = make_schedule(tmp_path, make_entry(do="backup"))
    with pytest.raises(BadInput, match="runs `gossamer backup`, which this version does not have"):
        check_verbs(schedule, {"index"})
    check_verbs(schedule, {"backup"})


def test_a_wish_waits_in_the_journal(path: Path) -> None:
    assert run_verb(["run", str(path), "--now", "ok"]) == 0
    journal = Journal(locate_folder(path))
    assert [(entry, asked_by) for _, entry, asked_by in journal.list_wishes()] == [("ok", "the command line")]
    journal.close()
