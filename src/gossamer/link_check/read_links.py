"""Reads the links of a web as columns, two hundred pages at a time, and surveys what they lead to.

Memory depends on how many different addresses and fragments there are, not on how many links: eight bytes each.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.facts.page_facts import KIND_NUMBERS, PageFacts
from gossamer.link_check.id_columns import DistinctKeys, FlaggedIds, Flags, Ids, Keys, contains, pair_keys
from gossamer.net.url.url_pattern import compile_pattern

_PAGES_AT_ONCE = 200
_URLS_AT_ONCE = 5_000
STYLE, PAGE, ANCHORED, LINKED = 1, 2, 4, 8
"""How an address is linked to: as a style sheet, as a page, with a fragment, by another page than itself."""
_STYLE_KINDS = ("stylesheet", "css-import")
_ANCHOR_KINDS = ("anchor", "area")
_PAGE_KINDS = (
    *_ANCHOR_KINDS, "frame", "iframe", "form", "feed", "canonical", "alternate", "link", "refresh", "sitemap",
)  # fmt: skip
# What a page is found by: a sitemap lists it, but does not link to it.
_LISTING_KINDS = ("sitemap", "canonical")


class KeptFacts(Protocol):
    """The facts of pages, wherever they are kept: in a web, or in memory while files are checked."""

    def read(self) -> Iterator[tuple[int, PageFacts]]:
        """Yield the facts of all pages, by page id."""
        ...

    def urls(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the URLs that these numbers stand for, as people and patterns know them."""
        ...


class LinkColumns(msgspec.Struct, frozen=True):
    """The links of some pages, and their facts."""

    sources: Ids
    kinds: Flags
    targets: Ids
    fragments: Ids
    places: Ids
    pages: list[tuple[int, PageFacts]]
    """The pages that they stand on."""


class LinkSurvey(msgspec.Struct, frozen=True):
    """Where all links of a web lead to, and what fragments there are."""

    targets: Ids
    """Each address once, sorted."""
    uses: Flags
    """How each address is linked to."""
    links: int
    addresses: int
    """How many different addresses there are, fragments included."""
    fragment_keys: Keys
    """A key for each fragment of each page, sorted."""
    pages: Ids
    """The pages whose fragments are known, sorted."""
    skipped: Ids
    """The addresses that the options leave out, sorted."""

    def find_used(self, uses: int) -> Ids:
        """Return the addresses that are linked to in one of these ways."""
        found: Ids = self.targets[(self.uses & uses) != 0]
        return found


def _uses_of_kinds() -> Flags:
    """Return the uses of each kind of link."""
    found = np.full(256, LINKED, np.uint8)
    for names, use in ((_STYLE_KINDS, STYLE), (_PAGE_KINDS, PAGE), (_ANCHOR_KINDS, ANCHORED)):
        found[[KIND_NUMBERS[name] for name in names]] |= use
    found[[KIND_NUMBERS[name] for name in _LISTING_KINDS]] &= 255 - LINKED
    return found


_USES = _uses_of_kinds()


def read_links(facts: KeptFacts, sources: Ids, skipped: Ids) -> Iterator[LinkColumns]:
    """Yield the links of these pages, sorted by page, without those to addresses that are skipped."""
    for ids, read in _read_pieces(facts):
        yield _select(ids, read, sources, skipped)


def _read_pieces(facts: KeptFacts) -> Iterator[tuple[Ids, list[PageFacts]]]:
    reading = facts.read()
    while some := list(islice(reading, _PAGES_AT_ONCE)):
        yield np.array([page for page, _ in some], np.int64), [one for _, one in some]


def _select(ids: Ids, read: list[PageFacts], sources: Ids, skipped: Ids) -> LinkColumns:
    wanted = [(page, one) for page, one, is_source in zip(ids.tolist(), read, contains(sources, ids).tolist(), strict=True) if is_source]  # fmt: skip
    counts = [len(one.kinds) for _, one in wanted]
    found = LinkColumns(
        np.repeat(np.array([page for page, _ in wanted], np.int64), counts),
        np.frombuffer(b"".join([one.kinds for _, one in wanted]), np.uint8),
        np.frombuffer(b"".join([one.targets for _, one in wanted]), np.int64),
        np.frombuffer(b"".join([one.fragments for _, one in wanted]), np.int64),
        np.frombuffer(b"".join([one.places for _, one in wanted]), np.int64),
        wanted,
    )
    if not len(skipped):
        return found
    keep = ~contains(skipped, found.targets)
    return LinkColumns(
        found.sources[keep],
        found.kinds[keep],
        found.targets[keep],
        found.fragments[keep],
        found.places[keep],
        wanted,
    )


def survey_links(facts: KeptFacts, sources: Ids, options: CheckOptions) -> LinkSurvey:
    """Survey the links of these pages that the options ask for, and the fragments of all pages."""
    none = np.empty(0, np.int64)
    survey = _survey(facts, sources, none)
    if not options.include and not options.exclude:
        return survey
    return _survey(facts, sources, survey.targets[~_match(survey.targets, facts, options)])


def _survey(facts: KeptFacts, sources: Ids, skipped: Ids) -> LinkSurvey:
    targets, addresses, fragments = FlaggedIds(), DistinctKeys(), [np.empty(0, np.uint64)]
    pages, links = [np.empty(0, np.int64)], 0
    for ids, read in _read_pieces(facts):
        is_html = np.array([one.is_html for one in read], bool)
        pages.append(ids[is_html])
        named = [one.ids for one in read if one.is_html]
        at = np.repeat(ids[is_html], [len(one) // 8 for one in named])
        fragments.append(pair_keys(at, np.frombuffer(b"".join(named), np.int64)))
        found = _select(ids, read, sources, skipped)
        uses = _USES[found.kinds]
        uses[found.fragments == 0] &= 255 - ANCHORED
        uses[found.sources == found.targets] &= 255 - LINKED  # a page that links to itself is not linked to
        targets.add(found.targets, uses)
        addresses.add(pair_keys(found.targets, found.fragments))
        links += len(found.targets)
    keys = np.concatenate(fragments)
    keys.sort()
    return LinkSurvey(*targets.merge(), links, len(addresses.merge()), keys, np.concatenate(pages), skipped)


def _match(targets: Ids, facts: KeptFacts, options: CheckOptions) -> NDArray[np.bool_]:
    """Say which addresses the patterns of include and exclude leave."""
    include = [compile_pattern(one, "include") for one in options.include]
    exclude = [compile_pattern(one, "exclude") for one in options.exclude]
    wanted: list[bool] = []
    for at in range(0, len(targets), _URLS_AT_ONCE):
        some = targets[at : at + _URLS_AT_ONCE].tolist()
        urls = facts.urls(some)
        wanted += [
            (not include or any(one.search(url) for one in include))
            and not any(one.search(url) for one in exclude)
            for url in (urls.get(page, "") for page in some)
        ]
    return np.array(wanted, bool)
