"""The default focus: what a link is worth is learnt while the crawl goes on, from what links turned out to lead to.

A link is worth the relevance of its page, or a share of what the best links of that page promise, whichever is more: so
lists of good pages are found, too. What a page's links prove to be worth is credited to the link that led to it.
"""

import math
from collections import OrderedDict
from collections.abc import Collection, Sequence

import msgspec

from gossamer.order import link_features as kinds
from gossamer.order.link_features import links_traits, page_traits
from gossamer.order.link_learner import LinkLearner
from gossamer.order.order_term import New, Read
from gossamer.order.topic_words import Topic
from gossamer.records import Link, Request

# Swept over the recorded departments of 1997, all four together and one by one, and tried on another web: docs/decisions/0013-orders-that-learn.md.
RATE = 0.1
START = -3.0
# What measures are worth to begin with, in log-odds: each is learnt as the crawl goes on.
OF_PARENT = 3.0
OF_DEPTH = -1.3
OF_WORDS = 0.2
OF_MORE_PARENTS = 1.0
"""Times the logarithm of one more than the relevance, in sum, of further pages that link to the same one."""
OF_MORE_PAGES = -0.3
"""Times that of their number: what all pages link to is what every site has."""
LATER = 0.5
"""What is one step further away is worth this share."""
BEST_OF = 5
CREDIT = 0.3
"""How much a page that was reached counts for the link to the page before it."""
OF_TUNNEL = -0.7
"""Each page too far from the last relevant one halves what its links are worth."""
_MOST_REMEMBERED = 4_000
"""Pages whose links may still bring credit to the link that led there: 2 MB."""
_NEAR = 60
"""Characters on each side of a link that count as its neighbourhood."""
# A value that has not doubled or halved leaves a link where it is: half the moves of 0.5, and it finds as much.
_SAME = 1.0
_SAME_AT_LEAST = 0.005
# What is worth less than this share of what is followed these days has time: it is moved when its turn comes nearer.
_TOO_LITTLE = 0.3
_USUAL_MOVES = 0.05

_MOST_SAID = 14.0
"""One in a million: a link's own words are never surer than this."""
_WORTH_TELLING = 0.005
_CALLED = {
    kinds.ANY: "links at all",
    **dict.fromkeys((kinds.ANCHOR, kinds.ANCHOR_PAIR), "its words"),
    kinds.NEAR: "the words around it",
    **dict.fromkeys((kinds.PATH, kinds.NAME), "the words of its URL"),
    **dict.fromkeys((kinds.SUFFIX, kinds.PATH_LENGTH, kinds.PERSONAL, kinds.QUERY), "the shape of its URL"),
    kinds.HOST: "its host",
    kinds.NEIGHBOUR: "links that stay or leave",
    **dict.fromkeys((kinds.FIRST_FOLDER, kinds.FOLDER, kinds.FOLDER_AND_SHAPE), "its folder"),
    kinds.SIBLINGS: "links of the same page",
    **dict.fromkeys((kinds.PARENT_FOLDER, kinds.PARENT_TITLE), "pages like the one it stands on"),
    kinds.PARENT_RELEVANCE: "links of pages as relevant",
    kinds.DEPTH: "links as deep",
    kinds.DISTANCE: "links as far from a relevant page",
    kinds.WORDS_RELEVANCE: "links whose words say as much",
}
"""What people call the kinds of traits."""
_MEASURED = (
    "relevance of its page",
    "depth",
    "its words, by the topic",
    "relevance of further pages that link to it",
    "how many further pages link to it",
)
"""What people call the measures, in the learner's order."""


class _Led(msgspec.Struct):
    """A link that was followed to a page, and what the links of that page were worth so far."""

    link: bytes
    relevance: float
    followed: int = 0
    worth: float = 0.0


