"""Decides which fragments of a page are main text, by weighted evidence."""

import re
from collections.abc import Iterator

from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.main_text.class_name_hints import NAMES_OF_OTHER_TEXT, ElementHint
from gossamer.net.main_text.element_context import PageContext
from gossamer.net.main_text.evidence_weights import BIAS, WEIGHTS
from gossamer.net.main_text.fragments import Containers, Fragment
from gossamer.net.main_text.main_region import TextMeasure, find_region

HINT_NAMES = {int(hint): f"in {hint.name.lower().replace('_', ' ')}" for hint in ElementHint if hint.name}
DENSITIES = tuple((density, f"links over {density}") for density in (0.15, 0.3, 0.5, 0.8))
_HOME_SHARES = tuple((share, f"home over {share}") for share in (0.4, 0.8))
_CLOSING_MARKS = "\"'”’»)]*_"
_SENTENCE_ENDS = frozenset(".!?…:。！？।؟۔：")
# The beginnings of texts that are beside a story without being part of it, in the most frequent languages of the web.
_CUES = (
    r"also (?:on|read|see)|read (?:more|also|next|the full)|related|see also|more (?:from|on|stories|about)|advertis"
    r"|share (?:this|on)|sharing|follow (?:us|me|him|her)|subscribe|sign up|click here|copyright|©|all rights reserved"
    r"|tags?\b|filed under|photos?\b|image|getty|watch\b|updated|published|posted|like this|this slideshow|don.t miss"
    r"|download|join (?:us|our)|recommended|you (?:may|might)|sources?\b|leave a|comments?\b|about (?:the author|us)",
    r"lesen sie|mehr (?:zum|dazu|infos|lesen|artikel|aus)|weitere (?:infos|informationen|artikel|themen|beiträge)"
    r"|auch interessant|das könnte|passend zum|zum thema|quellen?\b|kontakt\b|anzeige|werbung|fotos?\b|abbildung"
    r"|bild(?:er|nachweis|quelle)?:|newsletter|abonnieren|jetzt (?:abonnieren|anmelden|lesen)|teilen\b|folgen sie"
    r"|ähnliche|empfehlung|aktualisiert|veröffentlicht|schlagw|stichw",
    r"lire (?:aussi|la suite|plus|également)|à lire|sur le même|voir aussi|partage|crédit|abonnez|suivez|publié",
    r"le[ae] también|leer más|te puede|ver también|fuente|compart|suscr|síguenos|publicado|etiquetas"
    r"|más (?:noticias|información)|leia (?:também|mais)|saiba mais|veja também|siga\b",
    r"leggi|fonte\b|condividi|guarda anche|iscriviti|pubblicato|czytaj|zobacz|źródło|polecamy|udostępnij"
    r"|lees (?:ook|meer)|bron\b|abonneer|läs (?:också|mer)|källa|les også|kilde\b|baca juga"
    r"|читайте|источник|фото|подпис|поделиться|関連|続きを読む|出典|관련|相关|来源|责任编辑",
)
CUE = re.compile(rf"\W*(?:{'|'.join(_CUES)})", re.IGNORECASE)
CUE_STARTS = frozenset(start.lower() for cues in _CUES for start in re.findall(r"(?:^|\|)(\w.)", cues))
"""The first two letters of each, and of some of their later words."""
CUE_BEGINNINGS = frozenset(
    beginning
    for cues in _CUES
    for cue in re.split(r"\|(?![^(]*\))", cues)
    if (beginning := re.match(r"(?:\w(?!\?)| )*", cue)[0].lower())  # type: ignore[index]
)
"""Each of them up to the first place that is not a plain letter."""
DATE = re.compile(r"\b(?:19|20)\d\d\b|\d\d[:.]\d\d")
HEADING_PATIENCE = 1.5
"""How far below zero the sum of a heading above main text may be; 0.5 to 3 give the same F1."""
LONG_HEADING = 80
"""A heading of so many characters is a text that introduces the story, and need not be above main text."""
CUE_SIZE = 300
"""The first words of a longer text are no evidence."""
DATE_SIZE = 60
_META = int(ElementHint.META)


def flag_main_text(containers: Containers, fragments: list[Fragment]) -> list[bool]:
    """Return for each fragment whether it is main text; `weigh_fragments` does the same, compiled.

    The main region (`find_region`) contains most of it; text outside needs better evidence. The evidence on each fragment
    (`collect_evidence`) is a list of names; it is main text if the sum of their weights is above zero. A page with text
    always has main text: if no sum is above zero, the most likely fragments are chosen. Cost: O(elements + fragments).
    Sources: Readability (Arc90, 2009) for the region, Boilerpipe (Kohlschütter et al., 2010) for link density
    and neighbours; evidence and weights are our own.
    """
    measures = [TextMeasure(fragment, containers.tag[fragment.container]) for fragment in fragments]
    context = PageContext(containers, fragments, measures, find_region(containers, fragments, measures))
    evidence = collect_evidence(containers, fragments, measures, context)
    sums = [round(BIAS + sum([WEIGHTS.get(name, 0.0) for name in names]), 6) for names in evidence]
    headings = find_headings(containers, fragments)
    kept = choose_fragments(sums, headings) or _choose_fallback(fragments, context, measures)
    return [index in kept for index in range(len(fragments))]


