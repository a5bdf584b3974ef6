"""Removes the tags of hostile pages that would make the parser build a tree much larger than the page.

Tree construction in the HTML standard is quadratic in two places. Measured with turbohtml: 20,000 times
<p><font size=N>, which is 390 kB, make ten million elements and 1.3 GB, because each paragraph opens all the fonts
before it again; and 20,000 <body> with an attribute each, 250 kB, take more than 4 GB.
"""

import re

MAX_COPIES = 100_000
"""How often unclosed formatting may be opened again; beyond that, a page is read without formatting."""

_FORMATTING_NAMES = "b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
# Comments and raw text contain no tags. Without an end they extend to the end of the page.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?:(script|style|textarea|title|xmp|iframe|noembed|noframes)\b.*?(?:</\1|\Z)"
    r"|(/?)([a-z][a-z0-9]*)[^>]*>?)",
    re.IGNORECASE | re.DOTALL,
)
_FORMATTING_TAG = re.compile(rf"</?(?:{'|'.join(_FORMATTING)})(?![a-z0-9-])[^>]*>", re.IGNORECASE)
_BODY = re.compile(r"<(?:html|body)(?![a-z0-9-])[^>]*>", re.IGNORECASE)
_MANY_BODIES = 100

# A sample costs a microsecond: at this distance, all samples together cost 2 to 4 % of the parse.
_SAMPLE_EVERY_CHARS = 8_000
_SAMPLE_CHARS = 400
# Of 181 news pages, the one with the most unclosed tags (<br>, <img>, <p>) has 1,080, estimated as 1,040. A hostile
# page with this many costs 0.2 s and 200 MB.
_SUSPICIOUS_TAGS = 3_000


def remove_harmful_tags(text: str) -> str:
    """Return a page whose parsing takes time in proportion to its length; a harmless page is returned unchanged.

    A page is suspicious if samples of it have many unclosed tags; checking all of it would cost a quarter of the parse.
    A page that is made to pass these samples passes.
    Cost: O(length).
    """
    if _estimate_unclosed_tags(text) <= _SUSPICIOUS_TAGS:
        return text
    if sum(1 for _ in _BODY.finditer(text)) > _MANY_BODIES:
        text = _BODY.sub("", text)
    return _FORMATTING_TAG.sub("", text) if _count_copies(text) > MAX_COPIES else text


def _estimate_unclosed_tags(text: str) -> float:
    """Estimate how many tags are opened and not closed, from samples at even distances."""
    unclosed = 0
    for start in range(0, len(text), _SAMPLE_EVERY_CHARS):
        end = start + _SAMPLE_CHARS
        unclosed += max(0, text.count("<", start, end) - 2 * text.count("</", start, end))
    return unclosed * _SAMPLE_EVERY_CHARS / _SAMPLE_CHARS


def _count_copies(text: str) -> int:
    """Count how often open formatting elements would be opened again inside other elements."""
    copies = open_formatting = 0
    for match in _TAG.finditer(text):
        name = match[3] and match[3].lower()
        if name in _FORMATTING:
            open_formatting = max(0, open_formatting + (-1 if match[2] else 1))
        elif name and not match[2]:
            copies += open_formatting
    return copies
