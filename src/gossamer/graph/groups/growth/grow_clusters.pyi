import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Values = NDArray[np.int32]

class ClusterGrower:
    def __init__(self, starts: Starts, targets: Values, thresholds: NDArray[np.float64]) -> None: ...
    def grow_from(self, node: int, least: int) -> None: ...
    def to_arrays(self) -> tuple[tuple[Starts, Values], NDArray[np.int64]]: ...
