"""Hold back what the engine prints about a panic: the error that follows says it in one sentence."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.errors import StoreFailed

_STDERR = 2
_PIECE_BYTES = 1 << 16


@contextmanager
def hold_stderr() -> Iterator[None]:
    """Hold back everything that is printed to standard error; drop it if the index is damaged, else print it afterwards."""
    with tempfile.TemporaryFile() as held:
        before = os.dup(_STDERR)
        os.dup2(held.fileno(), _STDERR)
        is_damaged = False
        try:
            yield
        except StoreFailed:
            is_damaged = True
            raise
        finally:
            os.dup2(before, _STDERR)
            os.close(before)
            held.seek(0)
            while not is_damaged and (piece := held.read(_PIECE_BYTES)):
                os.write(_STDERR, piece)
