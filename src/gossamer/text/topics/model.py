"""A topic that was learnt: says of a page how probably it is about it."""

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.example import Example
from gossamer.text.topics.features import Counts, counts_of, table_of
from gossamer.text.topics.packing import Card, Packed, packed, unpacked
from gossamer.text.topics.weighing import scores_of

Kind = Literal["linear", "bayes", "cosine"]
KINDS: tuple[Kind, ...] = get_args(Kind)


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
    ) -> float:
        """Return the probability that a page is about the topic; what is not known of it may be left out."""
        page = Example(text, title, url, tuple(headings), tuple(anchors))
        return self.relevance_many([page])[0]

    def relevance_of_words(self, text: str) -> float:
        """Return the probability that what is called so is about the topic: an anchor, a title, words of a URL."""
        counts = counts_of(Example("", title=text), self.kind)
        return _probability(float(self._scores([counts])[0]), *self.card.short_curve)

    def relevance_many(self, pages: Sequence[Example]) -> list[float]:
        """Return the probability of each page."""
        scores = self._scores([counts_of(page, self.kind) for page in pages])
        return [_probability(score, *self.card.curve) for score in scores.tolist()]

    def save(self) -> bytes:
        """Return the model as bytes, of a version that later programs know."""
        return packed(self.parts)

    @classmethod
    def load(cls, content: bytes, named: str = "this") -> "TopicModel":
        """Read what `save` wrote; `named` is what complaints call it."""
        return cls(unpacked(content, named))

    def _scores(self, pages: Sequence[Counts]) -> NDArray[np.float64]:
        parts = self.parts
        table = table_of(pages, parts.ids)
        return scores_of(self.kind, table, parts.scales, parts.weights) + self.card.bias


def _probability(score: float, slope: float, offset: float) -> float:
    """Return what a score means, by the curve that was fitted to the scores of pages that were kept back."""
    along = slope * score + offset
    return 1.0 / (1.0 + math.exp(-along)) if along > -700 else 0.0
