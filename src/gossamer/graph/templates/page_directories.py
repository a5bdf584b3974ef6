"""The host and the directories of each page: the parts of a web that may have templates of their own."""

import os

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.number_ids import Numbering
from gossamer.graph.templates import link_pairs

Ids = NDArray[np.int64]
LEVELS = 3
"""The host, the first directory of the path, and the second."""


class PageDirectories:
    """The host and the first two directories of each page, as hashes."""

    def __init__(self) -> None:
        # An attacker can craft URLs whose hashes collide, but cannot guess this salt.
        self._salt = int.from_bytes(os.urandom(8), "little")
        self._numbers = Numbering()
        self._pieces = [np.empty((0, LEVELS), np.int64)]

    def add(self, ids: Ids, urls: NDArray[np.uint8], starts: Ids) -> None:
        """Add pages by their ids and their URLs, concatenated in UTF-8; URL i is urls[starts[i]:starts[i + 1]]."""
        before = len(self._numbers)
        new = self._numbers.add(ids) >= before
        self._pieces.append(link_pairs.hash_directories(urls, starts, self._salt)[new])

    def of(self, ids: Ids) -> Ids:
        """Return a row of hashes for each page: 0 where there is no directory, and for pages that were not added."""
        if len(self._pieces) > 1:
            self._pieces = [np.concatenate(self._pieces)]
        numbers = self._numbers.find(ids)
        found = np.zeros((len(ids), LEVELS), np.int64)
        found[numbers >= 0] = self._pieces[0][numbers[numbers >= 0]]
        return found
