import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Nodes = NDArray[np.int32]

def propagate_labels(
    starts: Starts, targets: Nodes, in_starts: Starts, sources: Nodes, order: Nodes, seed: int
) -> Nodes: ...
