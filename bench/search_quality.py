"""Measure how well pages are ranked, on a test collection: nDCG at ten answers.

    python bench/search_quality.py DOCS QUERIES QRELS [--json] [--no-feedback]

DOCS and QUERIES are JSON lines with `id` and `text`, documents also with `title`; QRELS are lines of query, an ignored
word, document and relevance. Queries are used as a person would type them. All collections use the same settings:
`WEIGHTS` of `search/field_weights.py`, with feedback, which improves queries of several words.
"""

import argparse
import json
import math
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from extraction import DATA
from gossamer.search.field_weights import WEIGHTS, RankingWeights
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import rank_pages
from gossamer.text.language.detection.page_language import page_language

FOLDER = DATA.parent / "search"
COLLECTIONS = ("cranfield", "med")
_TOP = 10
_ID_KEYS = ("id", "_id", "doc_id", "docno", "query_id", "qid")
_TEXT_KEYS = ("text", "body", "abstract", "query", "title")
_QRELS_COLUMNS = (3, 4)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Collection(NamedTuple):
    """Documents, queries, and the relevance of documents to queries."""

    documents: list[dict[str, str]]
    queries: list[dict[str, str]]
    relevant: dict[str, dict[str, int]]


def load(documents: Path, queries: Path, relevant: Path) -> Collection:
    """Read a collection; several common variants of the formats are accepted."""
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in relevant.read_text("utf-8-sig").splitlines():
        columns = line.split()
        if len(columns) in _QRELS_COLUMNS and _NUMBER.fullmatch(columns[-1]):  # others are headings, or empty
            judged[columns[0]][columns[-2]] = int(float(columns[-1]))
    return Collection(_read_lines(documents), _read_lines(queries), judged)


def _read_lines(path: Path) -> list[dict[str, str]]:
    """Read lines of JSON, each with an id, a text and perhaps a title."""
    found = []
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        row = json.loads(line)
        name = next((row[key] for key in _ID_KEYS if key in row), None)
        text = next((row[key] for key in _TEXT_KEYS if row.get(key)), "")
        if name is None:
            raise SystemExit(f"{path}, line {number}: there is no id; lines are JSON with id, text and title")
        found.append({"id": str(name), "text": str(text), "title": str(row.get("title") or "")})
    return found


def load_named(name: str) -> Collection:
    """Read one of the installed collections."""
    return load(*(FOLDER / f"{name}.{part}" for part in ("docs.jsonl", "queries.jsonl", "qrels")))


def build_index(collection: Collection, weights: RankingWeights = WEIGHTS) -> Index:
    """Index the documents of a collection; those too short to detect a language get the most frequent one."""
    languages = [page_language(one["text"]) for one in collection.documents]
    usual = Counter(filter(None, languages)).most_common(1)
    index = Index(weights=weights)
    writer = index.writer()
    for number, (one, language) in enumerate(zip(collection.documents, languages, strict=True)):
        spoken = language or (usual[0][0] if usual else "")
        writer.add(Entry(id=number, url="", title=one["title"], main=one["text"], language=spoken))
    writer.commit()
    return index


def compute_ndcg(ranked: list[str], grades: dict[str, int]) -> float:
    """Return the discounted gain of the first answers, relative to the best possible."""
    gains = [max(0, grades.get(document, 0)) for document in ranked[:_TOP]]
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:_TOP]
    gained, possible = (sum(gain / math.log2(at + 2) for at, gain in enumerate(one)) for one in (gains, best))
    return gained / possible


def measure_quality(
    collection: Collection,
    index: Index,
    feedback: bool = True,
    wanted: Callable[[int], bool] = lambda _: True,
) -> float:
    """Return the mean nDCG over the queries, or over those whose number is wanted."""
    found = []
    for number, query in enumerate(collection.queries):
        grades = collection.relevant.get(query["id"], {})
        if wanted(number) and any(grade > 0 for grade in grades.values()):
            found.append(compute_ndcg(_rank(collection, index, query["text"], feedback), grades))
    if not found:
        raise SystemExit("no query has a relevant document: QRELS are lines of query, 0, document, relevance")
    return statistics.mean(found)


def _rank(collection: Collection, index: Index, text: str, feedback: bool) -> list[str]:
    hits = rank_pages(index, CompiledQuery(parse(text), index), _TOP, feedback)
    return [collection.documents[hit.page]["id"] for hit in hits[:_TOP]]


def measure() -> dict[str, float]:
    """Measure the installed collections, with feedback and without."""
    figures = {}
    for name in COLLECTIONS if FOLDER.is_dir() else ():
        collection = load_named(name)
        index = build_index(collection)
        figures[f"search_quality.{name}"] = measure_quality(collection, index)
        figures[f"search_quality.{name}_without_feedback"] = measure_quality(
            collection, index, feedback=False
        )
    return figures


def main() -> int:
    """Measure one collection."""
    parser = argparse.ArgumentParser(description="nDCG@10 on a test collection.")
    for name in ("documents", "queries", "qrels"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--no-feedback", action="store_true", help="rank by the words of the query alone")
    arguments = parser.parse_args()
    collection = load(arguments.documents, arguments.queries, arguments.qrels)
    found = measure_quality(collection, build_index(collection), not arguments.no_feedback)
    figures = {"ndcg@10": found, "queries": len(collection.queries), "documents": len(collection.documents)}
    print(
        json.dumps(figures)
        if arguments.json
        else f"nDCG@10 {found:.4f} over {len(collection.queries)} queries"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
