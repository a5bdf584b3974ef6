"""What an order needs of a topic."""

from collections.abc import Sequence
from typing import Protocol


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

    def log_odds_of_links(self, texts: list[str], urls: Sequence[str], linked_from: str) -> list[float]:
        """Return the log-odds that pages are about the topic of which only links of one page are known."""
        ...
