"""Reads the base, the language and the metas of a page, also outside <head>, where many pages have them."""

import re
from collections.abc import Callable, Sequence

import msgspec

from gossamer.net.html.outline import Tag, collapse_spaces

_MAX_REFRESH_S = 1e9

# Metas for robots have names that cannot be listed (googlebot, bingbot, …), so these words identify them.
_DIRECTIVE = re.compile(
    r"(?<![\w-])(?:all|index|follow|none|noindex|nofollow|noarchive|nocache|nosnippet|noimageindex|notranslate|noodp"
    r"|noydir|unavailable_after|max-snippet|max-image-preview|max-video-preview|indexifembedded)(?![\w-])",
    re.IGNORECASE,
)
_ROBOT_NAMES = frozenset(("robots", "revisit-after"))
_OTHER_NAMES = frozenset(("author", "description", "generator", "keywords", "viewport"))

# The shared declarative refresh steps of the HTML standard, 4.2.5.3. Possessive: three runs of digits side by side took
# cubic time, hours for a thousand digits before a letter.
_REFRESH = re.compile(
    r"""\s*+([0-9]++\.?+[0-9]*+|\.[0-9]*+)[0-9.]*+"""
    r"""(?:\Z|[\s;,]\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+(?:"([^"]*+)|'([^']*+)|(.*+)))""",
    re.IGNORECASE | re.DOTALL,
)


class Metas(msgspec.Struct, frozen=True):
    """The content of the meta elements of a page."""

    description: str
    keywords: str
    author: str
    language: str
    robots: tuple[tuple[str, str], ...]
    refresh_s: float | None


def find_base(bases: Sequence[Tag], url: str, resolve: Callable[[str], str | None]) -> str:
    """Return the URL against which relative links are resolved: the first valid base, else the page's own URL."""
    for base in bases:
        href = base.attr("href")
        base_url = resolve(href) if href else None
        if base_url:
            return base_url
    return url


def find_language(roots: Sequence[Tag], metas: Metas) -> str:
    """Return the declared language: that of the html element, else that of the metas."""
    declared = [root.attr("lang") or root.attr("xml:lang") for root in roots]
    return ((declared[0] if declared else None) or metas.language).strip()


def read_metas(metas: Sequence[Tag]) -> Metas:
    """Read the metas; of those with the same name, the first with content counts."""
    named: dict[str, str] = {}
    equivalents: dict[str, str] = {}
    robots: list[tuple[str, str]] = []
    for meta in metas:
        get = meta.attributes.get
        content = get("content")
        if not content or content.isspace():
            continue
        name = (get("name") or "").strip().lower()
        if name:
            named.setdefault(name, content)
            if name in _ROBOT_NAMES or (name not in _OTHER_NAMES and _DIRECTIVE.search(content)):
                robots.append((name, collapse_spaces(content)))
        equivalents.setdefault((get("http-equiv") or "").strip().lower(), content)
    refresh = parse_refresh(equivalents.get("refresh"))
    return Metas(
        description=collapse_spaces(named.get("description", "")),
        keywords=collapse_spaces(named.get("keywords", "")),
        author=collapse_spaces(named.get("author", "")),
        language=equivalents.get("content-language", "").partition(",")[0],
        robots=tuple(robots),
        refresh_s=refresh[0] if refresh else None,
    )


def parse_refresh(content: str | None) -> tuple[float, str] | None:
    """Return the seconds and the target of a meta refresh, "" for the page itself; None if it is invalid.

    >>> parse_refresh("5; URL='next.html'")
    (5.0, 'next.html')
    """
    match = _REFRESH.match(content) if content else None
    if match is None:
        return None
    seconds = 0.0 if match[1] == "." else min(float(match[1]), _MAX_REFRESH_S)
    return seconds, (match[2] or match[3] or match[4] or "").strip()
