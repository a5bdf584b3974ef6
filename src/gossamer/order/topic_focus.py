"""The seed's focus, and its relatives: links are worth what the page is that they stand on (seed 002, section 3.1.2)."""

from collections.abc import Collection, Sequence
from struct import calcsize, pack, unpack
from typing import Literal

from gossamer.order.order_term import RELEVANT, New, Read
from gossamer.records import Request

Focus = Literal["learn", "soft", "hard", "seed"]

SEED_THRESHOLD = 0.9
"""Links of pages that are less relevant are not followed (seed 002: t, whose exact value matters little)."""
SEED_FACTOR = 0.5
"""A page of relevance r links to pages of relevance r/2 on average (seed 002: f)."""
# The factor begins with the seed's value, as if so many pages of relevance 1 had led to others.
_BELIEF = 10.0
_SUMS = "<2d"


def keeps_links(focus: Focus, relevance: float, distance: int, tunnel: int, depth: int) -> bool:
    """Say whether the links of a page are followed at all. From start pages the way must be open, but for the seed."""
    match focus:
        case "seed":
            return relevance > SEED_THRESHOLD
        case "hard":
            return relevance >= RELEVANT or distance <= tunnel or not depth
    return True


class Factor:
    """How relevant pages are that relevant pages link to: the seed's f, learnt from what was read.

    By least squares over all pairs of a page and one that it led to; the seed wished for this and left it open.
    """

    def __init__(self) -> None:
        self._products = SEED_FACTOR * _BELIEF
        self._squares = _BELIEF

    @property
    def value(self) -> float:
        """The factor as of now."""
        return self._products / self._squares

    def learn(self, parent: float, child: float) -> None:
        """Learn that a page of this relevance has led to a page of that."""
        self._products += parent * child
        self._squares += parent * parent

    def packed(self) -> bytes:
        """Return what was learnt."""
        return pack(_SUMS, self._products, self._squares)

    def recall(self, packed: bytes) -> None:
        """Know it again."""
        self._products, self._squares = unpack(_SUMS, packed[: calcsize(_SUMS)])

    def join(self, packed: bytes) -> None:
        """Believe another one that has seen more."""
        other = Factor()
        other.recall(packed)
        if other._squares > self._squares:
            self.recall(packed)


class ByParent:
    """Best-first by parent relevance: a link is worth f·r, where r is the relevance of the page it stands on.

    With `seed` the factor is ½ for ever; otherwise it is learnt from the pages that were read.
    """

    def __init__(self, focus: Focus) -> None:
        self._factor = Factor()
        self._learns = focus != "seed"
        self._parents: dict[int, float] = {}
        """The relevance of the page that each waiting link stands on."""
        self._changed = False

    def linked(self, page: Read, targets: Collection[int]) -> None:
        """The first page that links to another decides (seed 002)."""

    def found(self, page: Read, new: Sequence[New]) -> list[float]:
        """Return f·r for each link."""
        if self._learns:
            self._parents.update((one.key, page.relevance) for one in new)
        return [self._factor.value * page.relevance] * len(new)

    def visited(self, request: Request, page: Read | None) -> None:
        """Learn the factor from a page that was read."""
        parent = self._parents.get(request.id)
        if parent is not None and page is not None:
            self._factor.learn(parent, page.relevance)
            self._changed = True

    def moved(self) -> dict[int, float]:
        """One factor for all leaves them in their order: nothing need be moved."""
        return {}

    def explained(self, page: Read, one: New, further: Sequence[Read]) -> dict[str, float]:  # noqa: ARG002 - part of `Term`
        """Return the factor and the relevance that are multiplied."""
        return {"factor": self._factor.value, "relevance of its page": page.relevance}

    def forget(self, key: int) -> None:
        """Let go of a link."""
        self._parents.pop(key, None)

    def changes(self) -> bytes:
        """Return the factor, if it was learnt anew."""
        changed, self._changed = self._changed, False
        return self._factor.packed() if changed else b""

    def everything(self) -> bytes:
        """Return the factor."""
        return self._factor.packed()

    def recall(self, packed: bytes) -> None:
        """Know the factor again."""
        self._factor.recall(packed)

    def join(self, packed: bytes) -> None:
        """Know the factor of another one, if that has seen more."""
        self._factor.join(packed)
