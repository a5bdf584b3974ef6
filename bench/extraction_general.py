"""Measure main text on general pages: which pieces of text that belong to it are found, and which that do not.

    python bench/extraction_general.py [FOLDER] [--json]

FOLDER holds `truth.json`, which maps NAME to its `url`, the pieces `with` that belong to the main text and the pieces
`without` that do not, and html/NAME.html.gz, the bytes as they came. A piece is found if it is part of the text, white
space collapsed on both sides. Precision = found `with` / (found `with` + found `without`), recall = found `with` / all
`with`, over all pieces of all pages. The peer is trafilatura, without comments and with tables; the interval of the
difference comes from a bootstrap that draws pages, the same for both.
"""

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from extraction import DATA, Extractor, Page, is_installed, measure_seconds
from gossamer.net.html import main_text, read

FOLDER = DATA.parent / "extraction-general"
BOOTSTRAPS = 2000


class GeneralPage(NamedTuple):
    """A page, and pieces of text that do and do not belong to its main text."""

    page: Page
    wanted: list[str]
    unwanted: list[str]


class Found(NamedTuple):
    """How many pieces of a page were found rightly, found wrongly and missed."""

    right: int
    wrong: int
    missed: int


def load_general(folder: Path) -> list[GeneralPage]:
    """Read a set of pages in the order of its truth."""
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    return [
        GeneralPage(
            Page(name, entry["url"], gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()), ""),
            [collapse(piece) for piece in entry["with"]],
            [collapse(piece) for piece in entry["without"]],
        )
        for name, entry in truth.items()
    ]


def collapse(text: str) -> str:
    """Return a text with one space for all white space."""
    return " ".join(text.split())


def find_pieces(page: GeneralPage, text: str) -> Found:
    """Count the pieces of a page in a text."""
    text = collapse(text)
    right = sum(piece in text for piece in page.wanted)
    wrong = sum(piece in text for piece in page.unwanted)
    return Found(right, wrong, len(page.wanted) - right)


def compute_shares(found: Iterable[Found]) -> dict[str, float]:
    """Return precision, recall and F1 over all pieces."""
    right, wrong, missed = (sum(column) for column in zip(*found, strict=True))
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    return {
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "precision": precision,
        "recall": recall,
    }


def extract_main_text(page: Page) -> str:
    """Extract with Gossamer, reading included."""
    return main_text(read(page.body, page.url))


def load_trafilatura() -> Extractor:
    """Return trafilatura as the truth was counted: from the bytes, without comments, with tables."""
    import trafilatura

    return lambda page: (
        trafilatura.extract(page.body, include_comments=False, include_tables=True, url=page.url) or ""
    )


def compare(ours: list[Found], theirs: list[Found]) -> tuple[float, float]:
    """Return the 95 % interval of the difference in F1, by a bootstrap over pages."""
    chance = random.Random(1)
    pairs = list(zip(ours, theirs, strict=True))
    differences = []
    for _ in range(BOOTSTRAPS):
        drawn = chance.choices(pairs, k=len(pairs))
        differences.append(
            compute_shares(our for our, _ in drawn)["f1"] - compute_shares(their for _, their in drawn)["f1"]
        )
    differences.sort()
    return differences[BOOTSTRAPS * 25 // 1000], differences[BOOTSTRAPS * 975 // 1000]


def measure_all(pages: list[GeneralPage]) -> dict[str, float]:
    """Measure Gossamer and, if it is installed, its peer."""
    ours = [find_pieces(page, extract_main_text(page.page)) for page in pages]
    result = compute_shares(ours)
    if not is_installed("trafilatura"):
        return result
    extract = load_trafilatura()
    theirs = [find_pieces(page, extract(page.page)) for page in pages]
    low, high = compare(ours, theirs)
    sample = [page.page for page in pages[::6]]
    seconds, their_seconds = measure_seconds(extract_main_text, sample), measure_seconds(extract, sample)
    result |= {f"trafilatura_{name}": value for name, value in compute_shares(theirs).items()}
    return result | {
        "gain": result["f1"] - result["trafilatura_f1"],
        "gain_low": low,
        "gain_high": high,
        "ms_a_page": 1000 * seconds,
        "trafilatura_ms_a_page": 1000 * their_seconds,
        "time_vs_trafilatura": seconds / their_seconds,
    }


def measure() -> dict[str, float] | None:
    """Return the figures that have floors, or None where the development data is absent."""
    if not (FOLDER / "truth.json").exists():
        print(
            f"extraction_general: the pages of {FOLDER.name} are not here, nothing measured", file=sys.stderr
        )
        return None
    return {f"extraction_general.{name}": value for name, value in measure_all(load_general(FOLDER)).items()}


def main() -> int:
    """Measure the given pages, and print the figures as text or JSON."""
    parser = argparse.ArgumentParser(description="Main text of general pages, by pieces of it.")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    if not (options.folder / "truth.json").is_file():
        print(f"no truth.json in {options.folder}: name a folder that has one", file=sys.stderr)
        return 2
    result = measure_all(load_general(options.folder))
    if options.json:
        print(json.dumps(result, indent=2))
        return 0
    for name, value in result.items():
        print(f"{name:<24} {value:8.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
