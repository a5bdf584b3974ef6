"""Records of a history: visits as a browser tells them, and what is found."""

from typing import Annotated

import msgspec
from msgspec import Meta

MOST_VISITS = 200
"""Visits of one message."""
_ADDRESS, _TITLE, _TEXT = 4_000, 2_000, 200_000


class ReadVisit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page that was read. The same page with the same time is the same visit, told again."""

    url: Annotated[str, Meta(max_length=_ADDRESS)]
    opened_s: Annotated[float, Meta(ge=0, description="When it was opened, as Unix time.")]
    title: Annotated[str, Meta(max_length=_TITLE)] = ""
    text: Annotated[str, Meta(max_length=_TEXT, description="What it says; none keeps what is known.")] = ""
    origin: Annotated[str, Meta(max_length=_ADDRESS, description="The page from which the reader came.")] = (
        msgspec.field(default="", name="from")
    )
    seconds: Annotated[float, Meta(ge=0, description="How long it was read.")] = 0.0


class HistoryItem(msgspec.Struct, frozen=True):
    """A page that was read, once or several times."""

    url: str
    title: str
    site: str
    opened_s: float
    """When it was last opened."""
    seconds: float
    """How long it was read in all."""
    visits: int
    origin: str = msgspec.field(name="from")
    """The page from which the reader last came, if it is in the history."""
    snippet: str
    """Words around those of the query."""


class HistoryAnswer(msgspec.Struct, frozen=True):
    """Pages that were read: the best match first, or without a query the latest."""

    found: int
    items: tuple[HistoryItem, ...]


class TrailStep(msgspec.Struct, frozen=True):
    """A page on the way to another."""

    url: str
    title: str
    opened_s: float


class HistoryQuery(msgspec.Struct, frozen=True):
    """What is looked for in a history."""

    words: str = ""
    """Words, and phrases in quotation marks; "" for all pages."""
    site: str = ""
    since_s: float = 0.0
    until_s: float = 0.0
    """0 for no end."""
    offset: int = 0
    count: int = 20
