"""Make the address at which a browser shows a passage: a text fragment, or the page of a document."""

import re
from urllib.parse import quote

# How many words of the beginning and of the end name a passage.
_NAMING_WORDS = 6
_MOST_CHARACTERS = 120
_PAGE_LABEL = re.compile(r"page (\d+)")


def make_link(url: str, text: str, part: str = "") -> str:
    """Return an address with `#:~:text=`, which browsers scroll to and mark; of a PDF, with `#page=`.

    Source: URL Fragment Text Directives, a draft of the Web Incubator Community Group.
    """
    base = url.partition("#")[0]
    if part:
        page = _PAGE_LABEL.fullmatch(part)
        return f"{base}#page={page[1]}" if page else base
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return base
    first, last = lines[0].split(), lines[-1].split()
    if len(lines) == 1 and len(first) <= 2 * _NAMING_WORDS:
        return f"{base}#:~:text={_quote(' '.join(first))}"
    begin, end = " ".join(first[:_NAMING_WORDS]), " ".join(last[-_NAMING_WORDS:])
    return f"{base}#:~:text={_quote(begin)},{_quote(end, from_end=True)}"


def _quote(words: str, *, from_end: bool = False) -> str:
    """Encode a part of a text directive, in which commas, hyphens and ampersands have a meaning."""
    short = words[-_MOST_CHARACTERS:] if from_end else words[:_MOST_CHARACTERS]
    return quote(short, safe="").replace("-", "%2D")
