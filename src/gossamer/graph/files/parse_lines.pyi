from typing import Final

import numpy as np
from numpy.typing import NDArray

DONE: Final[int]
BAD: Final[int]
WIDE: Final[int]
FULL: Final[int]
OPEN: Final[int]

ParseResult = tuple[int, int, int, int]
Numbers = NDArray[np.int32] | NDArray[np.int64]

def parse_edges(
    text: bytes | memoryview, sources: Numbers, targets: Numbers, count: int, line: int
) -> ParseResult: ...
def parse_nodes(
    text: bytes | memoryview,
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    names: NDArray[np.uint8],
    count: int,
    line: int,
) -> ParseResult: ...
