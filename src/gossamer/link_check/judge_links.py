"""Judges all links of a web at once, as columns: a link is four numbers until it is found to be wrong.

Cost: O(links × log links) time, about 30 bytes a link, so that a million links take some 30 MB.
"""

from collections.abc import Container, Iterable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.facts_file import FactsFile
from gossamer.link_check.facts.page_facts import KIND_NAMES, KIND_NUMBERS
from gossamer.link_check.target_outcomes import Outcomes, TargetOutcome
from gossamer.net.url.url_pattern import compile_pattern

Ids = NDArray[np.int64]
_CHAIN = 2
_PAIR_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
# What a page is found by: a sitemap lists it, but does not link to it.
_LISTING_KINDS = frozenset(("sitemap", "canonical"))


class LinkTable(msgspec.Struct, frozen=True):
    """All links of a web, and all fragments of its pages."""

    sources: Ids
    kinds: NDArray[np.uint8]
    targets: Ids
    fragments: Ids
    places: Ids
    fragment_keys: NDArray[np.uint64]
    """A key for each fragment of each page, sorted."""
    pages: frozenset[int]
    """The pages whose fragments are known."""


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


def read_table(facts: FactsFile, sources_wanted: Container[int]) -> LinkTable:
    """Read the links of the wanted pages, and the fragments of all pages."""
    sources, kinds, targets, fragments, places, keys, pages = [], [], [], [], [], [], set()
    for page, one in facts.read():
        if one.is_html:
            pages.add(page)
            keys.append(_pair_keys(np.int64(page), np.frombuffer(one.ids, np.int64)))
        if page not in sources_wanted:
            continue
        kinds.append(np.frombuffer(one.kinds, np.uint8))
        targets.append(np.frombuffer(one.targets, np.int64))
        fragments.append(np.frombuffer(one.fragments, np.int64))
        places.append(np.frombuffer(one.places, np.int64))
        sources.append(np.full(len(one.kinds), page, np.int64))
    none = np.empty(0, np.int64)
    return LinkTable(
        np.concatenate([none, *sources]),
        np.concatenate([np.empty(0, np.uint8), *kinds]),
        np.concatenate([none, *targets]),
        np.concatenate([none, *fragments]),
        np.concatenate([none, *places]),
        np.sort(np.concatenate([np.empty(0, np.uint64), *keys])),
        frozenset(pages),
    )


def _pair_keys(pages: Ids | np.int64, fragments: Ids) -> NDArray[np.uint64]:
    """Return one number for each pair of a page and a fragment."""
    with np.errstate(over="ignore"):
        mixed = np.asarray(pages).astype(np.uint64) * _PAIR_MULTIPLIER
        return mixed ^ (fragments.astype(np.uint64) + (mixed >> np.uint64(29)))


def select_links(table: LinkTable, facts: FactsFile, options: CheckOptions) -> LinkTable:
    """Return the links that the options ask for, by the patterns of include and exclude."""
    if not options.include and not options.exclude:
        return table
    include = [compile_pattern(one, "include") for one in options.include]
    exclude = [compile_pattern(one, "exclude") for one in options.exclude]
    unique = np.unique(table.targets)
    urls = facts.urls(unique.tolist())
    wanted = np.array(
        [
            (not include or any(one.search(url) for one in include))
            and not any(one.search(url) for one in exclude)
            for url in (urls.get(page, "") for page in unique.tolist())
        ],
        bool,
    )
    keep = wanted[np.searchsorted(unique, table.targets)] if len(unique) else np.empty(0, bool)
    return msgspec.structs.replace(
        table,
        sources=table.sources[keep],
        kinds=table.kinds[keep],
        targets=table.targets[keep],
        fragments=table.fragments[keep],
        places=table.places[keep],
    )


def count_addresses(table: LinkTable) -> int:
    """Count the different addresses, fragments included."""
    return len(np.unique(_pair_keys(table.targets, table.fragments)))


def judge_links(table: LinkTable, outcomes: Outcomes) -> Iterator[BadLink]:
    """Yield the links with problems, each once for a source and a target."""
    unique, places = np.unique(table.targets, return_inverse=True)
    found = [outcomes.find(page) for page in unique.tolist()]
    for problem, wrong in _name_wrong_targets(found):
        rows = np.flatnonzero(wrong[places]) if wrong.any() else ()
        yield from _group_rows(problem, table, rows, found, places, False)
    yield from _group_rows(
        "fragment", table, _find_missing_fragments(table, found, places), found, places, True
    )


def _name_wrong_targets(found: list[TargetOutcome]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield each problem of targets, with the targets that have it."""
    states = np.array([one.state for one in found])
    for state in ("broken", "unreachable", "redirect-loop", "robots-refused", "unknown"):
        yield state, states == state
    arrives = states == "ok"
    yield "permanent-redirect", arrives & np.array([one.permanent for one in found], bool)
    yield "redirect-chain", arrives & (np.array([one.hops for one in found], int) >= _CHAIN)


def _find_missing_fragments(
    table: LinkTable, found: list[TargetOutcome], places: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the links whose target exists and does not have their fragment."""
    if not len(table.targets):
        return np.empty(0, np.intp)
    finals = np.array([one.final for one in found], np.int64)
    readable = np.array([one.state == "ok" and one.final in table.pages for one in found], bool)
    rows = np.flatnonzero((table.fragments != 0) & readable[places])
    keys = _pair_keys(finals[places[rows]], table.fragments[rows])
    at = np.searchsorted(table.fragment_keys, keys)
    at[at == len(table.fragment_keys)] = 0
    has = table.fragment_keys[at] == keys if len(table.fragment_keys) else np.zeros(len(keys), bool)
    missing: NDArray[np.intp] = rows[~has]
    return missing


def _group_rows(
    problem: str,
    table: LinkTable,
    rows: "NDArray[np.intp] | tuple[()]",
    found: list[TargetOutcome],
    places: NDArray[np.intp],
    by_fragment: bool,
) -> Iterator[BadLink]:
    """Yield the links of some rows, those of one source to one address together."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    for row in rows:
        fragment = int(table.fragments[row]) if by_fragment else 0
        groups.setdefault((int(table.sources[row]), int(table.targets[row]), fragment), []).append(int(row))
    for (source, target, _), same in groups.items():
        first = same[0]
        kind = KIND_NAMES[table.kinds[first]]
        outcome = found[int(places[first])]
        yield BadLink(
            problem, source, target, int(table.places[first]), kind, outcome, by_fragment, len(same)
        )


def find_orphans(table: LinkTable, outcomes: Outcomes, start_pages: Iterable[int]) -> list[tuple[int, int]]:
    """Return the pages that a sitemap lists and no page links to, each with the sitemap; start pages need no link."""
    listed = np.isin(table.kinds, [KIND_NUMBERS["sitemap"]])
    listing = np.isin(table.kinds, [KIND_NUMBERS[name] for name in _LISTING_KINDS])
    # A page that links to itself is not linked to; nor is one by its own canonical address.
    links = ~listing & (table.sources != table.targets)
    linked = {outcomes.find(page).final for page in np.unique(table.targets[links]).tolist()}
    linked.update(start_pages)
    found: dict[int, int] = {}
    for source, target in zip(table.sources[listed].tolist(), table.targets[listed].tolist(), strict=True):
        outcome = outcomes.find(target)
        if outcome.state == "ok" and outcome.final in table.pages and outcome.final not in linked:
            found.setdefault(target, source)
    return list(found.items())
