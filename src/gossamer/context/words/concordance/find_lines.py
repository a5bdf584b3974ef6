"""Find where a word or a phrase stands, and show each place with the text around it (keyword in context)."""

from typing import Literal

import msgspec
import numpy as np

from gossamer.context.words.concordance.token_pattern import TokenPattern, find_forms, limit_time
from gossamer.context.words.selection import SelectedSentences
from gossamer.context.words.tokens.segment import Numbers, Segment
from gossamer.context.words.tokens.token_store import TokenStore

LineOrder = Literal["page", "left", "right"]
_CONTEXT_TOKENS = 40
"""How many tokens are read on each side; more than fit in a line."""


class ContextLine(msgspec.Struct, frozen=True, gc=False):
    """A place where a word stands."""

    left: str
    match: str
    right: str
    url: str
    date_s: float
    language: str


class Concordance(msgspec.Struct, frozen=True):
    """The places where a word stands."""

    matches: int
    """All places; `lines` may have fewer, evenly chosen among them."""
    pages: int
    per_million: float
    lines: tuple[ContextLine, ...]


class SegmentMatches(msgspec.Struct, frozen=True, eq=False):
    """Where a phrase stands in a segment."""

    segment: Segment
    positions: Numbers
    """Of its first tokens, ascending."""
    sentences: Numbers


class Matches(msgspec.Struct, frozen=True, eq=False):
    """Where a phrase stands in a token store."""

    parts: tuple[SegmentMatches, ...]
    length: int
    """Tokens of the phrase."""
    words: int
    """Words of the sentences in which it was looked for."""

    @property
    def number(self) -> int:
        """How many places there are."""
        return sum(len(part.positions) for part in self.parts)


def find_matches(store: TokenStore, patterns: tuple[TokenPattern, ...], chosen: SelectedSentences) -> Matches:
    """Find a phrase in some sentences. Cost: a look-up for each word, and a check of each place of the rarest one."""
    found = []
    with limit_time(patterns):
        for segment, sentences in store.split_sentences(chosen.sentences):
            positions = _find_phrase(segment, patterns)
            of = segment.find_sentences(positions)
            wanted = np.zeros(segment.sentences + 1, np.bool_)
            wanted[sentences] = True
            keep = wanted[of]
            if keep.any():
                found.append(SegmentMatches(segment, positions[keep], of[keep]))
    return Matches(tuple(found), len(patterns), store.count_words(chosen.sentences))


def make_concordance(matches: Matches, number: int, order: LineOrder = "page") -> Concordance:
    """Return up to `number` of the places of a phrase with the text around them."""
    total = matches.number
    places = (
        np.linspace(0, total - 1, min(number, total)).astype(np.int64) if total else np.empty(0, np.int64)
    )
    lines: list[ContextLine] = []
    first = 0
    for part in matches.parts:
        own = places[(places >= first) & (places < first + len(part.positions))] - first
        lines += [_make_line(part, int(at), matches.length) for at in own]
        first += len(part.positions)
    pages = sum(len(np.unique(part.segment.page_of_sentence[part.sentences])) for part in matches.parts)
    rate = total * 1_000_000 / max(1, matches.words)
    return Concordance(total, pages, rate, tuple(sort_lines(lines, order)))


def sort_lines(lines: list[ContextLine], order: LineOrder) -> list[ContextLine]:
    """Sort lines by the words to the right, or by those to the left, read from the match outwards."""
    if order == "right":
        return sorted(lines, key=lambda line: (_strip(line.right), line.match.lower()))
    if order == "left":
        return sorted(lines, key=lambda line: (_strip(line.left)[::-1], line.match.lower()))
    return lines


def _strip(text: str) -> list[str]:
    """Return the words of a text in lower case, without marks."""
    words = ("".join(filter(str.isalnum, word)) for word in text.lower().split())
    return [word for word in words if word]


def _find_phrase(segment: Segment, patterns: tuple[TokenPattern, ...]) -> Numbers:
    """Return the positions of the first tokens of a phrase in a segment."""
    forms = [find_forms(segment, pattern) for pattern in patterns]
    if any(some is not None and not len(some) for some in forms):
        return np.empty(0, np.int64)
    counts = [len(segment.tokens) + 1 if some is None else segment.count_places(some) for some in forms]
    anchor = int(np.argmin(counts))
    rarest = forms[anchor]
    if rarest is None:
        return np.empty(0, np.int64)
    positions = segment.list_places(rarest) - anchor
    positions = positions[(positions >= 0) & (positions + len(patterns) <= len(segment.tokens))]
    for at, some in enumerate(forms):
        if some is None or at == anchor:
            continue
        allowed = np.zeros(len(segment.forms), np.bool_)
        allowed[some] = True
        positions = positions[allowed[segment.tokens[positions + at] >> np.uint32(1)]]
    within = segment.find_sentences(positions) == segment.find_sentences(positions + len(patterns) - 1)
    found: Numbers = positions[within]
    return found


def _make_line(part: SegmentMatches, at: int, length: int) -> ContextLine:
    segment, position = part.segment, int(part.positions[at])
    page = int(segment.page_of_sentence[part.sentences[at]])
    starts = segment.sentence_starts
    begin, end = (int(starts[segment.page_starts[one]]) for one in (page, page + 1))
    left = segment.write_text(max(begin, position - _CONTEXT_TOKENS), position)
    after = position + length
    right = segment.write_text(after, min(end, after + _CONTEXT_TOKENS))
    is_glued = after < end and bool(segment.tokens[after] & 1)
    return ContextLine(
        left + ("" if segment.tokens[position] & 1 else " ") if left else "",
        segment.write_text(position, after),
        right if is_glued or not right else f" {right}",
        segment.urls[page],
        float(segment.get("page_dates")[page]),
        segment.languages[segment.get("sentence_languages")[part.sentences[at]]],
    )
