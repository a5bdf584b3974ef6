from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class PageScorer:
    def __init__(
        self,
        kind: str,
        ids: NDArray[np.uint32],
        scales: NDArray[np.float64],
        weights: NDArray[np.float64],
        fields: Sequence[float],
    ) -> None: ...
    def score(self, parts: Sequence[tuple[int, str, bool]]) -> float: ...
    def score_links(
        self,
        shared: Sequence[tuple[int, str, bool]],
        columns: Sequence[tuple[int, list[str], bool]],
        links: int,
    ) -> list[float]: ...
