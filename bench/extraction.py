"""Measure main text as scrapinghub/article-extraction-benchmark does: F1 over shingles of four words.

    python bench/extraction.py [HTML_DIR GROUND_TRUTH.json] [--json] [--peers]

HTML_DIR holds NAME.html or NAME.html.gz in UTF-8; the ground truth maps NAME to its `articleBody` and `url`.
The score of a page is taken over its shingles, normalised so that long pages weigh no more than short ones;
precision and recall are means over pages, F1 comes from the two, and intervals from the bootstrap.
"""

import argparse
import gzip
import importlib.util
import json
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gossamer.net.html import read
from gossamer.net.main_text.text_blocks import blocks

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "extraction"
HTML_DIR, GROUND_TRUTH = DATA / "html", DATA / "ground-truth.json"
SHINGLE_WORDS = 4
BOOTSTRAPS = 1000
TIMED_PAGES = 60
TIMED_ROUNDS = 3
_WORD = re.compile(r"\w+")


class Page(NamedTuple):
    """A page and the text that a reader would want from it."""

    name: str
    url: str
    body: bytes
    wanted: str


class Match(NamedTuple):
    """Shares of a page's shingles: found rightly, found wrongly, missed; and whether all words agree."""

    right: float
    wrong: float
    missed: float
    exact: bool


Extractor = Callable[[Page], str]


def load(html_dir: Path, ground_truth: Path) -> list[Page]:
    """Read a set of pages in the order of their ground truth."""
    truth = json.loads(ground_truth.read_text("utf-8"))
    return [
        Page(name, entry.get("url", ""), _read_body(html_dir, name), entry.get("articleBody") or "")
        for name, entry in truth.items()
    ]


def _read_body(html_dir: Path, name: str) -> bytes:
    packed = html_dir / f"{name}.html.gz"
    return (
        gzip.decompress(packed.read_bytes()) if packed.exists() else (html_dir / f"{name}.html").read_bytes()
    )


def split_words(text: str) -> list[str]:
    """Split a text as the benchmark does, case kept."""
    return _WORD.findall(text)


def make_shingles(text: str) -> Counter[tuple[str, ...]]:
    """Count the runs of four words; a text of fewer words is one run."""
    tokens = split_words(text)
    runs = range(max(1, len(tokens) - SHINGLE_WORDS + 1)) if tokens else range(0)
    return Counter(tuple(tokens[start : start + SHINGLE_WORDS]) for start in runs)


def match(wanted: str, found: str) -> Match:
    """Compare two texts."""
    want, have = make_shingles(wanted), make_shingles(found)
    counts = ((want & have).total(), (have - want).total(), (want - have).total())
    total = sum(counts) or 1
    right, wrong, missed = (count / total for count in counts)
    return Match(right, wrong, missed, split_words(wanted) == split_words(found))


def compute_figures(matches: list[Match]) -> dict[str, float]:
    """Return precision, recall, F1 and accuracy; pages without anything found have no precision."""
    precision = statistics.mean(
        [m.right / (m.right + m.wrong) for m in matches if m.right + m.wrong] or [0.0]
    )
    recall = statistics.mean([m.right / (m.right + m.missed) for m in matches if m.right + m.missed] or [0.0])
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    accuracy = statistics.mean(m.exact for m in matches)
    return {"f1": f1, "precision": precision, "recall": recall, "accuracy": accuracy}


def add_intervals(matches: list[Match]) -> dict[str, float]:
    """Add to each figure the half width of its 95 % interval, from the bootstrap over pages."""
    chance = random.Random(1)
    draws = [compute_figures(chance.choices(matches, k=len(matches))) for _ in range(BOOTSTRAPS)]
    result = compute_figures(matches)
    return result | {
        f"{name}_interval": 1.96 * statistics.stdev(draw[name] for draw in draws) for name in list(result)
    }


def extract_with_gossamer(page: Page) -> str:
    """Extract with Gossamer: the parse of the crawl loop, then its blocks."""
    document = read(page.body, page.url, "text/html; charset=utf-8")
    return "\n".join(block.text for block in blocks(document) if block.main)


def load_trafilatura() -> Extractor:
    """Return trafilatura without comments."""
    import trafilatura

    return lambda page: (
        trafilatura.extract(page.body.decode("utf-8", "replace"), include_comments=False) or ""
    )


