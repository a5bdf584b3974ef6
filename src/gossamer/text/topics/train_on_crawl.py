"""Training a topic of few examples on the pages that a crawl has read: they are its contrast, and add to its words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.page_features import (
    CountTable,
    build_table,
    choose_columns,
    count_features,
    describe_as_link,
)
from gossamer.text.topics.features.term_weights import compute_rarity, weigh_terms
from gossamer.text.topics.model_file import Card, Kind, ModelParts
from gossamer.text.topics.topic_model import TopicModel
from gossamer.text.topics.training.calibration import fit_outlier_curve
from gossamer.text.topics.training.distinctive_words import find_distinctive_words
from gossamer.text.topics.training_example import Example

_KIND: Kind = "cosine"
_MIN_PAGES = 2
_LEFT_OUT = 10
"""One page in this many, the most similar ones, does not count as contrast: it may be about the topic."""
_FEWEST_TO_ADD = 64
"""Of fewer pages the most similar ones are mostly off the topic: docs/decisions/0025-evidence-of-all-sources.md."""
_ADDED = 20
"""One page in this many, the most similar ones, adds its words to the topic."""
_SHARE_OF_ADDED = 0.5
"""What these pages count together, against the examples together."""

_Vector = NDArray[np.float64]


def train_on_crawl(examples: Sequence[Example], read: Sequence[Example], found: int = 0) -> TopicModel:
    """Learn a topic from few examples and the pages that a crawl has read, whatever these are about.

    The first `found` pages are the best results of a search for the topic, the best one first; 0 if there was none.
    A word counts by its rarity on the pages read. The topic is the mean direction of the examples, less what it has in
    common with the mean page, plus half as much of the pages that were found, or else of those most similar to it: a text of
    ten words lacks most words that pages about the topic use. A page is about the topic if it scores far above the others.
    Source: Rocchio 1971; Buckley et al. 1994 (feedback without judgements). Cost: about that of reading the pages twice.
    """
    of_examples, of_pages = ([count_features(page, _KIND) for page in pages] for pages in (examples, read))
    columns = np.union1d(
        choose_columns([*of_examples, *of_pages], _MIN_PAGES), choose_columns(of_examples, 1)
    )
    pages = build_table(of_pages, columns)
    scales = compute_rarity(pages)
    own, others = _Directions(build_table(of_examples, columns), scales), _Directions(pages, scales)
    weights = _find_direction(own, others, found)
    scores = np.sort(others.score(weights))[: len(read) - len(read) // _LEFT_OUT]
    links = _Directions(_count_links([*examples, *read], columns), scales).score(weights)
    card = Card(
        kind=_KIND,
        examples=len(examples),
        against=len(read),
        curve=fit_outlier_curve(scores, float(own.score(weights).mean())),
        short_curve=fit_outlier_curve(links[len(examples) :], float(links[: len(examples)].mean())),
        words=find_distinctive_words([*examples, *read], columns, weights * scales),
        kept=tuple(examples),
        links_as_text=True,
        pages_read=len(read),
    )
    return TopicModel(ModelParts(card, columns, scales, weights))


class _Directions:
    """Pages as vectors of length 1."""

    def __init__(self, table: CountTable, scales: _Vector) -> None:
        self._table, self._rows = weigh_terms(_KIND, table, scales), table.list_rows()
        lengths = np.sqrt(np.bincount(self._rows, self._table.values**2, minlength=table.rows))
        self._values = self._table.values / lengths[self._rows]

    @property
    def count(self) -> int:
        """The number of pages."""
        return self._table.rows

    def score(self, direction: _Vector) -> _Vector:
        """Return the cosine of each page and a direction."""
        scores = np.bincount(self._rows, self._values * direction[self._table.columns], self._table.rows)
        return scores.astype(np.float64)

    def find_mean(self, shares: _Vector | float = 1.0) -> _Vector:
        """Return the mean direction of all pages, each counted by its share."""
        by_row = np.broadcast_to(shares, self._table.rows)[self._rows]
        total = np.bincount(self._table.columns, self._values * by_row, len(self._table.ids))
        return _to_unit(total.astype(np.float64))


def _find_direction(examples: _Directions, pages: _Directions, found: int) -> _Vector:
    """Return the direction of the topic."""
    common = pages.find_mean()
    topic = _remove(examples.find_mean(), common)
    shares = _rank_found(found, pages.count) if found else _weigh_similar(pages.score(topic))
    return _to_unit(topic + _SHARE_OF_ADDED * _remove(pages.find_mean(shares), common))


def _rank_found(found: int, pages: int) -> _Vector:
    """Return what each page counts among those that a search found: the fourth half as much as the first."""
    return np.where(np.arange(pages) < found, 1.0 / np.sqrt(1.0 + np.arange(pages)), 0.0)


def _weigh_similar(scores: _Vector) -> _Vector:
    """Return what each page counts among those that are most similar to the topic."""
    if len(scores) < _FEWEST_TO_ADD:
        return np.zeros_like(scores)
    least = np.sort(scores)[-1 - len(scores) // _ADDED]
    shares: _Vector = np.sqrt(np.maximum(0.0, scores - least))
    return shares


def _remove(direction: _Vector, common: _Vector) -> _Vector:
    """Return a direction without its part along another."""
    return _to_unit(direction - (direction @ common) * common)


def _to_unit(vector: _Vector) -> _Vector:
    unit: _Vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return unit


def _count_links(pages: Sequence[Example], columns: NDArray[np.uint32]) -> CountTable:
    """Count the words of pages as links would show them."""
    return build_table([count_features(describe_as_link(page, _KIND), _KIND) for page in pages], columns)
