"""Which servers close the connections that are kept for later requests, and which requests need a new one."""

MOST_REMEMBERED = 4_096
"""Servers that are remembered of each kind."""


class KeptConnections:
    """What is known of the servers behind kept connections: of hosts, or of the proxy.

    A request on a connection that the server is closing gets no answer. A connection whose end was noticed in time is
    replaced; libcurl itself looks at connections only when they have been idle for a while. A server that closed a
    connection instead of answering gets a new one for each request from then on: otherwise one that closes connections
    just after the pause of the crawl would fail at every other page.
    """

    def __init__(self) -> None:
        self._server_of: dict[int, str] = {}
        """The server that each socket was opened for."""
        self._ended: dict[str, None] = {}
        """Servers that have closed an idle connection since their last request."""
        self._cut_off: dict[str, None] = {}
        """Servers that have closed a kept connection instead of answering."""
        self.has_any = False
        """Whether a server ever did one or the other: most servers do not, and nothing need be looked up for them."""

    def record_opened(self, descriptor: int, server: str) -> None:
        """Record that a socket was opened for a server."""
        self._server_of[descriptor] = server

    def record_ended(self, descriptor: int) -> None:
        """Record that the server has closed the idle connection of a socket."""
        if server := self._server_of.pop(descriptor, ""):
            self._remember(self._ended, server)

    def record_cut_off(self, server: str) -> None:
        """Record that a server has closed a kept connection instead of answering."""
        self._remember(self._cut_off, server)

    def take_ended(self, server: str) -> bool:
        """Say whether the next request to a server needs a new connection, and forget why."""
        return self._ended.pop(server, False) is None

    def may_keep(self, server: str) -> bool:
        """Say whether a connection to a server is worth keeping."""
        return server not in self._cut_off

    def _remember(self, servers: dict[str, None], server: str) -> None:
        """Add a server to those remembered, and forget the oldest of too many."""
        self.has_any = True
        servers[server] = None
        if len(servers) > MOST_REMEMBERED:
            del servers[next(iter(servers))]
