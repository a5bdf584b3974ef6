"""Measure the contribution of each part of the ranking: the same queries without it.

    python bench/search_ablations.py

The columns are nDCG at ten answers on the test collections, with feedback and without, and on the lab's web the shares of
pages that are the first answer to their names or to one word of them (`search_names.py`). Without stems both are
indexed again; base forms stay, which `search_base_forms.py` measures.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from gossamer.search.field_weights import WEIGHTS, RankingWeights
from gossamer.search.terms import analysis
from gossamer.web import Web
from search_names import crawl_world, index_again, make_questions, measure_found_first
from search_quality import COLLECTIONS, FOLDER, build_index, load_named, measure_quality

WITHOUT: dict[str, dict[str, Any]] = {
    "everything": {},
    "without anchors": {"anchors_times": 0, "whole_anchor": 0.0},
    "without rank": {"rank": 0.0},
    "without nearness": {"near": 0.0},
    "without coverage": {"coverage": 0.0},
    "without whole names": {f"whole_{kind}": 0.0 for kind in ("title", "exact", "name", "anchor")},
    "without damping of lists": {"lists": 0.0},
    "without words outside the text": {"extra": 0.0},
    "without weight of titles": {"title": 0.0},
    "title counts once": {"title": 0.0, "title_times": 1},
}
UNSTEMMED = "without stems of words that no dictionary has"


@contextmanager
def disable_stemming() -> Iterator[None]:
    """Index and search words without stemming."""
    known = dict(analysis.STEMMERS)
    analysis.STEMMERS.clear()
    analysis.forget_words()
    try:
        yield
    finally:
        analysis.STEMMERS.update(known)
        analysis.forget_words()


def measure_collections(weights: RankingWeights) -> dict[str, float]:
    """Measure the installed collections."""
    figures = {}
    for name in COLLECTIONS if FOLDER.is_dir() else ():
        collection = load_named(name)
        index = build_index(collection, weights)
        figures[name] = measure_quality(collection, index, feedback=False)
        figures[f"{name} with feedback"] = measure_quality(collection, index)
    return figures


def measure_names(web: Web, weights: RankingWeights) -> dict[str, float]:
    """Index a web of the lab again, and measure how well pages are found by their names."""
    with tempfile.TemporaryDirectory() as folder:
        index = index_again(web, Path(folder, "index"), weights)
        return {name: measure_found_first(index, wanted) for name, wanted in make_questions(web).items()}


def measure() -> dict[str, dict[str, float]]:
    """Measure with everything and without each part."""
    with tempfile.TemporaryDirectory() as folder, crawl_world(Path(folder, "web")) as web:
        found = {}
        for name, changed in WITHOUT.items():
            weights = msgspec.structs.replace(WEIGHTS, **changed)
            found[name] = measure_collections(weights) | measure_names(web, weights)
        with disable_stemming():
            found[UNSTEMMED] = measure_collections(WEIGHTS) | measure_names(web, WEIGHTS)
    return found


def main() -> int:
    """Measure, and print the table of the manual."""
    found = measure()
    columns = list(next(iter(found.values())))
    print("| |", " | ".join(name.replace("_", " ") for name in columns), "|")
    print("|---" * (len(columns) + 1) + "|")
    for name, figures in found.items():
        print(f"| {name} |", " | ".join(f"{figures[column]:.3f}" for column in columns), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
