"""The focus of Schmitz 2001 (section 3.1.2) and its variants: a link is worth the relevance of its page."""

from collections.abc import Collection, Sequence
from struct import calcsize, pack, unpack
from typing import Literal

from gossamer.order.terms.order_term import RELEVANT, NewLink, PageView
from gossamer.records import Request

Focus = Literal["learn", "soft", "hard", "seed"]
"""The focus `seed` is that of Schmitz 2001, unchanged."""

SCHMITZ_THRESHOLD = 0.9
"""Links of less relevant pages are not followed (Schmitz 2001: t, whose exact value matters little)."""
SCHMITZ_FACTOR = 0.5
"""A page of relevance r links to pages of relevance r/2 on average (Schmitz 2001: f)."""
# The learnt factor begins with that value, as if this many pages of relevance 1 had led to others.
_BELIEF = 10.0
_SUMS = "<2d"


def follows_links(focus: Focus, relevance: float, distance: int, tunnel: int, depth: int) -> bool:
    """Say whether the links of a page are followed at all. Those of start pages are, except with the focus `seed`."""
    match focus:
        case "seed":
            return relevance > SCHMITZ_THRESHOLD
        case "hard":
            return relevance >= RELEVANT or distance <= tunnel or not depth
    return True


class RelevanceFactor:
    """How relevant the pages are that relevant pages link to: the factor f, learnt from the pages read.

    Least squares over all pairs of a page and one that it led to. Schmitz 2001 suggests this and leaves it open.
    """

    def __init__(self) -> None:
        self._products = SCHMITZ_FACTOR * _BELIEF
        self._squares = _BELIEF

    @property
    def value(self) -> float:
        """The present estimate."""
        return self._products / self._squares

    def learn(self, parent: float, child: float) -> None:
        """Learn from the relevance of a page and of one that it led to."""
        self._products += parent * child
        self._squares += parent * parent

    def pack(self) -> bytes:
        """Return the sums, packed."""
        return pack(_SUMS, self._products, self._squares)

    def load(self, packed: bytes) -> None:
        """Load the result of `pack`."""
        self._products, self._squares = unpack(_SUMS, packed[: calcsize(_SUMS)])

    def merge(self, packed: bytes) -> None:
        """Take over another factor that has learnt from more pages."""
        other = RelevanceFactor()
        other.load(packed)
        if other._squares > self._squares:
            self.load(packed)


class ParentTerm:
    """Best-first by parent relevance: a link scores f·r, where r is the relevance of the page it is on.

    With the focus `seed` the factor f is always ½; otherwise it is learnt from the pages read.
    """

    def __init__(self, focus: Focus) -> None:
        self._factor = RelevanceFactor()
        self._learns = focus != "seed"
        self._parents: dict[int, float] = {}
        """The relevance of the page that each waiting link is on."""
        self._changed = False

    def record_links(self, page: PageView, targets: Collection[int]) -> None:
        """No-op: only the first page that links to a target counts (Schmitz 2001)."""

    def score_links(self, page: PageView, new: Sequence[NewLink]) -> list[float]:
        """Return f·r for each link."""
        if self._learns:
            self._parents.update((one.key, page.relevance) for one in new)
        return [self._factor.value * page.relevance] * len(new)

    def record_visit(self, request: Request, page: PageView | None) -> None:
        """Learn the factor from a page that was read."""
        parent = self._parents.get(request.id)
        if parent is not None and page is not None:
            self._factor.learn(parent, page.relevance)
            self._changed = True

    def take_score_changes(self) -> dict[int, float]:
        """Return no changes: one factor for all links does not change their order."""
        return {}

    def explain(self, page: PageView, one: NewLink, further: Sequence[PageView]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the factor and the relevance that are multiplied."""
        return {"factor": self._factor.value, "relevance of its page": page.relevance}

    def forget(self, key: int) -> None:
        """Forget a link."""
        self._parents.pop(key, None)

    def pack_changes(self) -> bytes:
        """Return the factor, if it has changed."""
        changed, self._changed = self._changed, False
        return self._factor.pack() if changed else b""

    def pack_all(self) -> bytes:
        """Return the factor."""
        return self._factor.pack()

    def load(self, packed: bytes) -> None:
        """Load the factor."""
        self._factor.load(packed)

    def merge(self, packed: bytes) -> None:
        """Take over the factor of another term that has learnt from more pages."""
        self._factor.merge(packed)
