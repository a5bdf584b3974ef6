"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import repeat

from gossamer.net.addresses import Addresses
from gossamer.net.head import refresh_of
from gossamer.net.outline import Outline, Tag, collapsed
from gossamer.records import Link, LinkType

Attributes = dict[str, str]

# What a <link> must be to lead to a page; icons, style sheets, preloads and the like do not.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))


def read_links(outline: Outline, addresses: Addresses) -> list[Link]:
    """Return the links that lead to pages, with their addresses in canonical form, in page order.

    A hundred <a> come between a few others.
    """
    ordered: list[Link] = []
    done = 0
    for before, tag in outline.tags:
        link = _rare_link(tag, addresses)
        if link is not None:
            if before > done:
                ordered += _anchor_links(outline, addresses, done, before)
                done = before
            ordered.append(link)
    ordered += _anchor_links(outline, addresses, done, len(outline.hrefs))
    return ordered


def canonical_of(links: Iterable[Link]) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for link in links:
        if link.type == "link" and "canonical" in link.rel.split():
            return link.url
    return ""


def _anchor_links(outline: Outline, addresses: Addresses, start: int, end: int) -> Iterable[Link]:
    urls = addresses.all(outline.hrefs[start:end])
    lists = (each[start:end] for each in (outline.labels, outline.rels, outline.titles))
    if None in urls:
        every = zip(urls, *lists, strict=True)
        return [Link(url, "a", label, rel, title) for url, label, rel, title in every if url is not None]
    return map(Link, urls, repeat("a"), *lists)  # a hundred on a page: no Python code for each


def _rare_link(tag: Tag, addresses: Addresses) -> Link | None:
    if tag.tag not in _RARE:
        return None
    kind, target_of = _RARE[tag.tag]
    said = tag.attributes
    target = target_of(said)
    url = None if target is None else addresses.to(target)
    if url is None:
        return None
    text, rel, title = (collapsed(said[name]) if name in said else "" for name in ("alt", "rel", "title"))
    return Link(url, kind, text, rel.lower(), title)


def _page_of_link(said: Attributes) -> str | None:
    if "href" not in said or not _leads_to_a_page(said.get("rel", "")):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in said.get("type", "").lower() else said["href"]


@lru_cache(maxsize=1_000)  # the same few words everywhere
def _leads_to_a_page(rel: str) -> bool:
    rels = rel.lower().split()
    return not _PAGE_RELS.isdisjoint(rels) and _NO_PAGE_RELS.isdisjoint(rels)


def _target_of_refresh(said: Attributes) -> str | None:
    if "http-equiv" not in said or collapsed(said["http-equiv"]).lower() != "refresh":
        return None
    refresh = refresh_of(said.get("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(said: Attributes) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = collapsed(said.get("method", "")).lower() not in ("post", "dialog")
    return said.get("action") or None if is_get else None


# Of which type a link is, and where it leads if anywhere: all but <a>, of which there are ten times as many as of
# these together.
_RARE: dict[str, tuple[LinkType, Callable[[Attributes], str | None]]] = {
    "area": ("area", lambda said: said.get("href")),
    "frame": ("frame", lambda said: said.get("src") or None),
    "iframe": ("iframe", lambda said: said.get("src") or None),
    "link": ("link", _page_of_link),
    "meta": ("refresh", _target_of_refresh),
    "form": ("form", _action_of_get_form),
}
