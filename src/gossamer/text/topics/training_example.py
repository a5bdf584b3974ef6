"""An example page or text from which a topic is learnt."""

import msgspec


class Example(msgspec.Struct, frozen=True):
    """A page, or a text alone, with the other facts that are known of it."""

    text: str
    title: str = ""
    url: str = ""
    headings: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    """Texts of links that lead to it."""
    linked_from: tuple[str, ...] = ()
    """Titles of pages that link to it: pages of one kind are often linked from the same lists."""
