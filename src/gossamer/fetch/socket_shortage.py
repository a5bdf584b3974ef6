"""What this machine has run out of when a request cannot be sent: descriptors, memory or ports. No server is to blame."""

import errno
import socket
from contextlib import ExitStack

import msgspec

from gossamer.records import Exchange

_LACKS = {
    errno.EMFILE: "this process has no file descriptor left; raise the limit with `ulimit -n`, or use fewer --connections",
    errno.ENFILE: "this machine has no open file left; close other programs, or raise fs.file-max",
    errno.ENOBUFS: "this machine has no memory left for sockets; close other programs",
    errno.ENOMEM: "this machine has no memory left; close other programs",
    errno.EADDRNOTAVAIL: "this machine has no local port left; ports come back a minute after their last use",
}


class Shortage(msgspec.Struct, frozen=True):
    """A request could not be sent, or not be served, because this machine has run out of something; it is sent later."""

    what: str
    """What is lacking, and what to do, as one sentence without its full stop."""
    exchanges: tuple[Exchange, ...] = ()
    """What was exchanged before: the redirects of a robots.txt."""
    sent: bool = False
    """Whether the request was sent all the same, so that its host gets the pause after it."""


SPENT_BUDGET = Shortage(
    "the pages in memory have reached their limit and some arrive slowly; use fewer --connections", sent=True
)
"""Most of a transfer's time went by while it waited for room in the body budget."""
TURN_LOST = Shortage(
    "this process was held up for so long that its hosts may belong to others; they are not asked"
)
"""The turn at the host was over before the request could be sent."""


def describe_shortage(number: int) -> Shortage | None:
    """Return the shortage that an error number of the system stands for; None if it stands for something else."""
    what = _LACKS.get(number)
    return Shortage(what) if what is not None else None


def find_shortage(sockets: int = 1) -> Shortage | None:
    """Return what is lacking right now, for errors that come without a number; None if this many sockets can be opened."""
    with ExitStack() as opened:
        try:
            for _ in range(sockets):
                opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        except OSError as error:
            return describe_shortage(error.errno or 0)
    return None


def find_connect_shortage(number: int, address: str) -> Shortage | None:
    """Return the shortage behind a connection that failed with this error number; None if there is none.

    EADDRNOTAVAIL has two meanings: all local ports are in use, or no address of this machine can reach the other, as with
    IPv6 where it is turned off. Connecting by UDP sends nothing and needs no port of TCP: if it fails too, it is the second.
    """
    if number == errno.EADDRNOTAVAIL and not _has_route(address):
        return None
    return describe_shortage(number)


def _has_route(address: str) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
    except OSError:
        return False
    return True


def is_shortage(error: OSError) -> bool:
    """Say whether an error of the system means that this machine has run out of something."""
    return error.errno in _LACKS


def explain_error(error: OSError) -> Shortage:
    """Return the shortage that an error of the system stands for; `is_shortage` must hold."""
    return Shortage(_LACKS[error.errno or 0])
