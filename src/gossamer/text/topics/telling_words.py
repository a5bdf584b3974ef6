"""The words behind the hashes that tell most: found again on the pages that they were learnt from."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.text.topics.count_words import names_of
from gossamer.text.topics.example import Example
from gossamer.text.topics.page_features import FIELDS, field_of, parts_of

_MOST_EACH_SIDE = 50
_DIGIT = re.compile(r"[0-9]")  # any digit is the same, see `words`


def telling_words(
    pages: Sequence[Example], ids: NDArray[np.uint32], says: NDArray[np.float64]
) -> tuple[tuple[str, float], ...]:
    """Return the words and pairs that speak most for a topic and most against it, each with what it says.

    Words of other places than the text are marked by it, and digits are written as #: `title: cs###`.
    """
    order = np.argsort(-says, kind="stable")
    for_it = [column for column in order[:_MOST_EACH_SIDE] if says[column] > 0]
    against_it = [column for column in order[::-1][:_MOST_EACH_SIDE] if says[column] < 0]
    chosen = np.array([*for_it, *against_it], np.int64)
    names: dict[int, str] = {}
    for page in pages:
        wanted = set(ids[chosen].tolist()) - names.keys()
        if not wanted:
            break
        names |= names_of(parts_of(page), wanted)
    return tuple(
        (_marked(ids[column], names), float(says[column])) for column in chosen if int(ids[column]) in names
    )


def _marked(id: np.uint32, names: dict[int, str]) -> str:  # noqa: A002
    field = int(field_of(np.array([id]))[0])
    name = _DIGIT.sub("#", names[int(id)])
    return f"{FIELDS[field]}: {name}" if field else name
