"""`gossamer recrawl`: the plan, the visits, and messages about wrong use."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gossamer.cli import main
from gossamer.crawl.recrawl.revisit_rounds import TASK, list_recrawl_tasks, schedule_visits, visit_now
from gossamer.store.batch import Batch
from gossamer.web import Web

Recrawl = Callable[..., str]


@pytest.fixture
def recrawl(capsys: pytest.CaptureFixture[str]) -> Recrawl:
    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["recrawl", *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        assert (err.count("\n"), out) == (1, "") if code else err == ""
        return err or out

    return run


def let_days_pass(web: Path) -> None:
    """Move the last fetch of all pages twelve days back."""
    with Web(web, create=False) as opened:
        pages = opened.store.pages()
        older = [msgspec.structs.replace(page, fetched_s=page.fetched_s - 1e6) for page in pages]
        opened.store.commit(Batch(pages=older))


def test_the_plan_shows_freshness_by_budget_and_the_next_day(crawled: Path, recrawl: Recrawl) -> None:
    lines = [
        json.loads(line)
        for line in recrawl("--web", crawled, "--plan", "--json", "--budget", "100000").splitlines()
    ]
    kinds = [line["what"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("now", "visit")
    fresh = [line["fresh"] for line in lines if line["what"] == "budget"]
    assert fresh == sorted(fresh)
    assert all(line["url"].startswith("http://127.") for line in lines if line["what"] == "visit")
    shown = recrawl("--web", crawled, "--plan", "--budget", "100,000 / day")
    assert "this budget" in shown
    assert "likely to have changed" in shown


@pytest.mark.slow
def test_the_plan_can_be_drawn(crawled: Path, tmp_path: Path, recrawl: Recrawl) -> None:
    assert "The next day: no visits" in recrawl("--web", crawled, "--plan", "--plot", tmp_path / "fresh.svg")
    drawn = (tmp_path / "fresh.svg").read_text("utf-8")
    assert "visits a day" in drawn
    assert "this budget" in drawn


def test_due_pages_are_visited_within_the_budget(
    web: Path, recrawl: Recrawl, capsys: pytest.CaptureFixture[str]
) -> None:
    with Web(web, create=False) as opened:
        url = next(iter(opened.store.pages())).url
        pages = opened.store.counts()["pages"]
    assert "Nothing is due" in recrawl("--web", web)
    let_days_pass(web)
    lines = recrawl("--web", web, "--budget", "1000/day", "--json").splitlines()
    [ended] = [event for event in map(json.loads, lines) if "counts" in event and event.get("task") == TASK]
    assert ended["counts"]["not modified"] == pages
    assert ended["counts"]["finished"] == pages
    assert main.run_verb(["explain", url, "--web", str(web)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "; pages of its host and kind change every" in shown
    assert "at 10 % of the web a day: a visit is worth" in shown
    # The visits above count against a budget of the same size.
    assert "spent" in recrawl("--web", web, "--budget", str(pages), "--least-gap", "0")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--budget", "many"), "is not a budget"),
        (("--budget", "0"), "is not a budget"),
        (("--budget", "5/week"), "is not a budget"),
        (("--plot", "fresh.png"), "--plot needs --plan"),
        (("--plan", "--plot", "fresh.gif"), ".svg or .png"),
        (("/news/",), "write --now '/news/'"),
        (("--now", "--plan"), "leave out --plan and --watch"),
        (("--now", "--watch"), "leave out --plan and --watch"),
        (("--now", "("), "is not a regular expression"),
        (("--now", "no such page"), "matches 'no such page'"),
    ],
)
def test_wrong_use_gets_one_sentence(
    crawled: Path, recrawl: Recrawl, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in recrawl("--web", crawled, *arguments, code=2)


def test_explain_says_that_it_reads_the_history_of_many_pages(
    web: Path, recrawl: Recrawl, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gossamer.cli.crawl.explain._MANY_PAGES", 2)
    with Web(web, create=False) as opened:
        url = next(iter(opened.store.pages())).url
    assert main.run_verb(["explain", url, "--web", str(web)]) == 0
    assert capsys.readouterr().err == "", "its pages were never revisited"
    recrawl("--web", web, "--now", url)
    assert main.run_verb(["explain", url, "--web", str(web)]) == 0
    assert "pages changed, to tell when this one is due" in capsys.readouterr().err


def test_explain_says_that_it_looks_through_many_urls(
    crawled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gossamer.cli.crawl.explain._MANY_URLS", 2)
    assert main.run_verb(["explain", "http://a.example/", "--web", str(crawled)]) == 0
    assert "known URLs and the links to them" in capsys.readouterr().err


def list_visited(lines: str) -> list[str]:
    events = map(json.loads, lines.splitlines())
    return [event["url"] for event in events if event["event"] == "page"]


def test_now_visits_what_matches_whether_it_is_due_or_not(web: Path, recrawl: Recrawl) -> None:
    with Web(web, create=False) as opened:
        pages = [page.url for page in opened.store.pages()]
    assert "Nothing is due" in recrawl("--web", web)
    assert list_visited(recrawl("--web", web, "--now", pages[1], "--json")) == [pages[1]]
    ending = pages[2][-4:]
    wanted = {url for url in pages if url.endswith(ending)}
    again = recrawl("--web", web, "--now", f"{ending}$", "--budget", "1/day", "--json")
    assert set(list_visited(again)) == wanted, "no budget holds them back"
    shown = recrawl("--web", web, "--now")
    assert f"Visiting {len(pages)} pages now." in shown
    with Web(web, create=False) as opened:
        [task] = list_recrawl_tasks(opened.store)
        assert task.counts["finished"] == 1 + len(wanted) + len(pages)


def test_now_comes_before_what_a_round_has_left(web: Path, recrawl: Recrawl) -> None:
    with Web(web, create=False) as opened:
        pages = list(opened.store.pages())
        left = [visit_now(page.id) for page in pages[:3]]
        schedule_visits(opened.store, [msgspec.structs.replace(one, value=1.0) for one in left], 1e9)
        host = pages[0].host
        one = next(page for page in pages[3:] if page.host == host)
    visited = list_visited(recrawl("--web", web, "--now", one.url, "--json"))
    assert sorted(visited) == sorted(page.url for page in [*pages[:3], one]), "each once"
    assert next(url for url in visited if host in url) == one.url


def test_an_empty_web_cannot_be_recrawled(tmp_path: Path, recrawl: Recrawl) -> None:
    Web(tmp_path / "web").close()
    assert "no pages yet" in recrawl("--web", tmp_path / "web", code=2)


def test_watch_spends_the_budget_of_one_hour_in_several_rounds(
    web: Path, recrawl: Recrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = [0]

    def pause(_seconds: float) -> None:
        pauses[0] += 1
        if pauses[0] == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("gossamer.cli.crawl.recrawl.time.sleep", pause)
    let_days_pass(web)
    assert main.run_verb(["recrawl", "--web", str(web), "--watch", "--budget", "5/hour", "--json"]) == 130
    with Web(web, create=False) as opened:
        [task] = list_recrawl_tasks(opened.store)
        assert task.counts["finished"] == 5  # the budget of one hour, spread over several list_recrawl_tasks
