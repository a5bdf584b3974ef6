"""The links of a page, in page order: where they lead, of what type they are and what their words are."""

from collections.abc import Callable, Iterable

from gossamer.net.head import refresh_of
from gossamer.net.text_of import collapsed, labels_of
from gossamer.net.tree import Element, Tree, elements, elements_of
from gossamer.records import Link, LinkType

# What a <link> must be to lead to a page; icons, style sheets, preloads and the like do not.
_PAGE_REL_NAMES = (
    "alternate amphtml appendix archives author begin bookmark canonical chapter contents copyright end first "
    "glossary help home index last license me next prev previous privacy-policy search section shortlink start "
    "subsection tag terms-of-service toc top up"
)
_PAGE_RELS = frozenset(_PAGE_REL_NAMES.split())
_NO_PAGE_RELS = frozenset(("stylesheet", "icon", "manifest", "preload", "prefetch", "modulepreload"))

Resolve = Callable[[str], str | None]


def read_links(tree: Tree, resolve: Resolve, page_chars: int) -> list[Link]:
    """Return the links that lead to pages, with their addresses in canonical form, in page order.

    Their words are bounded by the length of the page, `page_chars`: see `labels_of`.
    """
    anchors = _anchor_links(tree, resolve, page_chars)
    rare = {
        element: link
        for tag, (kind, target_of) in _RARE.items()
        for element in elements(tree, tag)
        if (target := target_of(element)) is not None and (link := _rare_link(element, kind, target, resolve))
    }
    if not rare:
        return list(anchors.values())
    tags = {element.tag for element in rare}
    if tags == {"link"} and _in_head(next(reversed(rare))):
        return [*rare.values(), *anchors.values()]
    found = anchors | rare
    return [found[element] for element in elements_of(tree, ("a", *tags)) if element in found]


def canonical_of(links: Iterable[Link]) -> str:
    """Return the URL that a page declares as its canonical one, or "" if it declares none."""
    for link in links:
        if link.type == "link" and "canonical" in link.rel.split():
            return link.url
    return ""


def _anchor_links(tree: Tree, resolve: Resolve, page_chars: int) -> dict[Element, Link]:
    """Return the link that each <a> makes, where it makes one. There are a hundred on a page: few calls each."""
    urls = {
        anchor: url
        for anchor in elements(tree, "a")
        if (href := anchor.attr("href")) is not None and (url := resolve(href)) is not None
    }
    labels = labels_of(tree, "a", urls, page_chars, with_alternatives=True)
    # One question to the tree is cheaper than one to each anchor: most pages use neither or one of the two.
    rels = {anchor: _attribute(anchor, "rel").lower() for anchor in tree.select("a[rel]")}
    titles = {anchor: _attribute(anchor, "title") for anchor in tree.select("a[title]")}
    if not rels and not titles:
        return {
            anchor: Link(url, "a", label) for (anchor, url), label in zip(urls.items(), labels, strict=True)
        }
    return {
        anchor: Link(url, "a", label, rels.get(anchor, ""), titles.get(anchor, ""))
        for (anchor, url), label in zip(urls.items(), labels, strict=True)
    }


def _rare_link(element: Element, kind: LinkType, target: str, resolve: Resolve) -> Link | None:
    url = resolve(target)
    if url is None:
        return None
    rel, title, text = (_attribute(element, name) for name in ("rel", "title", "alt"))
    return Link(url, kind, text, rel.lower(), title)


def _in_head(element: Element) -> bool:
    above = element.parent
    return isinstance(above, Element) and above.tag == "head"


def _attribute(element: Element, name: str) -> str:
    return collapsed(element.attr(name) or "")


def _page_of_link(element: Element) -> str | None:
    rels = _attribute(element, "rel").lower().split()
    if _PAGE_RELS.isdisjoint(rels) or not _NO_PAGE_RELS.isdisjoint(rels):
        return None
    # Alternates for programs: oEmbed, the JSON of blog software.
    return None if "json" in _attribute(element, "type").lower() else element.attr("href")


def _target_of_refresh(element: Element) -> str | None:
    if _attribute(element, "http-equiv").lower() != "refresh":
        return None
    refresh = refresh_of(element.attr("content"))
    return refresh[1] or None if refresh else None


def _action_of_get_form(element: Element) -> str | None:
    # Any other method than these is taken as GET, as browsers do.
    is_get = _attribute(element, "method").lower() not in ("post", "dialog")
    return element.attr("action") or None if is_get else None


def _href(element: Element) -> str | None:
    return element.attr("href")


def _src(element: Element) -> str | None:
    return element.attr("src") or None


# Of which type a link is, and where it leads: all but <a>, of which there are ten times as many as of these together.
_RARE: dict[str, tuple[LinkType, Callable[[Element], str | None]]] = {
    "area": ("area", _href),
    "frame": ("frame", _src),
    "iframe": ("iframe", _src),
    "link": ("link", _page_of_link),
    "meta": ("refresh", _target_of_refresh),
    "form": ("form", _action_of_get_form),
}
