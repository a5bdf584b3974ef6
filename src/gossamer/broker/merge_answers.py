"""Merge the answers of several webs into one page: sorted by score, near copies folded, counts added up."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET

from gossamer.search.answers.answer_query import MOST_HITS
from gossamer.search.answers.answer_records import (
    Answer,
    Answers,
    Fingerprint,
    NearCopy,
    Origin,
    SearchOptions,
)
from gossamer.search.answers.fold_near_copies import fold_near_copies
from gossamer.search.answers.related_terms import LinkName, RelatedTerm

_MOST_COUNTED = 10
_MOST_RELATED = 12
_FEW_ANSWERS = 3
# A lower limit would take good answers for another scale: with 1 instead of 2, Cranfield split by topic has .76 instead of .84.
_LARGEST_RATIO = 2.0


class WebAnswers(msgspec.Struct, frozen=True):
    """The answers of one web."""

    origin: Origin
    found: Answers
    comparable: bool
    """Whether its scores were computed with the statistics of all webs."""
    asked: int
    """How many answers it was asked for."""


def merge_answers(text: str, webs: Sequence[WebAnswers], options: SearchOptions) -> Answers:
    """Return one page of the answers of several webs."""
    ranked = _rank_together(webs)
    groups = _fold_copies(ranked) if options.fold else [[place] for place in range(len(ranked))]
    first = (options.page - 1) * options.size
    shown = groups[first : first + options.size]
    total = sum(web.found.total for web in webs)
    more = len(groups) > first + options.size or any(
        web.found.more and len(web.found.answers) >= web.asked for web in webs
    )
    suggestions = Counter(web.found.suggestion for web in webs if web.found.suggestion)
    return Answers(
        query=text,
        total=total,
        page=options.page,
        answers=tuple(
            _make_answer([ranked[place] for place in group], first + at + 1, options.fingerprints)
            for at, group in enumerate(shown)
        ),
        counts=_add_counts(webs),
        more=more and bool(shown),
        pages=-(-min(MOST_HITS, max(len(groups), _estimate_answers(webs))) // options.size),
        suggestion=suggestions.most_common(1)[0][0] if suggestions and total < _FEW_ANSWERS else "",
        related_terms=_merge_related_terms(webs),
        link_names=_merge_link_names(webs),
        notes=tuple(dict.fromkeys(note for web in webs for note in web.found.notes)),
    )


def _rank_together(webs: Sequence[WebAnswers]) -> list[Answer]:
    """Return the answers of all webs, the best first, each with its origin.

    Scores of a web that knows nothing of the others are taken as they are: on Cranfield and MEDLINE, this is better than ranks in turn, or
    the same best score for each web ([decision 36](docs/decisions/0036-several-webs.md)). Far larger ones have another scale, and
    are scaled down.
    """
    best = max((one.score for web in webs if web.comparable for one in web.found.answers), default=math.inf)
    found = []
    for web in webs:
        own_best = max((one.score for one in web.found.answers), default=0.0)
        is_other_scale = not web.comparable and own_best > _LARGEST_RATIO * best > 0
        scale = best / own_best if is_other_scale else 1.0
        found += [
            msgspec.structs.replace(answer, score=answer.score * scale, origin=web.origin.name)
            for answer in web.found.answers
        ]
    found.sort(key=lambda answer: -answer.score)  # stable: of equals, the web that was named first
    return found


def _fold_copies(ranked: Sequence[Answer]) -> list[list[int]]:
    """Return the positions of answers, those of one page or of near copies in one group, the best first."""
    leaders = list(range(len(ranked)))
    for group in (*_group_by_url(ranked), *_group_near_copies(ranked)):
        roots = {_find_leader(leaders, place) for place in group}
        for root in roots:
            leaders[root] = min(roots)
    groups: dict[int, list[int]] = {}
    for place in range(len(ranked)):
        groups.setdefault(_find_leader(leaders, place), []).append(place)
    return [groups[first] for first in sorted(groups)]


def _find_leader(leaders: Sequence[int], place: int) -> int:
    while leaders[place] != place:
        place = leaders[place]
    return place


def _group_by_url(ranked: Sequence[Answer]) -> list[list[int]]:
    found: dict[str, list[int]] = {}
    for place, answer in enumerate(ranked):
        found.setdefault(answer.url, []).append(place)
    return list(found.values())


def _group_near_copies(ranked: Sequence[Answer]) -> list[list[int]]:
    prints = [(place, one.fingerprint) for place, one in enumerate(ranked)]
    known = [(place, one) for place, one in prints if isinstance(one, Fingerprint) and one.words]
    near = fold_near_copies([one.simhash for _, one in known], [one.words for _, one in known])
    return [[known[at][0] for at in group] for group in near]


def _make_answer(group: Sequence[Answer], rank: int, with_fingerprint: bool) -> Answer:
    """Return the best of some near copies, with the others as its copies."""
    best, *others = group
    copies = {copy.url: msgspec.structs.replace(copy, origin=best.origin) for copy in best.copies}
    for other in others:
        copies.setdefault(other.url, NearCopy(other.url, other.title, other.origin))
        for copy in other.copies:
            copies.setdefault(copy.url, msgspec.structs.replace(copy, origin=other.origin))
    if all(other.origin == best.origin for other in others):
        copies.pop(best.url, None)
    fingerprint = best.fingerprint if with_fingerprint else UNSET
    return msgspec.structs.replace(best, rank=rank, copies=tuple(copies.values()), fingerprint=fingerprint)


def _estimate_answers(webs: Iterable[WebAnswers]) -> int:
    """Return how many answers there are about, as each web estimates its own."""
    return sum(
        len(web.found.answers)
        if len(web.found.answers) < web.asked
        else min(web.found.total, web.found.pages * web.asked)
        for web in webs
    )


def _add_counts(webs: Sequence[WebAnswers]) -> dict[str, dict[str, int]]:
    """Add up the counts of all webs, and count by web."""
    sums: dict[str, Counter[str]] = {}
    for web in webs:
        for name, values in web.found.counts.items():
            sums.setdefault(name, Counter()).update(values)
    found = {name: dict(counts.most_common(_MOST_COUNTED)) for name, counts in sums.items() if name != "year"}
    if "year" in sums:
        found["year"] = dict(sorted(sums["year"].items(), reverse=True))
    origins = Counter({web.origin.name: web.found.total for web in webs if web.found.total})
    return found | {"origin": dict(origins.most_common())}


def _merge_related_terms(webs: Sequence[WebAnswers]) -> tuple[RelatedTerm, ...]:
    """Return the words that are typical of the answers of most webs; of equals, the rarest."""
    found: dict[str, RelatedTerm] = {}
    for web in webs:
        for one in web.found.related_terms:
            known = found.get(one.word, RelatedTerm(one.word, 0, 0))
            found[one.word] = RelatedTerm(
                one.word, known.pages + one.pages, known.everywhere + one.everywhere
            )
    ranked = sorted(found.values(), key=lambda one: (-one.pages, one.everywhere, one.word))
    return tuple(ranked[:_MOST_RELATED])


def _merge_link_names(webs: Sequence[WebAnswers]) -> tuple[LinkName, ...]:
    """Return the names of links of all webs, the most used first; each leads where it leads in the first web that has it."""
    found: dict[str, LinkName] = {}
    for web in webs:
        for one in web.found.link_names:
            known = found.get(one.name.lower(), LinkName(one.name, 0, one.url))
            found[one.name.lower()] = LinkName(known.name, known.links + one.links, known.url)
    return tuple(sorted(found.values(), key=lambda one: (-one.links, one.name))[:_MOST_RELATED])
