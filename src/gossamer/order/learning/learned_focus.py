"""The default focus: learns during the crawl what links with the same features led to.

A link is worth the relevance of its target, or a share of what the best links of the target promise, whichever is more:
so the crawl finds lists of good pages too. What a page's links prove to be worth is credited to the link that led to it.
"""

import math
from collections import OrderedDict
from collections.abc import Collection, Sequence

import msgspec

from gossamer.order.learning import link_features as kinds
from gossamer.order.learning.link_features import extract_link_features, extract_page_features
from gossamer.order.learning.link_learner import LinkLearner
from gossamer.order.terms.order_term import NewLink, PageView, Topic
from gossamer.records import Link, Request

# Swept over recorded and synthetic webs of seven kinds: docs/decisions/0013-orders-that-learn.md, 0025-evidence-of-all-sources.md.
RATE = 0.1
START = -3.0
# The first weights of the measures, in log-odds; all of them are learnt during the crawl.
OF_RELEVANCE = 0.0
"""The page that a link was first found on says no more than the others, until the crawl shows that it does."""
OF_DEPTH = -0.6
OF_WORDS = 0.2
OF_RELEVANT_SOURCES = 5.0
"""Times log(1 + the summed relevance of all pages that link to the same target)."""
OF_OTHER_SOURCES = -2.0
"""Times log(1 + the rest of their number): what all pages link to is what every site has."""
LATER = 0.5
"""The share that a page one step further away counts."""
BEST_OF = 5
CREDIT = 0.3
"""The weight of a visit when it is credited to the link to the page before."""
OF_TUNNEL = -0.7
"""For each page beyond the tunnel: it halves what links are worth."""
_MOST_FOLLOWED = 4_000
"""ObservedTask links that may still be credited for the links of their targets: 2 MB."""
_NEARBY_CHARACTERS = 60
"""Characters on each side of a link that count as nearby."""
# A link moves in the queue when its value has doubled or halved: half the moves of 0.5, and it finds as much.
_LEAST_CHANGE = 1.0
_LEAST_DIFFERENCE = 0.005
# Links worth less than this share of those followed lately are not moved until their turn comes nearer.
_LEAST_SHARE = 0.3
_USUAL_RATE = 0.05

