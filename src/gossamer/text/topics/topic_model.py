"""A trained topic model: the probability that a page is about the topic."""

import math
from collections.abc import Sequence
from functools import cached_property

from gossamer.text.topics.dictionary_file import FAMILY, decode_dictionary, encode_dictionary
from gossamer.text.topics.features.field_weights import FIELD_WEIGHTS
from gossamer.text.topics.features.page_features import list_fields, list_link_fields
from gossamer.text.topics.model_file import Card, Kind, ModelParts, decode_model, encode_model
from gossamer.text.topics.score_page import PageScorer
from gossamer.text.topics.training_example import Example


class TopicModel:
    """A trained topic. Models are immutable: training makes a new one."""

    def __init__(self, parts: ModelParts) -> None:
        self.parts = parts

    @property
    def kind(self) -> Kind:
        """The kind of model: linear, bayes, cosine or dictionary."""
        return self.parts.card.kind

    @property
    def card(self) -> Card:
        """What it was learnt from, how well, and its most distinctive words."""
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
        """Return the probability that a page is about the topic; leave out what you do not know of it.

        `anchors` are texts of links that lead to it; `linked_from` are titles of the pages with these links.
        """
        page = Example(text, title, url, tuple(headings), tuple(anchors), tuple(linked_from))
        return self._judge_page(page)

    def relevance_of_words(self, text: str, *, url: str = "", linked_from: str = "") -> float:
        """Return the probability that the target of a link is about the topic, from the link's text and URL.

        `linked_from` is the title of the page with the link.
        """
        return _to_probability(self.log_odds_of_links([text], [url], linked_from)[0])

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return for each link of a page the log-odds that its target is about the topic."""
        parts = list_link_fields(texts, urls, linked_from, self.kind, self.card.links_as_text)
        scores = self._scorer.score_links(parts.shared, parts.columns, len(texts))
        (slope, offset), bias = self.card.short_curve, self.card.bias
        return [slope * (score + bias) + offset for score in scores]

    def relevance_many(self, pages: Sequence[Example]) -> list[float]:
        """Return the probability of each page."""
        return [self._judge_page(page) for page in pages]

    def _judge_page(self, page: Example) -> float:
        slope, offset = self.card.curve
        return _to_probability(slope * self.score(page) + offset)

    def score(self, page: Example) -> float:
        """Return the raw score: above 0 the evidence favours the topic, except for the kind cosine."""
        return self._scorer.score(list_fields(page, self.kind)) + self.card.bias

    def save(self) -> bytes:
        """Return the model as bytes, which begin with the version of the format; a dictionary is a text."""
        return encode_dictionary(self.parts) if self.kind == "dictionary" else encode_model(self.parts)

    @classmethod
    def load(cls, content: bytes, named: str = "this") -> "TopicModel":
        """Read what `save` wrote; `named` is its name in error messages."""
        decode = decode_dictionary if content.startswith(FAMILY) else decode_model
        return cls(decode(content, named))

    @cached_property
    def _scorer(self) -> PageScorer:
        _, ids, scales, weights = self.parts
        return PageScorer(self.kind, ids, scales, weights, FIELD_WEIGHTS)


def _to_probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -700 else 0.0
