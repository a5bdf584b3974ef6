"""Over pretend days with kills, reboots, a full disk and a clock that jumps, every due run happens once or is told as missed.

SCHEDULE_DAYS, SCHEDULE_STEP_S and SCHEDULE_SEEDS make it longer, finer or more often.
"""

import os
from pathlib import Path

import pytest
from tests.simulation.simulated_schedule import START_S, World, check_journal

DAYS = float(os.environ.get("SCHEDULE_DAYS", "30"))
STEP_S = float(os.environ.get("SCHEDULE_STEP_S", "1800"))
SEEDS = range(int(os.environ.get("SCHEDULE_SEEDS", "1")))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_every_due_run_happens_once_or_is_told_as_missed(seed: int, tmp_path: Path) -> None:
    world = World(tmp_path, seed, STEP_S)
    world.live(DAYS)
    account = check_journal(world, tmp_path, START_S + 2 * STEP_S)
    print(account, dict(world.happened))
    assert account.wrong == []
    assert account.due > 70 * DAYS
    assert account.done > account.due / 3
    assert account.missed > 0
    assert world.happened["kill"] > 0
