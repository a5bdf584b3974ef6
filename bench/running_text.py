"""Measure how well running text is separated from lists, tables, menus and headings, on labelled blocks.

    python bench/running_text.py [--json] [--wrong] [--learn]

`running_text.tsv` contains only digests and labels: the digests of the page and of the block's text, and whether it is
running text. 1,284 blocks were labelled by hand, of all lengths: press (shared/data/extraction), university pages of 1997
(shared/data/webkb) and Debian's documentation in 26 languages; 51 blocks on which people would disagree are left out. A
block is running text if it has a whole sentence of prose; headlines, captions without one, menus, data, references and
code are not.

Pages whose digest is even are for tuning; figures come from the others. `--learn` prints the weights for
`text/language/detection`, `--wrong` the misjudged blocks. Pages that are not installed are left out.
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
from gossamer.text.language.detection.running_text_features import RunningTextWeights, extract_features
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
# With none, one short sentence in seven is judged to be a heading; with many, headings are judged to be sentences.
SENTENCES_LEARNT = 50
FEWEST_BLOCKS = 600
"""With fewer, too little of the corpus is installed for a figure."""
# Regularization towards zero, so that no weight depends on a handful of blocks.
_PULL = 1.0
_STEPS = 50


class Labelled(NamedTuple):
    """A block with its label."""

    block: Block
    running: bool
    tuning: bool


def compute_digest(content: bytes) -> str:
    """Return the digest that identifies a page or a block."""
    return hashlib.sha256(content).hexdigest()[:12]


def read_labels() -> dict[str, dict[str, bool]]:
    """Read the labels: by page, by block."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found[row["page"]][row["block"]] = row["label"] == "text"
    return found


def read_bodies() -> Iterator[bytes]:
    """Yield the installed pages."""
    for path in sorted(HTML_DIR.glob("*.html.gz")):
        yield gzip.decompress(path.read_bytes())
    for folder in DOCUMENTS:
        for path in sorted((DOCUMENTATION / folder).rglob("*.html")):
            yield path.read_bytes()
    if WEBKB.exists():
        with WEBKB.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                yield record.reader.read()


def find_labelled_blocks() -> list[Labelled]:
    """Find the labelled blocks in the installed pages."""
    wanted = read_labels()
    found = []
    for body in read_bodies():
        page = compute_digest(body)
        known = wanted.pop(page, None)
        for block in blocks(read(body, "http://page.example/", None)) if known else ():
            running = known.pop(compute_digest(block.text.encode()), None) if known else None
            if running is not None:
                found.append(Labelled(block, running, int(page, 16) % 2 == 0))
    return found


def compute_f1(judged: list[bool], true: list[bool]) -> dict[str, float]:
    """Return precision, recall and F1 of blocks judged to be running text."""
    right = sum(one and other for one, other in zip(judged, true, strict=True))
    precision, recall = right / max(1, sum(judged)), right / max(1, sum(true))
    return {
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "precision": precision,
        "recall": recall,
    }


def measure_rules(found: list[Labelled]) -> dict[str, dict[str, float]]:
    """Measure three rules: that of Stein 1997, section 4.8, one on the text alone, and one on the block."""
    verdicts = [detect(one.block.text) for one in found]
    true = [one.running for one in found]
    return {
        "Zipf words above 20 %": compute_f1([verdict.zipf_share >= 0.2 for verdict in verdicts], true),
        "text alone": compute_f1([verdict.running for verdict in verdicts], true),
        "block": compute_f1(
            [
                block_is_running(one.block, verdict.zipf_share)
                for one, verdict in zip(found, verdicts, strict=True)
            ],
            true,
        ),
    }


