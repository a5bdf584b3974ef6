"""Measure how far the shares of the language recogniser are from the truth, and fit the curve for single words.

    python bench/language_calibration.py [--json]
    python bench/language_calibration.py --fit     # print the curve, from the even lines of the data

A text that is recognised with a share of 0.8 should be in that language in 80 % of all cases. The expected calibration
error is the mean distance between both over ten bins of shares, weighted by their texts (Guo et al. 2017). It is measured
on the odd lines of the development data; the even lines fit the curve.
"""

import itertools
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from command_line import run_benchmark
from gossamer.text.language.detection.calibrate_shares import KNOTS, MOST_WORDS
from gossamer.text.language.detection.detect_language import detect, judge_text
from gossamer.text.language.model.model import Model

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "language"
KINDS = ("sentences", "pairs", "words")
BINS = 10

Guess = tuple[float, bool]
"""The share of the best language, and whether it is the right one."""


def measure() -> dict[str, float]:
    """Return the calibration error of each kind of text and of all together; nothing without the data."""
    if not DATA.is_dir():
        print(f"no language data: {DATA} is absent", file=sys.stderr)
        return {}
    found = {kind: [_guess(*line) for line in read_lines(kind)[1::2]] for kind in KINDS}
    figures = {f"language.calibration_error_{kind}": compute_error(found[kind]) for kind in KINDS}
    together = [guess for kind in KINDS for guess in found[kind]]
    return figures | {"language.calibration_error_together": compute_error(together)}


def read_lines(kind: str) -> list[tuple[str, str]]:
    """Return the labelled texts of one kind."""
    lines = (DATA / f"{kind}.tsv").read_text("utf-8").removesuffix("\n").split("\n")
    return [(language, text) for language, _, text in (line.partition("\t") for line in lines)]


def _guess(language: str, text: str) -> Guess:
    verdict = detect(text)
    return verdict.confidence, verdict.language == language


def compute_error(guesses: Sequence[Guess]) -> float:
    """Return the expected calibration error of guesses."""
    bins: dict[int, list[Guess]] = defaultdict(list)
    for share, right in guesses:
        bins[min(BINS - 1, int(share * BINS))].append((share, right))
    return sum(abs(sum(share - right for share, right in each)) for each in bins.values()) / len(guesses)


def fit() -> list[tuple[float, float]]:
    """Return the curve for single words: how often a share is right, rising, at the mean share of each bin."""
    guesses = []
    model = Model.load()
    for kind in KINDS:
        for language, text in read_lines(kind)[::2]:
            found = judge_text(text, model.select_candidates(None), model)
            if found is not None and found.words <= MOST_WORDS:
                at, share = found.shares[0]
                guesses.append((share, model.known[at].code == language))
    unsure = sorted(guess for guess in guesses if guess[0] < 0.95)
    parts = np.array_split(np.array(unsure), BINS)
    pools = [[part[:, 0].mean(), part[:, 1].mean(), 1.0] for part in parts]
    while any(a[1] > b[1] for a, b in itertools.pairwise(pools)):
        at = next(at for at in range(len(pools) - 1) if pools[at][1] > pools[at + 1][1])
        (x, y, n), (u, v, m) = pools[at : at + 2]
        pools[at : at + 2] = [[(n * x + m * u) / (n + m), (n * y + m * v) / (n + m), n + m]]
    return [(0.0, 0.0), *((round(float(x), 2), round(float(y), 2)) for x, y, _ in pools), (1.0, 1.0)]


if __name__ == "__main__":
    if "--fit" in sys.argv[1:]:
        print(fit(), "now:", KNOTS)
        sys.exit(0)
    sys.exit(run_benchmark("language_calibration", measure, "--json" in sys.argv[1:]))
