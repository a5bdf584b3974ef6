"""A topic of few examples learns from the pages of a crawl what is common there, and which words go with the topic."""

import pytest
from tests.unit.text.topics.topic_pages import COOKING, STARS, pages

from gossamer.text.topics import Example, TopicModel
from gossamer.text.topics.train_on_crawl import train_on_crawl

TOLD, UNTOLD = COOKING[:4], COOKING[4:]
READ = [*pages(STARS, 90), *pages(COOKING, 10, 90)]


@pytest.fixture(scope="module")
def model() -> TopicModel:
    return train_on_crawl([Example(" ".join(TOLD))], READ)


def compare_words(model: TopicModel) -> float:
    """Return by how much words of the topic that no example has speak more for it than other words."""
    untold, other = model.log_odds_of_links([" ".join(UNTOLD), " ".join(STARS)], ["", ""], "")
    return untold - other


def test_words_that_the_example_lacks_are_learnt_from_similar_pages(model: TopicModel) -> None:
    few = train_on_crawl([Example(" ".join(TOLD))], READ[-50:])
    assert compare_words(model) > 1 > compare_words(few), "of fifty pages none is added"


def test_pages_about_the_topic_stand_out(model: TopicModel) -> None:
    about, others = (
        [model.relevance(one.text, title=one.title) for one in pages(words, 10, 500)]
        for words in (COOKING, STARS)
    )
    assert min(about) > 0.5 > max(others)


def test_pages_that_a_search_found_add_their_words() -> None:
    found = train_on_crawl([Example(COOKING[0])], [READ[-1], *READ[:40]], 1)
    alone = train_on_crawl([Example(COOKING[0])], [READ[-1], *READ[:40]])
    word = READ[-1].title.split()[0]
    assert found.log_odds_of_links([word], [""], "")[0] > alone.log_odds_of_links([word], [""], "")[0]


def test_the_model_keeps_its_examples_and_names_its_words(model: TopicModel) -> None:
    assert model.card.kept == (Example(" ".join(TOLD)),)
    assert model.card.pages_read == len(READ)
    assert TOLD[0] in dict(model.card.words)
    again = TopicModel.load(model.save())
    assert again.relevance(READ[-1].text) == pytest.approx(model.relevance(READ[-1].text), abs=0.01)


@pytest.mark.parametrize("text", ["", "!?"])
def test_an_example_without_words_matches_nothing(text: str) -> None:
    model = train_on_crawl([Example(text)], READ[:10])
    assert all(model.relevance(one.text) <= 0.5 for one in READ)
