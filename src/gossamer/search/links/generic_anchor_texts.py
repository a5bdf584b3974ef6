"""Texts of links that say nothing, since they lead to many different pages: “next”, “click here”.

Which they are is seen when all links are read (`anchors.py`). Whoever only sees the links around some answers has to be told, so
their hashes lie beside the entries, eight bytes each.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.search.links import hash_link_texts
from gossamer.search.links.static_rank import write_whole

FILE = "empty_texts"
_PACK = msgspec.msgpack.Encoder().encode


class EmptyTexts(msgspec.Struct, frozen=True, eq=False):
    """Texts that say nothing, by their hashes."""

    hashes: NDArray[np.int64]
    """Ascending."""

    def among(self, texts: Sequence[str]) -> set[str]:
        """Return those of some texts that say nothing; capitals do not matter."""
        told = hash_link_texts.hashes([_PACK(texts)], len(texts))
        return {text for text, is_empty in zip(texts, np.isin(told, self.hashes), strict=True) if is_empty}


def read_empty_texts(folder: Path | None) -> EmptyTexts:
    """Return what is known in the folder of an index; nothing, if nothing is, or if it lies in memory."""
    if folder is None or not (folder / FILE).is_file():
        return EmptyTexts(np.empty(0, np.int64))
    return EmptyTexts(np.fromfile(folder / FILE, "<i8"))


def keep_empty_texts(texts: EmptyTexts, folder: Path) -> None:
    """Write them, whole or not at all."""
    write_whole(texts.hashes.astype("<i8"), folder / FILE)
