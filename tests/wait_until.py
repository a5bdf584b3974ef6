"""Wait in a test for something that happens in another thread or process."""

import time
from collections.abc import Callable

PATIENCE_S = 120.0
"""A guard against tests that hang: what is waited for takes well under a second on a quiet machine."""
_LOOK_S = 0.03


def wait_until(is_so: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds; raise TimeoutError if it never does."""
    gives_up_s = time.monotonic() + patience_s
    while not is_so():
        if time.monotonic() > gives_up_s:
            raise TimeoutError("what the test waits for did not happen")
        time.sleep(_LOOK_S)
