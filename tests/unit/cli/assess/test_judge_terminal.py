"""Judging on a pseudo-terminal, key by key."""

import signal
from pathlib import Path

import pytest
from tests.unit.cli.assess.test_assess import store_sample
from tests.unit.cli.terminals import on_terminal

from gossamer.assess.judgements import read_judgements
from gossamer.assess.records import Sample
from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web, open_to_read


def read_verdicts(web: Path, judge: str) -> list[str]:
    with open_to_read(web) as opened:
        return [one.verdict for one in read_judgements(opened.store, "s", judge)]


def titles(web: Path, sample: Sample) -> list[str]:
    with open_to_read(web) as opened:
        pages = [opened.store.page(item.page) for item in sample.items]
        return [page.title for page in pages if page is not None]


@pytest.mark.slow
def test_a_judge_judges_undoes_stops_and_continues(web: Path) -> None:
    question = "Is this page about \x1b[2Jpumps?"  # an older version may have stored it unchecked
    sample = store_sample(web, by=("depth",), asked=2, question=question)
    pages = len(sample.items)
    shown = titles(web, sample)
    with on_terminal("assess", "--name", "s", "--judge", "anna", "--web", web) as terminal:
        first = terminal.wait_for("q stop")
        assert f"0 of {pages} judged" in first
        assert shown[0] in first
        assert "Is this page about" in first
        assert "pumps?" in first
        about, _, _ = first.replace(shown[0], "").partition("──")
        assert "depth" not in about
        assert "relevance" not in about
        assert not terminal.echoes()
        terminal.press("r")
        assert shown[1] in terminal.wait_for("1 relevant, 0 not", "q stop")
        terminal.press("nu")
        terminal.wait_for(f"3 of {pages} judged · 1 relevant, 1 not, 1 unsure", "q stop")
        terminal.press("z")
        assert shown[2] in terminal.wait_for("Undone.")
        terminal.press("s")
        assert shown[3] in terminal.wait_for("Left for later.")
        terminal.press("z")
        assert shown[2] in terminal.wait_for("Undone.")
        terminal.press("v")
        assert "<" in terminal.wait_for("q stop")
        terminal.press("x")
        terminal.wait_for("Unknown key.")
        terminal.process.send_signal(signal.SIGSTOP)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for("Unknown key.")
        terminal.resize(60, 20)
        terminal.wait_for("r n u s z space v q")
        terminal.press("q")
        assert f"2 pages of {pages} judged by anna" in terminal.wait_for("--results` shows the results.")
        assert terminal.end() == 0
        assert terminal.echoes()
    assert read_verdicts(web, "anna") == ["relevant", "not"]
    with on_terminal("assess", "--name", "s", "--judge", "anna", "--web", web) as terminal:
        assert shown[2] in terminal.wait_for("q stop")
        terminal.press("z" + "n" * (pages - 1))
        terminal.wait_for(f"{pages} pages of {pages} judged by anna: 1 relevant, {pages - 1} not")
        assert terminal.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_kill_loses_no_judgement(web: Path, how: signal.Signals) -> None:
    store_sample(web, asked=10)
    with on_terminal("assess", "--name", "s", "--judge", "anna", "--web", web) as terminal:
        terminal.wait_for("q stop")
        terminal.press("rn")
        terminal.wait_for("2 of 10 judged", "q stop")
        terminal.process.send_signal(how)
        assert terminal.end() in (-signal.SIGKILL, 130)
        assert terminal.echoes() == (how == signal.SIGINT)
    assert read_verdicts(web, "anna") == ["relevant", "not"]


@pytest.mark.slow
def test_hostile_pages_do_no_harm(web: Path) -> None:
    url = "http://evil.example/"
    hostile = Page(
        page_id(url),
        url + "\x1b[2J",
        "evil.example",
        1,
        0,
        0.0,
        200,
        "html",
        "\x1b]0;owned\x07 [bold]x \u202e",
    )
    with Web(web, create=False) as opened:
        opened.store.commit(Batch(pages=[hostile]))
    command = ("assess", "--where", "host:evil.example", "--name", "s", "--web", web, "--sample", "1")
    with on_terminal(*command) as terminal:
        shown = terminal.wait_for("q stop")
        assert "[bold]x" in shown
        assert "no text, or not in the archive" in shown
        assert "\x1b]0" not in terminal.raw
        assert "\x1b[2J" not in terminal.raw.replace("\x1b[2J\x1b[H", "")
        assert "\u202e" not in terminal.raw
