"""The raw content of a page, the same whether it was scanned or parsed: title, text, links and tags."""

import msgspec


def collapse_spaces(text: str) -> str:
    """Replace each run of white space by one space, and remove white space around a text."""
    return " ".join(text.split())


class Tag(msgspec.Struct, frozen=True, gc=False):
    """A start tag with its attributes, for tags that occur rarely on a page."""

    tag: str
    attributes: dict[str, str]

    def attr(self, name: str) -> str | None:
        """Return the value of an attribute; None if the tag does not have it."""
        return self.attributes.get(name)


class Outline(msgspec.Struct, frozen=True, gc=False):
    """A page as lists. A page has a hundred links, so there is no object for each of them."""

    title: str
    text: str
    """The visible text, one space between words, a line for each block."""
    hrefs: list[str]
    """Of each <a> with a href, in page order, as written up to its "#"."""
    labels: list[str]
    """The text of each of them, on one line, with the alternative texts of images."""
    rels: list[str]
    """Of each of them, in lower case; "" if there is none."""
    titles: list[str]
    """Of each of them; "" if there is none."""
    headings: list[tuple[int, str]]
    """Level and text of each."""
    tags: list[tuple[int, Tag]]
    """html, base, meta, and other tags that may link, in page order, each with the number of hrefs before it.

    Tags without attributes are left out.
    """
    links_cut: int = 0
    """How many <a>, and other tags that link, were left out of these lists because there are too many."""

    def tags_by_name(self) -> dict[str, list[Tag]]:
        """Return the tags of each kind, in page order."""
        found: dict[str, list[Tag]] = {name: [] for name in OUTLINED_TAGS}
        for _, tag in self.tags:
            found[tag.tag].append(tag)
        return found


OUTLINED_TAGS = ("html", "base", "meta", "link", "area", "frame", "iframe", "form")
"""The tags in `Outline.tags`."""
