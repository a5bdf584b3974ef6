"""A topic from examples: pages that are about it, and pages that are not."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.calibrating import fitted_curve, probabilities, shifted_curve, unusual_curve
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
_EVEN = 0.5
# The curves of scores that nothing was kept back for: a cosine of 0.2 is as good as even.
_CURVES: dict[str, tuple[float, float]] = {"linear": (2.0, 0.0), "bayes": (1.0, 0.0), "cosine": (20.0, -4.0)}


def train_topic(
    examples: Sequence[Example],
    against: Sequence[Example],
    kind: Kind = "linear",
    prior: float | None = None,
) -> TopicModel:
    """Learn a topic from pages that are about it and pages that are not.

    Pages are kept back in turn, so that probabilities mean what they say and `card.tried` tells how well it does. They
    are meant for webs where that share of the pages is about the topic that is so here, or `prior`. Naive Bayes says
    what it says, as in the seed: nearly always 0 or 1. Cost: that of reading the pages some six times.
    """
    _check(examples, against, kind)
    pages = [*examples, *against]
    counts = [counts_of(page, kind) for page in pages]
    columns = columns_of(counts, _FEWEST_PAGES if len(pages) >= _FEW_EXAMPLES else 1)
    if not len(columns):
        raise BadInput("the examples have no words in common: give more of them, or pages with text")
    about = np.arange(len(pages)) < len(examples)
    material = _Material(kind, pages, table_of(counts, columns), about)
    learnt = FITS[kind](material.table, about)
    model = TopicModel(_assembled(material, learnt, _kept_back(material, prior)))
    _check_it_tells(model, examples, against)
    return model


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


def _check_it_tells(model: TopicModel, examples: Sequence[Example], against: Sequence[Example]) -> None:
    """Refuse a topic that even the pages it was learnt from do not show."""
    if not any(chance >= _EVEN for chance in model.relevance_many(examples)):
        raise BadInput(
            "what was learnt matches nothing, not even its examples: give more of them, or some that have more in common"
        )
    if all(chance >= _EVEN for chance in model.relevance_many(against)):
        raise BadInput(
            "what was learnt matches everything, also what is against it: give examples that differ from those"
        )


def _kept_back(material: _Material, prior: float | None) -> _Found:
    """Judge each page by a model of the other folds, and fit the curves to that."""
    hosts = [page.url.partition("://")[2].partition("/")[0] for page in material.pages]
    folds = folds_of(material.about, hosts)
    scores, short_scores = (
        _Kept(one[folds.of >= 0], material.about[folds.of >= 0]) for one in _scores_in_turn(material, folds)
    )
    is_bayes = material.kind == "bayes"
    curve = shifted_curve(material.about, prior) if is_bayes else _curve(material.kind, scores, prior)
    both = scores.about.any() and not scores.about.all()
    found = tried(probabilities(scores.scores, *curve), scores.about, folds.number) if both else None
    return _Found(curve, _curve(material.kind, short_scores, prior), found)


class _Kept(NamedTuple):
    """Pages that were kept back."""

    scores: NDArray[np.float64]
    about: NDArray[np.bool_]


def _curve(kind: Kind, kept: _Kept, prior: float | None) -> tuple[float, float]:
    """Fit a curve to what was kept back: to both sides, or, beside an only example, to what is usual elsewhere."""
    if not len(kept.about) or kept.about.all():
        return _CURVES[kind]
    return fitted_curve(*kept, prior) if kept.about.any() else unusual_curve(kept.scores)


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