_MOST_WORD_ODDS = 14.0
"""One in a million: the words of a link never count for more."""
_LEAST_SHOWN = 0.005
_FEATURE_NAMES = {
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
"""The names of the kinds of features in explanations."""
_MEASURE_NAMES = (
    "relevance of its page",
    "depth",
    "its words, by the topic",
    "relevant pages that link to it",
    "other pages that link to it",
)
"""The names of the measures in explanations, in the learner's order."""


class _FollowedLink(msgspec.Struct):
    """A link that was followed, the relevance of its target, and what the target's links were worth so far."""

    link: bytes
    relevance: float
    visits: int = 0
    worth: float = 0.0


class LearnedTerm:
    """The score of a link is what links with its features turned out to be worth."""

    def __init__(self, topic: Topic, tunnel: int) -> None:
        self._topic = topic
        self._tunnel = tunnel
        beliefs = (OF_RELEVANCE, OF_DEPTH, OF_WORDS, OF_RELEVANT_SOURCES, OF_OTHER_SOURCES)
        self._learner = LinkLearner(RATE, beliefs)
        self._promise: dict[int, float] = {}
        """For pages whose visit has not ended: the mean score of their best links."""
        self._followed: OrderedDict[int, _FollowedLink] = OrderedDict()
        self._usual = 0.0
        """A running mean of the expected worth of followed links."""

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """Record one more page that links to these targets, and begin to keep what the page's links promise."""
        self._learner.record_links(targets, page.relevance)
        self._promise[page.request.id] = 0.0

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return what each link is expected to be worth."""
        links = [one.link for one in new]
        word_odds, depth = self._score_words(page, links), page.request.depth + 1
        features, start = _extract_features(page, links, word_odds), START + self._penalize_distance(page)
        values = self._learner.add_links(
            [one.key for one in new], features, start, relevance=page.relevance, depth=depth, words=word_odds
        )
        if page.request.id in self._promise:
            best = sorted(values)[-BEST_OF:]
            self._promise[page.request.id] = sum(best) / len(best)
        return values

    def _penalize_distance(self, page: PageView) -> float:
        return OF_TUNNEL * max(0, page.distance - self._tunnel) if self._tunnel >= 0 else 0.0

    def _score_words(self, page: PageView, links: Sequence[Link]) -> list[float]:
        """Return the log-odds that the topic gives to the words of the links."""
        texts, urls = [link.text for link in links], [link.url for link in links]
        word_odds = self._topic.log_odds_of_links(texts, urls, page.title)
        return [max(-_MOST_WORD_ODDS, min(_MOST_WORD_ODDS, odds)) for odds in word_odds]

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:
        """Return the parts of a link's log-odds: the start, the measures, and what was learnt of its features."""
        word_odds = self._score_words(page, [one.link])
        (features,) = _extract_features(page, [one.link], word_odds)
        relevant = page.relevance + sum(other.relevance for other in further)
        sources = math.log1p(relevant), math.log1p(1 + len(further) - relevant)
        measures = (page.relevance, page.request.depth + 1, word_odds[0], *sources)
        weighed = zip(_MEASURE_NAMES, self._learner.get_measure_weights(), measures, strict=True)
        parts = {"to begin with": START, "too far from the last relevant page": self._penalize_distance(page)}
        parts |= {name: weight * measure for name, weight, measure in weighed}
        for kind, added in self._learner.explain_features(features).items():
            name = f"learnt of {_FEATURE_NAMES[kind]}"
            parts[name] = parts.get(name, 0.0) + added
        return {name: added for name, added in parts.items() if abs(added) >= _LEAST_SHOWN}

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """Learn what a link led to, and credit the link before it."""
        promise = self._promise.pop(request.id, 0.0)
        relevance = page.relevance if page is not None else 0.0
        worth = max(relevance, LATER * promise)
        link = self._learner.pack_link(request.id)
        if link is not None:
            expected = self._learner.learn(link, worth, 1.0)
            self._usual += _USUAL_RATE * (expected - self._usual)
            if page is not None:
                self._remember(request.id, _FollowedLink(link, relevance))
        self._credit(request.parent, worth)

    def _remember(self, page: int, followed: _FollowedLink) -> None:
        self._followed[page] = followed
        if len(self._followed) > _MOST_FOLLOWED:
            self._followed.popitem(last=False)

    def _credit(self, page: int, worth: float) -> None:
        """Credit the link to a page with what one of the page's links was worth."""
        followed = self._followed.get(page)
        if followed is None:
            return
        followed.visits += 1
        followed.worth += worth
        self._learner.learn(
            followed.link, max(followed.relevance, LATER * followed.worth / followed.visits), CREDIT
        )

    def take_score_changes(self) -> dict[int, float]:
        """Return by how much the scores of waiting links have changed since they were last returned."""
        return self._take_changes(linked_again=False)

    def take_linked_changes(self) -> dict[int, float]:
        """Return the same for links that relevant pages have linked to since, if they rise: cheap enough for each visit."""
        return self._take_changes(linked_again=True) if self._learner.linked_again else {}

    def _take_changes(self, linked_again: bool) -> dict[int, float]:
        floor = _LEAST_SHARE * self._usual
        return self._learner.take_score_changes(_LEAST_CHANGE, _LEAST_DIFFERENCE, floor, linked_again)

    def forget(self, key: int) -> None:
        """Forget a link."""
        self._learner.forget(key)

    def pack_changes(self) -> bytes:
        """Return the weights that have changed."""
        return self._learner.pack_changes()

    def pack_all(self) -> bytes:
        """Return all weights."""
        return self._learner.pack_all()

    def load(self, packed: bytes) -> None:
        """Load weights."""
        self._learner.load(packed)

    def merge(self, packed: bytes) -> None:
        """Merge the weights of another term."""
        self._learner.merge(packed)


def _extract_features(page: PageView, links: list[Link], word_odds: list[float]) -> list[bytes]:
    """Return the packed features of each link of a page."""
    source = page.request
    shared = extract_page_features(source.url, page.title, page.relevance, source.depth + 1, page.distance)
    return extract_link_features(shared, source.url, links, find_nearby_text(page.text, links), word_odds)


def find_nearby_text(text: str, links: Sequence[Link]) -> list[str]:
    """Return the text around each link, "" where its own text is not found in the page; links are in page order."""
    since, found = 0, []
    for link in links:
        at = text.find(link.text, since) if link.text else -1
        if at < 0:
            found.append("")
            continue
        after = at + len(link.text)
        found.append(
            f"{text[max(0, at - _NEARBY_CHARACTERS) : at]} {text[after : after + _NEARBY_CHARACTERS]}"
        )
        since = at
    return found
