import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Nodes = NDArray[np.int32]
Marks = NDArray[np.uint8]

def mark_reachable(
    starts: Starts, targets: Nodes, origins: Nodes, marks: Marks, mark: int, closed: int
) -> None: ...
def label_strong_components(
    starts: Starts, targets: Nodes, marks: Marks, labels: Nodes, labelled: int
) -> int: ...
def find_weak_components(starts: Starts, targets: Nodes) -> Nodes: ...
def renumber_by_first_node(labels: Nodes, count: int) -> NDArray[np.int64]: ...
