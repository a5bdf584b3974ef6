import numpy as np
from numpy.typing import NDArray

def make_band_keys(words: NDArray[np.uint32], factors: NDArray[np.uint64]) -> list[int]: ...
def compare_group(
    group: NDArray[np.uint64],
    words: NDArray[np.uint32],
    ends: NDArray[np.uint64],
    least_in_common: float,
    most_compared: int,
) -> list[tuple[int, int]]: ...
