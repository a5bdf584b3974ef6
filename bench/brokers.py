"""Measure how well the answers of several webs are merged: nDCG at ten answers, relative to one index of all documents.

    python bench/brokers.py

Cranfield and MEDLINE are split over four indexes: by a hash, by length (5, 15, 25 and 55 % of the documents, the shortest in the
smallest), and by topic (the same sizes, along the direction in which the texts differ most). Also measured: webs that do not tell
their statistics, all of them or one, so that scores are taken as they are; one of four webs that does not answer, relative to one index of the
other three; and the processor time of a query over four webs, relative to one index of all documents.
"""

import hashlib
import math
import statistics
import sys
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from gossamer.broker.broker import Broker
from gossamer.broker.web_source import SourceQuery, Unavailable
from gossamer.search.answers.answer_query import search
from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.web_statistics import WebStatistics, collect_statistics
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.text.language.detection.page_language import page_language
from search_quality import COLLECTIONS, FOLDER, Collection, compute_ndcg, load_named
from timing import find_best_times

_WEBS = 4
_ENDS = (0.05, 0.2, 0.45, 1.0)
_LANGUAGE = "en"
_TIMED = 60
_ROUNDS = 5


class IndexSource:
    """An index in memory as one of several webs."""

    address = ""

    def __init__(self, name: str, index: Index, scoring: str = "", is_down: bool = False) -> None:
        self.name = name
        self._index = index
        self._scoring = scoring
        self._is_down = is_down

    def describe(self, text: str, languages: tuple[str, ...]) -> WebStatistics | Unavailable:
        """Return the statistics of the index for a query."""
        if self._is_down:
            return Unavailable("it cannot be reached")
        found = collect_statistics(self._index, text, languages, self.name)
        return msgspec.structs.replace(found, scoring=self._scoring or found.scoring)

    def search(self, query: SourceQuery) -> Answers | Unavailable:
        """Return the best answers of the index."""
        return search(self._index, query.text, query.options)

    def suggest(self, typed: str) -> list[str]:
        """Return nothing: no query is typed here."""
        return [typed][:0]

    def close(self) -> None:
        """Do nothing."""


def split_by_hash(collection: Collection) -> list[int]:
    """Deal the documents to four webs of about the same size."""
    names = [one["id"] for one in collection.documents]
    return [hashlib.sha256(name.encode()).digest()[0] % _WEBS for name in names]


def split_by_length(collection: Collection) -> list[int]:
    """Put the shortest documents into the smallest web, and the longest into the largest."""
    return _cut([len(one["text"]) for one in collection.documents])


def split_by_topic(collection: Collection) -> list[int]:
    """Sort the documents along the first principal component of their words, and cut them into webs of unequal sizes."""
    counts = [Counter(f"{one['title']} {one['text']}".lower().split()) for one in collection.documents]
    places = {word: at for at, word in enumerate(dict.fromkeys(word for one in counts for word in one))}
    weights = np.zeros((len(counts), len(places)))
    for row, one in enumerate(counts):
        for word, times in one.items():
            weights[row, places[word]] = 1 + math.log(times)
    weights *= np.log(len(counts) / (weights > 0).sum(0))
    weights /= np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-9)
    weights -= weights.mean(0)
    _, vectors = np.linalg.eigh(weights @ weights.T)
    return _cut(list(vectors[:, -1]))


def _cut(values: Sequence[float]) -> list[int]:
    """Return the number of the web of each document, by its rank."""
    order = np.argsort(np.asarray(values), kind="stable")
    found = [0] * len(values)
    for rank, at in enumerate(order):
        found[at] = next(web for web, end in enumerate(_ENDS) if rank < end * len(values) or end == 1.0)
    return found


SPLITS = {"hash": split_by_hash, "length": split_by_length, "topic": split_by_topic}


