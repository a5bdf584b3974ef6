"""An order that looks closer: sees each page that is read, weighs the links on it, and learns what they led to.

Links that wait are weighed again as more is learnt, a bounded number of them and every so often. What was learnt is
written in pieces, each in the transaction of the pages that it was learnt from, so that a kill loses nothing of it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from gossamer.order.fixed_terms import Fixed, in_wanted_language, nearness
from gossamer.order.learned_focus import Learnt
from gossamer.order.link_scores import Authority, Hub, Rank
from gossamer.order.order_expression import Part
from gossamer.order.order_term import RELEVANT, New, Read, Term
from gossamer.order.topic_focus import ByParent, Focus, keeps_links
from gossamer.order.topic_words import Topic
from gossamer.records import Link, Request

MOST_WAITING = 50_000
"""Links that can be weighed again: they take 200 bytes each. The worst of more keep the value they had."""
_LOOKED_AT = 2_000
"""Characters of a page that its relevance is judged by: what it is about stands further up, and judging takes 10 µs for
each thousand."""
PIECES = 64
"""Pieces of what was learnt before they are written as one."""
# All that wait are looked at every so many visits for each of them: 100 links a visit, 0.02 ms.
_LOOKED_AT_A_VISIT = 100
_FEWEST_VISITS = 20
MOST_MOVED = 300
"""Links that are moved at once, those first that have changed most."""
ONE_EXPLORED_OF = 64
"""One link of so many is tried whatever it seems to be worth: as if its chance was even."""
_VISITS = "visits"
_VISITS_BYTES = 8


class Steering(msgspec.Struct, frozen=True):
    """What a guide is told of its task."""

    parts: tuple[Part, ...]
    topic: Topic | None = None
    focus: Focus = "learn"
    tunnel: int = 4
    seed: int = 0


class Guide:
    """Weighs the links of one task."""

    def __init__(self, told: Steering, others: Mapping[str, Term] | None = None) -> None:
        self._told = told
        known = others or {}
        self._terms = {part.name: known.get(part.name) or _term(part.name, told) for part in told.parts}
        self._weights = {part.name: part.weight for part in told.parts}
        self._total = sum(self._weights.values())
        self._explores = told.focus == "learn" and "topic" in self._terms
        self._reading: dict[int, Read] = {}
        """Pages that were read and whose visit has not ended."""
        self._waiting: dict[int, Request] = {}
        """Requests that wait and may be moved, by their pages."""
        self._distances: dict[int, int] = {}
        """How far the page was from the last relevant one, on which a link was found."""
        self._visits = 0
        self._ever_learnt = 0
        """Visits that it has learnt from, in earlier runs too."""
        self._pieces = 0

    # The life of a page

    def read(self, request: Request, title: str, text: str, wanted_language: float = 0.5) -> Read:
        """Look at a page that has come."""
        topic = self._told.topic
        relevance = topic.relevance(text[:_LOOKED_AT], title=title, url=request.url) if topic else 0.0
        distance = 0 if relevance >= RELEVANT else self._distances.get(request.id, 0) + 1
        page = Read(request, title, text, relevance, distance, wanted_language)
        self._reading[request.id] = page
        return page

    @property
    def knows_topic(self) -> bool:
        """Whether it can say how relevant a page is."""
        return self._told.topic is not None

    def keeps_links(self, request: Request) -> bool:
        """Say whether the links of a page that was read are followed at all."""
        told, page = self._told, self._reading.get(request.id)
        if page is None or "topic" not in self._terms:
            return True
        return keeps_links(told.focus, page.relevance, page.distance, told.tunnel, request.depth)

    def weigh(self, source: Request, new: Sequence[New], targets: Collection[int]) -> list[float]:
        """Return the priorities of the links that are new; `targets` are all pages that their page links to."""
        page = self._reading.get(source.id)
        if page is None:  # a redirect, or links that are judged once more: they are worth what led to them
            return [source.priority] * len(new)
        for term in self._terms.values():
            term.linked(page, targets)
        return self._weighed(page, new)

    def _weighed(self, page: Read, new: Sequence[New]) -> list[float]:
        if not new:  # half of all pages lead only to what is known
            return []
        totals = [0.0] * len(new)
        for name, term in self._terms.items():
            weight, values = self._weights[name], term.found(page, new)
            totals = [total + weight * value for total, value in zip(totals, values, strict=True)]
        for one in new:
            self._distances[one.key] = page.distance
        return self._tried(new, totals) if self._explores else totals

    def _tried(self, new: Sequence[New], values: list[float]) -> list[float]:
        """Let a few links be tried whatever they seem to be worth, always the same ones for the same seed."""
        even, seed = self._total / 2, self._told.seed
        return [
            # The ids of pages are hashes: their last digits draw.
            max(value, even) if (one.key ^ seed) % ONE_EXPLORED_OF == 0 else value
            for one, value in zip(new, values, strict=True)
        ]

    def leave(self, keys: Iterable[int]) -> None:
        """Let go of links that somebody else follows."""
        for key in keys:
            self._distances.pop(key, None)
            for term in self._terms.values():
                term.forget(key)

    def unknown(self, requests: Iterable[Request]) -> list[Request]:
        """Return those of these requests that it has not weighed in this run, or has let go of."""
        return [request for request in requests if request.id not in self._waiting]

    def recollect(self, page: Read, waiting: Sequence[tuple[Request, Link]]) -> list[Request]:
        """Weigh links of a page anew that wait since an earlier run, or were found by others; return their requests."""
        values = self._weighed(page, [New(request.id, link) for request, link in waiting])
        return [
            msgspec.structs.replace(request, priority=value)
            for (request, _), value in zip(waiting, values, strict=True)
        ]

    def waits(self, requests: Iterable[Request]) -> None:
        """Know which requests wait, with their numbers."""
        for request in requests:
            self._waiting[request.id] = request
        if len(self._waiting) > MOST_WAITING:
            self._make_room()

    def taken(self, request: Request) -> None:
        """A request is on its way: it is moved no more."""
        self._waiting.pop(request.id, None)

    def ended(self, request: Request, tell: bool) -> None:
        """A request has ended; unless `tell`, nothing can be learnt of it."""
        page = self._reading.pop(request.id, None)
        self._waiting.pop(request.id, None)
        self._distances.pop(request.id, None)
        for term in self._terms.values():
            if tell:
                term.visited(request, page)
            term.forget(request.id)
        self._visits += 1
        self._ever_learnt += tell

    # Weighing again

    def due(self) -> bool:
        """Say whether it is time to weigh again what waits."""
        return self._visits >= max(_FEWEST_VISITS, len(self._waiting) // _LOOKED_AT_A_VISIT)

    def moves(self) -> list[tuple[Request, Request]]:
        """Weigh again what waits: requests that go elsewhere, as they were and as they are now."""
        self._visits = 0
        changes: dict[int, float] = {}
        for name, term in self._terms.items():
            weight = self._weights[name]
            for key, change in term.moved().items():
                changes[key] = changes.get(key, 0.0) + weight * change
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
        """Let go of the worst quarter of what waits: it keeps the place it has."""
        ranked = sorted(self._waiting, key=lambda key: self._waiting[key].priority)
        for key in ranked[: MOST_WAITING // 4]:
            del self._waiting[key]
            for term in self._terms.values():
                term.forget(key)

    def explained(self, page: Read, one: New, further: Sequence[Read] = ()) -> dict[str, float]:
        """Say what a link's priority is made of, as of now: parts of a mixture go under their names."""
        several = len(self._terms) > 1
        return {
            f"{name}: {part}" if several else part: value
            for name, term in self._terms.items()
            for part, value in term.explained(page, one, further).items()
        }

    # Remembering

    def notes(self, prefix: str) -> dict[str, bytes | None]:
        """Return what was learnt since this was last asked, by name; what is None need not be kept any longer."""
        learnt = {name: piece for name, term in self._terms.items() if (piece := term.changes())}
        if not learnt:
            return {}
        self._pieces += 1
        if self._pieces < PIECES:
            return {f"{prefix}{self._pieces:04}": self._note(learnt)}
        whole = {name: term.everything() for name, term in self._terms.items()}
        gone: dict[str, bytes | None] = {f"{prefix}{number:04}": None for number in range(1, self._pieces)}
        self._pieces = 0
        return gone | {f"{prefix}0000": self._note(whole)}

    def _note(self, learnt: dict[str, bytes]) -> bytes:
        visits = self._ever_learnt.to_bytes(_VISITS_BYTES, "little")
        return msgspec.msgpack.encode(learnt | {_VISITS: visits})

    def recall(self, notes: Sequence[tuple[str, bytes]]) -> None:
        """Know again what was learnt, from notes in order of their names."""
        for name, note in notes:
            for term, piece in msgspec.msgpack.decode(note, type=dict[str, bytes]).items():
                if term in self._terms:
                    self._terms[term].recall(piece)
            self._pieces = int(name[-4:])
            self._ever_learnt = visits_noted(note)

    def join(self, others: Iterable[Sequence[tuple[str, bytes]]]) -> None:
        """Know what several others have learnt, each from its notes; it will be written as one piece."""
        for notes in others:
            one = Guide(self._told)
            one.recall(notes)
            for name, term in self._terms.items():
                term.join(one._terms[name].everything())
            self._ever_learnt += one._ever_learnt
        self.write_whole()

    def write_whole(self) -> None:
        """Let what is written next be all that was learnt, in place of whatever was written before."""
        self._pieces = PIECES - 1


def visits_noted(note: bytes) -> int:
    """Return from how many visits was learnt what is written in a note."""
    return int.from_bytes(msgspec.msgpack.decode(note, type=dict[str, bytes]).get(_VISITS, b""), "little")


_MADE: dict[str, Callable[[], Term]] = {
    "authority": Authority,
    "hub": Hub,
    "rank": Rank,
    "near": lambda: Fixed(nearness),
    "language": lambda: Fixed(in_wanted_language),
}


def _term(name: str, told: Steering) -> Term:
    if name in _MADE:
        return _MADE[name]()
    if told.focus != "learn" or told.topic is None:
        return ByParent(told.focus)
    return Learnt(told.topic, told.tunnel)
