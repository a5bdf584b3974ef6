"""Finds the encoding that a page declares: the prescan of the HTML standard, by regular expressions."""

import re
from collections import deque

from gossamer.net.encoding.encoding_labels import find_encoding

PRESCAN_BYTES = 1024
"""How many bytes the standard scans before it starts to parse."""

LATE_BYTES = 65_536
"""How many bytes are searched for a declaration that only the tree builder would find."""

# The pages of a site begin alike: a cache of the last different beginnings, as far as they were scanned.
_RECENT: deque[tuple[bytes, str]] = deque(maxlen=8)

# Declarations with NULs between the letters: `<?x` in UTF-16.
_UTF16_XML = {b"<\0?\0x\0": "UTF-16LE", b"\0<\0?\0x": "UTF-16BE"}

_SPACE = rb"[\t\n\f\r ]"
_NEXT = re.compile(rb"<(?:(!--)|(meta)[\t\n\f\r /]|(/?[a-z])|[!/?])", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+"
    rb"([^>\t\n\f\r /][^=>\t\n\f\r /]*+)"  # the name; it may start with =
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|([^>\t\n\f\r \"'][^>\t\n\f\r ]*+)|(?=>)))?+"
)
_TAG_NAME = re.compile(rb"</?[^\t\n\f\r >]*+")
_CHARSET_IN_CONTENT = re.compile(
    rb"charset" + _SPACE + rb"*+=" + _SPACE + rb"*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*+))",
    re.IGNORECASE,
)
# Most pages without a declaration have no such element anywhere: this search is six times as fast as _LATE.
_ANY_META = re.compile(rb"<meta[\t\n\f\r /](?=[^<>]*charset)", re.IGNORECASE)
_LATE = re.compile(
    rb"<(?:(!--)|(meta)[\t\n\f\r /](?=[^<>]*charset)"
    rb"|(script|style|title|textarea|xmp|noframes|iframe|noembed)[\t\n\f\r />])",
    re.IGNORECASE,
)
_XML_ENCODING = re.compile(
    rb"<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:\"([^\"\x00-\x20>]*+)\"|'([^'\x00-\x20>]*+)')"
)


def find_declared_encoding(body: bytes) -> str | None:
    """Return the encoding that a page declares in its first 1,024 bytes, or None.

    It is declared by a meta element, found by the prescan of the HTML standard (13.2.3.2), else by the XML declaration.
    """
    head = body[:PRESCAN_BYTES]
    for beginning, known in _RECENT:
        if head.startswith(beginning):
            return known
    in_utf16 = _UTF16_XML.get(head[:6])
    if in_utf16:
        return in_utf16
    found = _prescan(head) if b"charset" in head.lower() else None
    return _read_xml_declaration(head) if found is None and head.startswith(b"<?xml") else found


def _prescan(head: bytes) -> str | None:
    """Go from tag to tag, skipping comments, until a meta element declares a known encoding."""
    position = 0
    while (tag := _NEXT.search(head, position)) is not None:
        comment, meta, element = tag.groups()
        if comment:
            # `<!-->` is a whole comment: its end may share the two dashes of its start.
            position = head.find(b"-->", tag.start() + 2) + 3
            if position == 2:
                return None
        elif meta:
            attributes, position = _read_attributes(head, tag.end() - 1)
            name = _read_meta(attributes)
            if name:
                # Nothing after the character that ended the last attribute was scanned.
                _RECENT.appendleft((head[: position + 1], name))
                return name
        elif element:
            end_of_name = _TAG_NAME.match(head, tag.start())
            _, position = _read_attributes(head, end_of_name.end() if end_of_name else tag.end())
        else:
            position = head.find(b">", tag.end()) + 1
            if position == 0:
                return None
    return None


def find_late_encoding(body: bytes) -> str | None:
    """Return the encoding that a meta element declares too late for the prescan, or None.

    A browser finds it while parsing, and starts again. It counts unless it is in a comment or in the text of a script
    or a similar element. Cost: one search through 64 kB if there is none.
    """
    head = body[:LATE_BYTES]
    if _ANY_META.search(head) is None:
        return None
    position = 0
    while (tag := _LATE.search(head, position)) is not None:
        comment, meta, raw_text = tag.groups()
        position = tag.end()
        if comment:
            position = head.find(b"-->", tag.start() + 2)
            if position < 0:
                return None
        elif meta:
            attributes, position = _read_attributes(head, tag.end() - 1)
            name = _read_meta(attributes)
            if name:
                return name
        else:
            end = re.compile(rb"</" + raw_text, re.IGNORECASE).search(head, position)
            if end is None:
                return None
            position = end.start()
    return None


def _read_attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """Return the attributes of a tag, the first of equal names, and where the tag ends."""
    attributes: dict[bytes, bytes] = {}
    while (found := _ATTRIBUTE.match(head, position)) is not None:
        name, double, single, bare = found.groups()
        attributes.setdefault(name.lower(), double or single or bare or b"")
        position = found.end()
    return attributes, position


def _read_meta(attributes: dict[bytes, bytes]) -> str | None:
    """Return the encoding that a meta element declares: by charset, or by content with http-equiv."""
    if b"charset" in attributes:
        return _to_encoding(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    charset = _CHARSET_IN_CONTENT.search(attributes.get(b"content", b""))
    return _to_encoding(charset[1] or charset[2] or charset[3] or b"") if charset else None


def _read_xml_declaration(head: bytes) -> str | None:
    """Return the encoding of an XML declaration."""
    found = _XML_ENCODING.match(head)
    return _to_encoding(found[1] or found[2] or b"") if found else None


def _to_encoding(label: bytes) -> str | None:
    """Return the encoding of a label inside the page, which cannot be UTF-16 since the label was read as ASCII."""
    name = find_encoding(label.decode("latin-1"))
    if name in ("UTF-16LE", "UTF-16BE"):
        return "UTF-8"
    return "windows-1252" if name == "x-user-defined" else name