def build_index(documents: Sequence[dict[str, str]]) -> Index:
    """Index some documents, each at an address of its own."""
    index = Index()
    writer = index.writer()
    for number, one in enumerate(documents):
        language = page_language(one["text"]) or _LANGUAGE
        url = f"https://documents.example/{one['id']}"
        writer.add(Entry(id=number, url=url, title=one["title"], main=one["text"], language=language))
    writer.commit()
    return index


def measure_answers(collection: Collection, ask: "Index | Broker", judged: set[str]) -> float:
    """Return the mean nDCG over the queries; only these documents count as relevant."""
    found = []
    for query in collection.queries:
        grades = collection.relevant.get(query["id"], {})
        grades = {name: grade for name, grade in grades.items() if grade > 0 and name in judged}
        if grades:
            answers = _answer(ask, query["text"]).answers
            found.append(compute_ndcg([one.url.rpartition("/")[2] for one in answers], grades))
    return statistics.mean(found)


def _answer(ask: "Index | Broker", text: str) -> Answers:
    return ask.search(text) if isinstance(ask, Broker) else search(ask, text)


def measure_split(name: str, split: str) -> dict[str, float]:
    """Measure one split of one collection."""
    collection = load_named(name)
    webs = SPLITS[split](collection)
    parts = [
        [document for document, web in zip(collection.documents, webs, strict=True) if web == number]
        for number in range(_WEBS)
    ]
    indexes = [build_index(part) for part in parts]
    everything = {one["id"] for one in collection.documents}
    one = measure_answers(collection, build_index(collection.documents), everything)
    together = Broker([IndexSource(str(at), index) for at, index in enumerate(indexes)])
    apart = Broker([IndexSource(str(at), index, scoring=str(at)) for at, index in enumerate(indexes)])
    odd = Broker([IndexSource(str(at), index, scoring="odd" * (at == 1)) for at, index in enumerate(indexes)])
    down = Broker([IndexSource(str(at), index, is_down=at == 1) for at, index in enumerate(indexes)])
    rest = [document for at, part in enumerate(parts) for document in part if at != 1]
    left = {document["id"] for document in rest}
    noted = sum("1 was left out" in note for note in down.search(collection.queries[0]["text"]).notes)
    figures = {
        f"brokers.{name}_{split}": measure_answers(collection, together, everything) / one,
        f"brokers.{name}_{split}_untold": measure_answers(collection, apart, everything) / one,
        f"brokers.{name}_{split}_one_untold": measure_answers(collection, odd, everything) / one,
        f"brokers.{name}_{split}_one_down": noted
        * measure_answers(collection, down, left)
        / measure_answers(collection, build_index(rest), left),
    }
    for broker in (together, apart, odd, down):
        broker.close()
    return figures


def measure_cost() -> dict[str, float]:
    """Measure the processor time of queries over four indexes on this machine, relative to one index of all documents."""
    collection = load_named(COLLECTIONS[0])
    webs = split_by_hash(collection)
    one = build_index(collection.documents)
    sources = [
        IndexSource(
            str(number),
            build_index([two for two, web in zip(collection.documents, webs, strict=True) if web == number]),
        )
        for number in range(_WEBS)
    ]
    asked = [query["text"] for query in collection.queries[:_TIMED]]
    with Broker(sources) as broker:
        best = find_best_times(
            {
                "four": lambda: [broker.search(text) for text in asked],
                "one": lambda: [search(one, text) for text in asked],
            },
            _ROUNDS,
        )
    return {"brokers.cost_vs_one": best["four"] / best["one"]}


def measure() -> dict[str, float]:
    """Measure all splits of the installed collections, and the cost."""
    figures: dict[str, float] = {}
    for name in COLLECTIONS if FOLDER.is_dir() else ():
        for split in SPLITS:
            figures |= measure_split(name, split)
    return figures | (measure_cost() if FOLDER.is_dir() else {})


def main() -> int:
    """Print all figures."""
    for name in COLLECTIONS:
        for split in SPLITS:
            _print(measure_split(name, split))
    _print(measure_cost())
    return 0


def _print(figures: dict[str, float]) -> None:
    for name, value in figures.items():
        print(f"{name:40} {value:.4f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
