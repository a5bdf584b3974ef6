"""Pages that need JavaScript look and read the same in pywb, from our archive alone, as they do live."""

from pathlib import Path

import pytest
from tests.formats.replay import needs_tools
from tests.rendering.compare_replay import compare_replay
from tests.rendering.harness import need_browser

pytest.importorskip("playwright", reason="playwright is not installed (extra browser)")
pytest.importorskip("PIL", reason="Pillow is not installed (extra plots)")
pytestmark = [pytest.mark.slow, needs_tools]


def test_replayed_pages_are_as_the_live_ones(tmp_path: Path) -> None:
    need_browser()
    compared = compare_replay(tmp_path, pages=20, least=5)
    assert len({one.kind for one in compared}) == 5
    for one in compared:
        assert one.same_text, one
        assert one.similarity >= 0.98, one
