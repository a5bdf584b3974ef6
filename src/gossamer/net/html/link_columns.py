"""Stores the links of a page as columns, so that reading a page makes no object for each link."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import overload

from gossamer.records import Link, LinkType


class PageLinks(Sequence[Link]):
    """The links of a page in page order, as columns: few of a hundred are ever needed one by one."""

    __slots__ = ("rels", "texts", "titles", "types", "urls")

    def __init__(
        self, urls: list[str], types: list[LinkType], texts: list[str], rels: list[str], titles: list[str]
    ) -> None:
        self.urls = urls
        self.types = types
        self.texts = texts
        self.rels = rels
        self.titles = titles

    @classmethod
    def from_links(cls, links: Sequence[Link]) -> "PageLinks":
        """Return these links as columns."""
        if isinstance(links, PageLinks):
            return links
        return cls(
            [link.url for link in links],
            [link.type for link in links],
            [link.text for link in links],
            [link.rel for link in links],
            [link.title for link in links],
        )

    def append(self, link: Link) -> None:
        """Add a link."""
        self.urls.append(link.url)
        self.types.append(link.type)
        self.texts.append(link.text)
        self.rels.append(link.rel)
        self.titles.append(link.title)

    def keep_first(self, most: int) -> "PageLinks":
        """Return the first of these links."""
        return PageLinks(
            self.urls[:most], self.types[:most], self.texts[:most], self.rels[:most], self.titles[:most]
        )

    def keep_only(self, wanted: Sequence[bool]) -> "PageLinks":
        """Return those of these links that are wanted."""
        columns = (self.urls, self.types, self.texts, self.rels, self.titles)
        urls, types, texts, rels, titles = (list(compress(column, wanted)) for column in columns)
        return PageLinks(urls, types, texts, rels, titles)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.urls)

    @overload
    def __getitem__(self, place: int) -> Link: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Link, ...]: ...
    def __getitem__(self, place: int | slice) -> Link | tuple[Link, ...]:
        if isinstance(place, slice):
            return tuple(self)[place]
        return Link(
            self.urls[place], self.types[place], self.texts[place], self.rels[place], self.titles[place]
        )

    def __iter__(self) -> Iterator[Link]:
        return map(Link, self.urls, self.types, self.texts, self.rels, self.titles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"PageLinks.from_links({list(self)!r})"
