"""The exceptions that Gossamer raises.

    GossamerError           base class of errors that you can act on; the message is one sentence
    ├── BadUrl              not a valid URL of a page; `reason` is one of a few fixed words
    ├── BadInput            an option, a file or an argument that cannot be used
    │   └── NoIndex         a search in a web that has no index yet
    ├── MissingExtra        an optional part was used without its extra installed
    └── StoreFailed         the web could not be read or written; `full` is true if the disk is full, or too many
        │                   files are open: what passes
        └── StoreAway       the database or the archive did not answer; the same call may succeed later

Bytes from the web raise nothing but `BadUrl`: what a server sends is data, not an error of the caller.
"""

from typing import Literal

BadUrlReason = Literal["scheme", "no host", "too long", "user info", "control characters", "syntax"]


class GossamerError(Exception):
    """Base class of all errors that you can act on."""


class BadUrl(GossamerError):  # noqa: N818 - the name is the public contract
    """A string that is not a valid URL of a page."""

    def __init__(self, reason: BadUrlReason, url: str = "") -> None:
        self.reason: BadUrlReason = reason
        self.url = url
        super().__init__(reason, url)

    def __str__(self) -> str:
        return f"{self.reason}: {self.url[:200]!r}" if self.url else self.reason


class BadInput(GossamerError):  # noqa: N818 - read as a sentence: "bad input: no such file"
    """An option, a file or an argument that cannot be used."""


class NoIndex(BadInput):
    """A search in a web that has no index yet."""


def make_damage_error(what: str) -> BadInput:
    """Return the error for a part of a web's state that cannot be read, such as "the marks of a page"."""
    return BadInput(
        f"the state of this web is damaged: {what} cannot be read; `gossamer verify` lists what is damaged"
    )


class MissingExtra(GossamerError):  # noqa: N818
    """An optional part was used without its extra installed."""

    def __init__(self, extra: str, needs: str) -> None:
        self.extra = extra
        super().__init__(
            f"This needs the package {needs!r}: install it with  pip install 'gossamer[{extra}]'"
        )


class StoreFailed(GossamerError):  # noqa: N818 - read as a sentence: "store failed: the disk is full"
    """The web could not be read or written; nothing of the failed write is in it."""

    def __init__(self, message: str, full: bool = False) -> None:
        self.full = full
        super().__init__(message)


class StoreAway(StoreFailed):
    """The database or the archive did not answer. Commit the same batch again: it is written once, even if only the answer was lost."""

    def __init__(self, message: str) -> None:
        super().__init__(message, full=True)
