"""Where on a page the main text stands: how much running text each element holds, and the one with most."""

import re
from typing import NamedTuple

from gossamer.net.html.tag_meanings import HEADING_TAGS
from gossamer.net.main_text.class_name_hints import DOUBTFUL_TAGS, FIRM, UNFAVOURABLE, Hint
from gossamer.net.main_text.fragments import Containers, Fragment

# An element goes on being the region while one of its children holds this share of its running text.
# Swept .6 to .9 on the development pages: .6 loses a fiftieth of the main text, .8 a thousandth, .9 nothing,
# but lets in more of what stands around it.
REGION_SHARE = 0.8
# Running text under these is discounted, not ignored: a page may have nothing else.
_DISCOUNTS: tuple[tuple[int, float], ...] = (
    (int(Hint.NAV_TAG | Hint.FOOTER_TAG | Hint.ASIDE_TAG | Hint.FORM_TAG | Hint.CAPTION_TAG), 0.1),
    (int(Hint.COMMENT | Hint.RELATED | Hint.MENU | Hint.PAGE_EDGE | Hint.SIDE | Hint.ASKING), 0.2),
    (int(Hint.COMMENT), 0.1),
    (int(Hint.ITEM_BODY), 4.0),
)
_COMMENT = int(Hint.COMMENT)
_HOLDER_NAMES = "p h1 h2 h3 h4 h5 h6 li ul ol dl dt dd blockquote pre figcaption"
TEXT_HOLDERS = frozenset(_HOLDER_NAMES.split())
"""Elements that hold text rather than parts of a page: no region ends in one of them."""

_SENTENCE_END = re.compile(r"[.!?…:][\"'”’»)\]]?(?:\s|$)|[。！？।؟۔]")
_DENSE_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMAS = re.compile(r"[,،，、]")


class Measure:
    """What the look of a fragment's text says, whatever stands around it."""

    __slots__ = ("density", "running", "size")

    def __init__(self, fragment: Fragment, tag: str) -> None:
        text = fragment.text
        self.size = reading_size(text)
        """Length in letters of an alphabetic script."""
        self.density = fragment.link_chars / len(text)
        self.running = 0.0
        """How much of it is running text, as against labels, headings and links."""
        if self.size >= 60 and self.density < 0.5 and tag not in HEADING_TAGS and _speaks(text):
            self.running = self.size * (1 - 2 * self.density)


def _speaks(text: str) -> bool:
    """Tell sentences from labels of the same length."""
    return len(text) > 150 or _SENTENCE_END.search(text) is not None or len(_COMMAS.findall(text)) > 1


class Region(NamedTuple):
    """The chosen element, and the running text at or below every element, discounted where it is doubtful."""

    place: int
    running: list[float]


def reading_size(text: str) -> float:
    """Return the length of a text in letters; a Han, kana or Hangul character counts as two and a half."""
    chars = len(text)
    if chars <= 12 * (text.count(" ") + 1):
        return chars
    return chars + 1.5 * len(_DENSE_SCRIPT.findall(text))


def find_region(containers: Containers, fragments: list[Fragment], measures: list[Measure]) -> Region:
    """Choose the smallest element that still holds nearly all of the page's running text.

    Running text inside what calls itself footer, comment, related and so on counts little, unless that
    element holds so much of the page that the name must be about something else. From the top, the walk goes
    into a child as long as it holds `REGION_SHARE` of its parent's running text. A page without running text
    is judged by all its text outside links. Cost: O(elements + fragments).
    Source: the idea of paragraphs that vote for their parents is Arc90's Readability, 2009.
    """
    running = [0.0] * len(containers.parent)
    any_running = any(measure.running for measure in measures)
    for fragment, measure in zip(fragments, measures, strict=True):
        amount = measure.running if any_running else measure.size * (1 - measure.density)
        running[fragment.container] += amount
    hints = _believed_hints(containers, _summed(containers, running))
    factors = {value: _discount(value) for value in set(hints)}
    below = _summed(
        containers, [amount * factors[value] for amount, value in zip(running, hints, strict=True)]
    )
    return Region(_descend(containers, below), below)


def _summed(containers: Containers, own: list[float]) -> list[float]:
    """Add to each element what stands below it."""
    total = own[:]
    parent = containers.parent
    for place in range(len(total) - 1, 0, -1):
        total[parent[place]] += total[place]
    return total


def _believed_hints(containers: Containers, running: list[float]) -> list[int]:
    """Return each element's hints, inherited ones included, without those that its share of text belies."""
    parent, own = containers.parent, containers.hints
    page_running = running[0] or 1.0
    inherited = [0] * len(parent)
    for place in range(1, len(parent)):
        hints = own[place]
        share = running[place] / page_running
        if share >= 0.9:
            hints &= ~(UNFAVOURABLE | DOUBTFUL_TAGS) | _COMMENT
        elif share >= 0.5:
            hints &= ~(UNFAVOURABLE | DOUBTFUL_TAGS) | FIRM
        inherited[place] = inherited[parent[place]] | hints
    return inherited


def _discount(hints: int) -> float:
    factor = 1.0
    for bits, share in _DISCOUNTS:
        if hints & bits:
            factor *= share
    return factor


def _descend(containers: Containers, running: list[float]) -> int:
    """Follow the child with most running text as long as it holds nearly all of it."""
    parent = containers.parent
    fullest = [0] * len(parent)
    for place in range(len(parent) - 1, 0, -1):
        rival = fullest[parent[place]]
        if not rival or running[place] >= running[rival]:
            fullest[parent[place]] = place
    region = 0
    while running[region] > 0:
        child = fullest[region]
        if not child or running[child] < REGION_SHARE * running[region]:
            break
        if containers.tag[child] in TEXT_HOLDERS:
            break
        region = child
    return region
