"""Pages like the one that a person reads, by words and links, as the index knows them."""

import msgspec

from gossamer.navigate.link_card import read_address
from gossamer.net import url as urls
from gossamer.web import Web

MOST_RELATED = 50


class RelatedPage(msgspec.Struct, frozen=True):
    """A page like another one."""

    url: str
    title: str
    why: str
    """In a few words, why it is listed."""


class RelatedPages(msgspec.Struct, frozen=True):
    """Pages like one, the most similar first."""

    items: tuple[RelatedPage, ...]


def find_related_pages(web: Web, address: str, count: int = 10) -> RelatedPages:
    """Return pages with words and links like those of a page of the collection; none if the collection does not have it.

    Raise `NoIndex` without an index.
    """
    url = read_address(address)
    if web.store.page(urls.page_id(url)) is None:
        web.check_index()
        return RelatedPages(())
    found = web.search(f'related:"{url}"', size=min(count, MOST_RELATED) + 1)
    own = urls.site(urls.host(url))
    items = [
        RelatedPage(one.url, one.title, _explain(one.url, own)) for one in found.answers if one.url != url
    ]
    return RelatedPages(tuple(items[:count]))


def _explain(url: str, own: str) -> str:
    site = urls.site(urls.host(url))
    return (
        "similar words and links, on the same site" if site == own else f"similar words and links, on {site}"
    )
