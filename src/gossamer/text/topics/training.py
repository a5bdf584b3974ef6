"""A topic from examples: pages that are about it, and pages that are not."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.calibrating import fitted_curve
from gossamer.text.topics.example import Example
from gossamer.text.topics.features import Table, columns_of, counts_of, table_of
from gossamer.text.topics.fitting import FITS, Fitted
from gossamer.text.topics.model import TopicModel, linked
from gossamer.text.topics.naming import telling_words
from gossamer.text.topics.packing import KINDS, Card, Kind, Packed, Tried
from gossamer.text.topics.trying import Folds, folds_of, tried
from gossamer.text.topics.weighing import scores_of

# A word that stands on one page says nothing of others; of few examples every word counts.
_FEWEST_PAGES = 2
_FEW_EXAMPLES = 20
# More do not change a judgement, only the size of the file.
_MOST_COLUMNS = 60_000
# Characters of a page without a title that serve as one.
_SHORT = 80
# The curve of scores that nothing was kept back for: a cosine of 0.2 is as good as even.
_CURVES: dict[str, tuple[float, float]] = {"linear": (2.0, 0.0), "bayes": (1.0, 0.0), "cosine": (20.0, -4.0)}


def train_topic(examples: Sequence[Example], against: Sequence[Example], kind: Kind = "linear") -> TopicModel:
    """Learn a topic from pages that are about it and pages that are not.

    Pages are kept back in turn, so that probabilities mean what they say and `card.tried` tells how well it does.
    Cost: that of reading the pages some six times.
    """
    _check(examples, against, kind)
    pages = [*examples, *against]
    counts = [counts_of(page, kind) for page in pages]
    columns = columns_of(counts, _FEWEST_PAGES if len(pages) >= _FEW_EXAMPLES else 1)
    if not len(columns):
        raise BadInput("the examples have no words in common: give more of them, or pages with text")
    material = _Material(kind, pages, table_of(counts, columns), np.arange(len(pages)) < len(examples))
    return TopicModel(_assembled(material, FITS[kind](material.table, material.about), _kept_back(material)))


class _Material(NamedTuple):
    kind: Kind
    pages: Sequence[Example]
    table: Table
    about: NDArray[np.bool_]


class _Found(NamedTuple):
    """What pages that were kept back teach."""

    curve: tuple[float, float]
    short_curve: tuple[float, float]
    tried: Tried | None


def _check(examples: Sequence[Example], against: Sequence[Example], kind: str) -> None:
    if kind not in KINDS:
        raise BadInput(f"there is no kind of model {kind!r}; there are {', '.join(KINDS)}")
    if not examples:
        raise BadInput("there are no examples of the topic: name pages, files, a folder or a text")
    if not against:
        raise BadInput("there is nothing against the topic: name pages that are not about it")
    if len(set(examples) | set(against)) == 1 or set(examples) == set(against):
        raise BadInput(
            "the examples and those against them are all alike: they cannot be told from each other"
        )


def _kept_back(material: _Material) -> _Found:
    """Judge each page by a model of the other folds, and fit the curves to that."""
    hosts = [page.url.partition("://")[2].partition("/")[0] for page in material.pages]
    folds = folds_of(material.about, hosts)
    if folds is None:
        curve = _CURVES[material.kind]
        return _Found(curve, curve, None)
    scores, short_scores = _scores_in_turn(material, folds)
    short_curve = fitted_curve(short_scores, material.about)
    curve = _CURVES["bayes"] if material.kind == "bayes" else fitted_curve(scores, material.about)
    chances = 1.0 / (1.0 + np.exp(-np.clip(curve[0] * scores + curve[1], -700, 700)))
    return _Found(curve, short_curve, tried(chances, material.about, folds.number))


def _scores_in_turn(material: _Material, folds: Folds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the score that each page has by what the other folds teach, and that of its title alone."""
    shorts = [counts_of(_as_linked(page), material.kind) for page in material.pages]
    kinds = material.table, table_of(shorts, material.table.ids)
    scores = np.zeros((2, len(shorts)))
    for fold in range(folds.number):
        kept_back = folds.of == fold
        learnt = FITS[material.kind](material.table.only(~kept_back), material.about[~kept_back])
        for row, table in enumerate(kinds):
            judged = scores_of(material.kind, table.only(kept_back), learnt.scales, learnt.weights)
            scores[row, kept_back] = judged + learnt.bias
    return scores[0], scores[1]


def _as_linked(page: Example) -> Example:
    """Return what is known of a page before it is got; its title stands for what a link calls it."""
    called = page.title or page.text[:_SHORT]
    return linked(called, page.url, page.linked_from[0] if page.linked_from else "")


def _assembled(material: _Material, learnt: Fitted, found: _Found) -> Packed:
    says = np.abs(learnt.weights * learnt.scales)
    kept = np.sort(np.argsort(-says, kind="stable")[:_MOST_COLUMNS])
    about = int(material.about.sum())
    card = Card(
        kind=material.kind,
        examples=about,
        against=len(material.about) - about,
        bias=learnt.bias,
        curve=found.curve,
        short_curve=found.short_curve,
        words=telling_words(material.pages, material.table.ids, learnt.weights * learnt.scales),
        tried=found.tried,
    )
    scales, weights = (numbers[kept].astype(np.float32) for numbers in (learnt.scales, learnt.weights))
    return Packed(card, material.table.ids[kept], scales, weights)
