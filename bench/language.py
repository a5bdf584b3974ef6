"""Compare the accuracy, speed and memory of language recognisers in one run.

    python bench/language.py [--json]
    python bench/language.py --one NAME     # one of them, in its own process

Sentences, word pairs and words are those of the development data (lingua's test data); its even lines were used to tune
settings, so its odd lines are measured. Pages are Debian's guides, recognised as in a crawl. Accuracy is the mean over
languages. All recognisers are restricted to the 43 languages of the data if they can be. Times are CPU time with one
sentence a call.
"""

import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from command_line import run_benchmark
from guides import read_guides
from peers.recognisers import OF_PAGES, RECOGNISERS, Recogniser

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "language"
KINDS = ("sentences", "pairs", "words")
TIMED_SENTENCES = 1000
ROUNDS = 3
# One page in three is enough; lingua is slow on pages.
PAGE_STEP = 3
KIND_COLUMNS = [*KINDS, "pages", "da_nb"]

Labelled = list[tuple[str, str]]


def measure() -> dict[str, float]:
    """Return accuracies in percent, ratios of speed, and megabytes; nothing without the data."""
    if not DATA.is_dir():
        print(f"no language data: {DATA} is absent", file=sys.stderr)
        return {}
    found = {name: _run_in_own_process(name) for name in RECOGNISERS}
    _print_table(found)
    ours = found["gossamer"]
    figures = {f"language.{column}": ours[column] for column in KIND_COLUMNS if column in ours}
    every = found["gossamer, all languages"]
    figures |= {f"language.{column}_of_all": every[column] for column in KIND_COLUMNS[:-1] if column in every}
    figures |= {
        f"language.speed_vs_{name}": found[name]["us"] / ours["us"]
        for name in ("lingua", "py3langid", "pycld2")
    }
    return figures | {"language.peak_mb": ours["mb"]}


def _run_in_own_process(name: str) -> dict[str, float]:
    print(f"  {name} …", file=sys.stderr)
    command = [sys.executable, __file__, "--one", name]
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    figures: dict[str, float] = json.loads(ended.stdout)
    return figures


def _measure_one(name: str) -> dict[str, float]:
    """Measure one recogniser: memory first, before the pages are read."""
    data = {kind: _read(kind) for kind in KINDS}
    languages = sorted({language for language, _ in data["sentences"]})
    recognise = RECOGNISERS[name](languages)
    sentences = [text for _, text in data["sentences"]]
    for text in sentences[:TIMED_SENTENCES]:
        recognise(text)
    before_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {kind: _compute_accuracy(recognise, labelled[1::2]) for kind, labelled in data.items()}
    figures["da_nb"] = _measure_two_way(
        name, [pair for pair in data["sentences"][1::2] if pair[0] in ("da", "nb")]
    )
    pages = [(page.language, page.text) for page in read_guides(set(languages))[::PAGE_STEP]]
    if pages:
        recognise_page = OF_PAGES[name](languages)
        figures["pages"] = 100 * sum(recognise_page(text) == label for label, text in pages) / len(pages)
    step = max(1, len(sentences) // TIMED_SENTENCES)
    figures["us"] = min(_measure_microseconds(recognise, sentences[::step]) for _ in range(ROUNDS))
    return figures | {"mb": before_mb}


def _read(kind: str) -> Labelled:
    lines = (DATA / f"{kind}.tsv").read_text("utf-8").removesuffix("\n").split("\n")
    return [(language, text) for language, _, text in (line.partition("\t") for line in lines)]


def _compute_accuracy(recognise: Recogniser, labelled: Labelled) -> float:
    """Return the mean over languages of the share of its texts that are recognised, in percent."""
    right: dict[str, list[bool]] = defaultdict(list)
    for language, text in labelled:
        right[language].append(recognise(text) == language)
    return 100 * sum(sum(each) / len(each) for each in right.values()) / len(right)


def _measure_two_way(name: str, labelled: Labelled) -> float:
    """Return the accuracy on Danish and Bokmål when only these two are allowed."""
    return _compute_accuracy(RECOGNISERS[name](["da", "nb"]), labelled)


def _measure_microseconds(recognise: Recogniser, texts: Iterable[str]) -> float:
    chosen = list(texts)
    before = time.process_time()
    for text in chosen:
        recognise(text)
    return 1e6 * (time.process_time() - before) / len(chosen)


def _print_table(found: dict[str, dict[str, float]]) -> None:
    table = Table("recogniser", *KIND_COLUMNS, "µs a sentence", "MB")
    for name, figures in found.items():
        cells = [f"{figures[column]:.2f}" if column in figures else "–" for column in KIND_COLUMNS]
        table.add_row(name, *cells, f"{figures['us']:.1f}", f"{figures['mb']:.0f}")
    Console(stderr=True, width=110).print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(_measure_one(sys.argv[2])))
        sys.exit(0)
    sys.exit(run_benchmark("language", measure, "--json" in sys.argv[1:]))
