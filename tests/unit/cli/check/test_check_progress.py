"""A check says now and then how far it is, also where its output is no terminal."""

import time

import pytest

from gossamer.cli.check.run_check import CheckRunner
from gossamer.cli.run_options import Display
from gossamer.crawl.events import PageVisited


def visit(after_s: float) -> PageVisited:
    return PageVisited(
        time.time() + after_s,
        task="check",
        url="https://a.example/",
        result="fetched",
        status=200,
        cause="",
        body_bytes=0,
        took_s=0.0,
        depth=0,
        host="a.example",
        request=1,
    )


def test_a_line_comes_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    runner = CheckRunner(None)
    for after_s in (1, 8, 12, 15, 25):
        runner._watch(visit(after_s))
    assert capsys.readouterr().err == "3 addresses asked for\n5 addresses asked for\n"


def test_nothing_is_said_when_progress_is_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Display, "hidden", True)
    runner = CheckRunner(None)
    runner.say("Asking for 3 addresses that are not pages of the site.")
    runner._watch(visit(60))
    assert capsys.readouterr().err == ""
