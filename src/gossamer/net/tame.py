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
_LATER_BODY = re.compile(r"(?<=.)<(?:html|body)(?![a-z0-9-])[^>]*>", re.IGNORECASE | re.DOTALL)

_LOOKS = 8
_LOOK_CHARS = 400
# Pages that people write seem to leave some hundred tags open (<br>, <img>, <p>), one of 25 more than this; as
# many that are built to do harm take half a second.
_SUSPICIOUS_TAGS = 1_500
_MANY_BODIES = 100


def tame(text: str) -> str:
    """Return a page such that parsing it takes time in proportion to its length: as it is, if it is harmless.

    Whether it may be harmful is told by a few looks, for to look everywhere would cost a quarter of the parse:
    tags that are not closed where one looks. A page that was made to pass these looks passes.
    Cost: O(1) for harmless pages, O(length) for others.
    """
    if _unclosed_tags(text) <= _SUSPICIOUS_TAGS:
        return text
    if len(_LATER_BODY.findall(text)) > _MANY_BODIES:
        text = _LATER_BODY.sub("", text)
    return _FORMATTING_TAG.sub("", text) if _copies(text) > MAX_COPIES else text


def _unclosed_tags(text: str) -> float:
    """Estimate how many tags are opened and not closed, from looks at even distances."""
    step = max(len(text) // _LOOKS, _LOOK_CHARS)
    unclosed = 0
    for start in range(0, len(text), step):
        end = start + _LOOK_CHARS
        unclosed += max(0, text.count("<", start, end) - 2 * text.count("</", start, end))
    return unclosed * step / _LOOK_CHARS


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
