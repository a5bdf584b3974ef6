"""A topic learnt from few examples, which adapts to a crawl: pages that the crawl reads become its contrast."""

from collections.abc import Sequence
from typing import TypeVar

from gossamer.text.topics.topic_model import TopicModel
from gossamer.text.topics.train_on_crawl import train_on_crawl
from gossamer.text.topics.training_example import Example

T = TypeVar("T")
_FIRST_PAGES = 8
_MOST_PAGES = 256
"""It adapts after 8, 16, 32 … 256 pages: the first pages of a crawl are mostly off the topic, the last ones are not."""


class AdaptingTopic:
    """Judges pages and links as its model does, and trains the model anew from time to time.

    The examples against a topic of few examples are general words, which every page differs from. What distinguishes
    the topic on the web that is crawled shows only on pages of that web, and so do the words that its pages use.
    """

    def __init__(self, model: TopicModel) -> None:
        self._model = model
        self._read: list[Example] = []
        self._next = _FIRST_PAGES
        while self._next < min(model.card.pages_read, _MOST_PAGES):
            self._next *= 2

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
        self._model = train_on_crawl(self._model.card.kept, self._read)


def adapt_topic(topic: T) -> T | AdaptingTopic:
    """Return a topic that adapts to the crawl, if it is a model of few examples that has kept them."""
    return AdaptingTopic(topic) if isinstance(topic, TopicModel) and topic.card.kept else topic
