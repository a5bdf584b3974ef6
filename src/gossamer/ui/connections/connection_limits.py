"""What connections and clients may cost, and how many the descriptors of this process allow."""

import msgspec

from gossamer.file_limit import raise_file_limit

# Webs, indexes, archives and threads need some descriptors; connections that are being accepted or closed need others.
_RESERVED_DESCRIPTORS = 160
# A connection needs one descriptor, and another while a large answer is sent from a temporary file.
_BY_CONNECTION = 2
_FEWEST_CONNECTIONS = 16


class ConnectionLimits(msgspec.Struct, frozen=True):
    """What connections and clients may cost before they are closed; all of it holds before any token is checked."""

    connections: int = 1_000
    """How many may be open; for one more, the one that has kept the server waiting longest is closed."""
    by_address: int = 64
    """The same for one address; addresses of this machine are exempt, since a proxy may stand in front."""
    request_s: float = 15.0
    """How long a request may take to arrive, from its first byte to its last."""
    discard_s: float = 2.0
    """How long the rest of a body is read after the answer: a client that is reset at once may miss the answer."""
    stalled_s: float = 30.0
    """How long an answer may wait without its client reading any of it."""
    least_bytes_per_s: int = 1_000
    """How fast an answer must be read on average, once it has taken longer than `stalled_s`."""


def fit_to_descriptors(limits: ConnectionLimits) -> ConnectionLimits:
    """Raise the number of descriptors of this process as needed; lower the number of connections to what it allows."""
    wanted = limits.connections * _BY_CONNECTION + _RESERVED_DESCRIPTORS
    allowed = raise_file_limit(wanted)
    most = max(_FEWEST_CONNECTIONS, (allowed - _RESERVED_DESCRIPTORS) // _BY_CONNECTION)
    return msgspec.structs.replace(limits, connections=min(limits.connections, most))
