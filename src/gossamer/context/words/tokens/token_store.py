"""The token store of a web: its segments, which of their pages count, and the counts of the whole collection.

One file, `tokens.state`, names the segments and holds everything that depends on all of them. It is replaced as a whole, so
that a reader sees one state or the next.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.context.words.tokens.array_file import ArrayFile, write_arrays
from gossamer.context.words.tokens.key_counts import KeyCounts, add_up, count_forms, sum_by_key
from gossamer.context.words.tokens.segment import SUFFIX, Mask, Numbers, Segment
from gossamer.errors import BadInput

STATE_FILE = "tokens.state"
FOLDER = "words"
"""The folder of a web that holds its token store."""
FORMAT = 1
"""Add one when tokens are split or stored in another way: a store of another format is built anew."""
DEAD = -1
_DIGESTS_AT_ONCE = 2_000_000
"""How many digests of sentences are sorted at once: 60 bytes each."""


class TokenStore:
    """The running text of a web as numbered tokens, open to read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state, self.segments = _open_state(folder)
        self.bases = [0, *accumulate(segment.sentences for segment in self.segments)]
        """The number of the first sentence of each segment among all sentences, and the number of all."""

    @property
    def facts(self) -> dict[str, Any]:
        """What the state says of itself: pages, sentences, duplicates, words, languages, source."""
        return self.state.facts

    @cached_property
    def firsts(self) -> Numbers:
        """For each sentence the first one with the same words; `DEAD` for those that do not count."""
        return self.state.get("firsts")

    def get_totals(self, lemmas: bool, languages: frozenset[str] = frozenset()) -> KeyCounts:
        """Return the counts of the whole collection, each sentence once; only those of some languages, if given."""
        kind = "lemma" if lemmas else "form"
        keys, counts = self.state.get(f"{kind}_keys"), self.state.get(f"{kind}_counts")
        if languages:
            known: list[str] = self.facts["languages"]
            numbers = [at for at, language in enumerate(known) if language in languages]
            wanted = np.isin(self.state.get(f"{kind}_languages"), numbers)
            keys, counts = keys[wanted], counts[wanted]
        return KeyCounts(keys, counts)

    def split_sentences(self, sentences: Numbers) -> Iterator[tuple[Segment, Numbers]]:
        """Yield each segment with its own numbers of some sentences, which ascend."""
        ends = np.searchsorted(sentences, self.bases)
        for at, segment in enumerate(self.segments):
            part = sentences[ends[at] : ends[at + 1]]
            if len(part):
                yield segment, part - self.bases[at]
                segment.release()

    def count(self, sentences: Numbers, lemmas: bool) -> KeyCounts:
        """Count the words of some sentences, which ascend."""
        return add_up(
            sum_by_key(segment, count_forms(segment, part), lemmas)
            for segment, part in self.split_sentences(sentences)
        )

    def count_words(self, sentences: Numbers) -> int:
        """Return how many words some sentences have in all."""
        if len(sentences) == self.facts["sentences"]:
            return int(self.facts["words"])
        return sum(
            int(segment.get("is_word")[segment.read_forms(part)].sum())
            for segment, part in self.split_sentences(sentences)
        )

    def list_firsts(self) -> Numbers:
        """Return all sentences that count, each once, ascending."""
        parts = [
            base + part
            for base, part in zip(self.bases, _list_counted(self.firsts, self.bases), strict=False)
        ]
        return np.concatenate([np.empty(0, np.int64), *parts])


def exists(folder: Path) -> bool:
    """Say whether there is a token store of this version in a folder."""
    return (folder / STATE_FILE).exists() and ArrayFile(folder / STATE_FILE).facts.get("format") == FORMAT


