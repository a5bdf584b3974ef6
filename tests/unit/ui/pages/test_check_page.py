from pathlib import Path

import msgspec
from tests.unit.ui.app_client import ask

from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.last_result import RESULT_NOTE
from gossamer.link_check.problem import CheckResult, Problem
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext


def test_the_last_check_is_shown_and_escaped(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        assert "have not been checked yet" in ask(app, "/check").text
        wrong = Problem("broken", "http://h.example/<script>", "http://h.example/a", 404, "anchor", 3, 1)
        with FactsFile(own) as facts:
            facts.set_note(RESULT_NOTE, msgspec.msgpack.encode(CheckResult([wrong], 5, 1, 7, 1.0)))
        page = ask(app, "/check").text
        assert "http://h.example/&lt;script&gt;" in page
        assert "http://h.example/a, line 3" in page
