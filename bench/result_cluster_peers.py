"""Peers of result clusters: k-means with its top words, and Lingo's phrases of singular vectors (Osiński 2004)."""

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from gossamer.search.clusters.cluster_records import AnswerGroup, AnswerGroups, AnswerText
from gossamer.search.clusters.label_groups import list_phrases
from gossamer.search.clusters.read_answer import ReadAnswer, read_answer
from gossamer.search.terms.analysis import split_text, to_terms

GROUPS = 20
ROUNDS = 30
STARTS = 3
TOP_WORDS = 3
LEAST_PHRASE_ANSWERS = 2
# Lingo's own settings: the share of the norm that the singular vectors keep, and the cosine from which an answer is in a group.
KEPT_NORM = 0.9
LEAST_COSINE = 0.15


class TermMatrix:
    """The answers to a query by tf-idf."""

    def __init__(self, answers: list[AnswerText], query: str) -> None:
        self.read: list[ReadAnswer] = [read_answer(answer) for answer in answers]
        self.query_terms = {term for word in split_text(query) for term in to_terms(word, ["en"])}
        counts = Counter(term for one in self.read for term in one.counts)
        terms = [term for term, times in counts.items() if times > 1 and term not in self.query_terms]
        self.columns = {term: column for column, term in enumerate(terms)}
        self.idf = np.array([math.log(len(answers) / counts[term]) for term in terms])
        self.rows = np.zeros((len(answers), len(terms)))
        for row, one in enumerate(self.read):
            for term, count in one.counts.items():
                if term in self.columns:
                    self.rows[row, self.columns[term]] = count * self.idf[self.columns[term]]
        self.rows = scale_rows(self.rows)


def scale_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows of length 1."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def run_kmeans(answers: list[AnswerText], query: str) -> AnswerGroups:
    """Group by spherical k-means, the best of three starts; a label is the three heaviest words of a centre."""
    matrix = TermMatrix(answers, query)
    best, best_fit = np.zeros(len(answers), int), -1.0
    for seed in range(STARTS):
        random = np.random.default_rng(seed)
        centres = matrix.rows[random.choice(len(answers), min(GROUPS, len(answers)), replace=False)]
        for _ in range(ROUNDS):
            home = (matrix.rows @ centres.T).argmax(axis=1)
            sums = np.array([matrix.rows[home == number].sum(axis=0) for number in range(len(centres))])
            centres = scale_rows(sums)
        fit = float((matrix.rows * centres[home]).sum())
        if fit > best_fit:
            best, best_fit = home, fit
    terms = list(matrix.columns)
    groups = []
    for number in range(GROUPS):
        members = np.flatnonzero(best == number)
        top = np.argsort(-matrix.rows[members].sum(axis=0))[:TOP_WORDS]
        groups.append(AnswerGroup(" ".join(terms[column] for column in top), tuple(members.tolist())))
    return AnswerGroups(tuple(groups), (), tuple(best.tolist()))


def run_lingo(answers: list[AnswerText], query: str) -> AnswerGroups:
    """Group by Lingo: the phrase or word nearest to each singular vector is a label, and takes the answers that match it."""
    matrix = TermMatrix(answers, query)
    phrases, spellings = list_candidates(matrix)
    left, values, _ = np.linalg.svd(matrix.rows.T, full_matrices=False)
    norms = np.cumsum(values**2) / max(1e-9, float((values**2).sum()))
    kept = min(GROUPS - 1, int(np.searchsorted(np.sqrt(norms), KEPT_NORM)) + 1)
    scores = np.abs(phrases @ left[:, :kept])
    chosen = list(dict.fromkeys(scores.argmax(axis=0).tolist()))
    match = matrix.rows @ phrases[chosen].T
    home = np.where(match.max(axis=1) >= LEAST_COSINE, match.argmax(axis=1), -1)
    groups = [
        AnswerGroup(spellings[phrase], tuple(np.flatnonzero(match[:, number] >= LEAST_COSINE).tolist()))
        for number, phrase in enumerate(chosen)
    ]
    return AnswerGroups(tuple(groups), tuple(np.flatnonzero(home < 0).tolist()), tuple(home.tolist()))


def list_candidates(matrix: TermMatrix) -> tuple[NDArray[np.float64], list[str]]:
    """Return the phrases that at least two answers have, as rows of terms, and their spellings."""
    times: Counter[tuple[str, ...]] = Counter()
    usable = matrix.columns.keys() | matrix.query_terms
    for one in matrix.read:
        times.update({key for piece in one.pieces for key in list_phrases(piece.terms, usable)})
    keys = [
        key
        for key, count in times.items()
        if count >= LEAST_PHRASE_ANSWERS and any(term in matrix.columns for term in key)
    ]
    rows = np.zeros((len(keys), len(matrix.columns)))
    for row, key in enumerate(keys):
        for term in key:
            if term in matrix.columns:
                rows[row, matrix.columns[term]] = matrix.idf[matrix.columns[term]]
    return scale_rows(rows), [" ".join(filter(None, key)) for key in keys]
