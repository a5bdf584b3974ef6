"""How many files and sockets this process may open: raise the limit, and count what is open."""

import os
import resource
from contextlib import suppress

from gossamer.errors import BadInput

_USUAL = 1_024
"""The limit of many Linux systems."""


def raise_file_limit(wanted: int) -> int:
    """Raise the soft limit of open files to `wanted`, as far as the hard limit allows; return the limit that now holds.

    A higher limit stays. macOS gives a process 256, many Linux systems 1,024.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        with suppress(ValueError, OSError):  # the system allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft


def count_open_files() -> int:
    """Return how many files and sockets this process has open."""
    return len(os.listdir("/dev/fd")) - 1  # one is the folder itself


def check_file_limit(limit: int, least: int, what: str) -> None:
    """Raise BadInput if the limit of open files is below the least that something needs."""
    if limit < least:
        raise BadInput(
            f"{what} needs {least:,} open files and this process may have {limit:,}: "
            f"allow more with `ulimit -n {max(least, _USUAL)}`"
        )
