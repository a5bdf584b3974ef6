"""The most distinctive words of a topic, recovered from their hashes on the training pages."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.features.count_words import find_names
from gossamer.text.topics.features.field_weights import FIELDS
from gossamer.text.topics.features.page_features import get_field, list_fields
from gossamer.text.topics.training_example import Example

_MAX_PER_SIDE = 50
_DIGIT = re.compile(r"[0-9]")  # all digits count as one, see `count_words`


def find_distinctive_words(
    pages: Sequence[Example],
    ids: NDArray[np.uint32],
    weights: NDArray[np.float64],
    most: int = _MAX_PER_SIDE,
) -> tuple[tuple[str, float], ...]:
    """Return the words and pairs with the largest weights for a topic and against it, each with its weight.

    A word of another field than the text is prefixed with the field, and digits are written as #: `title: cs###`.
    """
    order = np.argsort(-weights, kind="stable")
    for_it = [column for column in order[:most] if weights[column] > 0]
    against_it = [column for column in order[::-1][:most] if weights[column] < 0]
    chosen = np.array([*for_it, *against_it], np.int64)
    names: dict[int, str] = {}
    for page in pages:
        wanted = set(ids[chosen].tolist()) - names.keys()
        if not wanted:
            break
        names |= find_names(list_fields(page), wanted)
    return tuple(
        (_format_word(ids[column], names), float(weights[column]))
        for column in chosen
        if int(ids[column]) in names
    )


def _format_word(id: np.uint32, names: dict[int, str]) -> str:  # noqa: A002
    field = int(get_field(np.array([id]))[0])
    name = _DIGIT.sub("#", names[int(id)])
    return f"{FIELDS[field]}: {name}" if field else name
