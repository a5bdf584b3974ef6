"""Without a terminal, a crawl prints a line now and then."""

import pytest

from gossamer.cli.crawl.crawl_views import LineView
from gossamer.crawl.events import Progress


def test_a_line_shows_pages_speed_and_hosts(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(10.0, {"docs": {"downloaded": 1}}, {"busy": 1, "waiting": 2}, 1.0, 0.0)
    LineView().show_event(progress)
    assert capsys.readouterr().out == "1 page, 1/s, 0 B/s, 0 waiting, 1 host busy, 2 hosts waiting\n"
