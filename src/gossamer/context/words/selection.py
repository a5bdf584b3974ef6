"""Select a part of a collection: pages by query, site, time or list; and count it against the rest, each sentence once."""

from collections.abc import Sequence

import msgspec
import numpy as np

from gossamer.context.words.tokens.key_counts import KeyCounts
from gossamer.context.words.tokens.segment import Mask, Numbers, Segment
from gossamer.context.words.tokens.token_store import DEAD, TokenStore
from gossamer.errors import BadInput


class Selection(msgspec.Struct, frozen=True):
    """Which sentences to count. Without pages, site and time it is the whole collection, or that in some languages."""

    pages: Sequence[int] | None = None
    """Ids of pages; None for all."""
    site: str = ""
    """A host, or a domain above hosts."""
    since_s: float | None = None
    until_s: float | None = None
    """Pages of this time or later, and before this time, in Unix seconds."""
    languages: frozenset[str] = frozenset()
    """Only sentences in these languages; also those that the selection is compared with."""

    @property
    def is_part(self) -> bool:
        """Whether it has a rest to compare it with."""
        return (
            self.pages is not None or bool(self.site) or self.since_s is not None or self.until_s is not None
        )


class SelectedSentences(msgspec.Struct, frozen=True, eq=False):
    """The sentences of a selection, each once."""

    sentences: Numbers
    """Numbers of sentences, ascending."""
    firsts: Numbers
    """The first sentences of the collection that are equal to these, ascending: what the rest lacks."""


def select_sentences(store: TokenStore, selection: Selection) -> SelectedSentences:
    """Return the sentences of a selection, each once; raise `BadInput` if there are none.

    A sentence that also stands on other pages counts for the selection, and not for the rest. Cost: sorting the sentences
    of the selection.
    """
    if not selection.is_part and not selection.languages:
        found = store.list_firsts()
        chosen = SelectedSentences(found, found)
    else:
        wanted = np.sort(np.array(selection.pages, np.int64)) if selection.pages is not None else None
        parts = [
            store.bases[at] + np.flatnonzero(_mask_sentences(segment, selection, wanted))
            for at, segment in enumerate(store.segments)
        ]
        numbers = np.concatenate([np.empty(0, np.int64), *parts])
        numbers = numbers[store.firsts[numbers] != DEAD]
        firsts, at = np.unique(store.firsts[numbers], return_index=True)
        chosen = SelectedSentences(np.sort(numbers[at]), firsts)
    if not len(chosen.sentences):
        raise BadInput(_explain_empty(store, selection))
    return chosen


def count_selection(store: TokenStore, chosen: SelectedSentences, lemmas: bool) -> KeyCounts:
    """Count the words of the sentences of a selection."""
    return store.count(chosen.sentences, lemmas)


def count_rest(
    store: TokenStore, chosen: SelectedSentences, counted: KeyCounts, selection: Selection, lemmas: bool
) -> KeyCounts:
    """Count the words of the rest of the collection: all of it, less the sentences that the selection has."""
    is_same = np.array_equal(chosen.sentences, chosen.firsts)
    lacking = counted if is_same else store.count(chosen.firsts, lemmas)
    return store.get_totals(lemmas, selection.languages).subtract(lacking)


def _mask_sentences(segment: Segment, selection: Selection, wanted: Numbers | None) -> Mask:
    pages = np.ones(segment.pages, np.bool_)
    if wanted is not None:
        pages &= np.isin(segment.get("page_ids"), wanted)
    if selection.site:
        hosts = np.array([is_of_site(host, selection.site) for host in segment.hosts], np.bool_)
        pages &= hosts[segment.get("page_hosts")] if len(hosts) else pages
    if selection.since_s is not None:
        pages &= segment.get("page_dates") >= selection.since_s
    if selection.until_s is not None:
        pages &= segment.get("page_dates") < selection.until_s
    mask = pages[segment.page_of_sentence]
    if selection.languages:
        known = np.array([language in selection.languages for language in segment.languages], np.bool_)
        mask &= known[segment.get("sentence_languages")] if len(known) else False
    return mask


def is_of_site(host: str, site: str) -> bool:
    """Say whether a host is a site, or belongs to a domain; a site may be given with or without its port."""
    name = host.rpartition(":")[0] or host
    site = site.lower().strip(".")
    return site in (host, name) or name.endswith(f".{site}")


def _explain_empty(store: TokenStore, selection: Selection) -> str:
    if not store.facts["sentences"]:
        return "this web has no running text whose words could be counted"
    if selection.languages and not selection.is_part:
        known = ", ".join(store.facts["words_by_language"]) or "none"
        return f"no sentence of this web is in {', '.join(sorted(selection.languages))}; it has {known}"
    return (
        "no page with running text is in this selection; widen the query, the site, the time or the language"
    )
