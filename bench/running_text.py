"""Measure how well running text is told from lists, tables, menus and headings, on labelled blocks of real pages.

    python bench/running_text.py [--json] [--wrong] [--learn]

`running_text.tsv` holds digests and labels only: of the page, of the block's text, and whether it is running text. Labelled
were 1,284 blocks by hand, some of each length from each page: press (shared/data/extraction), university pages of 1997
(shared/data/webkb) and Debian's documentation in 26 languages; 51 of which people would not agree are left out. A block is
running text if it has a whole sentence of prose; headlines, captions without one, menus, data, references, code are not.

Pages whose digest is even are for tuning, and what is reported comes from the others. `--learn` prints the weights for
`text/language/running.py`, `--wrong` the blocks that are judged wrongly. Pages that are not here are left out.
"""

import argparse
import csv
import gzip
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fastwarc.warc import ArchiveIterator, WarcRecordType

from extraction import DATA, HTML_DIR
from gossamer.net.html import read
from gossamer.net.html.document import Block
from gossamer.net.main_text.text_blocks import blocks
from gossamer.text.language import detect
from gossamer.text.language.detection.running_text import EXTRA_BLOCK_WEIGHTS, block_is_running
from gossamer.text.language.detection.text_features import RunningTextWeights, extract_features
from pages import DOCUMENTATION

LABELS = Path(__file__).with_name("running_text.tsv")
WEBKB = DATA.parent / "webkb" / "webkb.warc.gz"
DOCUMENTS = (
    "debian-handbook/html",
    "postgresql-doc-15/html",
    "python3.11/html",
    "nodejs/api",
    "valgrind/html",
)
SENTENCES = DATA.parent / "language" / "sentences.tsv"
WORDS = SENTENCES.with_name("words.tsv")
# With none, one short sentence in seven is taken for a heading; with many, headings are taken for sentences.
SENTENCES_LEARNT = 50
FEWEST_BLOCKS = 600
"""Below this many, too little of the corpus is here for a figure."""
# Towards zero, so that no weight rests on a handful of blocks.
_PULL = 1.0
_STEPS = 50


class Labelled(NamedTuple):
    """A block with what a person said of it."""

    block: Block
    running: bool
    tuning: bool


def digest(content: bytes) -> str:
    """Return what a page or a block is known by."""
    return hashlib.sha256(content).hexdigest()[:12]


def labels() -> dict[str, dict[str, bool]]:
    """Read the labels: by page, by block."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found[row["page"]][row["block"]] = row["label"] == "text"
    return found


def bodies() -> Iterator[bytes]:
    """Yield the pages that are here."""
    for path in sorted(HTML_DIR.glob("*.html.gz")):
        yield gzip.decompress(path.read_bytes())
    for folder in DOCUMENTS:
        for path in sorted((DOCUMENTATION / folder).rglob("*.html")):
            yield path.read_bytes()
    if WEBKB.exists():
        with WEBKB.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                yield record.reader.read()


def labelled() -> list[Labelled]:
    """Find the labelled blocks in the pages that are here."""
    wanted = labels()
    found = []
    for body in bodies():
        page = digest(body)
        known = wanted.pop(page, None)
        for block in blocks(read(body, "http://page.example/", None)) if known else ():
            running = known.pop(digest(block.text.encode()), None) if known else None
            if running is not None:
                found.append(Labelled(block, running, int(page, 16) % 2 == 0))
    return found


def f1(judged: list[bool], true: list[bool]) -> dict[str, float]:
    """Return precision, recall and F1 of what was judged to be running text."""
    right = sum(one and other for one, other in zip(judged, true, strict=True))
    precision, recall = right / max(1, sum(judged)), right / max(1, sum(true))
    return {
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "precision": precision,
        "recall": recall,
    }


def report(found: list[Labelled]) -> dict[str, dict[str, float]]:
    """Judge blocks by the seed's rule, by their text alone, and as blocks."""
    verdicts = [detect(one.block.text) for one in found]
    true = [one.running for one in found]
    return {
        "Zipf words above 20 %": f1([verdict.zipf_share >= 0.2 for verdict in verdicts], true),
        "text alone": f1([verdict.running for verdict in verdicts], true),
        "block": f1(
            [
                block_is_running(one.block, verdict.zipf_share)
                for one, verdict in zip(found, verdicts, strict=True)
            ],
            true,
        ),
    }