class Learnt:
    """The value of a link is what links with its traits turned out to be worth."""

    def __init__(self, topic: Topic, tunnel: int) -> None:
        self._topic = topic
        self._tunnel = tunnel
        beliefs = (OF_PARENT, OF_DEPTH, OF_WORDS, OF_MORE_PARENTS, OF_MORE_PAGES)
        self._learner = LinkLearner(RATE, beliefs)
        self._promise: dict[int, float] = {}
        """What the best links of pages promise that were read and are not visited to the end."""
        self._led: OrderedDict[int, _Led] = OrderedDict()
        self._usual = 0.0
        """What links that are followed were expected to be worth of late."""

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Links that wait are linked once more; what the page's links promise is to be kept until its visit ends."""
        self._learner.linked(targets, page.relevance)
        self._promise[page.request.id] = 0.0

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return what each link is expected to be worth."""
        links = [one.link for one in new]
        said, depth = self._said(page, links), page.request.depth + 1
        traits, start = _traits(page, links, said), START + self._too_far(page)
        values = self._learner.meet([one.key for one in new], traits, start, page.relevance, depth, said)
        if page.request.id in self._promise:
            best = sorted(values)[-BEST_OF:]
            self._promise[page.request.id] = sum(best) / len(best)
        return values

    def _too_far(self, page: Read) -> float:
        return OF_TUNNEL * max(0, page.distance - self._tunnel) if self._tunnel >= 0 else 0.0

    def _said(self, page: Read, links: Sequence[Link]) -> list[float]:
        """Return what the topic makes of the links' own words, as log-odds."""
        texts, urls = [link.text for link in links], [link.url for link in links]
        said = self._topic.log_odds_of_links(texts, urls, page.title)
        return [max(-_MOST_SAID, min(_MOST_SAID, odds)) for odds in said]

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:
        """Return what adds to the log-odds of a link: what it began with, and what was learnt of its traits."""
        said = self._said(page, [one.link])
        (traits,) = _traits(page, [one.link], said)
        more = math.log1p(sum(other.relevance for other in further)), math.log1p(len(further))
        measures = (page.relevance, page.request.depth + 1, said[0], *more)
        weighed = zip(_MEASURED, self._learner.measure_weights(), measures, strict=True)
        parts = {"to begin with": START, "too far from the last relevant page": self._too_far(page)}
        parts |= {name: weight * measure for name, weight, measure in weighed}
        for kind, added in self._learner.parts(traits).items():
            name = f"learnt of {_CALLED[kind]}"
            parts[name] = parts.get(name, 0.0) + added
        return {name: added for name, added in parts.items() if abs(added) >= _WORTH_TELLING}

    def visited(self, request: Request, page: Read | None) -> None:
        """Learn what a link led to, and let the link before it have its share."""
        promise = self._promise.pop(request.id, 0.0)
        relevance = page.relevance if page is not None else 0.0
        worth = max(relevance, LATER * promise)
        link = self._learner.link(request.id)
        if link is not None:
            expected = self._learner.learn(link, worth, 1.0)
            self._usual += _USUAL_MOVES * (expected - self._usual)
            if page is not None:
                self._remember(request.id, _Led(link, relevance))
        self._credit(request.parent, worth)

    def _remember(self, page: int, led: _Led) -> None:
        self._led[page] = led
        if len(self._led) > _MOST_REMEMBERED:
            self._led.popitem(last=False)

    def _credit(self, page: int, worth: float) -> None:
        """Let the link to a page have its share of what one of the page's links was worth."""
        led = self._led.get(page)
        if led is None:
            return
        led.followed += 1
        led.worth += worth
        self._learner.learn(led.link, max(led.relevance, LATER * led.worth / led.followed), CREDIT)

    def moved(self) -> dict[int, float]:
        """Return by how much the values of waiting links have changed since they were told."""
        return self._learner.moved(_SAME, _SAME_AT_LEAST, _TOO_LITTLE * self._usual)

    def forget(self, key: int) -> None:
        """Let go of a link."""
        self._learner.forget(key)

    def changes(self) -> bytes:
        """Return the weights that have changed."""
        return self._learner.changes()

    def everything(self) -> bytes:
        """Return all weights."""
        return self._learner.everything()

    def recall(self, packed: bytes) -> None:
        """Know weights again."""
        self._learner.recall(packed)

    def join(self, packed: bytes) -> None:
        """Know the weights of another one."""
        self._learner.join(packed)


def _traits(page: Read, links: list[Link], said: list[float]) -> list[bytes]:
    """Return what can be seen of each link of a page, of which the topic's words say so much."""
    source = page.request
    shared = page_traits(source.url, page.title, page.relevance, source.depth + 1, page.distance)
    return links_traits(shared, source.url, links, neighbourhoods(page.text, links), said)


def neighbourhoods(text: str, links: Sequence[Link]) -> list[str]:
    """Return what stands around each link, as far as its own text is found in that of the page: they are in page order."""
    since, found = 0, []
    for link in links:
        at = text.find(link.text, since) if link.text else -1
        if at < 0:
            found.append("")
            continue
        after = at + len(link.text)
        found.append(f"{text[max(0, at - _NEAR) : at]} {text[after : after + _NEAR]}")
        since = at
    return found
