"""Records of cited passages: what is asked, and the passages with their sources."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gossamer.errors import BadInput
from gossamer.search.index.whole_statistics import WholeStatistics

MOST_PASSAGES, FEWEST_WORDS, MOST_WORDS = 50, 20, 400
LONGEST_QUESTION = 2_000
"""Characters of a question."""


class AskOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which passages are wanted."""

    passages: Annotated[int, Meta(ge=1, le=MOST_PASSAGES)] = 5
    """How many passages."""
    words: Annotated[int, Meta(ge=FEWEST_WORDS, le=MOST_WORDS)] = 120
    """The most words of a passage."""
    language: str = ""
    """Only pages in this language, such as de; "" for all."""
    site: str = ""
    """Only pages of this host, or of the hosts below this domain; "" for all."""
    whole: WholeStatistics | None = None
    """Statistics of several webs that are asked together; None for this web alone."""


def read_options(options: Mapping[str, Any]) -> AskOptions:
    """Check the keyword arguments of a question."""
    try:
        return msgspec.convert(dict(options), AskOptions)
    except msgspec.ValidationError as error:
        raise BadInput(f"ask: {error}") from None


class PassageCopy(msgspec.Struct, frozen=True, gc=False):
    """Another place that has nearly the same passage."""

    url: str
    title: str


class Passage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A piece of the text of a page, and where it is from."""

    rank: int
    """Its place among the passages, from 1."""
    score: float
    text: str
    """As it is in the collection, with line breaks between paragraphs; written by the author of the page."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where words of the question begin and end in the text."""
    url: str
    """The address of its page."""
    link: str
    """The address at which browsers show the passage itself."""
    title: str
    headings: tuple[str, ...] = ()
    """The headings above it, from the outermost."""
    part: str = ""
    """The part of a document that has it, such as "page 3"."""
    offset: int
    """Where it begins in the text of its page, in characters."""
    site: str
    language: str
    type: str
    date_s: float
    """When its page was last modified, or fetched, as Unix time."""
    id: int
    """Of its page."""
    archive: bool
    """Whether a copy of the page may be shown."""
    copies: tuple[PassageCopy, ...] = ()
    """Other places with nearly the same words."""
    origin: str | UnsetType = UNSET
    """The web that has it, if several are asked."""

    def pieces(self) -> list[tuple[str, bool]]:
        """Return the text in pieces, each with whether it is marked; escape them when you show them."""
        found, last = [], 0
        for start, end in self.marks:
            found += [(self.text[last:start], False), (self.text[start:end], True)]
            last = end
        return [piece for piece in (*found, (self.text[last:], False)) if piece[0]]


class Passages(msgspec.Struct, frozen=True):
    """The passages that answer a question best; nothing in them is generated."""

    question: str
    passages: tuple[Passage, ...]
    pages: int
    """How many pages were read for them."""
    notes: tuple[str, ...] = ()
    """Sentences that say what was left out, and why there are no passages."""
    took_s: float = 0.0
