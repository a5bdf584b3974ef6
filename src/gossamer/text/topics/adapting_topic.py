"""A topic learnt from few examples, which adapts to a crawl: pages that the crawl reads become its contrast."""

from collections.abc import Sequence
from typing import TypeVar

from gossamer.errors import BadInput
from gossamer.text.topics.topic_model import TopicModel
from gossamer.text.topics.train_topic import train_topic
from gossamer.text.topics.training_example import Example

T = TypeVar("T")
_FIRST_PAGES = 8
_MOST_PAGES = 256
"""It adapts after 8, 16, 32 … 256 pages: the first pages of a crawl are mostly off the topic, the last ones are not."""
_LEFT_OUT = 10
"""One page in this many, the most similar ones, is not taken as contrast: it may be about the topic."""

SHARE_IN_CRAWL = 0.3
"""The share of the topic that probabilities assume: swept 0.1 to 0.5, docs/decisions/0025-evidence-of-all-sources.md."""


class AdaptingTopic:
    """Judges pages and links as its model does, and trains the model anew from time to time.

    The examples against a topic of few examples are general words, which every page differs from. What distinguishes
    the topic on the web that is crawled shows only on pages of that web.
    """

    def __init__(self, model: TopicModel) -> None:
        self._model = model
        self._read: list[Example] = []
        self._next = _FIRST_PAGES

    def relevance(
        self,
        text: str,
        *,
        title: str = "",
        url: str = "",
        anchors: Sequence[str] = (),
        linked_from: Sequence[str] = (),
    ) -> float:
        """Return the probability that a page is about the topic, and take the page as contrast."""
        if len(self._read) < _MOST_PAGES:
            self._read.append(Example(text, title, url))
            if len(self._read) == self._next:
                self._next *= 2
                self._adapt()
        return self._model.relevance(text, title=title, url=url, anchors=anchors, linked_from=linked_from)

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return the log-odds that the targets of one page's links are about the topic."""
        return self._model.log_odds_of_links(texts, urls, linked_from)

    def _adapt(self) -> None:
        card, ranked = self._model.card, sorted(self._read, key=self._model.score)
        against = ranked[: len(ranked) - len(ranked) // _LEFT_OUT]
        try:
            self._model = train_topic(card.kept, against, card.kind, SHARE_IN_CRAWL)
        except BadInput:
            return  # the pages read so far do not differ from the examples: the model stays as it is


def adapt_topic(topic: T) -> T | AdaptingTopic:
    """Return a topic that adapts to the crawl, if it is a model of few examples that has kept them."""
    return AdaptingTopic(topic) if isinstance(topic, TopicModel) and topic.card.kept else topic
