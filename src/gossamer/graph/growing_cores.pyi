import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Values = NDArray[np.int32]

class CoreGrower:
    def __init__(
        self,
        starts: Starts,
        targets: Values,
        in_starts: Starts,
        sources: Values,
        thresholds: NDArray[np.float64],
        least_centres: float,
        least_fans: float,
    ) -> None: ...
    def grow_from(self, fan: int, fans: int, centres: int) -> list[tuple[Values, Values, int]]: ...
