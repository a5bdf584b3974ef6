"""The records of a document: what its reader returns, and why a document was not read."""

from typing import Literal

import msgspec

Cause = Literal["encrypted", "broken", "too large", "too slow", "unsupported", "missing extra"]
"""Why a document was not read. `unsupported` is a format without a reader."""

MOST_CHARACTERS = 2_000_000
"""How much text of a document is read: a thousand pages of a book."""
MOST_LINKS = 20_000
MOST_PARTS = 5_000
"""Pages, sheets, chapters, messages or entries."""
MOST_HEADINGS = 1_000
MOST_WARNINGS = 20
LONGEST_FIELD = 1_000
"""Characters of a title, an author, a heading or a warning."""


class DocumentPart(msgspec.Struct, frozen=True, array_like=True):
    """A piece of a document that has a name: a page, a slide, a sheet, a chapter, a message."""

    label: str
    """Such as "page 3"; "" if the document has no parts."""
    text: str
    """One line for each paragraph."""


class DocumentLink(msgspec.Struct, frozen=True, array_like=True):
    """A link in a document, as it is written there."""

    url: str
    text: str = ""


class DocumentContent(msgspec.Struct, frozen=True, kw_only=True, tag="content"):
    """What a reader found in a document."""

    format: str = ""
    """The short name of its format, such as pdf or docx."""
    title: str = ""
    parts: tuple[DocumentPart, ...] = ()
    links: tuple[DocumentLink, ...] = ()
    headings: tuple[str, ...] = ()
    author: str = ""
    date: str = ""
    """When it was last changed or else created, as ISO 8601; "" if it does not say."""
    language: str = ""
    """The language that it declares. Not to be trusted."""
    warnings: tuple[str, ...] = ()
    """What was left out or could not be read."""

    @property
    def text(self) -> str:
        """The text of all parts."""
        return "\n".join(part.text for part in self.parts)


class ReadingFailure(msgspec.Struct, frozen=True, tag="failure"):
    """Why a document was not read."""

    cause: Cause
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.cause}: {self.detail}" if self.detail else self.cause


class UnreadableDocument(Exception):  # noqa: N818 - readers raise it, and the worker turns it into a value
    """Ends the reading of a document that cannot be read."""

    def __init__(self, cause: Cause, detail: str = "") -> None:
        self.failure = ReadingFailure(cause, detail[:LONGEST_FIELD])
        super().__init__(str(self.failure))


def limit_content(content: DocumentContent) -> DocumentContent:
    """Return a document within the limits of its text, links and parts; a warning says what was left out."""
    warnings = list(content.warnings)
    parts: list[DocumentPart] = []
    left = MOST_CHARACTERS
    for part in content.parts[:MOST_PARTS]:
        if left <= 0:
            break
        parts.append(DocumentPart(part.label[:LONGEST_FIELD], part.text[:left]))
        left -= len(part.text)
    if left < 0 or len(parts) < len(content.parts):
        warnings.append(f"only the first {MOST_CHARACTERS:,} characters or {MOST_PARTS:,} parts were read")
    if len(content.links) > MOST_LINKS:
        warnings.append(f"only the first {MOST_LINKS:,} links were read")
    return msgspec.structs.replace(
        content,
        title=" ".join(content.title.split())[:LONGEST_FIELD],
        author=" ".join(content.author.split())[:LONGEST_FIELD],
        date=content.date[:40],
        language=content.language[:40],
        parts=tuple(parts),
        links=tuple(DocumentLink(link.url, link.text[:LONGEST_FIELD]) for link in content.links[:MOST_LINKS]),
        headings=tuple(heading[:LONGEST_FIELD] for heading in content.headings[:MOST_HEADINGS]),
        warnings=tuple(warning[:LONGEST_FIELD] for warning in warnings[:MOST_WARNINGS]),
    )
