import numpy as np
from numpy.typing import NDArray

def hash_directories(text: NDArray[np.uint8], starts: NDArray[np.int64], salt: int) -> NDArray[np.int64]: ...
def hash_pairs(
    hosts: NDArray[np.int64],
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    tallies: NDArray[np.uint8],
) -> NDArray[np.int64]: ...
def hash_bridges(
    hosts: NDArray[np.int64],
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    own: NDArray[np.int64],
) -> NDArray[np.int64]: ...
def tally_places(
    hosts: NDArray[np.int64],
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    tallies: NDArray[np.uint8],
) -> None: ...
def find_places(
    hosts: NDArray[np.int64],
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    tallies: NDArray[np.uint8],
    least: int,
) -> NDArray[np.int64]: ...
def count_pages(keys: NDArray[np.int32], pages: NDArray[np.int32], count: int) -> NDArray[np.int32]: ...
