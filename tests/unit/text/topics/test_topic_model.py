"""A topic model scores pages, and scores them equally after it is saved and loaded."""

import math

import numpy as np
import pytest
from tests.unit.text.topics.topic_pages import COOKING, GENERAL, STARS, page, pages

from gossamer.errors import BadInput
from gossamer.text.topics import KINDS, Example, TopicModel, train_topic
from gossamer.text.topics.features.page_features import build_table, count_features
from gossamer.text.topics.features.term_weights import score_pages


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest) -> TopicModel:
    return train_topic(pages(COOKING, 20), pages(STARS, 30), request.param)


def test_new_pages_are_classified(model: TopicModel) -> None:
    about, other = page(COOKING, 1000), page(STARS, 1000)
    high, low = model.relevance_many([about, other])
    assert 0 <= low < 0.2 < 0.8 < high <= 1
    assert model.relevance(about.text, title=about.title) == pytest.approx(high, abs=0.02)


def test_short_texts_are_classified(model: TopicModel) -> None:
    high, low = map(model.relevance_of_words, ("cheese soup", "moon and planet"))
    assert low < 0.2
    assert high > (0.2 if model.kind == "cosine" else 0.5)  # two words are far from any centroid


def test_a_text_without_known_words_gets_a_probability(model: TopicModel) -> None:
    for text in ("", "xyzzy plugh", "\x00\ud800"):
        assert 0 <= model.relevance(text) <= 1
        assert 0 <= model.relevance_of_words(text, url=text, linked_from=text) <= 1


def test_a_model_survives_saving_and_loading(model: TopicModel) -> None:
    again = TopicModel.load(model.save())
    assert again.card == model.card
    for one in (page(COOKING, 1), page(STARS, 2), page(GENERAL, 3)):
        assert again.score(one) == pytest.approx(model.score(one), abs=0.05)
    assert again.save() == model.save()


def test_one_page_scores_as_in_a_batch(model: TopicModel) -> None:
    some = [
        *pages(COOKING, 5, 100),
        *pages(STARS, 5, 100),
        Example("Onion onion ONION soup", anchors=("Soup",)),
    ]
    table = build_table([count_features(one, model.kind) for one in some], model.parts.ids)
    together = score_pages(model.kind, table, model.parts.scales, model.parts.weights) + model.card.bias
    np.testing.assert_allclose([model.score(one) for one in some], together, rtol=1e-5, atol=1e-6)


def test_links_of_a_page_score_as_if_each_stood_alone(model: TopicModel) -> None:
    texts, title = ["Onion soup", "", "moon and planet", "onion onion"], "All recipes of soup"
    urls = ["http://a.example/soup/onion.html", "http://a.example/", "http://b.example/moon", ""]
    together = model.log_odds_of_links(texts, urls, title)
    slope, offset = model.card.short_curve
    alone = [
        Example(text if model.card.links_as_text else "", text, url, anchors=(text,), linked_from=(title,))
        for text, url in zip(texts, urls, strict=True)
    ]
    assert together == pytest.approx([slope * model.score(one) + offset for one in alone])
    assert model.relevance_of_words(texts[0], url=urls[0], linked_from=title) == pytest.approx(
        1 / (1 + math.exp(-together[0]))
    )
    assert together[0] > together[2]
    assert model.log_odds_of_links([], [], title) == []


def test_scoring_a_page_does_not_affect_the_next(model: TopicModel) -> None:
    first, other = page(COOKING, 7), page(STARS, 7)
    alone = model.score(first)
    model.score(other)
    assert model.score(first) == alone


def test_the_card_names_distinctive_words(model: TopicModel) -> None:
    for_it = [word.removeprefix("title: ") for word, _ in model.card.words[:10]]
    assert set(for_it) & set(COOKING)
    assert not set(for_it) & set(STARS)


def test_the_card_counts_examples_and_held_out_pages(model: TopicModel) -> None:
    assert (model.card.examples, model.card.against) == (20, 30)
    assert model.card.tried is not None
    assert model.card.tried.pages == 50
    assert model.card.tried.precision == model.card.tried.recall == 1


def test_model_files_are_small(model: TopicModel) -> None:
    assert len(model.save()) < 20_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04", "not a model of a topic"),
        (b"gossamer topic model 9\nnews", "later version"),
        (b"gossamer topic model 1\n", "damaged"),
        (b"gossamer topic model 1\n\xff\xff\xff\xff{}", "damaged"),
    ],
)
def test_other_files_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=f"x.bin is .*{message}"):
        TopicModel.load(content, "x.bin")


def test_a_truncated_file_is_refused(model: TopicModel) -> None:
    content = model.save()
    for length in (30, len(content) // 2, len(content) - 1):
        with pytest.raises(BadInput, match="damaged"):
            TopicModel.load(content[:length])


def test_an_unknown_kind_in_the_card_is_refused(model: TopicModel) -> None:
    content = model.save().replace(f'"kind":"{model.kind}"'.encode(), f'"kind":"{model.kind[::-1]}"'.encode())
    with pytest.raises(BadInput, match="damaged"):
        TopicModel.load(content)