def learn(found: list[Labelled]) -> dict[str, dict[str, float]]:
    """Return the weights of logistic regression, for texts and for blocks."""
    more = make_lists_and_texts()
    seen = [_extract_features(text) for text in (*(one.block.text for one in found), *more)]
    true = [*(one.running for one in found), *more.values()]
    beside = [
        [one.block.link_density, *(one.block.kind == kind for kind in EXTRA_BLOCK_WEIGHTS.kinds)]
        for one in found
    ]
    beside += [[0.0] * (1 + len(EXTRA_BLOCK_WEIGHTS.kinds))] * len(more)
    alone = [_extract_features(sentence) for sentence in read_sentences()]
    names = [*RunningTextWeights._fields, "links", *EXTRA_BLOCK_WEIGHTS.kinds]
    of_text = _fit([*seen, *alone], true + [True] * len(alone))
    of_block = _fit([[*row, *rest] for row, rest in zip(seen, beside, strict=True)], true)
    return {
        "text": dict(zip(RunningTextWeights._fields, of_text, strict=True)),
        "block": dict(zip(names, of_block, strict=True)),
    }


def make_lists_and_texts() -> dict[str, bool]:
    """Return lists of words, which no labelled page has, and texts in each language of the development data."""
    found: dict[str, bool] = {}
    words, texts = _read_by_language(WORDS), _read_by_language(SENTENCES)
    for language in sorted(words):
        chance = random.Random(language)
        for between in (" ", ", "):
            found[between.join(chance.sample(words[language], chance.randint(10, 60)))] = False
            found[" ".join(chance.sample(texts[language], chance.randint(2, 4)))] = True
    return found


def _read_by_language(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        language, _, text = line.partition("\t")
        found[language].append(text)
    return found


def read_sentences() -> list[str]:
    """Return some sentences from all over the development data: few blocks of pages are a short sentence."""
    lines = SENTENCES.read_text("utf-8").splitlines()
    return [line.partition("\t")[2] for line in lines[:: len(lines) // SENTENCES_LEARNT]]


def _extract_features(text: str) -> list[float]:
    return [*extract_features(text, sum(map(str.isalpha, text)), detect(text).zipf_share)]


def _fit(seen: list[list[float]], true: list[bool]) -> list[float]:
    """Fit the weights by Newton's method."""
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
    """Return the figures that have floors, or None where too few pages are installed."""
    tested = [one for one in find_labelled_blocks() if not one.tuning]
    if len(tested) < FEWEST_BLOCKS:
        print(
            f"running_text: only {len(tested)} labelled blocks are installed, nothing measured",
            file=sys.stderr,
        )
        return None
    found = measure_rules(tested)
    return {
        "language.running_f1": found["block"]["f1"],
        "language.running_text_f1": found["text alone"]["f1"],
    }


def _print_wrong(found: list[Labelled]) -> None:
    for one in found:
        if block_is_running(one.block, detect(one.block.text).zipf_share) != one.running:
            print(f"{'text ' if one.running else 'other'}  {one.block.kind:<10}  {one.block.text[:90]!r}")


def main() -> int:
    """Measure, and print the figures as text or JSON."""
    parser = argparse.ArgumentParser(description="Running text against lists, tables and menus.")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--wrong", action="store_true", help="list the misjudged blocks among those for tuning"
    )
    parser.add_argument(
        "--learn", action="store_true", help="print the weights learnt from the blocks for tuning"
    )
    options = parser.parse_args()
    found = find_labelled_blocks()
    tuning, tested = ([one for one in found if one.tuning is part] for part in (True, False))
    if options.learn:
        print(json.dumps(learn(tuning), indent=2))
    elif options.wrong:
        _print_wrong(tuning)
    else:
        result = {"tuning": measure_rules(tuning), "tested": measure_rules(tested)}
        counts = {"tuning": len(tuning), "tested": len(tested)}
        print(json.dumps(result, indent=2)) if options.json else _print_table(result, counts)
    return 0


def _print_table(result: dict[str, dict[str, dict[str, float]]], counts: dict[str, int]) -> None:
    for part, rules in result.items():
        for rule, row in rules.items():
            print(
                f"{part:<7} {counts[part]:4} blocks  {rule:<22} "
                + "  ".join(f"{name} {value:.3f}" for name, value in row.items())
            )


if __name__ == "__main__":
    sys.exit(main())
