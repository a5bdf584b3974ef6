import numpy as np
from numpy.typing import NDArray

def separate(
    starts: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64],
    signs: NDArray[np.float64],
    costs: NDArray[np.float64],
    width: int,
    most_rounds: int,
    tolerance: float,
) -> NDArray[np.float64]: ...
