import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Values = NDArray[np.int32]

class ClusterGrower:
    def __init__(self, starts: Starts, targets: Values, thresholds: NDArray[np.float64]) -> None: ...
    def grow(self, node: int, least: int) -> tuple[Values, int] | None: ...
