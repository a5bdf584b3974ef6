"""Reads the links and headings of a Markdown file as GitHub shows them.

It knows what links need of CommonMark: inline links and images, reference definitions, autolinks, bare addresses, HTML, and that
code holds no links. Sources: CommonMark 0.31, sections 4.7, 6.3, 6.5; GitHub Flavored Markdown, section 6.9.
"""

import re
from collections import Counter

import msgspec

from gossamer.net.html.references import read_references

_FENCE = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}\1[`~]*[ \t]*$|.*\Z)", re.MULTILINE | re.DOTALL
)
_INDENTED = re.compile(r"(?:\A|\n[ \t]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\Z))+)")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_INLINE = re.compile(
    r"\]\([ \t\n]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))+))(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t\n]*\)"
)
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_AUTOLINK = re.compile(r"<(https?://[^\s<>]*)>")
_BARE = re.compile(r"(?<![\w\"'=<\[/])https?://(?=[A-Za-z0-9\[])[^\s<>\"'`\]]+")
_BARE_REFERENCE = re.compile(r"(?<!\\)!\[\s*\](?=\[[^\]\n]+\])")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(\S[^\n]*)\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_LINK_TEXT = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_TAG = re.compile(r"<[^<>]*>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LONGEST_TEXT = 2_000
"""So far before its address, the beginning of an image is looked for."""


class WrittenLink(msgspec.Struct, frozen=True, gc=False):
    """A link of a file as it is written."""

    address: str
    offset: int
    """Where it begins, in bytes of UTF-8."""
    kind: str = "anchor"


class FileLinks(msgspec.Struct, frozen=True):
    """The links of a file, what fragments can name in it, and its images without a text."""

    links: list[WrittenLink]
    targets: frozenset[str]
    bare_images: list[tuple[int, str]] = []
    """Where each begins, in bytes of UTF-8, and its address if that stands beside it."""


def read_markdown(text: str) -> FileLinks:
    """Return the links, anchors and images without a text of a Markdown text."""
    plain = _blank(_COMMENT, 0, _blank(_INDENTED, 1, _blank(_FENCE, 0, text)))
    headings = find_anchors(plain)
    plain = _blank(_CODE, 0, plain)
    shift = _ByteOffsets(text)
    bare = [(shift.find(found.start()), "") for found in _BARE_REFERENCE.finditer(plain)]
    links: dict[int, WrittenLink] = {}
    for pattern in (_INLINE, _DEFINITION, _AUTOLINK, _BARE):
        for found in pattern.finditer(plain):
            group = next(
                (number for number in (1, 2) if pattern.groups >= number and found[number] is not None), 0
            )
            address = _ESCAPED.sub(r"\1", _trim(found[group]) if pattern is _BARE else found[group])
            opening = _find_image(plain, found.start()) if pattern is _INLINE else -1
            if opening >= 0 and not plain[opening + 2 : found.start()].strip():
                bare.append((shift.find(opening), address))
            links.setdefault(
                found.start(group),
                WrittenLink(address, shift.find(found.start(group)), "anchor" if opening < 0 else "image"),
            )
    source = plain.encode("utf-8", "replace")
    html = read_references(source)

    def move(offset: int) -> int:
        return shift.find(len(source[:offset].decode("utf-8", "replace")))

    written = [one for _, one in sorted(links.items())]
    written += [WrittenLink(one.url, move(one.start), one.kind) for one in html.references if not one.inert]
    for offset in html.images_without_alt:
        image = next((one.url for one in html.references if one.kind == "image" and one.start > offset), "")
        bare.append((move(offset), image))
    return FileLinks(written, frozenset(headings) | frozenset(html.targets), sorted(bare))


def _find_image(text: str, end: int) -> int:
    """Return where the image begins whose text ends at this bracket; -1 if that is a link."""
    depth = 0
    for at in range(end, max(-1, end - _LONGEST_TEXT), -1):
        if text[at] in "[]" and text[at - 1 : at] != "\\":
            depth += 1 if text[at] == "]" else -1
            if not depth:
                return at - 1 if text[at - 1 : at] == "!" and text[at - 2 : at - 1] != "\\" else -1
    return -1


def find_anchors(text: str) -> list[str]:
    """Return the anchors that GitHub gives the headings of a text; repeated ones get a number.

    >>> find_anchors("# What's new?\\n## API v2.0\\n## API v2.0\\n")
    ['whats-new', 'api-v20', 'api-v20-1']
    """
    found = [(match.start(), match[1] or "") for match in _HEADING.finditer(text)]
    found += [(match.start(), match[1]) for match in _UNDERLINED.finditer(text)]
    seen: Counter[str] = Counter()
    anchors = []
    for _, heading in sorted(found):
        anchor = make_anchor(heading)
        anchors.append(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return anchors


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading: its words in lower case, without punctuation, joined by hyphens."""
    words = _TAG.sub("", _LINK_TEXT.sub(r"\1", heading)).replace("`", "").strip().lower()
    return _NOT_IN_ANCHOR.sub("", words).replace(" ", "-")


def _blank(pattern: re.Pattern[str], group: int, text: str) -> str:
    """Replace what a pattern finds by spaces, so that places stay the same."""
    parts, at = [], 0
    for found in pattern.finditer(text):
        parts += [text[at : found.start(group)], re.sub(r"[^\n]", " ", found[group])]
        at = found.end(group)
    return "".join([*parts, text[at:]])


def _trim(address: str) -> str:
    """Return a bare address without the punctuation after it (GFM, section 6.9)."""
    address = address.rstrip("?!.,:*_~;")
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip("?!.,:*_~;")
    return address


class _ByteOffsets:
    """Turns places in characters into places in bytes."""

    def __init__(self, text: str) -> None:
        self._text, self._plain = text, text.isascii()

    def find(self, at: int) -> int:
        return at if self._plain else len(self._text[:at].encode("utf-8", "replace"))
