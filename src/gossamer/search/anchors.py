"""The texts of links that lead to a page: what others call it.

Seeds 000 and 001: such texts describe a page and belong to it, unless they say nothing.
"""

from collections import Counter, defaultdict
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
    found: dict[int, Counter[str]] = defaultdict(Counter)
    moved: dict[int, int] = {}
    for link in links:
        if link.type == "redirect":
            moved[link.source] = link.target
        elif link.text and link.type in _TYPES and link.source != link.target:
            text = " ".join(link.text[:_LONGEST_TEXT].split())
            if text:
                found[link.target][text] += _OTHER_SITE if link.spans_sites else 1
    for source, target in moved.items():
        if source in found:
            found[_end(target, moved)].update(found.pop(source))
    led_to = Counter(text.lower() for texts in found.values() for text in texts)
    return {page: _chosen(texts, led_to) for page, texts in found.items()}


def _chosen(texts: Counter[str], led_to: Counter[str]) -> tuple[str, ...]:
    """Return the texts that count, the most important first."""
    speaking = {text: worth for text, worth in texts.items() if led_to[text.lower()] <= _MOST_TARGETS}
    best = sorted(speaking.items(), key=lambda one: (-one[1], one[0]))[:_MOST_TEXTS]
    return tuple(text for text, worth in best for _ in range(_times(worth)))


def _times(worth: int) -> int:
    """Return how often a text counts: once, and once more for each doubling of the links of other sites."""
    return min(_MOST_TIMES, 1 + (worth // _OTHER_SITE).bit_length())


def _end(page: int, moved: dict[int, int]) -> int:
    for _ in range(_MOST_HOPS):
        if page not in moved:
            break
        page = moved[page]
    return page
