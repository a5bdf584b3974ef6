from array import array

import numpy as np
from numpy.typing import NDArray

def hash_words(text: str) -> bytes: ...
def make_band_keys(words: bytes, factors: NDArray[np.uint64], number: int) -> bytes: ...
def compare_candidates(
    pairs: NDArray[np.uint64],
    words: NDArray[np.uint32],
    ends: NDArray[np.uint64],
    new: NDArray[np.uint8],
    least_in_common: float,
    most_compared: int,
) -> array[int]: ...
