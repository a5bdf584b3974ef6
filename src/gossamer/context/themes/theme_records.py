"""Records of themes: what a page, a program or a map shows of them."""

import msgspec

FEWEST_THEMES, MOST_THEMES = 2, 200
"""How many themes a collection can have; without a wish it has at least ten, if it has fifty pages."""


class ThemePage(msgspec.Struct, frozen=True, gc=False):
    """A page of a theme."""

    url: str
    title: str
    language: str
    likeness: float
    """How typical it is of the theme, from 0 to 1."""
    id: int = 0


class ThemeNeighbour(msgspec.Struct, frozen=True, gc=False):
    """A theme that is similar to another."""

    number: int
    likeness: float
    """The cosine of their middles, after the middle of the whole collection was taken away."""


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """What some pages of a collection are about."""

    number: int
    """It stays the same when the themes are refreshed."""
    name: str
    words: tuple[str, ...]
    """Words that are more frequent in it than elsewhere, the most typical first."""
    size: int
    """Pages, each near copy counted once."""
    copies: int = 0
    """Further pages that are copies of these."""
    typical: tuple[ThemePage, ...] = ()
    """The most typical pages, the best first."""
    languages: dict[str, int] = {}
    """Pages by language, the most frequent first; "" for unknown."""
    sites: dict[str, int] = {}
    """Pages by site, the most frequent first; only the largest sites."""
    neighbours: tuple[ThemeNeighbour, ...] = ()
    """The most similar themes, the most similar first."""
    x: float = 0.0
    """Its place on the map, from 0 to 1."""
    y: float = 0.0


class Themes(msgspec.Struct, frozen=True, kw_only=True):
    """The themes of a collection."""

    themes: tuple[Theme, ...]
    """The largest first."""
    pages: int
    """Pages that were read, near copies included."""
    without: int = 0
    """Pages without a theme: they have no words, or their words and their links disagree."""
    built_s: float = 0.0
    """When the themes were found."""
    refreshed_s: float = 0.0
    """When pages were last added to them."""
    built_pages: int = 0
    """How many pages there were when the themes were found."""
    linked: int = 0
    """Pages whose theme links helped to decide."""
