"""Decides which fragments of a page are main text, by weighted evidence inside the main region."""

import re
from collections.abc import Iterator

from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.main_text.class_name_hints import UNFAVOURABLE, ElementHint
from gossamer.net.main_text.element_context import RegionContext
from gossamer.net.main_text.evidence_weights import BIAS, WEIGHTS
from gossamer.net.main_text.fragments import Containers, Fragment
from gossamer.net.main_text.main_region import TextMeasure, find_region

_HINT_NAMES = {int(hint): f"in {hint.name.lower().replace('_', ' ')}" for hint in ElementHint if hint.name}
_DENSITIES = tuple((density, f"links over {density}") for density in (0.15, 0.3, 0.5, 0.8))
_HOME_SHARES = tuple((share, f"home over {share}") for share in (0.4, 0.8))
_CLOSING_MARKS = "\"'”’»)]*_"
_SENTENCE_ENDS = frozenset(".!?…:。！？।؟۔：")
# The beginnings of texts that are inside a story without being part of it. Most are English; the others are words that
# news sites in these languages put above links to further stories.
_CUE = re.compile(
    r"\W*(?:also (?:on|read|see)|read (?:more|also|next|the full)|related|see also|more (?:from|on|stories|about)"
    r"|advertis|share (?:this|on)|sharing|follow (?:us|me|him|her)|subscribe|sign up|click here|copyright|©"
    r"|all rights reserved|tags?\b|filed under|photos?\b|image|getty|watch\b|updated|published|posted|like this"
    r"|this slideshow|don.t miss|download|join (?:us|our)|recommended|you (?:may|might)|sources?\b|leave a"
    r"|comments?\b|about (?:the author|us)|lesen sie|mehr zum|lire aussi|à lire|leia (?:também|mais)"
    r"|le[ae] también|te puede|leggi anche|читайте|baca juga|関連|관련|相关)",
    re.IGNORECASE,
)
HEADING_PATIENCE = 1.5
"""How far below zero the sum of a heading above main text may be; 1 to 2 give the same F1, .001 above none."""
_CUE_SIZE = 300
"""The first words of a longer text are no evidence."""


def flag_main_text(containers: Containers, fragments: list[Fragment]) -> list[bool]:
    """Return for each fragment whether it is main text.

    Only the main region (`find_region`) counts. There, the evidence on each fragment (`collect_evidence`) is a list of
    names; it is main text if the sum of their weights is above zero. A page with text always has main text: if no sum
    is above zero, the most likely fragments are chosen. Cost: O(elements + fragments).
    Sources: Readability (Arc90, 2009) for the region, Boilerpipe (Kohlschütter et al., 2010) for link density
    and neighbours; evidence and weights are our own.
    """
    measures = [TextMeasure(fragment, containers.tag[fragment.container]) for fragment in fragments]
    context = RegionContext(containers, fragments, measures, find_region(containers, fragments, measures))
    sums = {
        index: BIAS + sum([WEIGHTS.get(name, 0.0) for name in names])
        for index, names in zip(
            context.members, collect_evidence(containers, fragments, measures, context), strict=True
        )
    }
    headings = {index for index in sums if containers.tag[fragments[index].container] in HEADING_TAGS}
    kept = choose_fragments(sums, headings) or _choose_fallback(context, measures)
    return [index in kept for index in range(len(fragments))]


def choose_fragments(sums: dict[int, float], headings: set[int]) -> set[int]:
    """Return the places with a sum above zero; a heading is chosen if the text below it is.

    A heading with much evidence against it is not chosen, and neither is a heading without text below it.
    """
    kept: set[int] = set()
    text_below_kept = False
    for index in reversed(sums):
        if index in headings:
            keep = text_below_kept and sums[index] > -HEADING_PATIENCE
        else:
            keep = text_below_kept = sums[index] > 0
        if keep:
            kept.add(index)
    return kept


def collect_evidence(
    containers: Containers, fragments: list[Fragment], measures: list[TextMeasure], context: RegionContext
) -> Iterator[list[str]]:
    """Yield, for each fragment of the region in order, the names in the table of weights that apply to it."""
    last_strong = max((place for place, strong in enumerate(context.strong) if strong), default=-1)
    under_cue = after_links = False
    for place, index in enumerate(context.members):
        fragment, measure = fragments[index], measures[index]
        tag = containers.tag[fragment.container]
        names = _describe_text(fragment.text, tag, measure)
        names += _describe_place(context, place, fragment.container)
        if containers.hints[fragment.container] & UNFAVOURABLE:
            names.append("named so itself")
        cue = measure.size < _CUE_SIZE and _CUE.match(fragment.text) is not None
        if tag in HEADING_TAGS:
            under_cue = cue
        elif under_cue:
            names.append("under cue heading")
        if cue:
            names.append("cue")
        if place > last_strong:
            names.append("after all")
        if after_links:
            names.append("after links")
        after_links = measure.density > 0.5
        yield names


def _describe_text(text: str, tag: str, measure: TextMeasure) -> list[str]:
    """Return the evidence in the text itself."""
    names = [name for density, name in _DENSITIES if measure.density > density] if measure.density else []
    if text.rstrip(_CLOSING_MARKS)[-1:] in _SENTENCE_ENDS:
        names.append("ends a sentence")
    if tag in ("h1", "pre"):
        names.append(tag)
    return names


def _describe_place(context: RegionContext, place: int, container: int) -> list[str]:
    """Return the evidence in the elements around a text."""
    home_share = context.home_share[place]
    names = [name for share, name in _HOME_SHARES if home_share > share]
    wrappers = context.wrappers[context.homes[place]] - context.usual_wrappers
    if wrappers > 0:
        names.append("wrapped")
    if wrappers > 1:
        names.append("wrapped twice")
    hints = context.hints[container]
    while hints:
        lowest = hints & -hints
        names.append(_HINT_NAMES[lowest])
        hints ^= lowest
    return names


def _choose_fallback(context: RegionContext, measures: list[TextMeasure]) -> set[int]:
    """Return the strong fragments; without any, those that are not mostly links; without any, all."""
    strong = {index for index, is_strong in zip(context.members, context.strong, strict=True) if is_strong}
    everywhere = range(len(measures))
    return (
        strong
        or {index for index in context.members if measures[index].density <= 0.5}
        or {index for index in everywhere if measures[index].density <= 0.5}
        or set(everywhere)
    )
