"""Leave a process only a few file descriptors, for tests of what happens without them."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def leave_files(number: int) -> Iterator[None]:
    """Leave this process only this many descriptors while the block runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(map(int, os.listdir("/dev/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 2 + number, hard))
    taken: list[int] = []
    try:
        while True:
            try:
                taken.append(os.dup(0))
            except OSError:
                break
        for _ in range(number):
            os.close(taken.pop())
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
