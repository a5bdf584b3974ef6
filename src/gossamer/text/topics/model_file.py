"""The file format of topic models: a version line, a card in JSON, and the compressed weights."""

import sys
from typing import Literal, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.training_example import Example

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Kind = Literal["linear", "bayes", "cosine", "dictionary"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_FAMILY = b"gossamer topic model "
VERSION = 1
_MAGIC = _FAMILY + b"%d\n" % VERSION
_LEVEL = 12
# Three digits are enough, except for naive Bayes, which adds up a weight for every word of a page.
_FORM = {"linear": "<f2", "cosine": "<f2", "bayes": "<f8"}


class Bin(msgspec.Struct, frozen=True):
    """Held-out pages with similar probabilities."""

    foreseen: float
    """The mean of their probabilities."""
    found: float
    """The share of them that is about the topic."""
    pages: int


class HeldOutResult(msgspec.Struct, frozen=True):
    """How well held-out pages were classified; each page was held out once."""

    pages: int
    folds: int
    precision: float
    recall: float
    accuracy: float
    average_precision: float
    bins: tuple[Bin, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """The description of a model: what it was learnt from, its curves, and its quality."""

    kind: Kind
    examples: int
    against: int
    bias: float = 0.0
    curve: tuple[float, float] = (1.0, 0.0)
    """Slope and offset that turn a score into a probability."""
    short_curve: tuple[float, float] = (1.0, 0.0)
    """The same for short texts."""
    words: tuple[tuple[str, float], ...] = ()
    """The most distinctive words and pairs, those for the topic first."""
    tried: HeldOutResult | None = None
    """How well held-out pages were classified; None if there were too few examples."""
    kept: tuple[Example, ...] = ()
    """The examples, if they are few: a crawl adapts the topic to the pages that it reads."""
    links_as_text: bool = False
    """Whether the text of a link also counts as the text of its target; the curve of earlier models assumes that not."""
    pages_read: int = 0
    """Pages of a web that it has adapted to; a crawl adapts it again when it has read as many."""


class ModelParts(NamedTuple):
    """The contents of a topic model."""

    card: Card
    ids: NDArray[np.uint32]
    """Hashes of words, in ascending order."""
    scales: NDArray[np.float64]
    """How much a word counts, before its weight: rare words count more."""
    weights: NDArray[np.float64]
    """The evidence for the topic if positive, against it if negative."""


def encode_model(parts: ModelParts) -> bytes:
    """Return a model as bytes."""
    card = msgspec.json.encode(parts.card)
    steps = np.diff(parts.ids, prepend=np.uint32(0)).astype("<u4")
    numbers = [one.astype(_FORM[parts.card.kind]).tobytes() for one in (parts.scales, parts.weights)]
    body = zstd.compress(steps.tobytes() + b"".join(numbers), level=_LEVEL)
    return _MAGIC + len(card).to_bytes(4, "little") + card + body


def decode_model(content: bytes, named: str) -> ModelParts:
    """Decode a model; `named` is its name in error messages."""
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
        return _decode_arrays(card, zstd.decompress(content[end:]))
    except (EOFError, ValueError, RecursionError, msgspec.MsgspecError, zstd.ZstdError):
        raise BadInput(f"{named} is a damaged model of a topic: train it again") from None


def _decode_arrays(card: Card, body: bytes) -> ModelParts:
    form = np.dtype(_FORM[card.kind])
    count, rest = divmod(len(body), 4 + 2 * form.itemsize)
    if rest:
        raise ValueError("cut short")
    ids = np.cumsum(np.frombuffer(body, "<u4", count), dtype=np.uint32)
    numbers = np.frombuffer(body, form, 2 * count, 4 * count).astype(np.float64)
    return ModelParts(card, ids, numbers[:count], numbers[count:])
