"""Finds the main region of a page: the smallest element with nearly all of its running text."""

import re
from typing import NamedTuple

from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.main_text.class_name_hints import DOUBTFUL_TAGS, FIRM, UNFAVOURABLE, ElementHint
from gossamer.net.main_text.fragments import Containers, Fragment

# The search descends into a child that has this share of the running text of its parent. Swept .6 to .9 on the
# development pages: .6 loses a fiftieth of the main text, .8 a thousandth, .9 nothing, but includes more of the text
# around it.
REGION_SHARE = 0.8
# Running text under these hints is discounted, not ignored: a page may have nothing else.
DISCOUNTS: tuple[tuple[int, float], ...] = (
    (
        int(
            ElementHint.NAV_TAG
            | ElementHint.FOOTER_TAG
            | ElementHint.ASIDE_TAG
            | ElementHint.FORM_TAG
            | ElementHint.CAPTION_TAG
        ),
        0.1,
    ),
    (
        int(
            ElementHint.COMMENT
            | ElementHint.RELATED
            | ElementHint.MENU
            | ElementHint.PAGE_EDGE
            | ElementHint.PAGE_HEAD
            | ElementHint.SIDE
            | ElementHint.ASKING
        ),
        0.2,
    ),
    (int(ElementHint.COMMENT), 0.1),
    (int(ElementHint.ITEM_BODY), 4.0),
)
_COMMENT = int(ElementHint.COMMENT)
_HOLDER_NAMES = "p h1 h2 h3 h4 h5 h6 li ul ol dl dt dd blockquote pre figcaption"
TEXT_HOLDERS = frozenset(_HOLDER_NAMES.split())
"""Elements that contain text rather than parts of a page: none of them can be the region."""

_SENTENCE_END = re.compile(r"[.!?…:][\"'”’»)\]]?(?:\s|$)|[。！？।؟۔]")
_DENSE_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMAS = re.compile(r"[,،，、]")


class TextMeasure:
    """Measures of a fragment's text, independent of its place."""

    __slots__ = ("density", "running", "size")

    def __init__(self, fragment: Fragment, tag: str) -> None:
        text = fragment.text
        self.size = measure_length(text)
        """Its length in letters of an alphabetic script."""
        self.density = fragment.link_chars / len(text)
        self.running = 0.0
        """How much of it is running text, not labels, headings and links."""
        if self.size >= 60 and self.density < 0.5 and tag not in HEADING_TAGS and _has_sentences(text):
            self.running = self.size * (1 - 2 * self.density)


def _has_sentences(text: str) -> bool:
    """Return whether a text consists of sentences, not of labels of the same length."""
    return len(text) > 150 or _SENTENCE_END.search(text) is not None or len(_COMMAS.findall(text)) > 1


class MainRegion(NamedTuple):
    """The chosen element, and the discounted running text at or below every element."""

    place: int
    running: list[float]


def measure_length(text: str) -> float:
    """Return the length of a text in letters; a Han, kana or Hangul character counts as two and a half."""
    chars = len(text)
    if chars <= 12 * (text.count(" ") + 1):
        return chars
    return chars + 1.5 * len(_DENSE_SCRIPT.findall(text))


def find_region(containers: Containers, fragments: list[Fragment], measures: list[TextMeasure]) -> MainRegion:
    """Choose the smallest element with nearly all of the page's running text.

    Running text inside an element named footer, comment, related and so on counts little, unless that element has so
    much of the page's text that the name must be about something else. The search starts at the top and descends into a
    child that has `REGION_SHARE` of its parent's running text. On a page without running text, all text outside links
    counts. Cost: O(elements + fragments).
    Source: the idea of paragraphs that vote for their parents is Arc90's Readability, 2009.
    """
    running = [0.0] * len(containers.parent)
    any_running = any(measure.running for measure in measures)
    for fragment, measure in zip(fragments, measures, strict=True):
        amount = measure.running if any_running else measure.size * (1 - measure.density)
        running[fragment.container] += amount
    hints = _filter_hints(containers, _sum_subtrees(containers, running))
    factors = {value: _compute_discount(value) for value in set(hints)}
    below = _sum_subtrees(
        containers, [amount * factors[value] for amount, value in zip(running, hints, strict=True)]
    )
    return MainRegion(_descend(containers, below), below)


def _sum_subtrees(containers: Containers, own: list[float]) -> list[float]:
    """Add to each element the amounts of all elements below it."""
    total = own[:]
    parent = containers.parent
    for place in range(len(total) - 1, 0, -1):
        total[parent[place]] += total[place]
    return total


def _filter_hints(containers: Containers, running: list[float]) -> list[int]:
    """Return the own and inherited hints of each element, without those that do not fit its share of the text."""
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


def _compute_discount(hints: int) -> float:
    factor = 1.0
    for bits, share in DISCOUNTS:
        if hints & bits:
            factor *= share
    return factor


def _descend(containers: Containers, running: list[float]) -> int:
    """Descend into the child with most running text while it has nearly all of it."""
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
