"""Collect the text of a document paragraph by paragraph, up to its limits."""

from gossamer.documents.document_content import (
    LONGEST_FIELD,
    MOST_CHARACTERS,
    MOST_HEADINGS,
    MOST_LINKS,
    DocumentLink,
    DocumentPart,
)


class TextCollector:
    """Collects runs of text into paragraphs, and paragraphs into parts."""

    def __init__(self) -> None:
        self.parts: list[DocumentPart] = []
        self.links: list[DocumentLink] = []
        self.headings: list[str] = []
        self._label = ""
        self._lines: list[str] = []
        self._runs: list[str] = []
        self._anchor: tuple[str, int] | None = None
        self._characters = 0

    @property
    def is_full(self) -> bool:
        """Whether there is as much text as is read of a document."""
        return self._characters >= MOST_CHARACTERS

    def add_text(self, text: str) -> None:
        """Add a run of text to the paragraph."""
        if not self.is_full:
            self._runs.append(text)
            self._characters += len(text)

    def end_paragraph(self, is_heading: bool = False) -> None:
        """End the paragraph; white space becomes one space."""
        line = " ".join("".join(self._runs).split())
        self._runs.clear()
        if not line:
            return
        self._lines.append(line)
        if is_heading and len(self.headings) < MOST_HEADINGS:
            self.headings.append(line[:LONGEST_FIELD])

    def begin_link(self, url: str) -> None:
        """Begin a link: the text up to its end is its anchor text."""
        self._anchor = (url, len(self._runs)) if url else None

    def end_link(self) -> None:
        """End the link, if one was begun."""
        if self._anchor is None:
            return
        url, first = self._anchor
        self._anchor = None
        self.add_link(url, "".join(self._runs[first:]))

    def add_link(self, url: str, text: str = "") -> None:
        """Add a link."""
        if len(self.links) < MOST_LINKS:
            self.links.append(DocumentLink(url.strip(), " ".join(text.split())[:LONGEST_FIELD]))

    def begin_part(self, label: str) -> None:
        """End the part, and begin the next one under its label."""
        self._end_part()
        self._label = label

    def take_parts(self) -> tuple[DocumentPart, ...]:
        """End the last part, and return all that have text."""
        self._end_part()
        return tuple(self.parts)

    def _end_part(self) -> None:
        self.end_paragraph()
        if self._lines:
            self.parts.append(DocumentPart(self._label, "\n".join(self._lines)))
        self._lines = []
