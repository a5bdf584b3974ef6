import numpy as np
from numpy.typing import NDArray

def hashes(packed: list[bytes], texts: int) -> NDArray[np.int64]: ...
