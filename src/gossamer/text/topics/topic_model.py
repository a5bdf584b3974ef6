"""A topic that was learnt: says of a page how probably it is about it."""

import math
from collections.abc import Sequence
from functools import cached_property

from gossamer.text.topics.example import Example
from gossamer.text.topics.model_file import Card, Kind, Packed, packed, unpacked
from gossamer.text.topics.page_features import link_parts_of, parts_of
from gossamer.text.topics.score_page import Judge
from gossamer.text.topics.term_weights import FIELD_WEIGHTS


class TopicModel:
    """What is known of a topic. Models are never changed: training makes a new one."""

    def __init__(self, parts: Packed) -> None:
        self.parts = parts

    @property
    def kind(self) -> Kind:
        """How it judges."""
        return self.parts.card.kind

    @property
    def card(self) -> Card:
        """What it was learnt from, how well, and which words tell most."""
        return self.parts.card

    def relevance(
        self,
        text: str,
        *,
        title: str = "",
        url: str = "",
        headings: Sequence[str] = (),
        anchors: Sequence[str] = (),
        linked_from: Sequence[str] = (),
    ) -> float:
        """Return the probability that a page is about the topic; what is not known of it may be left out.

        Anchors are texts of links that lead to it; `linked_from` are titles of the pages that these stand on.
        """
        page = Example(text, title, url, tuple(headings), tuple(anchors), tuple(linked_from))
        return self._relevance(page)

    def relevance_of_words(self, text: str, *, url: str = "", linked_from: str = "") -> float:
        """Return the probability that what is called so is about the topic: by an anchor, a title, words of a URL.

        `linked_from` is the title of the page that the link stands on.
        """
        return _chance(self.log_odds_of_links([text], [url], linked_from)[0])

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return for each link of a page the log-odds that the page it leads to is about the topic, by its words."""
        parts = link_parts_of(texts, urls, linked_from, self.kind)
        scores = self._judge.score_links(parts.shared, parts.columns, len(texts))
        (slope, offset), bias = self.card.short_curve, self.card.bias
        return [slope * (score + bias) + offset for score in scores]

    def relevance_many(self, pages: Sequence[Example]) -> list[float]:
        """Return the probability of each page."""
        return [self._relevance(page) for page in pages]

    def _relevance(self, page: Example) -> float:
        slope, offset = self.card.curve
        return _chance(slope * self.score(page) + offset)

    def score(self, page: Example) -> float:
        """Return how much speaks for the topic: above 0, more than against it, unless it is an angle's cosine."""
        return self._judge.score(parts_of(page, self.kind)) + self.card.bias

    def save(self) -> bytes:
        """Return the model as bytes, of a version that later programs know."""
        return packed(self.parts)

    @classmethod
    def load(cls, content: bytes, named: str = "this") -> "TopicModel":
        """Read what `save` wrote; `named` is what complaints call it."""
        return cls(unpacked(content, named))

    @cached_property
    def _judge(self) -> Judge:
        _, ids, scales, weights = self.parts
        return Judge(self.kind, ids, scales, weights, FIELD_WEIGHTS)


def _chance(log_odds: float) -> float:
    """Return the probability of log-odds: a score has them by the curve that was fitted to pages that were kept back."""
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else 0.0
