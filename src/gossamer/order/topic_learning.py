"""The default focus: what a link is worth is learnt while the crawl goes on, from what links turned out to lead to.

A link is worth the relevance of its page, or a share of what the best links of that page promise, whichever is more: so
lists of good pages are found, too. What a page's links prove to be worth is credited to the link that led to it.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence

import msgspec

from gossamer.order.link_learner import LinkLearner
from gossamer.order.link_traits import link_traits, page_traits
from gossamer.order.term import New, Read
from gossamer.order.topic_words import Topic, log_odds
from gossamer.records import Request

# Swept over the recorded departments of 1997, all four together and one by one, see docs/orders.md.
RATE = 0.1
START = -1.5
OF_WORDS = 0.1
OF_PARENT = 1.0
OF_DEPTH = -0.6
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
# A value that has changed by less than this share of itself leaves a link where it is.
_SAME = 0.25
_SAME_AT_LEAST = 0.005


class _Led(msgspec.Struct):
    """A link that was followed to a page, and what the links of that page were worth so far."""

    traits: bytes
    start: float
    relevance: float
    followed: int = 0
    worth: float = 0.0


class Learnt:
    """The value of a link is what links with its traits turned out to be worth."""

    def __init__(self, topic: Topic, tunnel: int) -> None:
        self._topic = topic
        self._tunnel = tunnel
        self._learner = LinkLearner(RATE, {})
        self._promise: dict[int, float] = {}
        """What the best links of pages promise that were read and are not visited to the end."""
        self._led: OrderedDict[int, _Led] = OrderedDict()

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """Links to known pages are not looked at."""

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return what each link is expected to be worth."""
        source = page.request
        shared = page_traits(source.url, page.title, page.relevance, source.depth + 1, page.distance)
        too_far = max(0, page.distance - self._tunnel) if self._tunnel >= 0 else 0
        start = START + OF_PARENT * page.relevance + OF_DEPTH * (source.depth + 1) + OF_TUNNEL * too_far
        values = []
        for one, near in zip(new, neighbourhoods(page.text, new), strict=True):
            link = one.link
            chance = self._topic.relevance_of_words(link.text, url=link.url, linked_from=page.title)
            said = log_odds(chance)
            traits = link_traits(shared, source.url, link.url, link.text, near, said)
            values.append(self._learner.meet(one.key, traits, start + OF_WORDS * said))
        best = sorted(values)[-BEST_OF:]
        self._promise[source.id] = sum(best) / len(best) if best else 0.0
        return values

    def visited(self, request: Request, page: Read | None) -> None:
        """Learn what a link led to, and let the link before it have its share."""
        promise = self._promise.pop(request.id, 0.0)
        relevance = page.relevance if page is not None else 0.0
        worth = max(relevance, LATER * promise)
        known = self._learner.traits(request.id)
        if known is not None:
            self._learner.learn(*known, worth, 1.0)
            if page is not None:
                self._remember(request.id, _Led(*known, relevance))
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
        self._learner.learn(
            led.traits, led.start, max(led.relevance, LATER * led.worth / led.followed), CREDIT
        )

    def moved(self) -> dict[int, float]:
        """Return by how much the values of waiting links have changed since they were told."""
        return self._learner.moved(_SAME, _SAME_AT_LEAST)

    def parts(self, key: int) -> tuple[float, dict[int, float]] | None:
        """Return the log-odds that a link began with, and what each kind of trait adds; None if it does not wait."""
        known = self._learner.traits(key)
        return None if known is None else (known[1], self._learner.parts(known[0]))

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


def neighbourhoods(text: str, new: Sequence[New]) -> Iterator[str]:
    """Yield what stands around each link, as far as its own text is found in that of the page: links are in page order."""
    since = 0
    for one in new:
        anchor = one.link.text
        at = text.find(anchor, since) if anchor else -1
        if at < 0:
            yield ""
            continue
        after = at + len(anchor)
        yield f"{text[max(0, at - _NEAR) : at]} {text[after : after + _NEAR]}"
        since = at
