"""The guide of a task whose order goes by more than depth: it weighs links and learns what they led to.

It sees each page that is read. Waiting links are weighed again as more is learnt, a bounded number of them at intervals.
What was learnt is written in pieces, each in the transaction of the pages it was learnt from, so that a kill loses none.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from gossamer.errors import make_damage_error
from gossamer.order.learning.learned_focus import LearnedTerm
from gossamer.order.order_expression import WeightedTerm
from gossamer.order.terms.fixed_terms import FixedTerm, score_language, score_nearness
from gossamer.order.terms.link_scores import AuthorityTerm, HubTerm, RankTerm
from gossamer.order.terms.order_term import RELEVANT, NewLink, PageView, Term, Topic
from gossamer.order.terms.topic_focus import Focus, ParentTerm, follows_links
from gossamer.records import Link, Request

MOST_WAITING = 50_000
"""Links that can be weighed again, at 200 bytes each. Beyond that, the worst keep their priority."""
_JUDGED_CHARACTERS = 2_000
"""The first characters of a page, by which its relevance is judged: the beginning says what a page is about, and
judging takes 10 µs for each thousand."""
PIECES = 64
"""The number of written pieces after which they are replaced by one."""
# All waiting links are weighed again at intervals that make 100 links a visit, 0.02 ms.
_REWEIGHED_A_VISIT = 100
_FEWEST_VISITS = 20
MOST_MOVED = 300
"""Links that are moved at once; those that have changed most come first."""
ONE_EXPLORED_OF = 64
"""One link in this many is tried as if its chance was even, to learn about links that seem worth little."""
_TOPIC = "topic"
_VISITS = "visits"
_VISITS_BYTES = 8


class GuideOptions(msgspec.Struct, frozen=True):
    """The parts of a task that its guide depends on."""

    terms: tuple[WeightedTerm, ...]
    topic: Topic | None = None
    focus: Focus = "learn"
    tunnel: int = 4
    seed: int = 0


class Guide:
    """Weighs the links of one task. `others` are further terms by name, such as an oracle."""

    def __init__(self, options: GuideOptions, others: Mapping[str, Term] | None = None) -> None:
        self._options = options
        known = others or {}
        self._terms = {
            term.name: known.get(term.name) or _make_term(term.name, options) for term in options.terms
        }
        self._weights = {term.name: term.weight for term in options.terms}
        self._total = sum(self._weights.values())
        topic_term = self._terms.get(_TOPIC)
        self._learned = topic_term if isinstance(topic_term, LearnedTerm) else None
        self._explores = options.focus == "learn" and _TOPIC in self._terms
        self._reading: dict[int, PageView] = {}
        """Pages that were read and whose visit has not ended."""
        self._waiting: dict[int, Request] = {}
        """Waiting requests that may be moved, by page id."""
        self._distances: dict[int, int] = {}
        """For each link, the distance of its page from the last relevant one."""
        self._visits = 0
        self._ever_learnt = 0
        """The number of visits it has learnt from, in earlier runs too."""
        self._pieces = 0

    # The visit of a page

    def read_page(self, request: Request, title: str, text: str, wanted_language: float = 0.5) -> PageView:
        """Judge the relevance of a page that was fetched, and keep its view until `end_visit`."""
        topic = self._options.topic
        relevance = topic.relevance(text[:_JUDGED_CHARACTERS], title=title, url=request.url) if topic else 0.0
        distance = 0 if relevance >= RELEVANT else self._distances.get(request.id, 0) + 1
        page = PageView(
            request, title, text, relevance=relevance, distance=distance, wanted_language=wanted_language
        )
        self._reading[request.id] = page
        return page

    @property
    def has_topic(self) -> bool:
        """Whether it has a topic to judge pages by."""
        return self._options.topic is not None

    def follows_links(self, request: Request) -> bool:
        """Say whether the links of a page are followed at all."""
        options, page = self._options, self._reading.get(request.id)
        if page is None or _TOPIC not in self._terms:
            return True
        return follows_links(options.focus, page.relevance, page.distance, options.tunnel, request.depth)

    def weigh_links(self, source: Request, new: Sequence[NewLink], targets: Collection[int]) -> list[float]:
        """Return the priorities of the new links of a page; `targets` are all pages that it links to."""
        page = self._reading.get(source.id)
        if page is None:  # a redirect, or links that are judged again: they keep the priority of their source
            return [source.priority] * len(new)
        for term in self._terms.values():
            term.record_links(page, targets)
        return self._score_links(page, new)

    def _score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        if not new:  # half of all pages have no new links
            return []
        totals = [0.0] * len(new)
        for name, term in self._terms.items():
            weight, values = self._weights[name], term.score_links(page, new)
            totals = [total + weight * value for total, value in zip(totals, values, strict=True)]
        for one in new:
            self._distances[one.key] = page.distance
        return self._explore(new, totals) if self._explores else totals

    def _explore(self, new: Sequence[NewLink], values: list[float]) -> list[float]:
        """Raise a few links to an even chance, always the same ones for the same seed."""
        even, seed = self._total / 2, self._options.seed
        return [
            # Page ids are hashes, so their remainder draws at random.
            max(value, even) if (one.key ^ seed) % ONE_EXPLORED_OF == 0 else value
            for one, value in zip(new, values, strict=True)
        ]

    def forget_links(self, keys: Iterable[int]) -> None:
        """Forget links that another shard follows."""
        for key in keys:
            self._distances.pop(key, None)
            for term in self._terms.values():
                term.forget(key)

    def select_unknown(self, requests: Iterable[Request]) -> list[Request]:
        """Return those of these requests that it has not weighed in this run, or has forgotten."""
        return [request for request in requests if request.id not in self._waiting]

    def weigh_again(self, page: PageView, waiting: Sequence[tuple[Request, Link]]) -> list[Request]:
        """Weigh links of a page that wait since an earlier run or that another shard found; return their new requests."""
        values = self._score_links(page, [NewLink(request.id, link) for request, link in waiting])
        return [
            msgspec.structs.replace(request, priority=value)
            for (request, _), value in zip(waiting, values, strict=True)
        ]

    def add_waiting(self, requests: Iterable[Request]) -> None:
        """Add requests that wait, with their numbers."""
        for request in requests:
            self._waiting[request.id] = request
        if len(self._waiting) > MOST_WAITING:
            self._make_room()

    def remove_waiting(self, request: Request) -> None:
        """Remove a request that was taken: it is not moved any more."""
        self._waiting.pop(request.id, None)

    def end_visit(self, request: Request, learn: bool) -> None:
        """End the visit of a request, and learn from it if `learn`."""
        page = self._reading.pop(request.id, None)
        self._waiting.pop(request.id, None)
        self._distances.pop(request.id, None)
        for term in self._terms.values():
            if learn:
                term.record_visit(request, page)
            term.forget(request.id)
        self._visits += 1
        self._ever_learnt += learn

    # Weighing waiting links again

    def is_due(self) -> bool:
        """Say whether it is time to weigh all waiting links again."""
        return self._visits >= max(_FEWEST_VISITS, len(self._waiting) // _REWEIGHED_A_VISIT)

    def reweigh_linked(self) -> list[tuple[Request, Request]]:
        """Weigh the waiting links again that pages read since have linked to; return what changes, before and after."""
        changes = self._learned.take_linked_changes() if self._learned else {}
        weight = self._weights.get(_TOPIC, 0.0)
        return self._move_links({key: weight * change for key, change in changes.items()})

    def reweigh_waiting(self) -> list[tuple[Request, Request]]:
        """Weigh the waiting links again; return those whose priority changes, before and after."""
        self._visits = 0
        changes: dict[int, float] = {}
        for name, term in self._terms.items():
            weight = self._weights[name]
            for key, change in term.take_score_changes().items():
                changes[key] = changes.get(key, 0.0) + weight * change
        return self._move_links(changes)

    def _move_links(self, changes: Mapping[int, float]) -> list[tuple[Request, Request]]:
        most = sorted(changes, key=lambda key: -abs(changes[key]))[:MOST_MOVED]
        return [move for key in most if (move := self._move(key, changes[key]))]

    def _move(self, key: int, change: float) -> tuple[Request, Request] | None:
        before = self._waiting.get(key)
        if before is None or before.attempt:
            return None
        after = msgspec.structs.replace(before, priority=max(0.0, before.priority + change))
        self._waiting[key] = after
        return before, after

    def _make_room(self) -> None:
        """Forget the worst quarter of the waiting links: they keep their priority."""
        ranked = sorted(self._waiting, key=lambda key: self._waiting[key].priority)
        for key in ranked[: MOST_WAITING // 4]:
            del self._waiting[key]
            for term in self._terms.values():
                term.forget(key)

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView] = ()) -> dict[str, float]:
        """Return the parts of a link's present priority, with the name of the term if there are several."""
        several = len(self._terms) > 1
        return {
            f"{name}: {part}" if several else part: value
            for name, term in self._terms.items()
            for part, value in term.explain(page, one, further).items()
        }

    # Storing what was learnt

    def take_notes(self, prefix: str) -> dict[str, bytes | None]:
        """Return notes with what was learnt since the last call, by name; None for a note to be deleted."""
        learnt = {name: piece for name, term in self._terms.items() if (piece := term.pack_changes())}
        if not learnt:
            return {}
        self._pieces += 1
        if self._pieces < PIECES:
            return {f"{prefix}{self._pieces:04}": self._write_note(learnt)}
        whole = {name: term.pack_all() for name, term in self._terms.items()}
        gone: dict[str, bytes | None] = {f"{prefix}{number:04}": None for number in range(1, self._pieces)}
        self._pieces = 0
        return gone | {f"{prefix}0000": self._write_note(whole)}

    def _write_note(self, learnt: dict[str, bytes]) -> bytes:
        visits = self._ever_learnt.to_bytes(_VISITS_BYTES, "little")
        return msgspec.msgpack.encode(learnt | {_VISITS: visits})

    def load_notes(self, notes: Sequence[tuple[str, bytes]]) -> None:
        """Load what was learnt from notes in the order of their names."""
        for name, note in notes:
            for term, piece in _decode_note(note).items():
                if term in self._terms:
                    _load_term(self._terms[term], piece)
            self._pieces = int(name[-4:])
            self._ever_learnt = count_visits(note)

    def merge_notes(self, others: Iterable[Sequence[tuple[str, bytes]]]) -> None:
        """Merge what several guides have learnt, each from its notes; the next note will hold everything."""
        for notes in others:
            other = Guide(self._options)
            other.load_notes(notes)
            for name, term in self._terms.items():
                term.merge(other._terms[name].pack_all())
            self._ever_learnt += other._ever_learnt
        self.request_full_note()

    def request_full_note(self) -> None:
        """Let the next note hold everything that was learnt, in place of all earlier notes."""
        self._pieces = PIECES - 1


def count_visits(note: bytes) -> int:
    """Return the number of visits that a note was learnt from."""
    return int.from_bytes(_decode_note(note).get(_VISITS, b""), "little")


def _decode_note(note: bytes) -> dict[str, bytes]:
    try:
        return msgspec.msgpack.decode(note, type=dict[str, bytes])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise make_damage_error("what an order has learnt") from None


def _load_term(term: Term, piece: bytes) -> None:
    try:
        term.load(piece)
    except (msgspec.MsgspecError, ValueError, TypeError, IndexError, KeyError):
        raise make_damage_error("what an order has learnt") from None


_TERM_CLASSES: dict[str, Callable[[], Term]] = {
    "authority": AuthorityTerm,
    "hub": HubTerm,
    "rank": RankTerm,
    "near": lambda: FixedTerm(score_nearness),
    "language": lambda: FixedTerm(score_language),
}


def _make_term(name: str, options: GuideOptions) -> Term:
    if name in _TERM_CLASSES:
        return _TERM_CLASSES[name]()
    if options.focus != "learn" or options.topic is None:
        return ParentTerm(options.focus)
    return LearnedTerm(options.topic, options.tunnel)
