"""`gossamer recrawl`: the plan, the visits, and what is said of wrong use."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gossamer.cli import main
from gossamer.crawl.recrawl.revisit_rounds import TASK, list_recrawl_tasks
from gossamer.store.batch import Batch
from gossamer.web import Web

Tells = Callable[..., str]


@pytest.fixture
def tells(capsys: pytest.CaptureFixture[str]) -> Tells:
    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["recrawl", *map(str, arguments)]) == code
        said = capsys.readouterr()
        assert (said.err.count("\n"), said.out) == (1, "") if code else said.err == ""
        return said.err or said.out

    return run


def let_days_pass(web: Path) -> None:
    """Let the pages of a web be fetched twelve days ago."""
    with Web(web, create=False) as opened:
        pages = opened.store.pages()
        older = [msgspec.structs.replace(page, fetched_s=page.fetched_s - 1e6) for page in pages]
        opened.store.commit(Batch(pages=older))


def test_the_plan_tells_what_budgets_keep_fresh_and_what_the_next_day_visits(
    crawled: Path, tells: Tells
) -> None:
    lines = [
        json.loads(line)
        for line in tells("--web", crawled, "--plan", "--json", "--budget", "100000").splitlines()
    ]
    kinds = [line["what"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("now", "visit")
    fresh = [line["fresh"] for line in lines if line["what"] == "budget"]
    assert fresh == sorted(fresh)
    assert all(line["url"].startswith("http://127.") for line in lines if line["what"] == "visit")
    said = tells("--web", crawled, "--plan", "--budget", "100,000 / day")
    assert "this budget" in said
    assert "likely to have changed" in said


@pytest.mark.slow
def test_the_plan_can_be_drawn(crawled: Path, tmp_path: Path, tells: Tells) -> None:
    assert "no visit yet" in tells("--web", crawled, "--plan", "--plot", tmp_path / "fresh.svg")
    drawn = (tmp_path / "fresh.svg").read_text("utf-8")
    assert "visits a day" in drawn
    assert "this budget" in drawn


def test_what_is_due_is_visited_and_the_budget_is_kept(
    web: Path, tells: Tells, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(web, create=False) as opened:
        url = next(iter(opened.store.pages())).url
        pages = opened.store.counts()["pages"]
    assert "Nothing is due" in tells("--web", web)
    let_days_pass(web)
    lines = tells("--web", web, "--budget", "1000/day", "--json").splitlines()
    [ended] = [event for event in map(json.loads, lines) if "counts" in event and event.get("task") == TASK]
    assert ended["counts"]["not modified"] == pages
    assert ended["counts"]["finished"] == pages
    assert main.run_verb(["explain", url, "--web", str(web)]) == 0
    told = capsys.readouterr().out
    assert "and pages of its host and kind do so every" in " ".join(told.split())
    assert "when 10 % of the web is visited a day: a visit is worth" in " ".join(told.split())
    # What was given out counts against a budget of as many.
    assert "spent" in tells("--web", web, "--budget", str(pages), "--least-gap", "0")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--budget", "many"), "is no budget"),
        (("--budget", "0"), "is no budget"),
        (("--budget", "5/week"), "is no budget"),
        (("--plot", "fresh.png"), "give both"),
        (("--plan", "--plot", "fresh.gif"), ".svg or .png"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    crawled: Path, tells: Tells, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in tells("--web", crawled, *arguments, code=2)


def test_an_empty_web_has_nothing_to_visit_again(tmp_path: Path, tells: Tells) -> None:
    Web(tmp_path / "web").close()
    assert "no pages yet" in tells("--web", tmp_path / "web", code=2)


def test_watching_goes_on_round_after_round_with_its_share_of_each_hour(
    web: Path, tells: Tells, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests = [0]

    def rest(_seconds: float) -> None:
        rests[0] += 1
        if rests[0] == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("gossamer.cli.crawl.recrawl.time.sleep", rest)
    let_days_pass(web)
    assert main.run_verb(["recrawl", "--web", str(web), "--watch", "--budget", "5/hour", "--json"]) == 130
    with Web(web, create=False) as opened:
        [task] = list_recrawl_tasks(opened.store)
        assert task.counts["finished"] == 5  # of one hour, however many rounds there were
