"""What a page says about itself: base, language, metas. Wherever it says so: few pages keep to <head>."""

import re
from collections.abc import Callable, Sequence

import msgspec

from gossamer.net.html.outline import Tag, collapsed

_MAX_REFRESH_S = 1e9

# Robots are addressed by names nobody can list (googlebot, bingbot, …), so these words tell.
_DIRECTIVE = re.compile(
    r"(?<![\w-])(?:all|index|follow|none|noindex|nofollow|noarchive|nocache|nosnippet|noimageindex|notranslate|noodp"
    r"|noydir|unavailable_after|max-snippet|max-image-preview|max-video-preview|indexifembedded)(?![\w-])",
    re.IGNORECASE,
)
_ROBOT_NAMES = frozenset(("robots", "revisit-after"))
_OTHER_NAMES = frozenset(("author", "description", "generator", "keywords", "viewport"))

# The shared declarative refresh steps of the HTML standard, 4.2.5.3.
_REFRESH = re.compile(
    r"""\s*([0-9]+\.?[0-9]*|\.[0-9]*)[0-9.]*(?:\Z|[\s;,]\s*[;,]?\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*)))""",
    re.IGNORECASE | re.DOTALL,
)


class Metas(msgspec.Struct, frozen=True):
    """What the meta elements of a page say."""

    description: str
    keywords: str
    author: str
    language: str
    robots: tuple[tuple[str, str], ...]
    refresh_s: float | None


def base_of(bases: Sequence[Tag], url: str, resolve: Callable[[str], str | None]) -> str:
    """Return what relative links are resolved against: the first base that is an address, else the page's."""
    for base in bases:
        href = base.attr("href")
        address = resolve(href) if href else None
        if address:
            return address
    return url


def language_of(roots: Sequence[Tag], metas: Metas) -> str:
    """Return the declared language: that of the html element, or that of the metas."""
    declared = [root.attr("lang") or root.attr("xml:lang") for root in roots]
    return ((declared[0] if declared else None) or metas.language).strip()


def metas_of(metas: Sequence[Tag]) -> Metas:
    """Read the metas; of those with the same name the first that says something counts."""
    named: dict[str, str] = {}
    equivalents: dict[str, str] = {}
    robots: list[tuple[str, str]] = []
    for meta in metas:
        content = meta.attr("content")
        if not content or content.isspace():
            continue
        name = (meta.attr("name") or "").strip().lower()
        if name:
            named.setdefault(name, content)
            if name in _ROBOT_NAMES or (name not in _OTHER_NAMES and _DIRECTIVE.search(content)):
                robots.append((name, collapsed(content)))
        equivalents.setdefault((meta.attr("http-equiv") or "").strip().lower(), content)
    refresh = refresh_of(equivalents.get("refresh"))
    return Metas(
        description=collapsed(named.get("description", "")),
        keywords=collapsed(named.get("keywords", "")),
        author=collapsed(named.get("author", "")),
        language=equivalents.get("content-language", "").partition(",")[0],
        robots=tuple(robots),
        refresh_s=refresh[0] if refresh else None,
    )


def refresh_of(content: str | None) -> tuple[float, str] | None:
    """Return seconds and target of a meta refresh, "" for the page itself; None if it is none.

    >>> refresh_of("5; URL='next.html'")
    (5.0, 'next.html')
    """
    match = _REFRESH.match(content) if content else None
    if match is None:
        return None
    seconds = 0.0 if match[1] == "." else min(float(match[1]), _MAX_REFRESH_S)
    return seconds, (match[2] or match[3] or match[4] or "").strip()
