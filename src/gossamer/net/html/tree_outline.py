"""The outline of a page from its tree: for pages that the standard mends, which cannot be read off their source."""

from bisect import bisect_left

from gossamer.net.html.outline import OUTLINED_TAGS, Outline, Tag, collapsed
from gossamer.net.html.parse_tree import Element, Tree, elements, place_of
from gossamer.net.html.tag_meanings import HEADING_TAGS
from gossamer.net.html.visible_text import labels_of, text_of


def tree_outline(tree: Tree, page_chars: int) -> Outline:
    """Return what stands on a page. Words of links are bounded by the length of the page: see `labels_of`."""
    anchors = [anchor for anchor in elements(tree, "a") if anchor.attr("href") is not None]
    places = [place_of(anchor) for anchor in anchors]
    tags = [element for tag in OUTLINED_TAGS for element in elements(tree, tag) if element.attrs]
    tags.sort(key=place_of)
    return Outline(
        title=_title(tree),
        text=text_of(tree),
        hrefs=[_up_to_fragment(anchor.attr("href") or "") for anchor in anchors],
        labels=labels_of(tree, ("a",), anchors, page_chars, with_alternatives=True),
        rels=[collapsed(anchor.attr("rel") or "").lower() for anchor in anchors],
        titles=[collapsed(anchor.attr("title") or "") for anchor in anchors],
        headings=_headings(tree, page_chars),
        tags=[(bisect_left(places, place_of(element)), _tag(element)) for element in tags],
    )


def _title(tree: Tree) -> str:
    """Return the first title that is the page's and not a drawing's."""
    titles = (title.text for title in elements(tree, "title") if title.closest("svg") is None)
    return collapsed(next(titles, ""))


def _up_to_fragment(href: str) -> str:
    return href[: href.find("#") + 1] or href


def _tag(element: Element) -> Tag:
    return Tag(element.tag, {name: element.attr(name) or "" for name in element.attrs})


def _headings(tree: Tree, page_chars: int) -> list[tuple[int, str]]:
    found = [heading for tag in HEADING_TAGS for heading in elements(tree, tag)]
    found.sort(key=place_of)
    labels = labels_of(tree, HEADING_TAGS, found, page_chars)
    levels = [HEADING_TAGS.index(heading.tag) + 1 for heading in found]
    return list(zip(levels, labels, strict=True))
