import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]

def move_nodes(
    places: Floats,
    masses: Floats,
    stays: NDArray[np.uint8],
    order: Nodes,
    sources: Nodes,
    targets: Nodes,
    weights: Floats,
    push: float,
    gravity: float,
    step: float,
    wide: float,
    by_logarithm: bool,
) -> float: ...
def group_neighbours(
    starts: NDArray[np.int64],
    neighbours: Nodes,
    weights: Floats,
    masses: Floats,
    order: Nodes,
    most_mass: float,
) -> tuple[Nodes, int]: ...
