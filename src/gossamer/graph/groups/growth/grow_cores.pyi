import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Values = NDArray[np.int32]
Sets = tuple[Starts, Values]

class CoreGrower:
    def __init__(
        self,
        to_centres: Sets,
        to_fans: Sets,
        fans: tuple[Values, Values],
        centres: tuple[Values, Values],
        thresholds: NDArray[np.float64],
        least: tuple[float, float],
        from_all: bool,
    ) -> None: ...
    def grow_from(self, fan: int, fans: int, centres: int) -> None: ...
    def to_arrays(self) -> tuple[Sets, Sets, NDArray[np.int64]]: ...
