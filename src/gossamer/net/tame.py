"""Keeping hostile pages from costing the parser quadratic time: what is taken out of them before they are parsed.

The tree building of the HTML standard is quadratic in four places, and browsers guard it with limits of their
own. Measured with lexbor: 64,000 open <div> take 7 s, 64,000 attributes of one tag 9 s, as many <body> with an
attribute each 12 s, and 4,000 times <p><font size=N>, which is 58 kB, 10 s and a gigabyte, because each
paragraph opens again all the fonts before it.
"""

import re
from collections.abc import Iterator

MAX_BYTES = 10_000_000
"""A page is read to here; the rest is cut off."""
MAX_DEPTH = 256
"""Elements inside each other; browsers allow 512. Deeper ones lose their tags, not their text or their links."""
MAX_COPIES = 20_000
"""How often formatting that was left open may be opened again; beyond that a page is read without formatting."""
MAX_ATTRIBUTES = 1_000
"""Attributes of one tag; the others are dropped."""

_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
# Elements that hold nothing, or that end where their like begins: they nest only with the help of others.
_FLAT = frozenset(
    b"a area base basefont bgsound body br caption col colgroup dd dt embed frame head hr html image img input"
    b" keygen li link meta option p param rb rp rt rtc source tbody td tfoot th thead tr track wbr".split()
)
_INLINE = _FORMATTING | frozenset(
    b"abbr bdi bdo cite data dfn kbd label mark q samp span sub sup time var".split()
)
_ONCE = frozenset((b"html", b"body"))

# Comments and raw text hold no tags. Whatever is not ended goes on to the end of the page.
_TAG = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?:(script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</\1|\Z)"
    rb"|(/?)([a-z][a-z0-9]*)[^>]*>?)",
    re.IGNORECASE | re.DOTALL,
)
_FORMATTING_TAG = re.compile(
    rb"</?(?:" + b"|".join(sorted(_FORMATTING)) + rb")(?![a-z0-9-])[^>]*>", re.IGNORECASE
)

_LOOKS = 8
_LOOK_BYTES = 400
# Pages that people write seem to leave some hundred tags open (<br>, <img>, <p>), one of 25 more than this; as
# many that are built to do harm take half a second.
_SUSPICIOUS_TAGS = 1_500
_LONG_TAG_BYTES = 16_384


def tame(source: bytes) -> bytes:
    """Return a page such that parsing it takes time in proportion to its length: as it is, if it is harmless.

    Whether it may be harmful is told by a few looks, for to look everywhere would cost a sixth of the parse:
    tags that are not closed where one looks, and stretches without the end or the beginning of a tag. A page
    that was made to pass these looks passes. Cost: O(1) for harmless pages, O(length) for others.
    """
    source = source[:MAX_BYTES]
    has_open_tags = _unclosed_tags(source) > _SUSPICIOUS_TAGS
    if has_open_tags or _lacks(source, b">") or _lacks(source, b"<"):
        source = _with_fewer_attributes(source)
    if has_open_tags:
        source = b"".join(_flattened(source))
        if _copies(source) > MAX_COPIES:
            source = _FORMATTING_TAG.sub(b"", source)
    return source


def _unclosed_tags(source: bytes) -> float:
    """Estimate how many tags are opened and not closed, from looks at even distances."""
    step = max(len(source) // _LOOKS, _LOOK_BYTES)
    unclosed = 0
    for start in range(0, len(source), step):
        end = start + _LOOK_BYTES
        unclosed += max(0, source.count(b"<", start, end) - 2 * source.count(b"</", start, end))
    return unclosed * step / _LOOK_BYTES


def _lacks(source: bytes, mark: bytes) -> bool:
    """Tell whether a mark is missing from a stretch long enough for a great many attributes."""
    start = 0
    while len(source) - start > _LONG_TAG_BYTES:
        found = source.rfind(mark, start, start + _LONG_TAG_BYTES)
        if found < 0:
            return True
        start = found + 1
    return False


_ATTRIBUTE = rb"""[\s/]*+[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
# Each tag is matched to its end, the long ones in two parts, lest the tags inside an attribute be tried too.
_ATTRIBUTES = re.compile(
    rb"(<[a-z][^\s/>]*+(?:%b){%d})(?:%b)*+|<[a-z][^\s/>]*+(?:%b)*+"
    % (_ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE, _ATTRIBUTE),
    re.IGNORECASE,
)


def _with_fewer_attributes(source: bytes) -> bytes:
    return _ATTRIBUTES.sub(lambda tag: tag[1] or tag[0], source)


def _flattened(source: bytes) -> Iterator[bytes]:
    """Yield the page without the tags that nest too deep, and without all but the first <html> and <body>."""
    depth = dropped = done = 0
    seen = set()
    for match in _TAG.finditer(source):
        name = match[3] and match[3].lower()
        if not name:
            continue
        if name in _ONCE and not match[2]:
            is_kept = name not in seen
            seen.add(name)
        elif name in _FLAT:
            continue
        elif match[2]:
            is_kept = not dropped
            dropped, depth = (dropped - 1, depth) if dropped else (0, max(0, depth - 1))
        else:
            is_kept = depth < MAX_DEPTH
            dropped, depth = (dropped, depth + 1) if is_kept else (dropped + 1, depth)
        if not is_kept:
            yield source[done : match.start()]
            if name not in _INLINE:
                yield b" "
            done = match.end()
    yield source[done:]


def _copies(source: bytes) -> int:
    """Count how often formatting elements that are open would be opened again inside other elements."""
    copies = open_formatting = 0
    for match in _TAG.finditer(source):
        name = match[3] and match[3].lower()
        if name in _FORMATTING:
            open_formatting = max(0, open_formatting + (-1 if match[2] else 1))
        elif name and not match[2]:
            copies += open_formatting
    return copies
