"""What stands on a page, before anybody asks what it means: the same for a page that was scanned and one that was parsed."""

import msgspec


def collapsed(text: str) -> str:
    """Return a text with one space for each run of white space inside and none around."""
    return " ".join(text.split())


class Tag(msgspec.Struct, frozen=True, gc=False):
    """A start tag with its attributes, for tags of which a page has few."""

    tag: str
    attributes: dict[str, str]

    def attr(self, name: str) -> str | None:
        """Return the value of an attribute, None if the tag has none of that name."""
        return self.attributes.get(name)


class Outline(msgspec.Struct, frozen=True, gc=False):
    """A page as lists. Links are a hundred on a page, so they are no objects here."""

    title: str
    text: str
    """The words a reader sees, one space between words, a line for each block."""
    hrefs: list[str]
    """Of each <a> with an address, in page order, as written up to its "#"."""
    labels: list[str]
    """The words of each of them, on one line; those of images too."""
    rels: list[str]
    """Of each of them, in lower case; "" where there is none."""
    titles: list[str]
    """Of each of them; "" where there is none."""
    headings: list[tuple[int, str]]
    """Level and words of each."""
    tags: list[tuple[int, Tag]]
    """html, base, meta, and what else may link, in page order, each with the number of hrefs before it.

    Those without attributes say nothing and are left out.
    """

    def tags_by_name(self) -> dict[str, list[Tag]]:
        """Return the tags of each kind, in page order."""
        found: dict[str, list[Tag]] = {name: [] for name in OUTLINED_TAGS}
        for _, tag in self.tags:
            found[tag.tag].append(tag)
        return found


OUTLINED_TAGS = ("html", "base", "meta", "link", "area", "frame", "iframe", "form")
"""What `Outline.tags` holds."""
