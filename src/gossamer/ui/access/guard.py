"""What protects a server: the shared token, the users, and the names under which only this machine reaches it."""

import msgspec

from gossamer.ui.access.users_file import UsersFile

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Guard(msgspec.Struct, frozen=True):
    """Who may use the server."""

    token: str = ""
    """The token that visitors share; "" if there is none."""
    names: tuple[str, ...] = LOOPBACK_NAMES
    """The host names of a server that only this machine can reach; () if others can.

    Without a login, no other names are answered: another site could point its own name to this machine, and its pages
    would then have the same origin.
    """
    users: UsersFile | None = None
    """Those who have a token of their own."""
    console: bool = False
    """Whether operators may use the console from other machines too."""
