"""Nothing is lost, however often a crawl is killed. `python -m tests.crawl.kills 1000` does more of it."""

import random
from pathlib import Path

import pytest
from tests.crawl.kills import kill_crawls


@pytest.mark.slow
def test_nothing_is_lost_and_manners_are_kept_when_crawls_are_killed(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = kill_crawls(25, tmp_path, seed)
    assert counts["kills"] == 25
    assert counts["pages"] > 100
