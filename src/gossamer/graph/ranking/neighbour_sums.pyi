import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Nodes = NDArray[np.int32]
Weights = NDArray[np.float64]

def sum_neighbours(starts: Starts, neighbours: Nodes, values: Weights, into: Weights) -> None: ...
def sweep(
    in_starts: Starts,
    sources: Nodes,
    out_degrees: NDArray[np.int64],
    given: Weights,
    damping: float,
    shares: Weights,
) -> tuple[float, float, float]: ...
def normalise(weights: Weights, before: Weights, damping: float) -> float: ...
