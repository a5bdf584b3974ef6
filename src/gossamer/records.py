"""The nouns: thin frozen records, one for each stage in the life of a link. No logic."""

from typing import Literal

import msgspec

LinkType = Literal["a", "area", "frame", "iframe", "link", "refresh", "form"]


class Link(msgspec.Struct, frozen=True, gc=False):
    """A link as it stands on a page."""

    url: str
    """Absolute, in canonical form."""
    type: LinkType = "a"
    text: str = ""
    """Anchor text; the alternative text of images counts."""
    rel: str = ""
    """As written, lower case, words separated by one space."""
    title: str = ""
