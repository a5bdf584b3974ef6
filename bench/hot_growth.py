"""Measure stored texts of hot stories: building, refreshing, asking and memory at several sizes.

    python bench/hot_growth.py [--pages 10000,30000,100000] [--json]

Texts of eight sentences are drawn from a vocabulary by Zipf's law, dated over sixty days. They are read as `gossamer hot`
reads them, but from memory: reading archives would add the same to each page, new or not. Each size runs in a process of
its own, so that its highest memory is its own. The refresh finds and reads 1 % of further pages.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import numpy as np

from frequency_lists import spell
from gossamer.context.hot.find_hot_stories import find_hot_stories
from gossamer.context.hot.hot_records import HotQuestion
from gossamer.context.hot.refresh_texts import PAGES_A_SEGMENT
from gossamer.context.hot.stored_texts import StoredTexts, add_segment, finish_refresh, lock_texts, open_texts
from gossamer.context.hot.text_date import TextDate
from gossamer.context.hot.text_segment import TextRow, make_segment
from gossamer.text.hot.list_terms import list_terms
from gossamer.text.hot.text_memory import TextMemory

SIZES = (10_000, 30_000, 100_000)
_SENTENCES, _WORDS, _VOCABULARY = 8, 15, 200_000
_FIRST_DAY, _DAYS = date(2026, 1, 1).toordinal(), 60
_AT_ONCE = 500


def write_text(page: int) -> str:
    """Return the text of a page, always the same."""
    some = np.random.default_rng(page)
    ranks = (_VOCABULARY ** some.random((_SENTENCES, _WORDS))).astype(np.int64)
    return " ".join(f"{' '.join(map(spell, row)).capitalize()}." for row in ranks.tolist())


def refresh(folder: Path, pages: int) -> StoredTexts:
    """Read those of so many pages that were not read yet, in segments, as a refresh does."""
    with lock_texts(folder):
        texts = open_texts(folder, unfinished=True)
        new: list[int] = []
        for first in range(0, pages, _AT_ONCE):
            some = np.arange(first, min(first + _AT_ONCE, pages), dtype=np.int64)
            new += some[texts.find_versions(some).days == 0].tolist()
        for first in range(0, len(new), PAGES_A_SEGMENT):
            texts = read_segment(texts, new[first : first + PAGES_A_SEGMENT])
        return finish_refresh(texts, time.time())


def read_segment(texts: StoredTexts, pages: Iterable[int]) -> StoredTexts:
    """Read some pages, and add their texts as a segment."""
    memory, rows, read = TextMemory(texts), [], {}
    for page in pages:
        day = TextDate(_FIRST_DAY + page % _DAYS, "page")
        read[page] = (1, day.day)
        terms = frozenset[str]().union(*map(list_terms, memory.take_new_sentences(write_text(page))))
        if terms:
            rows.append(TextRow(page, day, f"h{page % 50}.example", "en", terms))
    return add_segment(texts, make_segment(rows, read, memory.sentences, memory.simhashes))


def measure_size(pages: int, folder: Path) -> dict[str, float]:
    """Build, refresh and ask; return processor seconds, and memory."""
    began_s = time.process_time()
    refresh(folder, pages)
    built_s = time.process_time()
    texts = refresh(folder, pages + pages // 100)
    refreshed_s = time.process_time()
    find_hot_stories(texts, HotQuestion(), lambda _: {})
    return {
        "pages": pages,
        "texts": len(texts),
        "build_s": built_s - began_s,
        "refresh_s": refreshed_s - built_s,
        "refresh_vs_build": (refreshed_s - built_s) / (built_s - began_s),
        "ask_s": time.process_time() - refreshed_s,
        "disk_mb": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000,
    }


def run_size(pages: int) -> dict[str, float]:
    """Measure one size in a process of its own."""
    command = [sys.executable, __file__, "--one", str(pages)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=3_600)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(sizes: tuple[int, ...] = SIZES[:2]) -> dict[str, float]:
    """Return the figures that have floors."""
    rows = [run_size(size) for size in sizes]
    growth = rows[-1]["pages"] / rows[0]["pages"]
    return {
        "hot_growth.refresh_vs_build": rows[-1]["refresh_vs_build"],
        "hot_growth.build_growth": rows[-1]["build_s"] / rows[0]["build_s"] / growth,
        "hot_growth.memory_growth": rows[-1]["peak_mb"] / rows[0]["peak_mb"] / growth,
    }


def main() -> int:
    """Measure the sizes that are asked for."""
    parser = argparse.ArgumentParser(description="Stored texts of hot stories at several sizes.")
    parser.add_argument("--pages", default=",".join(map(str, SIZES)), help="sizes in pages, as 5000,20000")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for machines")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure_size(arguments.one, Path(folder))))
        return 0
    for size in map(int, arguments.pages.split(",")):
        row = run_size(size)
        print(
            json.dumps(row) if arguments.json else "  ".join(f"{k} {v:,.4g}" for k, v in row.items()),
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
