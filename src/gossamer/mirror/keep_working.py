"""Find what would break a page that is opened from a folder: checksums, policies, and an encoding that only a server knew."""

import re
from collections.abc import Iterator

from gossamer.net.encoding.declared_encoding import find_declared_encoding

# Possessive quantifiers: hostile pages take linear time. Compiled when a page needs them.
_TAG = (
    rb"(?i)<(?P<name>script|link|img|audio|video|meta)(?=[\s/>])"
    rb"(?P<attributes>(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+)>"
)
_ATTRIBUTE = rb"(?P<name>[^\s\"'>/=]++)(?:\s*+=\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++))?+"
# Rewritten styles have another checksum, and files have no origin that a browser would trust.
_HARMFUL = frozenset((b"integrity", b"crossorigin"))
_HEAD = rb"(?i)<head(?:\s[^>]*+)?>"
_ROOT = rb"(?i)<html(?:\s[^>]*+)?>|<!doctype[^>]*+>"
_PRESCAN_BYTES = 100_000


def find_harmful_attributes(source: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield edits that give harmful attributes a name without a meaning, `data-integrity` for example."""
    attributes = re.compile(_ATTRIBUTE)
    for tag in re.finditer(_TAG, source):
        is_meta = tag["name"].lower() == b"meta"
        if is_meta and b"security-policy" not in tag["attributes"].lower():
            continue
        for attribute in attributes.finditer(source, tag.start("attributes"), tag.end("attributes")):
            name = attribute["name"].lower()
            if name == b"http-equiv" if is_meta else name in _HARMFUL:
                yield attribute.start("name"), attribute.end("name"), b"data-" + name


def find_charset_edit(source: bytes, name: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield an edit that declares the encoding of a page, if the page itself does not."""
    if source.isascii() or find_declared_encoding(source) == name:
        return
    if name == "UTF-8":
        yield 0, 0, b"\xef\xbb\xbf"
        return
    beginning = source[:_PRESCAN_BYTES]
    place = re.search(_HEAD, beginning) or re.search(_ROOT, beginning)
    at = place.end() if place else 0
    yield at, at, f'<meta charset="{name}">'.encode("ascii")