def learn(found: list[Labelled]) -> dict[str, dict[str, float]]:
    """Return the weights that logistic regression finds: for texts, and for blocks."""
    more = lists_and_texts()
    seen = [_seen(text) for text in (*(one.block.text for one in found), *more)]
    true = [*(one.running for one in found), *more.values()]
    beside = [
        [one.block.link_density, *(one.block.kind == kind for kind in EXTRA_BLOCK_WEIGHTS.kinds)]
        for one in found
    ]
    beside += [[0.0] * (1 + len(EXTRA_BLOCK_WEIGHTS.kinds))] * len(more)
    alone = [_seen(sentence) for sentence in sentences()]
    names = [*RunningTextWeights._fields, "links", *EXTRA_BLOCK_WEIGHTS.kinds]
    of_text = _fitted([*seen, *alone], true + [True] * len(alone))
    of_block = _fitted([[*row, *rest] for row, rest in zip(seen, beside, strict=True)], true)
    return {
        "text": dict(zip(RunningTextWeights._fields, of_text, strict=True)),
        "block": dict(zip(names, of_block, strict=True)),
    }


def lists_and_texts() -> dict[str, bool]:
    """Return lists of words, which no page happened to have, and texts in each language of the development data."""
    found: dict[str, bool] = {}
    words, told = _by_language(WORDS), _by_language(SENTENCES)
    for language in sorted(words):
        chance = random.Random(language)
        for between in (" ", ", "):
            found[between.join(chance.sample(words[language], chance.randint(10, 60)))] = False
            found[" ".join(chance.sample(told[language], chance.randint(2, 4)))] = True
    return found


def _by_language(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        language, _, text = line.partition("\t")
        found[language].append(text)
    return found


def sentences() -> list[str]:
    """Return some sentences from all over the development data: on pages few blocks are a short sentence."""
    lines = SENTENCES.read_text("utf-8").splitlines()
    return [line.partition("\t")[2] for line in lines[:: len(lines) // SENTENCES_LEARNT]]


def _seen(text: str) -> list[float]:
    return [*extract_features(text, sum(map(str.isalpha, text)), detect(text).zipf_share)]


def _fitted(seen: list[list[float]], true: list[bool]) -> list[float]:
    """Fit by Newton's steps."""
    rows = np.array(seen, float)
    weights = np.zeros(rows.shape[1])
    pull = np.eye(len(weights)) * _PULL
    pull[0, 0] = 1e-6
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (likely - true) + pull @ weights
        bend = (rows * (likely * (1 - likely))[:, None]).T @ rows + pull
        weights -= np.linalg.solve(bend, slope)
    return [round(float(weight), 2) for weight in weights]


def measure() -> dict[str, float] | None:
    """Return the figures that have floors, or None where too few of the pages are here."""
    tested = [one for one in labelled() if not one.tuning]
    if len(tested) < FEWEST_BLOCKS:
        print(f"running_text: only {len(tested)} labelled blocks are here, nothing measured", file=sys.stderr)
        return None
    found = report(tested)
    return {
        "language.running_f1": found["block"]["f1"],
        "language.running_text_f1": found["text alone"]["f1"],
    }


def _show_wrong(found: list[Labelled]) -> None:
    for one in found:
        if block_is_running(one.block, detect(one.block.text).zipf_share) != one.running:
            print(f"{'text ' if one.running else 'other'}  {one.block.kind:<10}  {one.block.text[:90]!r}")


def main() -> int:
    """Measure, and print for people or for machines."""
    parser = argparse.ArgumentParser(description="Running text against lists, tables and menus.")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--wrong", action="store_true", help="list the blocks for tuning that are judged wrongly"
    )
    parser.add_argument(
        "--learn", action="store_true", help="print the weights that the blocks for tuning teach"
    )
    options = parser.parse_args()
    found = labelled()
    tuning, tested = ([one for one in found if one.tuning is part] for part in (True, False))
    if options.learn:
        print(json.dumps(learn(tuning), indent=2))
    elif options.wrong:
        _show_wrong(tuning)
    else:
        result = {"tuning": report(tuning), "tested": report(tested)}
        counts = {"tuning": len(tuning), "tested": len(tested)}
        print(json.dumps(result, indent=2)) if options.json else _show(result, counts)
    return 0


def _show(result: dict[str, dict[str, dict[str, float]]], counts: dict[str, int]) -> None:
    for part, rules in result.items():
        for rule, row in rules.items():
            print(
                f"{part:<7} {counts[part]:4} blocks  {rule:<22} "
                + "  ".join(f"{name} {value:.3f}" for name, value in row.items())
            )


if __name__ == "__main__":
    sys.exit(main())
