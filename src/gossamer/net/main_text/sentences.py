"""Splits text into sentences."""

import re

from gossamer.net.html.document import Block

_CLOSING = "\"'”’»›)\\]」』）"
# Either a mark that ends a sentence before a space, or a full-width or Indic mark, which needs none. A row of marks is
# tried at its first one only: a row without a space after it would take quadratic time otherwise. The pattern begins with
# the set of all marks, since the search for a set is much faster than that for several patterns.
_END = re.compile(
    r"[.!?…。！？｡।॥؟۔](?:"
    rf"(?<=[.!?…])(?<![.!?…]{{2}})[.!?…]*+[{_CLOSING}]*+(?=\s)"
    rf"|(?<=[。！？｡।॥])[。！？｡।॥]*+[{_CLOSING}]*+"
    rf"|(?<=[؟۔])(?<![؟۔]{{2}})[؟۔]*+[{_CLOSING}]*+(?=\s))"
)
_WORD = re.compile(r"[\w.]*")
_LOOK_BACK_CHARS = 20
# Abbreviations that occur before a capital or a number, in the most frequent languages with Latin script.
_ABBREVIATED = (
    "mr mrs ms dr prof st sr jr rev hon gen col lt capt sgt gov sen rep pres supt no nos vs etc al fig figs vol "
    "vols pp ed eds art inc ltd co corp bros dept est approx jan feb mar apr jun jul aug sep sept oct nov dec "
    "bzw ca usw evtl ggf nr str hr fr abs bd hrsg vgl z.b d.h u.a e.g i.e a.m p.m mme mlle cf ex av ave blvd "
    "sra dra ud uds núm pág tel"
)
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())


def sentences(block_or_text: Block | str) -> list[str]:
    """Split a block, or a text of several lines, into sentences.

    A sentence ends with a mark (. ! ? … and those of other scripts) and its closing quotes, or with its line.
    A full stop does not end a sentence after an abbreviation, an initial or a short number ("3. Oktober"), nor before
    a small letter. Only the white space between sentences is lost. Cost: O(characters).
    """
    text = block_or_text if isinstance(block_or_text, str) else block_or_text.text
    found: list[str] = []
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            if _is_end(line, match):
                found.append(line[start : match.end()].strip())
                start = match.end()
        found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def _is_end(line: str, match: re.Match[str]) -> bool:
    """Return whether a mark ends its sentence, judging by the word before and the letter after."""
    mark = match.group()
    if mark[0] not in ".!?…":
        return True
    following = line[match.end() : match.end() + _LOOK_BACK_CHARS].lstrip()
    if following[:1].islower():
        return False
    if mark != ".":
        return True
    before = line[max(0, match.start() - _LOOK_BACK_CHARS) : match.start()]
    word = before[len(before) - _WORD.match(before[::-1]).end() :]  # type: ignore[union-attr]
    if word.isdigit():
        return len(word) > 2
    is_initial = len(word) == 1 and word.isupper()
    return not is_initial and word.lower() not in _ABBREVIATIONS and not _is_dotted(word)


def _is_dotted(word: str) -> bool:
    """Return whether a word consists of single letters with dots between them, as in "U.S"."""
    return "." in word and all(len(part) == 1 for part in word.split("."))