def write_state(folder: Path, segments: list[Segment], alive: list[Mask], facts: Mapping[str, Any]) -> None:
    """Find equal sentences among the living pages, count the whole collection, and replace the state.

    Cost: sorting a digest for each sentence, and a pass over all tokens. Memory: some 10 bytes a sentence, 4 a form of a
    segment, 32 a different word, and one segment at a time.
    """
    firsts = _find_firsts(segments, alive)
    bases = [0, *accumulate(segment.sentences for segment in segments)]
    sentences, counts = 0, list[NDArray[np.int32]]()
    for segment, part in zip(segments, _list_counted(firsts, bases), strict=True):
        sentences += len(part)
        counts.append(count_forms(segment, part))
        segment.release()
    languages = sorted({language for segment in segments for language in segment.languages})
    arrays: dict[str, Any] = {"firsts": firsts}
    for kind in ("form", "lemma"):
        totals = add_up(
            sum_by_key(segment, some, kind == "lemma") for segment, some in zip(segments, counts, strict=True)
        )
        arrays[f"{kind}_keys"], arrays[f"{kind}_counts"] = totals.keys, totals.counts
        arrays[f"{kind}_languages"] = _find_languages(totals, segments, kind, languages)
    arrays |= {f"alive_{segment.name}": mask for segment, mask in zip(segments, alive, strict=True)}
    by_language = np.bincount(
        arrays["form_languages"], arrays["form_counts"], minlength=len(languages)
    ).astype(np.int64)
    own = {
        "format": FORMAT,
        "segments": [segment.name for segment in segments],
        "languages": languages,
        "words": int(arrays["form_counts"].sum()),
        "words_by_language": dict(zip(languages, by_language.tolist(), strict=True)),
        "pages": int(sum(mask.sum() for mask in alive)),
        "sentences": sentences,
        "duplicates": int(np.count_nonzero(firsts != DEAD)) - sentences,
    }
    write_arrays(folder / STATE_FILE, arrays, own | dict(facts))


def _find_firsts(segments: list[Segment], alive: list[Mask]) -> Numbers:
    """Return for each sentence the first one with the same words; `DEAD` for those of pages that are gone."""
    bases = [0, *accumulate(segment.sentences for segment in segments)]
    firsts = np.full(bases[-1], DEAD, np.int64)
    parts = max(1, -(-bases[-1] // _DIGESTS_AT_ONCE))
    bounds = [2**64 * part // parts for part in range(1, parts)]
    cuts = np.array(bounds, np.uint64)
    for part in range(parts):
        digests, numbers = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
        for base, segment, mask in zip(bases, segments, alive, strict=False):
            own = segment.get("sentence_digests")
            wanted = mask[segment.page_of_sentence]
            if parts > 1:
                wanted &= np.searchsorted(cuts, own, side="right") == part
            digests.append(own[wanted])
            numbers.append(base + np.flatnonzero(wanted))
            segment.release()
        some = np.concatenate(numbers)
        _, first, inverse = np.unique(np.concatenate(digests), return_index=True, return_inverse=True)
        firsts[some] = some[first][inverse]
    return firsts


def _list_counted(firsts: Numbers, bases: list[int]) -> Iterator[Numbers]:
    """Yield for each segment its own numbers of the sentences that count."""
    for base, end in pairwise(bases):
        yield np.flatnonzero(firsts[base:end] == np.arange(base, end))


def _find_languages(
    totals: KeyCounts, segments: list[Segment], kind: str, languages: list[str]
) -> NDArray[np.uint16]:
    """Return the number of the language of each key."""
    found = np.zeros(len(totals.keys), np.uint16)
    if not len(totals.keys):
        return found
    for segment in segments:
        keys = segment.get(f"{kind}_keys")
        numbers = np.array([languages.index(one) for one in segment.languages], np.uint16)
        at = np.minimum(np.searchsorted(totals.keys, keys), len(totals.keys) - 1)
        there = totals.keys[at] == keys
        found[at[there]] = numbers[segment.get("form_languages")[there]]
        segment.release()
    return found


def _open_state(folder: Path) -> tuple[ArrayFile, list[Segment]]:
    """Open the state and its segments; once more if a writer replaced them meanwhile."""
    for _ in range(2):
        state = ArrayFile(folder / STATE_FILE)
        if state.facts.get("format") != FORMAT:
            raise BadInput(
                f"the words in {folder} were read by another version; `gossamer words` reads them anew"
            )
        paths = [folder / f"{name}{SUFFIX}" for name in state.facts["segments"]]
        if all(path.exists() for path in paths):
            return state, [Segment(path) for path in paths]
    raise BadInput(f"{folder} lacks a segment; remove the folder, and the words are read again")
