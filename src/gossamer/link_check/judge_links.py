"""Judges the links of a web as columns: a link is five numbers until it is found to be wrong."""

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.link_check.facts.page_facts import KIND_NAMES, KIND_NUMBERS
from gossamer.link_check.id_columns import Flags, Ids, contains, pair_keys
from gossamer.link_check.read_links import LINKED, LinkColumns, LinkSurvey
from gossamer.link_check.target_outcomes import State, TargetLookup, TargetOutcome

_CHAIN = 2
_STATES: tuple[State, ...] = ("broken", "unreachable", "redirect-loop", "robots-refused", "unknown")
_PROBLEMS = (*_STATES, "permanent-redirect", "redirect-chain")


class BadLink(msgspec.Struct, frozen=True, gc=False):
    """A link with a problem, before its place is looked up."""

    problem: str
    source: int
    target: int
    place: int
    kind: str
    outcome: TargetOutcome
    has_fragment: bool
    times: int


class LinkJudge:
    """Judges links by what came of their targets."""

    def __init__(self, survey: LinkSurvey, outcomes: TargetLookup) -> None:
        self._survey, self._outcomes = survey, outcomes
        found = outcomes.find_all(survey.targets)
        arrives = found.have("ok")
        self._problems: Flags = np.zeros(len(survey.targets), np.uint8)
        """One bit for each of `_PROBLEMS` that a target has."""
        for bit, state in enumerate(_STATES):
            self._problems[found.have(state)] |= 1 << bit
        self._problems[arrives & found.permanent] |= 1 << len(_STATES)
        self._problems[arrives & (found.hops >= _CHAIN)] |= 1 << len(_STATES) + 1
        self._finals = found.finals
        self._readable = arrives & contains(survey.pages, found.finals)
        self._listed: list[tuple[Ids, Ids]] = []

    def judge(self, links: LinkColumns) -> Iterator[BadLink]:
        """Yield the links with problems, each once for a source and a target."""
        places = np.searchsorted(self._survey.targets, links.targets)
        problems = self._problems[places]
        for bit, problem in enumerate(_PROBLEMS):
            rows = np.flatnonzero(problems & (1 << bit)) if problems.any() else ()
            yield from self._group_rows(problem, links, rows, False)
        yield from self._group_rows("fragment", links, self._find_missing_fragments(links, places), True)
        listed = links.kinds == KIND_NUMBERS["sitemap"]
        if listed.any():
            self._listed.append((links.targets[listed], links.sources[listed]))

    def _find_missing_fragments(self, links: LinkColumns, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the links whose target exists and does not have their fragment."""
        rows = np.flatnonzero((links.fragments != 0) & self._readable[places])
        keys = pair_keys(self._finals[places[rows]], links.fragments[rows])
        known = self._survey.fragment_keys
        if not len(known):
            return rows
        at = np.searchsorted(known, keys)
        at[at == len(known)] = 0
        missing: NDArray[np.intp] = rows[known[at] != keys]
        return missing

    def _group_rows(
        self, problem: str, links: LinkColumns, rows: Iterable[int], by_fragment: bool
    ) -> Iterator[BadLink]:
        """Yield the links of some rows, those of one source to one address together."""
        groups: dict[tuple[int, int, int], list[int]] = {}
        for row in rows:
            fragment = int(links.fragments[row]) if by_fragment else 0
            groups.setdefault((int(links.sources[row]), int(links.targets[row]), fragment), []).append(row)
        outcomes: dict[int, TargetOutcome] = {}
        for (source, target, _), same in groups.items():
            if target not in outcomes:
                outcomes[target] = self._outcomes.find(target)
            kind, place = KIND_NAMES[links.kinds[same[0]]], int(links.places[same[0]])
            yield BadLink(problem, source, target, place, kind, outcomes[target], by_fragment, len(same))

    def find_orphans(self, start_pages: Iterable[int]) -> list[tuple[int, int]]:
        """Return the pages that a judged sitemap lists and no page links to, each with the sitemap; start pages need no link."""
        if not self._listed:
            return []
        targets = np.concatenate([one for one, _ in self._listed])
        sitemaps = np.concatenate([one for _, one in self._listed])
        targets, firsts = np.unique(targets, return_index=True)
        places = np.searchsorted(self._survey.targets, targets)
        linked = self._finals[(self._survey.uses & LINKED) != 0]
        linked = np.unique(np.concatenate([linked, np.array(list(start_pages), np.int64)]))
        alone = self._readable[places] & ~contains(linked, self._finals[places])
        return list(zip(targets[alone].tolist(), sitemaps[firsts[alone]].tolist(), strict=True))

    def find_unlinked(self, pages: Ids) -> list[int]:
        """Return those of some pages that no judged page links to, also by a redirect."""
        linked = np.unique(self._finals[(self._survey.uses & LINKED) != 0])
        alone: list[int] = pages[~contains(linked, pages)].tolist()
        return alone
