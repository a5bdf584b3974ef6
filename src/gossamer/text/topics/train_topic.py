"""Training a topic from pages that are about it and pages that are not."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.dictionary_file import build_parts
from gossamer.text.topics.features.page_features import (
    Counts,
    CountTable,
    build_table,
    choose_columns,
    count_features,
    describe_as_link,
)
from gossamer.text.topics.features.term_weights import score_pages
from gossamer.text.topics.model_file import KINDS, Card, HeldOutResult, Kind, ModelParts
from gossamer.text.topics.topic_model import TopicModel
from gossamer.text.topics.training.calibration import (
    fit_curve,
    fit_likeness_curve,
    fit_outlier_curve,
    shift_curve,
    to_probabilities,
)
from gossamer.text.topics.training.cross_validation import Folds, assign_folds, measure_held_out
from gossamer.text.topics.training.dictionary_words import MAX_WORDS, choose_dictionary_words
from gossamer.text.topics.training.distinctive_words import find_distinctive_words
from gossamer.text.topics.training.fit_weights import FIT_BY_KIND, LinearWeights
from gossamer.text.topics.training_example import Example

# A word of a single page says nothing about other pages, unless examples are few.
_MIN_PAGES = 2
_FEW_EXAMPLES = 20
# More columns change no judgement, only the size of the file.
_MAX_COLUMNS = 60_000
_EVEN_ODDS = 0.5
_MIN_TO_MEASURE = 10
"""Fewer examples say nothing about precision and recall; they are kept with the model, which adapts to crawls."""
_KEPT_CHARACTERS = 2_000
# Curves for when no page can be held out: a cosine of 0.2 means even odds.
_CURVES: dict[str, tuple[float, float]] = {
    "linear": (2.0, 0.0),
    "bayes": (1.0, 0.0),
    "cosine": (20.0, -4.0),
    "dictionary": (2.0, 0.0),
}


def train_topic(
    examples: Sequence[Example],
    against: Sequence[Example],
    kind: Kind = "linear",
    prior: float | None = None,
    invented: int = 0,
) -> TopicModel:
    """Learn a topic from pages that are about it and pages that are not.

    Pages are held out in turn, to calibrate the probabilities and to measure the quality (`card.tried`). Probabilities
    hold for webs in which the topic has the same share of the pages as here, or the share `prior`. Naive Bayes is not
    calibrated, as in Schmitz 2001: it nearly always says 0 or 1. The last `invented` pages against the topic are texts
    made of general words: every real page differs from them, so that they cannot show what distinguishes the topic, and
    probabilities are lower. Fewer than ten examples are kept in the model if a prior is given, and their quality is not
    measured. Cost: about that of reading the pages six times.
    """
    _check_examples(examples, against, kind)
    pages = [*examples, *against]
    counts = [count_features(page, kind) for page in pages]
    columns = _choose_columns(kind, counts, len(examples))
    if not len(columns):
        raise BadInput("the examples have no words in common: give more of them, or pages with text")
    about = np.arange(len(pages)) < len(examples)
    training = _TrainingSet(kind, pages, build_table(counts, columns), about, len(against) - invented)
    learnt = FIT_BY_KIND[kind](training.table, about)
    parts = _assemble_model(training, learnt, _cross_validate(training, learnt, prior))
    if prior is not None and len(examples) < _MIN_TO_MEASURE:
        kept = tuple(msgspec.structs.replace(one, text=one.text[:_KEPT_CHARACTERS]) for one in examples)
        parts = parts._replace(card=msgspec.structs.replace(parts.card, kept=kept))
    model = TopicModel(parts)
    _check_separation(model, examples, against)
    return model


def choose_kind(examples: int) -> Kind:
    """Return the kind of model to use by default: nothing shows which words of a single example matter, except rarity."""
    return "linear" if examples > 1 else "cosine"


def _choose_columns(kind: Kind, counts: Sequence[Counts], examples: int) -> NDArray[np.uint32]:
    """Choose words of at least two pages, and all words of few examples; for naive Bayes, all words.

    For a dictionary, choose the most telling words.
    """
    if kind == "dictionary":
        return choose_dictionary_words(counts, examples)
    if kind == "bayes":
        return choose_columns(counts, 1)
    of_examples = choose_columns(counts[:examples], 1) if examples < _FEW_EXAMPLES else np.empty(0, np.uint32)
    return np.union1d(choose_columns(counts, _MIN_PAGES), of_examples)


class _TrainingSet(NamedTuple):
    """The pages to learn from, as a table."""

    kind: Kind
    pages: Sequence[Example]
    table: CountTable
    about: NDArray[np.bool_]
    real_against: int
    """Pages against the topic that are not invented."""


class _Calibration(NamedTuple):
    """What the held-out pages teach: curves, and how well they were classified."""

    curve: tuple[float, float]
    short_curve: tuple[float, float]
    held_out: HeldOutResult | None


def _check_examples(examples: Sequence[Example], against: Sequence[Example], kind: str) -> None:
    if kind not in KINDS:
        raise BadInput(f"there is no kind of model {kind!r}; there are {', '.join(KINDS)}")
    if not examples:
        raise BadInput("there are no examples of the topic: name pages, files, a folder or a text")
    if not against:
        raise BadInput("there is nothing against the topic: name pages that are not about it")
    if len(set(examples) | set(against)) == 1 or set(examples) == set(against):
        raise BadInput(
            "the examples and the pages against the topic are all alike: nothing distinguishes them"
        )


def _check_separation(model: TopicModel, examples: Sequence[Example], against: Sequence[Example]) -> None:
    """Refuse a model that does not separate its own training pages or, if these are many, the held-out pages."""
    found = model.card.tried if min(len(examples), len(against)) >= _MIN_TO_MEASURE else None
    nothing = found is not None and found.recall == 0
    if nothing or not any(chance >= _EVEN_ODDS for chance in model.relevance_many(examples)):
        raise BadInput(
            "the topic matches nothing, not even its examples: give more examples, or examples with more in common"
        )
    everything = found is not None and found.recall == 1 and found.precision <= len(examples) / found.pages
    if everything or all(chance >= _EVEN_ODDS for chance in model.relevance_many(against)):
        raise BadInput(
            "the topic matches everything, even the pages against it: give examples that differ from those"
        )


def _cross_validate(training: _TrainingSet, learnt: LinearWeights, prior: float | None) -> _Calibration:
    """Score each page by a model of the other folds, and fit the curves to these scores."""
    hosts = [page.url.partition("://")[2].partition("/")[0] for page in training.pages]
    folds = assign_folds(training.about, hosts)
    scores, short_scores = (
        _HeldOutScores(one, training.about, folds.by_page >= 0) for one in _score_held_out(training, folds)
    )
    if training.kind == "bayes":
        curve = shift_curve(training.about, prior)
    elif training.real_against < _MIN_TO_MEASURE and scores.held_out.all():
        own = training.table.select_rows(training.about)
        found_own = score_pages(training.kind, own, learnt.scales, learnt.weights) + learnt.bias
        curve = fit_likeness_curve(found_own, scores.scores[training.about])
    else:
        curve = _fit_curve(training.kind, scores, prior)
    enough = min(int(training.about.sum()), training.real_against) >= _MIN_TO_MEASURE
    chances = to_probabilities(scores.scores, *curve)
    found = measure_held_out(chances, training.about, folds.number) if enough else None
    return _Calibration(curve, _fit_curve(training.kind, short_scores, prior), found)


class _HeldOutScores(NamedTuple):
    """The score of each page by models that have not seen it."""

    scores: NDArray[np.float64]
    about: NDArray[np.bool_]
    held_out: NDArray[np.bool_]
    """False for the only page of a side."""


def _fit_curve(kind: Kind, scored: _HeldOutScores, prior: float | None) -> tuple[float, float]:
    """Fit a curve to the held-out scores of both sides or, with a single example, of the pages against it."""
    scores, about, held_out = scored
    if held_out.all():
        return fit_curve(scores, about, prior)
    if held_out[~about].all():
        return fit_outlier_curve(scores[~about], float(scores[about][0]))
    return _CURVES[kind]


def _score_held_out(training: _TrainingSet, folds: Folds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the score of each page by a model of the other folds, and the score of its title alone.

    A page that is never held out is scored by a model of all pages.
    """
    shorts = [count_features(describe_as_link(page, training.kind), training.kind) for page in training.pages]
    tables = training.table, build_table(shorts, training.table.ids)
    scores = np.zeros((2, len(shorts)))
    for fold in np.unique(folds.by_page).tolist():
        held_out = folds.by_page == fold
        rest = ~held_out if fold >= 0 else np.ones_like(held_out)
        learnt = FIT_BY_KIND[training.kind](training.table.select_rows(rest), training.about[rest])
        for row, table in enumerate(tables):
            found = score_pages(training.kind, table.select_rows(held_out), learnt.scales, learnt.weights)
            scores[row, held_out] = found + learnt.bias
    return scores[0], scores[1]


