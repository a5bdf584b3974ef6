"""What Gossamer may raise.

    GossamerError           anything a caller can act on; its text is one sentence that says what to do
    ├── BadUrl              a URL that no page can have; `reason` is one of a few fixed words
    ├── BadInput            an option, a file or an argument that cannot be used as given
    ├── MissingExtra        an optional part was called without its extra being installed
    └── StoreFailed         the web could not be written or read; `full` says that the disk is

Bytes from the web raise nothing but `BadUrl`: what a server sends is data, not a mistake of the caller.
"""

from typing import Literal

BadUrlReason = Literal["scheme", "no host", "too long", "user info", "control characters", "syntax"]


class GossamerError(Exception):
    """Anything that a caller can act on."""


class BadUrl(GossamerError):  # noqa: N818 - the name is the public contract
    """A URL that no page can have."""

    def __init__(self, reason: BadUrlReason, url: str = "") -> None:
        self.reason: BadUrlReason = reason
        self.url = url
        super().__init__(reason, url)

    def __str__(self) -> str:
        return f"{self.reason}: {self.url[:200]!r}" if self.url else self.reason


class BadInput(GossamerError):  # noqa: N818 - read as a sentence: "bad input: no such file"
    """An option, a file or an argument that cannot be used as given."""


class MissingExtra(GossamerError):  # noqa: N818
    """An optional part was called without its extra being installed."""

    def __init__(self, extra: str, needs: str) -> None:
        self.extra = extra
        super().__init__(
            f"This needs the package {needs!r}: install it with  pip install 'gossamer[{extra}]'"
        )


class StoreFailed(GossamerError):  # noqa: N818 - read as a sentence: "store failed: the disk is full"
    """The web could not be written or read. Nothing of what was being written is in it."""

    def __init__(self, message: str, full: bool = False) -> None:
        self.full = full
        super().__init__(message)
