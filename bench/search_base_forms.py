"""Compare base forms with stems: recall among the first hundred answers, and the size of the index.

    python bench/search_base_forms.py [--json]

Cranfield and MEDLINE are English; the German collection is made of Debian's handbooks (`german_sections.py`). Both indexes are
made in the same run, with the same weights. The stems are those of the engine for all words, as earlier versions used them.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from german_sections import load_german
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import rank_pages
from gossamer.search.terms import base_forms
from gossamer.search.terms.analysis import forget_words
from search_quality import COLLECTIONS, FOLDER, Collection, compute_ndcg, load_named

_TOP = 100


class Figures(NamedTuple):
    """What was measured of one index."""

    recall: float
    ndcg: float
    size_bytes: int


def load_collections() -> dict[str, tuple[Collection, str]]:
    """Return the collections that are there, each with its language."""
    found = {name: (load_named(name), "en") for name in COLLECTIONS if FOLDER.is_dir()}
    german = load_german()
    return found | ({"german": (german, "de")} if german.documents else {})


@contextmanager
def stems_only() -> Iterator[None]:
    """Let no word have a base form."""
    forget_words()
    with patch.object(base_forms, "read_dictionary", return_value=None):
        yield
    forget_words()


def measure_collection(collection: Collection, language: str, exact: bool = False) -> Figures:
    """Index a collection in a folder, and answer its queries."""
    with tempfile.TemporaryDirectory() as folder:
        index = _build_index(Path(folder) / "index", collection, language, exact)
        recalls, gains = [], []
        for query in collection.queries:
            grades = collection.relevant.get(query["id"], {})
            relevant = {document for document, grade in grades.items() if grade > 0}
            if relevant:
                hits = rank_pages(index, CompiledQuery(parse(query["text"]), index), _TOP)[:_TOP]
                found = [collection.documents[hit.page]["id"] for hit in hits]
                recalls.append(len(relevant.intersection(found)) / len(relevant))
                gains.append(compute_ndcg(found, grades))
        size_bytes = sum(path.stat().st_size for path in (Path(folder) / "index").iterdir())
    return Figures(statistics.mean(recalls), statistics.mean(gains), size_bytes)


def _build_index(folder: Path, collection: Collection, language: str, exact: bool) -> Index:
    index = Index(folder, exact=exact)
    writer = index.writer()
    for number, one in enumerate(collection.documents):
        writer.add(Entry(id=number, url="", title=one["title"], main=one["text"], language=language))
    writer.commit()
    return index


def measure() -> dict[str, float]:
    """Measure all collections; sizes are those of all indexes together, since a small one is mostly dictionary."""
    figures: dict[str, float] = {}
    sizes: dict[str, int] = {"stems": 0, "bases": 0, "exact": 0}
    for name, (collection, language) in load_collections().items():
        with stems_only():
            stems = measure_collection(collection, language)
        bases = measure_collection(collection, language)
        exact = measure_collection(collection, language, exact=True)
        figures |= {
            f"search_base_forms.{name}_recall": bases.recall,
            f"search_base_forms.{name}_recall_of_stems": stems.recall,
            f"search_base_forms.{name}_recall_vs_stems": bases.recall / stems.recall,
            f"search_base_forms.{name}_ndcg": bases.ndcg,
            f"search_base_forms.{name}_ndcg_of_stems": stems.ndcg,
            f"search_base_forms.{name}_size_vs_stems": bases.size_bytes / stems.size_bytes,
            f"search_base_forms.{name}_exact_size_vs_stems": exact.size_bytes / stems.size_bytes,
        }
        for kind, one in (("stems", stems), ("bases", bases), ("exact", exact)):
            sizes[kind] += one.size_bytes
    if figures:
        figures["search_base_forms.size_vs_stems"] = sizes["bases"] / sizes["stems"]
        figures["search_base_forms.exact_size_vs_stems"] = sizes["exact"] / sizes["stems"]
    return figures


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Base forms against stems: recall and size of the index.")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    as_json = parser.parse_args().json
    figures = measure()
    if as_json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name} {value:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
