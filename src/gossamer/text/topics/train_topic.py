"""A topic from examples: pages that are about it, and pages that are not."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.calibration import fitted_curve, probabilities, shifted_curve, unusual_curve
from gossamer.text.topics.cross_validation import Folds, folds_of, tried
from gossamer.text.topics.example import Example
from gossamer.text.topics.fit_weights import FITS, Fitted
from gossamer.text.topics.model_file import KINDS, Card, Kind, Packed, Tried
from gossamer.text.topics.page_features import Counts, Table, columns_of, counts_of, table_of
from gossamer.text.topics.telling_words import telling_words
from gossamer.text.topics.term_weights import scores_of
from gossamer.text.topics.topic_model import TopicModel

# A word that stands on one page only says nothing of others, unless examples are few.
_FEWEST_PAGES = 2
_FEW_EXAMPLES = 20
# More do not change a judgement, only the size of the file.
_MOST_COLUMNS = 60_000
# Characters of a page without a title that serve as one.
_SHORT = 80
_EVEN = 0.5
_ENOUGH_TO_TELL = 10
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
    columns = _columns(kind, counts, len(examples))
    if not len(columns):
        raise BadInput("the examples have no words in common: give more of them, or pages with text")
    about = np.arange(len(pages)) < len(examples)
    material = _Material(kind, pages, table_of(counts, columns), about)
    learnt = FITS[kind](material.table, about)
    model = TopicModel(_assembled(material, learnt, _kept_back(material, prior)))
    _check_it_tells(model, examples, against)
    return model


def _columns(kind: Kind, counts: Sequence[Counts], examples: int) -> NDArray[np.uint32]:
    """Choose the words that are looked at: those of several pages, and all words of few examples; for the seed, all."""
    if kind == "bayes":
        return columns_of(counts, 1)
    of_examples = columns_of(counts[:examples], 1) if examples < _FEW_EXAMPLES else np.empty(0, np.uint32)
    return np.union1d(columns_of(counts, _FEWEST_PAGES), of_examples)


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
    """Refuse a topic that not even the pages it was learnt from show, or, of many, those that were kept back."""
    found = model.card.tried if min(len(examples), len(against)) >= _ENOUGH_TO_TELL else None
    nothing = found is not None and found.recall == 0
    if nothing or not any(chance >= _EVEN for chance in model.relevance_many(examples)):
        raise BadInput(
            "what was learnt matches nothing, not even its examples: give more of them, or some that have more in common"
        )
    everything = found is not None and found.recall == 1 and found.precision <= len(examples) / found.pages
    if everything or all(chance >= _EVEN for chance in model.relevance_many(against)):
        raise BadInput(
            "what was learnt matches everything, also what is against it: give examples that differ from those"
        )


def _kept_back(material: _Material, prior: float | None) -> _Found:
    """Judge each page by a model of the other folds, and fit the curves to that."""
    hosts = [page.url.partition("://")[2].partition("/")[0] for page in material.pages]
    folds = folds_of(material.about, hosts)
    scores, short_scores = (
        _Judged(one, material.about, folds.of >= 0) for one in _scores_in_turn(material, folds)
    )
    is_bayes = material.kind == "bayes"
    curve = shifted_curve(material.about, prior) if is_bayes else _curve(material.kind, scores, prior)
    both = bool((folds.of >= 0).all())
    found = tried(probabilities(scores.scores, *curve), material.about, folds.number) if both else None
    return _Found(curve, _curve(material.kind, short_scores, prior), found)


class _Judged(NamedTuple):
    scores: NDArray[np.float64]
    about: NDArray[np.bool_]
    kept_back: NDArray[np.bool_]
    """Not so for the only page of a side."""


def _curve(kind: Kind, judged: _Judged, prior: float | None) -> tuple[float, float]:
    """Fit a curve to what was kept back: to both sides, or, beside an only example, to what is usual elsewhere."""
    scores, about, kept_back = judged
    if kept_back.all():
        return fitted_curve(scores, about, prior)
    if kept_back[~about].all():
        return unusual_curve(scores[~about], float(scores[about][0]))
    return _CURVES[kind]


def _scores_in_turn(material: _Material, folds: Folds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the score that each page has by what the other folds teach, and that of its title alone.

    What is never kept back is judged by what all teach.
    """
    shorts = [counts_of(_as_linked(page), material.kind) for page in material.pages]
    kinds = material.table, table_of(shorts, material.table.ids)
    scores = np.zeros((2, len(shorts)))
    for fold in np.unique(folds.of).tolist():
        judged = folds.of == fold
        taught = ~judged if fold >= 0 else np.ones_like(judged)
        learnt = FITS[material.kind](material.table.only(taught), material.about[taught])
        for row, table in enumerate(kinds):
            found = scores_of(material.kind, table.only(judged), learnt.scales, learnt.weights)
            scores[row, judged] = found + learnt.bias
    return scores[0], scores[1]


def _as_linked(page: Example) -> Example:
    """Return what is known of a page before it is got; its title stands for what a link calls it."""
    called = page.title or page.text[:_SHORT]
    return Example("", title=called, url=page.url, anchors=(called,), linked_from=page.linked_from[:1])


def _assembled(material: _Material, learnt: Fitted, found: _Found) -> Packed:
    says = np.abs(learnt.weights * learnt.scales)
    most = None if material.kind == "bayes" else _MOST_COLUMNS
    kept = np.sort(np.argsort(-says, kind="stable")[:most])
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
    return Packed(card, material.table.ids[kept], learnt.scales[kept], learnt.weights[kept])
