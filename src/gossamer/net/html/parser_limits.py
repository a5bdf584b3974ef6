"""Keeping hostile pages from making the parser build more than they hold: what is taken out before the parse.

The tree building of the HTML standard is quadratic in two places. Measured with turbohtml: 20,000 times
<p><font size=N>, which is 390 kB, make ten million elements and 1.3 GB, because each paragraph opens again all
the fonts before it; and 20,000 <body> with an attribute each, 250 kB, more than 4 GB.
"""

import re

MAX_COPIES = 100_000
"""How often formatting that was left open may be opened again; beyond that a page is read without formatting."""

_FORMATTING_NAMES = "b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
# Comments and raw text hold no tags. Whatever is not ended goes on to the end of the page.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?:(script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</\1|\Z)"
    r"|(/?)([a-z][a-z0-9]*)[^>]*>?)",
    re.IGNORECASE | re.DOTALL,
)
_FORMATTING_TAG = re.compile(rf"</?(?:{'|'.join(_FORMATTING)})(?![a-z0-9-])[^>]*>", re.IGNORECASE)
_BODY = re.compile(r"<(?:html|body)(?![a-z0-9-])[^>]*>", re.IGNORECASE)
_MANY_BODIES = 100

# A look costs a microsecond: with this distance all of them together 2 to 4 % of the parse.
_LOOK_EVERY_CHARS = 8_000
_LOOK_CHARS = 400
# Of 181 pages of the press, the one that leaves most tags open (<br>, <img>, <p>) leaves 1,080, estimated 1,040. As
# many as this, when built to do harm, cost 0.2 s and 200 MB.
_SUSPICIOUS_TAGS = 3_000


def tame(text: str) -> str:
    """Return a page such that parsing it takes time in proportion to its length: as it is, if it is harmless.

    Whether it may be harmful is told by a few looks, for to look everywhere would cost a quarter of the parse:
    tags that are not closed where one looks. A page that was made to pass these looks passes.
    Cost: O(length).
    """
    if _unclosed_tags(text) <= _SUSPICIOUS_TAGS:
        return text
    if sum(1 for _ in _BODY.finditer(text)) > _MANY_BODIES:
        text = _BODY.sub("", text)
    return _FORMATTING_TAG.sub("", text) if _copies(text) > MAX_COPIES else text


def _unclosed_tags(text: str) -> float:
    """Estimate how many tags are opened and not closed, from looks at even distances."""
    unclosed = 0
    for start in range(0, len(text), _LOOK_EVERY_CHARS):
        end = start + _LOOK_CHARS
        unclosed += max(0, text.count("<", start, end) - 2 * text.count("</", start, end))
    return unclosed * _LOOK_EVERY_CHARS / _LOOK_CHARS


def _copies(text: str) -> int:
    """Count how often formatting elements that are open would be opened again inside other elements."""
    copies = open_formatting = 0
    for match in _TAG.finditer(text):
        name = match[3] and match[3].lower()
        if name in _FORMATTING:
            open_formatting = max(0, open_formatting + (-1 if match[2] else 1))
        elif name and not match[2]:
            copies += open_formatting
    return copies
