"""How much of what was written to a pipe its reader has not taken yet: what it leaves there when it dies, it never got."""

import array
import os
import select
import stat
from io import UnsupportedOperation
from typing import BinaryIO

_LOOK_EVERY_MS = 20


def count_unread(out: BinaryIO) -> int:
    """Return how many bytes wait in a pipe; 0 for a file, which has no reader to wait for."""
    import fcntl
    import termios

    number = array.array("i", [0])
    try:
        fcntl.ioctl(out.fileno(), termios.FIONREAD, number)
    except (OSError, UnsupportedOperation, ValueError):
        return 0
    return number[0] if _is_pipe(out.fileno()) else 0


def wait_until_read(out: BinaryIO) -> bool:
    """Wait until the reader of a pipe has taken everything; return False if it has gone before."""
    try:
        ended = select.poll()
        ended.register(out.fileno(), 0)  # errors are always told: a pipe without a reader
    except (OSError, UnsupportedOperation, ValueError):
        return True
    while count_unread(out):
        if ended.poll(_LOOK_EVERY_MS):
            return not count_unread(out)
    return True


def _is_pipe(descriptor: int) -> bool:
    return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
