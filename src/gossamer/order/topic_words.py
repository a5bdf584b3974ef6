"""What an order needs of a topic, and what a link's own words say of it before anything is learnt."""

import math
from collections.abc import Sequence
from typing import Protocol

_LEAST = 1e-6


class Topic(Protocol):
    """A topic's model (`text.topics.TopicModel`)."""

    def relevance(
        self,
        text: str,
        *,
        title: str = "",
        url: str = "",
        anchors: Sequence[str] = (),
        linked_from: Sequence[str] = (),
    ) -> float:
        """Return the probability that a page is about the topic."""
        ...

    def relevance_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return the probabilities that pages are about the topic of which only links of one page are known."""
        ...


def log_odds(chance: float) -> float:
    """Return a probability on the scale on which evidence adds up."""
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(chance / (1 - chance))
