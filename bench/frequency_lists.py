"""Measure token stores: reading, counting, refreshing and memory at several sizes, against a plain count in Python.

    python bench/frequency_lists.py [--pages 5000,20000,80000] [--json]

Texts are drawn by Zipf's law from a vocabulary that grows with the collection, 150 words a page; the pages of one host in
fifty are the selection. Each size runs in a process of its own, so that its highest memory is its own. The peer is what a
person would write: `Counter` over the words of all sentences, each sentence once.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gossamer.context.words.concordance.find_lines import find_matches, make_concordance
from gossamer.context.words.concordance.token_pattern import parse_pattern
from gossamer.context.words.frequency_list import ListOptions, make_frequency_list, make_keyword_list
from gossamer.context.words.selection import Selection, select_sentences
from gossamer.context.words.tokens.refresh_tokens import PageSentences, TokenRefresh, write_tokens
from gossamer.context.words.tokens.segment import Numbers, PageFacts
from gossamer.context.words.tokens.token_store import TokenStore
from gossamer.text.language.detection.corpus_sentences import Sentence, split_words
from timing import time_call

SIZES = (5_000, 20_000, 80_000)
_SENTENCES, _WORDS = 10, 15
_HOSTS = 50
_LETTERS = "etaoinshrdlucmfw"


def spell(number: int) -> str:
    """Return a word of letters for a number, short for small ones."""
    digits = []
    while True:
        number, digit = divmod(number, len(_LETTERS))
        digits.append(_LETTERS[digit])
        if not number:
            return "".join(digits)
        number -= 1


def write_page(page: int, pages: int) -> list[Sentence]:
    """Return the sentences of a page: words by Zipf's law, from a vocabulary as large as Heaps' law says."""
    some = np.random.default_rng(page)
    vocabulary = int(40 * (pages * _SENTENCES * _WORDS) ** 0.55)
    ranks = (vocabulary ** some.random((_SENTENCES, _WORDS))).astype(np.int64)
    return [Sentence(f"{' '.join(map(spell, row))}.", "en", 0, at) for at, row in enumerate(ranks.tolist())]


def read_pages(wanted: Numbers, pages: int) -> Iterator[PageSentences]:
    """Yield pages with their sentences."""
    for page in wanted.tolist():
        host = f"h{page % _HOSTS}.example"
        yield PageFacts(page, f"http://{host}/{page}", host, float(page), 1), write_page(page, pages)


def count_plainly(pages: int) -> Counter[str]:
    """Count words as a short program would."""
    counts: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    for _, sentences in read_pages(np.arange(pages), pages):
        for sentence in sentences:
            words = tuple(split_words(sentence.text))
            if words not in seen:
                seen.add(words)
                counts.update(words)
    return counts


def measure_size(pages: int, folder: Path) -> dict[str, float]:
    """Build, refresh and ask a token store of this many pages; times are CPU seconds."""
    ids = np.arange(pages)

    def write(numbers: Numbers) -> None:
        write_tokens(
            folder,
            numbers,
            np.ones(len(numbers), np.int64),
            lambda some: read_pages(some, pages),
            TokenRefresh(),
            {},
        )

    written_s, _ = time_call(lambda: sum(1 for _ in read_pages(ids, pages)))
    build_s, _ = time_call(lambda: write(ids))
    build_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    refresh_s, _ = time_call(lambda: write(np.arange(pages + pages // 100)))
    store = TokenStore(folder)
    list_s, listed = time_call(lambda: make_frequency_list(store, Selection(), ListOptions(number=100)))
    key_s, _ = time_call(lambda: make_keyword_list(store, Selection(site="h7.example"), ListOptions()))
    began_s = time.perf_counter()
    chosen = select_sentences(store, Selection())
    lines = make_concordance(find_matches(store, parse_pattern(spell(2_000)), chosen), 50)
    return {
        "pages": pages,
        "words": listed.words,
        "distinct": listed.distinct,
        "write_texts_s": written_s,
        "build_s": build_s - written_s,
        "refresh_s": refresh_s,
        "list_s": list_s,
        "keywords_s": key_s,
        "concordance_s": time.perf_counter() - began_s,
        "places": lines.matches,
        "disk_mb": sum(path.stat().st_size for path in folder.iterdir()) / 1e6,
        "peak_mb": build_mb,
    }


def run_size(pages: int) -> dict[str, float]:
    """Measure one size in a process of its own."""
    command = [sys.executable, __file__, "--one", str(pages)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=3_600)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure_all(sizes: tuple[int, ...]) -> dict[str, object]:
    """Measure all sizes, and the plain count at the second one."""
    rows = [run_size(size) for size in sizes]
    at = min(1, len(rows) - 1)
    counter_s, counted = time_call(lambda: count_plainly(sizes[at]))
    counter_s -= rows[at]["write_texts_s"]
    first, last = rows[0], rows[-1]
    growth = last["pages"] / first["pages"]
    return {
        "sizes": rows,
        "counter_s": counter_s,
        "counter_words": counted.total(),
        "list_vs_counter": rows[at]["list_s"] / counter_s,
        "build_vs_counter": rows[at]["build_s"] / counter_s,
        "refresh_vs_build": last["refresh_s"] / (last["build_s"] + last["write_texts_s"]),
        "build_growth": last["build_s"] / first["build_s"] / growth,
        "memory_growth": last["peak_mb"] / first["peak_mb"],
    }


def measure() -> dict[str, float]:
    """Return the figures that have floors."""
    found = measure_all(SIZES[:2])
    names = ("list_vs_counter", "build_vs_counter", "refresh_vs_build", "build_growth")
    return {f"frequency_lists.{name}": float(str(found[name])) for name in names}


def main() -> int:
    """Measure the sizes that are asked for."""
    parser = argparse.ArgumentParser(description="Token stores at several sizes.")
    parser.add_argument("--pages", default=",".join(map(str, SIZES)), help="sizes in pages, as 5000,20000")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure_size(arguments.one, Path(folder) / "words")))
        return 0
    found = measure_all(tuple(map(int, arguments.pages.split(","))))
    print(json.dumps(found, indent=None if arguments.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
