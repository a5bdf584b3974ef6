"""Models of topics as bytes: a line that names the version, a card in JSON, and the weights, packed."""

import sys
from typing import Literal, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Kind = Literal["linear", "bayes", "cosine"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_FAMILY = b"gossamer topic model "
_MAGIC = _FAMILY + b"1\n"
_LEVEL = 12
# Three digits of a weight are enough, but those of naive Bayes are added up for every word of a page.
_FORM = {"linear": "<f2", "cosine": "<f2", "bayes": "<f8"}


class Bin(msgspec.Struct, frozen=True):
    """Pages that were kept back and found about as relevant as each other."""

    foreseen: float
    """The mean of their probabilities."""
    found: float
    """The share of them that are about the topic."""
    pages: int


class Tried(msgspec.Struct, frozen=True):
    """How well a topic was told on pages that were kept back, each once."""

    pages: int
    folds: int
    precision: float
    recall: float
    accuracy: float
    average_precision: float
    bins: tuple[Bin, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """What a model says of itself."""

    kind: Kind
    examples: int
    against: int
    bias: float = 0.0
    curve: tuple[float, float] = (1.0, 0.0)
    """Slope and offset that make a probability of a score."""
    short_curve: tuple[float, float] = (1.0, 0.0)
    """The same for short texts."""
    words: tuple[tuple[str, float], ...] = ()
    """The most telling words and pairs, those for the topic first."""
    tried: Tried | None = None
    """None if there were too few examples."""


class Packed(NamedTuple):
    """A model in its parts."""

    card: Card
    ids: NDArray[np.uint32]
    """Hashes of words, in order."""
    scales: NDArray[np.float64]
    """How much a word counts, however telling it is: rare ones more."""
    weights: NDArray[np.float64]
    """What it says for the topic, or against it."""


def packed(parts: Packed) -> bytes:
    """Return the bytes of a model."""
    card = msgspec.json.encode(parts.card)
    steps = np.diff(parts.ids, prepend=np.uint32(0)).astype("<u4")
    numbers = [one.astype(_FORM[parts.card.kind]).tobytes() for one in (parts.scales, parts.weights)]
    body = zstd.compress(steps.tobytes() + b"".join(numbers), level=_LEVEL)
    return _MAGIC + len(card).to_bytes(4, "little") + card + body


def unpacked(content: bytes, named: str) -> Packed:
    """Return what a model consists of; `named` is what complaints call it."""
    if not content.startswith(_FAMILY):
        raise BadInput(f"{named} is not a model of a topic; make one with  gossamer topics train")
    if not content.startswith(_MAGIC):
        raise BadInput(
            f"{named} is a model of a later version of gossamer: train it again, or use that version"
        )
    try:
        start = len(_MAGIC) + 4
        end = start + int.from_bytes(content[len(_MAGIC) : start], "little")
        card = msgspec.json.decode(content[start:end], type=Card)
        return _arrays(card, zstd.decompress(content[end:]))
    except (EOFError, ValueError, msgspec.MsgspecError, zstd.ZstdError):
        raise BadInput(f"{named} is a damaged model of a topic: train it again") from None


def _arrays(card: Card, body: bytes) -> Packed:
    form = np.dtype(_FORM[card.kind])
    count, rest = divmod(len(body), 4 + 2 * form.itemsize)
    if rest:
        raise ValueError("cut short")
    ids = np.cumsum(np.frombuffer(body, "<u4", count), dtype=np.uint32)
    numbers = np.frombuffer(body, form, 2 * count, 4 * count).astype(np.float64)
    return Packed(card, ids, numbers[:count], numbers[count:])
