"""Mark the words that differ between two versions of a paragraph."""

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from gossamer.watch.difference.align_sequences import align

MOST_WORDS = 4_000
"""Words of a paragraph that are compared; the rest of a longer one is left out."""
_LONG_CHARS = 320
_SHOWN_CHARS = 120
# Chinese, Japanese and Korean are written without spaces: each character is compared.
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"(?:[{_WIDE}]|[^\W{_WIDE}]+|[^\w\s])\s*")

SpanKind = Literal["same", "gone", "new"]


class WordSpan(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run of words, and whether it is in both versions, only in the old one, or only in the new one."""

    kind: SpanKind
    text: str


def split_words(text: str) -> list[str]:
    """Return the words and marks of a text, each with the space after it."""
    found = []
    for match in _WORD.finditer(text):
        found.append(match[0])
        if len(found) == MOST_WORDS:
            break
    return found


def mark_words(old: str, new: str) -> tuple[WordSpan, ...]:
    """Return both versions as one text of marked runs; long runs of equal words are shortened."""
    words, words_new = split_words(old), split_words(new)
    pairs = align([word.strip() for word in words], [word.strip() for word in words_new])
    spans: list[WordSpan] = []
    at = at_new = 0
    for one, other in [*pairs, (len(words), len(words_new))]:
        _append(spans, "gone", words[at:one])
        _append(spans, "new", words_new[at_new:other])
        _append(spans, "same", words_new[other : other + 1])
        at, at_new = one + 1, other + 1
    last = len(spans) - 1
    return tuple(_shorten(span, place == 0, place == last) for place, span in enumerate(spans))


def _append(spans: list[WordSpan], kind: SpanKind, words: Iterable[str]) -> None:
    """Append words to the last run if it is of the same kind, or as a new run."""
    text = "".join(words)
    if not text:
        return
    if spans and spans[-1].kind == kind:
        text = spans.pop().text + text
    spans.append(WordSpan(kind, text))


def _shorten(span: WordSpan, first: bool, last: bool) -> WordSpan:
    """Shorten a long run of equal words: at the edge of a paragraph, only the side beside a change is shown."""
    if span.kind != "same" or len(span.text) <= _LONG_CHARS:
        return span
    head = "" if first else span.text[:_SHOWN_CHARS].rpartition(" ")[0]
    tail = "" if last else span.text[-_SHOWN_CHARS:].partition(" ")[2]
    return WordSpan("same", f"{head} … {tail}" if head else f"… {tail}")
