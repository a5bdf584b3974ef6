"""Which pages of a synthetic web need JavaScript: kinds and their shares, as a strict record."""

from ipaddress import IPv4Address

import msgspec

from gossamer.lab.options import check_shares, refuse_unless

RESTING_SCRIPTS = (
    "client",
    "links",
    "scroll",
    "more",
    "lazy",
    "router",
    "slow",
    "errors",
    "dialogs",
    "popups",
    "download",
    "shadow",
)
"""Kinds of pages that need JavaScript and come to rest; a page is of at most one kind."""
RESTLESS_SCRIPTS = ("timers", "noise", "memory", "hang", "probes")
"""Kinds whose scripts never rest, or attack the browser. Their text and links need no script."""


def _is_loopback(place: str) -> bool:
    """Say whether a text is an address of this machine with a port."""
    address, _, port = place.rpartition(":")
    try:
        return IPv4Address(address).is_loopback and port.isdecimal() and 1 <= int(port) <= 65535
    except ValueError:
        return False


class Scripted(msgspec.Struct, frozen=True, kw_only=True):
    """Which pages need JavaScript, as shares (0 to 1) of all pages. By default none do.

    Front pages of hosts need none, so that every crawler can enter a host; neither do pages with a trouble.
    """

    client: float = 0.0
    """The response is empty; a script fills it with what it fetches."""
    links: float = 0.0
    """The text is there, and the addresses of its links are in a script."""
    scroll: float = 0.0
    """The rest of the page comes when a reader scrolls to its end."""
    more: float = 0.0
    """The rest of the page comes with clicks on “Load more”."""
    lazy: float = 0.0
    """Pictures below the end of the screen are loaded when they are near."""
    router: float = 0.0
    """A script changes the address by the History API, and shows the page under it."""
    slow: float = 0.0
    """What a script fetches comes after `slow_s`."""
    errors: float = 0.0
    dialogs: float = 0.0
    popups: float = 0.0
    download: float = 0.0
    """These four raise errors, ask in dialogs, open windows or start a download, and are filled by a script."""
    shadow: float = 0.0
    """The content is in an open shadow root."""
    timers: float = 0.0
    """A timer changes the page without end."""
    noise: float = 0.0
    """A script sends requests without end."""
    memory: float = 0.0
    hang: float = 0.0
    probes: float = 0.0
    """A script tries in more than a hundred ways to reach `probed`."""

    slow_s: float = 0.7
    probed: str = "127.0.0.9:9"
    """The address and port that pages of the kind `probes` try to reach."""

    def __post_init__(self) -> None:
        kinds = (*RESTING_SCRIPTS, *RESTLESS_SCRIPTS)
        check_shares(self, kinds)
        total = sum(getattr(self, name) for name in kinds)
        refuse_unless(total <= 1 + 1e-9, f"The kinds of scripts must not exceed 1 in total, not {total:g}.")
        refuse_unless(self.slow_s >= 0, "slow_s must be 0 or more.")
        refuse_unless(
            _is_loopback(self.probed),
            f"probed must be a loopback address with a port, such as 127.0.0.9:8099, not {self.probed!r}.",
        )

    @classmethod
    def all(cls, share: float) -> "Scripted":
        """Return the kinds that come to rest, alike, with this share of the pages together."""
        return cls(**dict.fromkeys(RESTING_SCRIPTS, share / len(RESTING_SCRIPTS)))  # type: ignore[arg-type]  # shares only
