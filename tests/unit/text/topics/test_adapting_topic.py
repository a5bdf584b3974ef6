"""A topic of few examples takes the pages of a crawl as its contrast."""

from statistics import median

from tests.unit.text.topics.topic_pages import COOKING, STARS, page

from gossamer.text.topics import Example, TopicModel, train_topic
from gossamer.text.topics.adapting_topic import AdaptingTopic, adapt_topic
from gossamer.text.topics.train_on_crawl import train_on_crawl

HOUSE = (
    "our site has news of all kinds for every reader who likes to read about the world and its people today"
)


def write(words: tuple[str, ...] | list[str], seed: int) -> Example:
    """Write a page of a site whose pages share their house style."""
    one = page(list(words), seed)
    return Example(f"{HOUSE} {one.text}", one.title)


def make_few() -> TopicModel:
    invented = [Example(f"zebra walks over number {number} and sleeps") for number in range(40)]
    return train_topic([write(COOKING, seed) for seed in range(3)], invented, "linear", 0.5, len(invented))


def test_few_examples_are_kept_and_their_quality_is_not_claimed() -> None:
    model = make_few()
    assert len(model.card.kept) == 3
    assert model.card.tried is None
    assert TopicModel.load(model.save()).card.kept == model.card.kept


def test_examples_against_invented_texts_alone_are_not_trusted() -> None:
    model = make_few()
    assert model.relevance(write(STARS, 5).text) < 0.5, "a page of the same site about something else"


def test_the_pages_of_a_crawl_become_the_contrast() -> None:
    topic = adapt_topic(make_few())
    assert isinstance(topic, AdaptingTopic)
    for seed in range(16):
        topic.relevance(write(STARS, seed).text)
    good, bad = (
        [topic.relevance(write(words, seed).text) for seed in range(70, 76)] for words in (COOKING, STARS)
    )
    assert min(good) > 0.9 > 0.3 > median(bad)


def test_a_topic_of_many_examples_or_with_named_counterexamples_does_not_adapt() -> None:
    about, against = ([write(words, seed) for seed in range(12)] for words in (COOKING, STARS))
    many, named = train_topic(about, against, "linear", 0.5), train_topic(about[:3], against)
    assert adapt_topic(many) is many
    assert adapt_topic(named) is named


def test_a_topic_that_has_adapted_to_a_web_adapts_again_when_the_crawl_knows_as_much() -> None:
    asked = train_on_crawl([Example("recipe soup")], [write(STARS, seed) for seed in range(12)])
    topic = AdaptingTopic(asked)
    judged = write(COOKING, 1).text
    for seed in range(16):
        assert topic.log_odds_of_links([judged], [""], "") == asked.log_odds_of_links([judged], [""], "")
        topic.relevance(write(STARS, seed).text)
    assert topic.log_odds_of_links([judged], [""], "") != asked.log_odds_of_links([judged], [""], "")


def test_pages_that_do_not_differ_from_the_examples_change_nothing() -> None:
    topic = AdaptingTopic(make_few())
    kept = make_few().card.kept[0]
    for _ in range(8):
        assert 0 <= topic.relevance(kept.text, title=kept.title) <= 1
