"""What the words of a link say of a topic before anything is learnt: those of its text and those of its URL."""

import math
from typing import Protocol

from gossamer.text.topics.words import words_of

_MOST_WORDS = 100_000
"""Words whose say is remembered; beyond, all of them are asked anew."""
_LEAST = 1e-6


class Topic(Protocol):
    """What an order needs of a topic's model (`text.topics.TopicModel`)."""

    def relevance(self, text: str, *, title: str = "", url: str = "") -> float:
        """Return the probability that a page is about the topic."""
        ...

    def relevance_of_words(self, text: str) -> float:
        """Return the probability that what is called so is about the topic."""
        ...


class TopicWords:
    """The log-odds that single words give a link; each word is asked once."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._nothing = _log_odds(topic.relevance_of_words(""))
        self._known: dict[str, float] = {}

    def say(self, text: str, url: str) -> float:
        """Return how much the words of a link speak for the topic: 0 if they say nothing.

        The sum over different words, by the root of their number: many words that say little must not outvote one that
        says much, and of equal ones the rest is noise.
        """
        words = {*words_of(text), *words_of(url.partition("://")[2].partition("/")[2])}
        if not words:
            return 0.0
        known = self._known
        total = 0.0
        for word in words:
            said = known.get(word)
            total += self._ask(word) if said is None else said
        return total / math.sqrt(len(words))

    def _ask(self, word: str) -> float:
        if len(self._known) >= _MOST_WORDS:
            self._known.clear()
        said = self._known[word] = _log_odds(self._topic.relevance_of_words(word)) - self._nothing
        return said


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(chance / (1 - chance))