def _list_words(training: _TrainingSet, learnt: LinearWeights) -> tuple[tuple[str, float], ...]:
    """Return the most distinctive words; for a dictionary, all words with the weights as they are written."""
    weights = learnt.weights * learnt.scales
    if training.kind != "dictionary":
        return find_distinctive_words(training.pages, training.table.ids, weights)
    found = find_distinctive_words(training.pages, training.table.ids, np.round(weights, 4), MAX_WORDS)
    return tuple((word, round(weight, 4)) for word, weight in found)


def _assemble_model(training: _TrainingSet, learnt: LinearWeights, calibration: _Calibration) -> ModelParts:
    strengths = np.abs(learnt.weights * learnt.scales)
    most = None if training.kind == "bayes" else _MAX_COLUMNS
    kept = np.sort(np.argsort(-strengths, kind="stable")[:most])
    about = int(training.about.sum())
    card = Card(
        kind=training.kind,
        examples=about,
        against=len(training.about) - about,
        bias=learnt.bias,
        curve=calibration.curve,
        short_curve=calibration.short_curve,
        words=_list_words(training, learnt),
        tried=calibration.held_out,
        links_as_text=training.kind != "bayes",
    )
    if training.kind == "dictionary":
        return build_parts(card)
    return ModelParts(card, training.table.ids[kept], learnt.scales[kept], learnt.weights[kept])
