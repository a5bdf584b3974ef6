"""Learnt weights equal those of scikit-learn on the same counts."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from tests.unit.text.topics.topic_pages import COOKING, STARS, pages

from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.text.topics.features.page_features import CountTable
from gossamer.text.topics.features.term_weights import score_pages, weigh_terms
from gossamer.text.topics.training.fit_weights import fit_bayes, fit_cosine, fit_linear

ROWS, COLUMNS = 60, 40


@pytest.fixture
def counts() -> NDArray[np.int64]:
    return np.random.default_rng(5).poisson(0.4, (ROWS, COLUMNS)) + np.eye(ROWS, COLUMNS, dtype=np.int64)


@pytest.fixture
def about() -> NDArray[np.bool_]:
    return np.random.default_rng(6).random(ROWS) < 0.3


def table_of(counts: NDArray[np.int64]) -> CountTable:
    sparse = csr_matrix(counts)
    ids = np.arange(1, 2 * COLUMNS, 2, dtype=np.uint32)
    ids[COLUMNS // 2 :] += np.uint32(1 << 29)  # the second half are titles
    return CountTable(
        sparse.indptr.astype(np.int64), sparse.indices.astype(np.int64), sparse.data.astype(float), ids
    )


@pytest.mark.slow  # scikit-learn takes a second to load
def test_naive_bayes_equals_scikit_learn(counts: NDArray[np.int64], about: NDArray[np.bool_]) -> None:
    from sklearn.naive_bayes import MultinomialNB

    learnt = fit_bayes(table_of(counts), about)
    new = np.random.default_rng(7).poisson(0.5, (200, COLUMNS))
    scores = score_pages("bayes", table_of(new), learnt.scales, learnt.weights) + learnt.bias
    theirs = MultinomialNB().fit(counts, about)
    logs = theirs.predict_joint_log_proba(new)
    np.testing.assert_allclose(scores, logs[:, 1] - logs[:, 0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(1 / (1 + np.exp(-scores)), theirs.predict_proba(new)[:, 1], rtol=0, atol=1e-9)


@pytest.mark.slow
def test_a_model_of_texts_equals_scikit_learn() -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    sides = [[one.text for one in pages(words, 40)] for words in (COOKING, STARS)]
    about, against = ([Example(text) for text in side] for side in sides)
    model = train_topic(about, against, "bayes")
    counter = CountVectorizer()
    theirs = MultinomialNB().fit(counter.fit_transform([*sides[0], *sides[1]]), [1] * 40 + [0] * 40)
    asked = [one.text for one in [*pages([*COOKING, *STARS], 50, 500), *pages(STARS, 5, 500)]]
    expected = theirs.predict_proba(counter.transform(asked))[:, 1]
    for one in (model, TopicModel.load(model.save())):
        np.testing.assert_allclose([one.relevance(text) for text in asked], expected, rtol=0, atol=1e-9)


def dense(table: CountTable) -> NDArray[np.float64]:
    return np.asarray(
        csr_matrix((table.values, table.columns, table.starts), (table.rows, COLUMNS)).todense()
    )


@pytest.mark.slow
def test_the_plane_equals_scikit_learn(counts: NDArray[np.int64], about: NDArray[np.bool_]) -> None:
    from sklearn.svm import LinearSVC

    table = table_of(counts)
    learnt = fit_linear(table, about)
    seen = dense(weigh_terms("linear", table, learnt.scales))
    theirs = LinearSVC(C=1.0, tol=1e-6, max_iter=100_000).fit(seen, about)
    np.testing.assert_allclose(learnt.weights, theirs.coef_[0], atol=2e-3)
    assert learnt.bias == pytest.approx(theirs.intercept_[0], abs=2e-3)


def test_each_field_has_a_fixed_length(counts: NDArray[np.int64]) -> None:
    for kind in ("linear", "cosine"):
        seen = dense(weigh_terms(kind, table_of(counts), np.linspace(1, 2, COLUMNS)))
        halves = (
            np.linalg.norm(seen[:, : COLUMNS // 2], axis=1),
            np.linalg.norm(seen[:, COLUMNS // 2 :], axis=1),
        )
        assert all(np.isclose(one, 0) or np.isclose(one, 1.0) for one in halves[0])
        assert all(np.isclose(one, 0) or np.isclose(one, 0.35) for one in halves[1])


def test_the_score_is_the_cosine_to_the_centroid(counts: NDArray[np.int64], about: NDArray[np.bool_]) -> None:
    table = table_of(counts)
    learnt = fit_cosine(table, about)
    seen = dense(weigh_terms("cosine", table, learnt.scales))
    centroid = seen[about].sum(axis=0)
    plain = seen @ centroid / np.linalg.norm(seen, axis=1) / np.linalg.norm(centroid)
    np.testing.assert_allclose(score_pages("cosine", table, learnt.scales, learnt.weights), plain, atol=1e-12)
    pages_with = (counts > 0).sum(axis=0)
    np.testing.assert_allclose(learnt.scales, 1 + np.log((ROWS + 1) / (pages_with + 1)))
