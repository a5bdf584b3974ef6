"""The token store of a web: its segments, which of their pages count, and the counts of the whole collection.

One file, `tokens.state`, names the segments and holds everything that depends on all of them. It is replaced as a whole, so
that a reader sees one state or the next.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gossamer.context.words.tokens.array_file import ArrayFile, write_arrays
from gossamer.context.words.tokens.key_counts import KeyCounts, add_up, count_forms
from gossamer.context.words.tokens.segment import SUFFIX, Mask, Numbers, Segment
from gossamer.errors import BadInput

STATE_FILE = "tokens.state"
FOLDER = "words"
"""The folder of a web that holds its token store."""
FORMAT = 1
"""Add one when tokens are split or stored in another way: a store of another format is built anew."""
DEAD = -1


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

    def count(self, sentences: Numbers, lemmas: bool) -> KeyCounts:
        """Count the words of some sentences, which ascend."""
        return add_up(count_forms(segment, part, lemmas) for segment, part in self.split_sentences(sentences))

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
        return np.flatnonzero(self.firsts == np.arange(len(self.firsts)))


def exists(folder: Path) -> bool:
    """Say whether there is a token store of this version in a folder."""
    return (folder / STATE_FILE).exists() and ArrayFile(folder / STATE_FILE).facts.get("format") == FORMAT


def write_state(folder: Path, segments: list[Segment], alive: list[Mask], facts: Mapping[str, Any]) -> None:
    """Find equal sentences among the living pages, count the whole collection, and replace the state.

    Cost: sorting a digest for each sentence, and a pass over all tokens. Memory: some 40 bytes a sentence.
    """
    firsts = _find_firsts(segments, alive)
    count = np.flatnonzero(firsts == np.arange(len(firsts)))
    bases = [0, *accumulate(segment.sentences for segment in segments)]
    ends = np.searchsorted(count, bases)
    parts = [
        (segment, count[ends[at] : ends[at + 1]] - bases[at])
        for at, segment in enumerate(segments)
        if ends[at + 1] > ends[at]
    ]
    languages = sorted({language for segment in segments for language in segment.languages})
    arrays: dict[str, Any] = {"firsts": firsts}
    for kind in ("form", "lemma"):
        totals = add_up(count_forms(segment, part, kind == "lemma") for segment, part in parts)
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
        "sentences": len(count),
        "duplicates": int((firsts != DEAD).sum()) - len(count),
    }
    write_arrays(folder / STATE_FILE, arrays, own | dict(facts))


def _find_firsts(segments: list[Segment], alive: list[Mask]) -> Numbers:
    """Return for each sentence the first one with the same words; `DEAD` for those of pages that are gone."""
    living = [mask[segment.page_of_sentence] for segment, mask in zip(segments, alive, strict=True)]
    alive_at = np.flatnonzero(np.concatenate([np.empty(0, np.bool_), *living]))
    digests = np.concatenate([np.empty(0, np.uint64), *(one.get("sentence_digests") for one in segments)])
    firsts = np.full(len(digests), DEAD, np.int64)
    _, first, inverse = np.unique(digests[alive_at], return_index=True, return_inverse=True)
    firsts[alive_at] = alive_at[first][inverse]
    return firsts


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
