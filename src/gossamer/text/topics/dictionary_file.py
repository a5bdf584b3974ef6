"""The file format of topic dictionaries: a text with a line for each word, to read and to edit."""

import math
import re

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.text.topics.features.count_words import count_words
from gossamer.text.topics.features.field_weights import FIELDS
from gossamer.text.topics.model_file import Card, ModelParts

FAMILY = b"gossamer topic dictionary "
_FIRST_LINE = "gossamer topic dictionary 1"
_CARD = "card: "
_END = "end"
_EXPLANATION = """\
# Each line is a weight and a word, or two neighbouring words. A positive weight is evidence for the topic, a negative one
# against it. Change, add or remove lines. `title: ` before a word means the title of a page; # stands for any digit.
# The card says what the words were learnt from, and how scores become probabilities: leave it as it is."""
_WORD_LINE = re.compile(r"(-?\d{1,6}(?:\.\d{1,9})?)\s+(\S.*)")


def encode_dictionary(parts: ModelParts) -> bytes:
    """Return a dictionary as text; its card has all of its words."""
    card = msgspec.json.encode(msgspec.structs.replace(parts.card, words=())).decode()
    words = [f"{weight:.4f}\t{word}" for word, weight in parts.card.words]
    return "\n".join([_FIRST_LINE, _EXPLANATION, _CARD + card, *words, _END]).encode()


def decode_dictionary(content: bytes, named: str) -> ModelParts:
    """Read a dictionary, perhaps edited; `named` is its name in error messages."""
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise BadInput(f"{named} is a damaged dictionary of a topic: it is not UTF-8 text") from None
    lines = [line.strip() for line in lines]
    if lines[0] != _FIRST_LINE:
        raise BadInput(f"{named} is a dictionary of a later version of gossamer: use that version")
    while lines and not lines[-1]:
        lines.pop()
    if lines[-1] != _END:
        raise BadInput(f"{named} is a damaged dictionary of a topic: its last line must be `{_END}`")
    words: dict[str, float] = {}
    card = None
    for number, line in enumerate(lines[1:-1], 2):
        if line.startswith(_CARD):
            card = _decode_card(line.removeprefix(_CARD), named)
        elif line and not line.startswith("#"):
            word, weight = _decode_word(line, f"line {number} of {named}")
            words[word] = weight
    if card is None or not words:
        raise BadInput(f"{named} is a damaged dictionary of a topic: it has no {'words' if card else 'card'}")
    return build_parts(msgspec.structs.replace(card, words=tuple(words.items())))


def build_parts(card: Card) -> ModelParts:
    """Return the model of a card with all of its words."""
    weights = {find_id(word): weight for word, weight in card.words}
    ids = np.array(sorted(weights), np.uint32)
    return ModelParts(card, ids, np.ones(len(ids)), np.array([weights[int(one)] for one in ids], np.float64))


def find_id(word: str) -> int:
    """Return the hash of a word or a pair as it is written in a dictionary, 0 if it is neither."""
    name, colon, rest = word.partition(": ")
    field = FIELDS.index(name) if colon and name in FIELDS else 0
    text = (rest if field else word).replace("#", "0")
    alone, together = (_list_ids(field, text, pairs) for pairs in (False, True))
    if len(text.split()) == 1 and len(alone) == 1:
        return int(alone[0])
    pairs = np.setdiff1d(together, alone)
    return int(pairs[0]) if len(pairs) == 1 else 0


def _list_ids(field: int, text: str, pairs: bool) -> NDArray[np.uint32]:
    return count_words([(field, text, pairs)])[0]


def _decode_card(content: str, named: str) -> Card:
    try:
        card = msgspec.json.decode(content, type=Card)
    except (ValueError, RecursionError, msgspec.MsgspecError):
        raise BadInput(f"{named} is a damaged dictionary of a topic: its card cannot be read") from None
    if card.kind != "dictionary":
        raise BadInput(f"{named} is a damaged dictionary of a topic: its card is of another kind of model")
    return card


def _decode_word(line: str, where: str) -> tuple[str, float]:
    found = _WORD_LINE.fullmatch(line)
    if found is None or not math.isfinite(float(found[1])):
        raise BadInput(f"{where} must be a weight and a word, such as `1.5 telescope`, not {line[:80]!r}")
    if not find_id(found[2]):
        raise BadInput(f"{where} must have one word or two neighbouring words, not {found[2][:80]!r}")
    return found[2], float(found[1])
