"""The texts of links that lead to a page: what others call it.

Seeds 000 and 001: such texts describe a page and belong to it, unless they say nothing.
"""

from collections import Counter
from collections.abc import Iterable

from gossamer.records import PageLink

# “Home”, “next” and “click here” lead to everything: texts that lead to more pages than this name none of them.
_MOST_TARGETS = 20
_MOST_TEXTS = 10
_LONGEST_TEXT = 200
_MOST_TIMES = 4
_MOST_HOPS = 5
# Links of other sites say more than those of a site's own menus, however many pages have these.
_OTHER_SITE = 1_000
_TYPES = frozenset({"a", "area"})

Anchors = dict[int, tuple[str, ...]]
"""By page: texts, those that count more several times."""


def gathered(links: Iterable[PageLink]) -> Anchors:
    """Gather the texts of links by the page that they lead to, redirects followed.

    Cost: linear; memory for each different text of each page.
    """
    found: dict[int, dict[str, int]] = {}
    moved: dict[int, int] = {}
    for link in links:
        if link.type == "redirect":
            moved[link.source] = link.target
        elif link.text and link.type in _TYPES and link.source != link.target:
            _count(found, link.target, link.text[:_LONGEST_TEXT], _OTHER_SITE if link.spans_sites else 1)
    for source, target in moved.items():
        for text, worth in found.pop(source, {}).items():
            _count(found, _end(target, moved), text, worth)
    led_to = Counter(text.lower() for texts in found.values() for text in texts)
    return {page: _chosen(texts, led_to) for page, texts in found.items()}


def _count(found: dict[int, dict[str, int]], page: int, text: str, worth: int) -> None:
    texts = found.get(page)
    if texts is None:
        texts = found[page] = {}
    texts[text] = texts.get(text, 0) + worth


def _chosen(texts: dict[str, int], led_to: Counter[str]) -> tuple[str, ...]:
    """Return the texts that count, the most important first."""
    speaking = [(-worth, text) for text, worth in texts.items() if led_to[text.lower()] <= _MOST_TARGETS]
    speaking.sort()
    return tuple([text for worth, text in speaking[:_MOST_TEXTS] for _ in range(_times(-worth))])


def _times(worth: int) -> int:
    """Return how often a text counts: once, and once more for each doubling of the links of other sites."""
    return min(_MOST_TIMES, 1 + (worth // _OTHER_SITE).bit_length())


def _end(page: int, moved: dict[int, int]) -> int:
    for _ in range(_MOST_HOPS):
        if page not in moved:
            break
        page = moved[page]
    return page