def _load_readability() -> Extractor:
    import lxml.html
    import readability

    def extract(page: Page) -> str:
        summary = readability.Document(page.body.decode("utf-8", "replace")).summary()
        return " ".join(lxml.html.fromstring(summary).itertext())

    return extract


def _load_resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: str(
        extract_plain_text(page.body.decode("utf-8", "replace"), main_content=True, alt_texts=False)
    )


PEERS: dict[str, Callable[[], Extractor]] = {
    "trafilatura": load_trafilatura,
    "readability": _load_readability,
    "resiliparse": _load_resiliparse,
}


def is_installed(peer: str) -> bool:
    """Tell whether a peer can be measured here."""
    return importlib.util.find_spec(peer) is not None


def measure_seconds(extract: Extractor, pages: list[Page]) -> float:
    """Return the best time of several rounds, page by page."""
    total = 0.0
    for page in pages:
        rounds = []
        for _ in range(TIMED_ROUNDS):
            start = time.process_time()
            extract(page)
            rounds.append(time.process_time() - start)
        total += min(rounds)
    return total / len(pages)


def measure_time_vs_trafilatura(pages: list[Page]) -> float | None:
    """Return our time against trafilatura's on a sample of the same pages, or None without it."""
    if not is_installed("trafilatura"):
        return None
    sample = pages[:: max(1, len(pages) // TIMED_PAGES)]
    return measure_seconds(extract_with_gossamer, sample) / measure_seconds(load_trafilatura(), sample)


def measure_all(pages: list[Page], *, peers: bool) -> dict[str, dict[str, float]]:
    """Measure Gossamer, and its peers if asked for, on the same pages."""
    extractors: dict[str, Extractor] = {"gossamer": extract_with_gossamer}
    if peers:
        extractors |= {name: make() for name, make in PEERS.items() if is_installed(name)}
    result = {}
    for name, extract in extractors.items():
        matches = [match(page.wanted, extract(page)) for page in pages]
        result[name] = add_intervals(matches)
        result[name]["ms_a_page"] = 1000 * measure_seconds(
            extract, pages[:: max(1, len(pages) // TIMED_PAGES)]
        )
    ratio = measure_time_vs_trafilatura(pages)
    if ratio is not None:
        result["gossamer"]["time_vs_trafilatura"] = ratio
    return result


def measure() -> dict[str, float] | None:
    """Return the figures that have floors, or None where the development data is absent."""
    if not GROUND_TRUTH.exists():
        print(
            "extraction: the pages of shared/data/extraction are not here, nothing measured", file=sys.stderr
        )
        return None
    pages = load(HTML_DIR, GROUND_TRUTH)
    result = {
        "extraction.f1": compute_figures([match(page.wanted, extract_with_gossamer(page)) for page in pages])[
            "f1"
        ]
    }
    ratio = measure_time_vs_trafilatura(pages)
    return result if ratio is None else result | {"extraction.time_vs_trafilatura": ratio}


def main() -> int:
    """Measure the given pages, and print the figures as text or JSON."""
    parser = argparse.ArgumentParser(description="Main text against what a reader would want.")
    parser.add_argument("html_dir", type=Path, nargs="?", default=HTML_DIR)
    parser.add_argument("ground_truth", type=Path, nargs="?", default=GROUND_TRUTH)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--peers", action="store_true", help="measure the other extractors that are installed"
    )
    options = parser.parse_args()
    if not (options.html_dir.is_dir() and options.ground_truth.is_file()):
        print(f"no pages in {options.html_dir} with {options.ground_truth}: name both", file=sys.stderr)
        return 2
    result = measure_all(load(options.html_dir, options.ground_truth), peers=options.peers)
    if options.json:
        print(json.dumps(result, indent=2))
        return 0
    for name, row in result.items():
        print(
            f"{name:<12} F1 {row['f1']:.3f} ± {row['f1_interval']:.3f}  "
            f"precision {row['precision']:.3f} ± {row['precision_interval']:.3f}  "
            f"recall {row['recall']:.3f} ± {row['recall_interval']:.3f}  "
            f"accuracy {row['accuracy']:.3f} ± {row['accuracy_interval']:.3f}  {row['ms_a_page']:.2f} ms a page"
            + (f"  {row['time_vs_trafilatura']:.3f} of trafilatura" if "time_vs_trafilatura" in row else "")
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