def find_headings(containers: Containers, fragments: list[Fragment]) -> set[int]:
    """Return the places of headings within the text; a title or a long heading is a text of its own."""
    return {
        index
        for index, fragment in enumerate(fragments)
        if containers.tag[fragment.container] in HEADING_TAGS[1:] and len(fragment.text) < LONG_HEADING
    }


def choose_fragments(sums: list[float], headings: set[int]) -> set[int]:
    """Return the places with a sum above zero; a heading is chosen if some text before the next heading is.

    A heading with much evidence against it is not chosen, and neither is a heading without text below it.
    """
    kept: set[int] = set()
    text_below_kept = below_heading = False
    for index in range(len(sums) - 1, -1, -1):
        if index in headings:
            keep = text_below_kept and sums[index] > -HEADING_PATIENCE
            below_heading = True
        else:
            keep = sums[index] > 0
            text_below_kept = keep or (text_below_kept and not below_heading)
            below_heading = False
        if keep:
            kept.add(index)
    return kept


def collect_evidence(
    containers: Containers, fragments: list[Fragment], measures: list[TextMeasure], context: PageContext
) -> Iterator[list[str]]:
    """Yield, for each fragment in order, the names in the table of weights that apply to it."""
    under_cue = False
    for index, (fragment, measure) in enumerate(zip(fragments, measures, strict=True)):
        tag = containers.tag[fragment.container]
        names = _describe_text(fragment.text, tag, measure)
        names += _describe_place(context, index, fragment.container, measure)
        names += _describe_neighbours(measures, index)
        if containers.hints[fragment.container] & NAMES_OF_OTHER_TEXT:
            names.append("named so itself")
            if containers.hints[fragment.container] & _META:
                names.append("named meta itself")
        cue = measure.size < CUE_SIZE and CUE.match(fragment.text) is not None
        if tag in HEADING_TAGS:
            under_cue = cue
        elif under_cue:
            names.append("under cue heading")
        if cue:
            names.append("cue")
        yield names


def _describe_text(text: str, tag: str, measure: TextMeasure) -> list[str]:
    """Return the evidence in the text itself."""
    names = [name for density, name in DENSITIES if measure.density > density] if measure.density else []
    if text.rstrip(_CLOSING_MARKS)[-1:] in _SENTENCE_ENDS:
        names.append("ends a sentence")
    if tag in ("h1", "pre", "div", "li"):
        names.append(tag)
    if measure.running > 0:
        names.append("running")
    if len(text) < DATE_SIZE and DATE.search(text):
        names.append("date")
    return names


def _describe_place(context: PageContext, index: int, container: int, measure: TextMeasure) -> list[str]:
    """Return the evidence in the elements around a text, and in its place on the page."""
    home_share = context.home_share[index]
    names = [name for share, name in _HOME_SHARES if home_share > share]
    inside = context.inside[container]
    wrappers = context.wrappers[context.homes[index]] - (context.usual if inside else 0)
    if wrappers > 0:
        names.append("wrapped")
    if wrappers > 1:
        names.append("wrapped twice")
    hints = context.hints[container]
    while hints:
        lowest = hints & -hints
        names.append(HINT_NAMES[lowest])
        hints ^= lowest
    if index > context.last_strong:
        names.append("after all")
    return names if inside else names + _describe_outside(context, index, measure)


def _describe_outside(context: PageContext, index: int, measure: TextMeasure) -> list[str]:
    """Return the evidence on a text outside the main region: many stories begin between the title and the region."""
    names = ["outside"]
    if measure.running > 200:
        names.append("outside running long")
    if index < context.first_strong:
        names.append("before")
        if context.title >= 0:
            names.append("after title" if index > context.title else "before title")
    return names


def _describe_neighbours(measures: list[TextMeasure], index: int) -> list[str]:
    """Return the evidence in the texts before and after."""
    names = []
    if index:
        before = measures[index - 1]
        if before.running > 0:
            names.append("after running")
        if before.density > 0.5:
            names.append("after links")
    if index + 1 < len(measures):
        after = measures[index + 1]
        if after.running > 0:
            names.append("before running")
        if after.density > 0.5:
            names.append("before links")
    return names


def _choose_fallback(
    fragments: list[Fragment], context: PageContext, measures: list[TextMeasure]
) -> set[int]:
    """Return the strong fragments; without any, those of the region that are not mostly links; without any, all."""
    everywhere = range(len(measures))
    unlinked = {index for index in everywhere if measures[index].density <= 0.5}
    return (
        {index for index in everywhere if context.strong[index]}
        or {index for index in unlinked if context.inside[fragments[index].container]}
        or unlinked
        or set(everywhere)
    )
