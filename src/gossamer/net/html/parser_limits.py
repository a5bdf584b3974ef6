"""Limits what the tree of a page may cost, whatever the page holds.

Tree construction in the HTML standard copies elements and attributes. Measured with turbohtml: 20,000 times
<p><font size=N>, which is 390 kB, make ten million elements and 1.3 GB, because each paragraph opens hundreds of fonts
before it again; 20,000 <body> with an attribute each, 250 kB, take more than 4 GB; 2,000 <selectedcontent> and an option
of 2,000 elements, 90 kB, take 670 MB. Everything else is linear, since the parser nests no more than 512 elements.
"""

import re

import msgspec

from gossamer.net.html.scanner.find_excess import find_excess

MOST_NODES = 200_000
"""The nodes of a tree, copies not included: 500 bytes and 12 µs each until the blocks of a page are laid out."""
MOST_COPIES = 200_000
"""How many elements and attributes the standard may copy; beyond that, a page is read without formatting."""

# What the parser copies, and what hides tags from a look at the source alone. The new names have no rules of their own in
# the standard; <video> is not read. Any occurrence is renamed, even in a script: what is a tag depends on the tree.
_NEW_NAMES = {
    **dict.fromkeys(
        ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"], b"span"
    ),
    **dict.fromkeys(["applet", "marquee", "object", "selectedcontent"], b"span"),
    **dict.fromkeys(["math", "svg", "template"], b"video"),
}
_RENAMED = re.compile(rf"(</?)({'|'.join(_NEW_NAMES)})(?=[\s/>])".encode(), re.IGNORECASE)
# Comments and raw text contain no tags. Without an end they extend to the end of the page.
_TAG = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?:(script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</\1[^>]*>?|\Z)"
    rb"|/?(a|span)(?=[\s/>])[^>]*>?|[a-z/!?][^>]*>?)",
    re.IGNORECASE | re.DOTALL,
)
_BEFORE_ATTRIBUTE = (b" ", b"\t", b"\n", b"\f", b"\r", b"/", b"'", b'"')
_MOST_ROUNDS = 8
"""Rounds of the adoption agency, as in `find_excess`."""
_ROOTS = re.compile(rb"<(html|body)(?=[\s/>])", re.IGNORECASE)


class LimitedSource(msgspec.Struct, frozen=True):
    """The source of a page whose tree is not too large."""

    source: bytes
    reduced: str = ""
    """How it differs from the page, in words; "" if it does not."""


def limit_source(source: bytes) -> LimitedSource:
    """Return a page whose tree stays within the limits; nearly every page is returned as it is.

    A page with too many copies loses its formatting tags, and a page that is still too large is read as text from there
    on. Cost: O(length), a fifth of a parse.
    """
    if find_excess(source, MOST_NODES, MOST_COPIES) < 0 or _is_too_small_for_harm(source):
        return LimitedSource(source)
    plain = _keep_first_roots(_RENAMED.sub(_rename, source))
    place = find_excess(plain, MOST_NODES, MOST_COPIES)
    if place < 0:
        return LimitedSource(plain, "without formatting")
    source = plain[:place] + _TAG.sub(_remove_tag, plain[place:]).replace(b"<", b"&lt;")
    return LimitedSource(source, f"without formatting, and as text after {place} bytes")


def _is_too_small_for_harm(source: bytes) -> bool:
    """Say whether a page stays within the limits even if each tag copies all others with all attributes, in every round.

    The count gives up where raw text in a drawing may be mark-up; a short page need not suffer from that.
    """
    tags = source.count(b"<")
    attributes = sum(map(source.count, _BEFORE_ATTRIBUTE))
    return _MOST_ROUNDS * tags * (tags + attributes) <= MOST_COPIES


def _rename(tag: re.Match[bytes]) -> bytes:
    return tag[1] + _NEW_NAMES[tag[2].decode().lower()]


def _remove_tag(tag: re.Match[bytes]) -> bytes:
    return b"" if tag[2] else b" "


def _keep_first_roots(source: bytes) -> bytes:
    """Rename every <html> and <body> but the first."""
    seen: set[bytes] = set()

    def rename(tag: re.Match[bytes]) -> bytes:
        name = tag[1].lower()
        is_first = name not in seen
        seen.add(name)
        return tag[0] if is_first else b"<span"

    return _ROOTS.sub(rename, source)
