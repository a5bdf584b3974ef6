import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]
Values = NDArray[np.int32]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

def prune_by_degree(
    starts: Starts, targets: Values, in_starts: Starts, sources: Values, least: float
) -> Flags: ...
def prune_by_role(
    starts: Starts,
    targets: Values,
    in_starts: Starts,
    sources: Values,
    may_be_centre: Bytes,
    least_centres: float,
    least_fans: float,
) -> tuple[Flags, Flags]: ...
def select_links(
    starts: Starts, targets: Values, from_these: Values, numbers: Values
) -> tuple[Starts, Values]: ...
