"""What to look for in a concordance: one token pattern for each word of a phrase."""

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
import numpy as np

from gossamer.context.words.tokens.segment import Numbers, Segment, make_key
from gossamer.context.words.tokens.split_tokens import split_tokens
from gossamer.errors import BadInput
from gossamer.net.url.url_pattern import compile_pattern

MatchKind = Literal["words", "lemmas", "regex"]
MOST_PARTS = 20
_MOST_CHARACTERS = 1_000
_MOST_STARS = 4
_LONGEST_REGEX_S = 20


class TokenPattern(msgspec.Struct, frozen=True):
    """What one token must be like."""

    text: str
    kind: MatchKind
    case: bool
    """Whether capital letters matter."""


def parse_pattern(text: str, kind: MatchKind = "words", case: bool = False) -> tuple[TokenPattern, ...]:
    """Return the patterns of a phrase; raise `BadInput` for one that cannot be looked for.

    In words, `*` stands for any letters, and `*` alone for any one token. With `lemmas`, every form of each word is
    found. With `regex`, each part between spaces is a regular expression that matches whole tokens.
    """
    if len(text) > _MOST_CHARACTERS:
        raise BadInput(f"look for at most {_MOST_CHARACTERS:,} characters")
    if kind == "regex":
        parts = text.split()
        for part in parts:
            compile_pattern(part)
    else:
        # A star is part of its word here, and a token of its own in texts.
        parts = [token for piece in text.split() for token in _split_typed(piece)]
    if not parts or all(set(part) == {"*"} for part in parts):
        raise BadInput("look for at least one word")
    if len(parts) > MOST_PARTS:
        raise BadInput(f"look for at most {MOST_PARTS} words")
    if any(part.count("*") > _MOST_STARS for part in parts) and kind == "words":
        raise BadInput(f"a word may have at most {_MOST_STARS} stars")
    return tuple(TokenPattern(part, kind, case) for part in parts)


def find_forms(segment: Segment, pattern: TokenPattern) -> "Numbers | None":
    """Return the forms of a segment that a pattern matches; None for all of them."""
    if set(pattern.text) == {"*"} and pattern.kind == "words":
        return None
    if pattern.kind == "regex" or "*" in pattern.text:
        return _scan_forms(segment, pattern)
    keys = np.array([make_key(code, pattern.text.lower()) for code in segment.languages], np.uint64)
    if pattern.kind == "lemmas":
        own = segment.find_forms(keys, lemmas=False)
        # Any form stands for its lemma: "went" finds what "go" finds.
        keys = np.unique(np.concatenate([keys, segment.get("lemma_keys")[own]]))
        return segment.find_forms(keys, lemmas=True)
    found = segment.find_forms(keys, lemmas=False)
    if pattern.case:
        same = [form for form in found.tolist() if segment.forms[form] == pattern.text]
        return np.array(same, np.int64)
    return found


@contextmanager
def limit_time(patterns: tuple[TokenPattern, ...]) -> Iterator[None]:
    """Stop a regular expression that runs away; only the main thread of a program can.

    Python's expressions have no limit of their own, but let signals through.
    """
    is_needed = any(pattern.kind == "regex" for pattern in patterns)
    if not is_needed or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: Any) -> None:
        raise BadInput(
            f"the regular expression took longer than {_LONGEST_REGEX_S} seconds; write it without nested repetitions"
        )

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, _LONGEST_REGEX_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _scan_forms(segment: Segment, pattern: TokenPattern) -> Numbers:
    """Return the forms that an expression matches. Cost: a match for each form of the segment."""
    written = pattern.text if pattern.kind == "regex" else _translate(pattern.text)
    expression = re.compile(written, 0 if pattern.case else re.IGNORECASE)
    matches = expression.fullmatch
    found = [at for at, form in enumerate(segment.forms.read_all()) if matches(form)]
    return np.array(found, np.int64)


def _translate(word: str) -> str:
    """Return a word with stars as a regular expression that takes linear time for each star."""
    return ".*?".join(map(re.escape, re.sub(r"\*+", "*", word).split("*")))


def _split_typed(piece: str) -> list[str]:
    if "*" not in piece:
        return [token for token, _ in split_tokens(piece)]
    return [piece]
