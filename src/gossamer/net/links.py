"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from collections.abc import Callable, Iterable
from itertools import repeat

from gossamer.net.head import refresh_of
from gossamer.net.outline import Outline, Tag, collapsed
from gossamer.net.url import Addresses
from gossamer.records import Link, LinkType

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
            ordered += _anchor_links(outline, addresses, done, before)
            ordered.append(link)
            done = before
    ordered += _anchor_links(outline, addresses, done, len(outline.hrefs))
    return ordered


def canonical_of(links: Iterable[Link]) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for link in links:
        if link.type == "link" and "canonical" in link.rel.split():
            return link.url
    return ""


def _anchor_links(outline: Outline, addresses: Addresses, start: int, end: int) -> Iterable[Link]:
    if start == end:
        return ()
    urls = [addresses[href] for href in outline.hrefs[start:end]]
    lists = (each[start:end] for each in (outline.labels, outline.rels, outline.titles))
    if None in urls:
        every = zip(urls, *lists, strict=True)
        return [Link(url, "a", label, rel, title) for url, label, rel, title in every if url is not None]
    return map(Link, urls, repeat("a"), *lists)  # a hundred on a page: no Python code for each


def _rare_link(tag: Tag, addresses: Addresses) -> Link | None:
    if tag.tag not in _RARE:
        return None
    kind, target_of = _RARE[tag.tag]
    target = target_of(tag)
    url = None if target is None else addresses.to(target)
    if url is None:
        return None
    rel, title, text = (_attribute(tag, name) for name in ("rel", "title", "alt"))
    return Link(url, kind, text, rel.lower(), title)


def _attribute(tag: Tag, name: str) -> str:
    return collapsed(tag.attr(name) or "")


def _page_of_link(tag: Tag) -> str | None:
    rels = (tag.attr("rel") or "").lower().split()
    if _PAGE_RELS.isdisjoint(rels) or not _NO_PAGE_RELS.isdisjoint(rels):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in (tag.attr("type") or "").lower() else tag.attr("href")


def _target_of_refresh(tag: Tag) -> str | None:
    if _attribute(tag, "http-equiv").lower() != "refresh":
        return None
    refresh = refresh_of(tag.attr("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(tag: Tag) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = _attribute(tag, "method").lower() not in ("post", "dialog")
    return tag.attr("action") or None if is_get else None


# Of which type a link is, and where it leads if anywhere: all but <a>, of which there are ten times as many as of
# these together.
_RARE: dict[str, tuple[LinkType, Callable[[Tag], str | None]]] = {
    "area": ("area", lambda tag: tag.attr("href")),
    "frame": ("frame", lambda tag: tag.attr("src") or None),
    "iframe": ("iframe", lambda tag: tag.attr("src") or None),
    "link": ("link", _page_of_link),
    "meta": ("refresh", _target_of_refresh),
    "form": ("form", _action_of_get_form),
}
