"""Sheets for a reader who judges hot stories without knowing which way found them.

A sheet has one row for each story: its day, its words, the first texts that carry it and their headlines. The ways that
found it are in a second file, the key, which the reader does not open before the last verdict is written.
"""

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.text.hot import Story

JUDGED = Path(__file__).with_name("hot_topics_judged.csv")
_COLUMNS = ("row", "day", "words", "ids", "verdict", "headlines")
_TEXTS_OF_A_ROW = 6
_HOTTEST = 10
_VERDICTS = ("right", "wrong")

Row = dict[str, str]


def choose_days(days: Sequence[str], judged: Collection[str], number: int) -> list[str]:
    """Return the middle day of each of so many equal parts of the days that no sheet has."""
    free = sorted(set(days) - set(judged))
    if not 0 < number <= len(free):
        raise BadInput(
            f"a sheet of {number} days cannot be made: {len(free)} days have enough text and no sheet"
        )
    return [free[(2 * part + 1) * len(free) // (2 * number)] for part in range(number)]


def merge_ways(day: str, found: Mapping[str, Sequence[Story]], chance: random.Random) -> list[Row]:
    """Return one row for each of the hottest stories of a day, shuffled; stories with the same words are one."""
    ways: defaultdict[frozenset[str], list[str]] = defaultdict(list)
    rows: dict[frozenset[str], Row] = {}
    for way, stories in found.items():
        for rank, story in enumerate(stories[:_HOTTEST], 1):
            words = frozenset(story.words)
            ways[words].append(f"{way}:{rank}")
            texts = " ".join(story.ids[:_TEXTS_OF_A_ROW])
            # The order of the words and texts is by surprise, which differs from way to way and would tell it.
            rows.setdefault(
                words, {"day": day, "words": "; ".join(sorted(words)), "ids": texts, "verdict": ""}
            )
    merged = [row | {"found_by": " ".join(ways[words])} for words, row in rows.items()]
    merged.sort(key=lambda row: (row["words"], row["ids"]))
    chance.shuffle(merged)
    return merged


def write_sheet(path: Path, rows: Sequence[Row], titles: Mapping[str, str]) -> Path:
    """Write a sheet without verdicts, and beside it the key; return the path of the key."""
    key = _locate_key(path)
    for each in (path, key):
        if each.exists():
            raise BadInput(f"{each} is there already: choose another name, or remove it")
    try:
        with path.open("w", newline="") as sheet, key.open("w", newline="") as ways:
            lines = csv.DictWriter(sheet, _COLUMNS, extrasaction="ignore", lineterminator="\n")
            keys = csv.DictWriter(ways, ("row", "found_by"), extrasaction="ignore", lineterminator="\n")
            lines.writeheader()
            keys.writeheader()
            for number, row in enumerate(rows, 1):
                headlines = " | ".join(titles[id_] for id_ in row["ids"].split())
                lines.writerow(row | {"row": str(number), "headlines": headlines})
                keys.writerow(row | {"row": str(number)})
    except OSError as error:
        raise BadInput(f"{error.filename} cannot be written: {error.strerror}") from None
    return key


def read_judged(path: Path) -> list[Row]:
    """Read judged rows; those of a sheet get the ways that found them from the key beside it."""
    rows = _read_rows(path)
    if rows and "found_by" not in rows[0]:
        key = {row["row"]: row["found_by"] for row in _read_rows(_locate_key(path))}
        rows = [row | {"found_by": key.get(row["row"], "")} for row in rows]
    for number, row in enumerate(rows, 2):
        if row.get("verdict") not in _VERDICTS or not row["found_by"]:
            raise BadInput(
                f"line {number} of {path} needs a verdict, right or wrong, and the ways that found it"
            )
    return rows


def _locate_key(path: Path) -> Path:
    return path.with_name(f"{path.stem}.key.csv")


def _read_rows(path: Path) -> list[Row]:
    try:
        with path.open(newline="") as lines:
            return list(csv.DictReader(lines))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, csv.Error):
        raise BadInput(
            f"{path} is not a sheet: it must be a table with commas, as `--sheet` writes it"
        ) from None


def score_rows(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return for each way how many of its stories were judged, how many are right, and their share."""
    judged, right = Counter[str](), Counter[str]()
    for row in rows:
        for found in row["found_by"].split():
            way = found.partition(":")[0]
            judged[way] += 1
            right[way] += row["verdict"] == "right"
    return {
        way: {"judged": number, "right": right[way], "precision": round(right[way] / number, 3)}
        for way, number in judged.items()
    }


def score_sheets(path: Path, wanted: Collection[str] = ()) -> dict[str, dict[str, dict[str, float]]]:
    """Return the scores of each sheet of a file, and of all of them together; of some sheets, if they are named."""
    rows = [row for row in read_judged(path) if not wanted or row.get("sheet") in wanted]
    sheets = sorted({row["sheet"] for row in rows if "sheet" in row})
    if missing := sorted(set(wanted) - set(sheets)):
        raise BadInput(f"{path} has no sheet {', '.join(missing)}")
    scores = {f"sheet {one}": score_rows([row for row in rows if row["sheet"] == one]) for one in sheets}
    return scores | {"together": score_rows(rows)}
