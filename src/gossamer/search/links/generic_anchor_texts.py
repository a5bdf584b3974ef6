"""Link texts that lead to many different pages and therefore name none of them: “next”, “click here”.

`anchor_texts.py` finds them when it reads all links. Their hashes are written beside the index, eight bytes each, for code
that reads only the links around some answers.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.search.links import hash_link_texts
from gossamer.search.links.static_rank import write_array

FILE = "empty_texts"
_PACK = msgspec.msgpack.Encoder().encode


class GenericTexts(msgspec.Struct, frozen=True, eq=False):
    """A set of generic link texts, by their hashes."""

    hashes: NDArray[np.int64]
    """Ascending."""

    def select(self, texts: Sequence[str]) -> set[str]:
        """Return the generic ones of some texts; case does not matter."""
        hashes = hash_link_texts.hash_texts([_PACK(texts)], len(texts))
        is_generic = np.isin(hashes, self.hashes)
        return {text for text, generic in zip(texts, is_generic, strict=True) if generic}


def read_generic_texts(folder: Path | None) -> GenericTexts:
    """Read the generic texts in the folder of an index; none for an index in memory, or without the file."""
    if folder is None or not (folder / FILE).is_file():
        return GenericTexts(np.empty(0, np.int64))
    return GenericTexts(np.fromfile(folder / FILE, "<i8"))


def write_generic_texts(texts: GenericTexts, folder: Path) -> None:
    """Write the generic texts atomically."""
    write_array(texts.hashes.astype("<i8"), folder / FILE)
