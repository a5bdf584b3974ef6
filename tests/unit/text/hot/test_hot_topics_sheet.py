"""The sheets of bench/hot_topics.py show a reader no way, and the ways come back with the key."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, "bench")

from gossamer.errors import BadInput
from gossamer.text.hot import Story
from hot_topics_sheet import choose_days, merge_ways, read_judged, score_rows, score_sheets, write_sheet

DAY = "1987-03-12"
LOCKOUT = Story(("lockout", "meatpackers"), 9.0, ("1", "2", "3"))
LOCKOUT_IN_OTHER_ORDER = Story(("meatpackers", "lockout"), 7.0, ("2", "1", "3"))
QUITS = Story(("quits",), 3.0, ("4", "5", "6"))
TITLES = {str(number): f"HEADLINE {number}" for number in range(1, 7)}
FOUND = {"hot": [LOCKOUT], "ratios": [QUITS, LOCKOUT_IN_OTHER_ORDER]}


def _write(folder: Path) -> Path:
    path = folder / "sheet.csv"
    write_sheet(path, merge_ways(DAY, FOUND, random.Random(1)), TITLES)
    return path


def test_the_days_are_spaced_evenly_among_those_that_no_sheet_has() -> None:
    days = [f"1987-03-{day:02}" for day in range(1, 13)]
    assert choose_days(days, {"1987-03-01", "1987-03-02"}, 2) == ["1987-03-05", "1987-03-10"]


@pytest.mark.parametrize("number", [0, 3])
def test_more_days_than_there_are_cannot_be_chosen(number: int) -> None:
    with pytest.raises(BadInput, match="2 days have enough text and no sheet"):
        choose_days(["1987-03-01", "1987-03-02"], (), number)


def test_a_story_that_two_ways_found_is_one_row() -> None:
    rows = merge_ways(DAY, FOUND, random.Random(1))
    ways = {row["words"]: row["found_by"] for row in rows}
    assert ways == {"lockout; meatpackers": "hot:1 ratios:2", "quits": "ratios:1"}


def test_a_sheet_has_headlines_and_does_not_show_the_ways(tmp_path: Path) -> None:
    sheet = _write(tmp_path).read_text()
    assert "HEADLINE 4 | HEADLINE 5 | HEADLINE 6" in sheet
    assert "hot:" not in sheet
    assert "ratios:" not in sheet


def test_a_judged_sheet_is_scored_with_the_key_beside_it(tmp_path: Path) -> None:
    path = _write(tmp_path)
    lines = path.read_text().splitlines()
    judged = [line.replace(",,", ",wrong," if "quits" in line else ",right,") for line in lines]
    path.write_text("\n".join(judged) + "\n")
    scores = score_sheets(path)["together"]
    assert scores["hot"] == {"judged": 1, "right": 1, "precision": 1.0}
    assert scores["ratios"] == {"judged": 2, "right": 1, "precision": 0.5}


def test_a_sheet_without_verdicts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs a verdict"):
        read_judged(_write(tmp_path))


def test_a_sheet_is_never_written_over(tmp_path: Path) -> None:
    _write(tmp_path)
    with pytest.raises(BadInput, match="is there already"):
        _write(tmp_path)


def test_a_story_counts_for_each_way_that_found_it() -> None:
    scores = score_rows([{"verdict": "right", "found_by": "hot:3 bursts:1"}])
    assert scores["hot"] == scores["bursts"] == {"judged": 1, "right": 1, "precision": 1.0}
