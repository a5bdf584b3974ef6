"""Share out the files and sockets that a process may open: how many connections a crawl can have."""

from gossamer.file_limit import check_file_limit, count_open_files, raise_file_limit

MOST_CONNECTIONS = 256
"""Pages that one process fetches at the same time, whatever its tasks ask for."""
MOST_SOCKETS = 2 * MOST_CONNECTIONS
"""Connections under way and connections kept for later requests."""
WANTED_FILES = 1_024
"""Enough for all of them. Not more: `select` in a program's own functions does not know descriptors above 1,023."""
OWN_FILES = 28
"""What a crawl opens besides connections: event loop, archive, name servers, files read in threads; 8 were seen at once."""
LEAST_SOCKETS = 4
LEAST_FILES = 12 + OWN_FILES + LEAST_SOCKETS
"""Below this a crawl does not begin; 12 are the three of every program, the state of the web, its lock and an indexer."""
_FILES_OF_CHILD = 3


def check_processes_limit(processes: int) -> None:
    """Raise the limit of open files; raise BadInput if a crawl in this number of processes cannot begin with it."""
    needed = LEAST_FILES + (_FILES_OF_CHILD * processes if processes > 1 else 0)
    check_file_limit(raise_file_limit(WANTED_FILES), needed, "a crawl")


def count_sockets() -> int:
    """Raise the limit of open files; return how many connections it leaves, those kept for later ones included."""
    limit, own = raise_file_limit(WANTED_FILES), count_open_files() + OWN_FILES
    check_file_limit(limit, own + LEAST_SOCKETS, "a crawl in this program")
    return min(limit - own, MOST_SOCKETS)


def limit_connections(wanted: int, sockets: int) -> int:
    """Return how many pages may be fetched at the same time with this number of sockets.

    A quarter is left for connections that are being closed, and for kept ones.
    """
    return max(1, min(wanted, MOST_CONNECTIONS, sockets - sockets // 4))
