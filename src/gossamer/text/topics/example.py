"""An example: what is seen of a page when it is asked what it is about."""

import msgspec


class Example(msgspec.Struct, frozen=True):
    """A page, or a text alone, with whatever else is known of it."""

    text: str
    title: str = ""
    url: str = ""
    headings: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    """Texts of links that lead to it."""
