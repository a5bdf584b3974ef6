"""Write texts for which a pattern may take very long, if its form allows that at all.

A pattern takes exponential time if a repetition can match the same text in several ways: a repetition inside a repetition, as in
`(a+)+`, or alternatives that begin alike, as in `(a|ab)*`. Patterns of such a form are not always slow, and a rule that refused
them would refuse patterns that people use; so texts are written here that they can be tried on. Each text repeats what the
repetition matches many times, after what must come before it, and ends with what cannot follow.
"""

import importlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

# The compiler of regular expressions reads them with it; the only public way to see their parts.
_parser: Any = importlib.import_module("re._parser")

TIMES = 40
"""So often is a text repeated: a pattern that takes twice as long each time takes hours."""
_MOST_SAMPLES = 4
_MOST_PREFIXES = 2
_MOST_TEXTS = 200
_LONGEST_SAMPLE = 200
_ENDS = ("", "!", "\x01", " /")
_CHARACTERS = "a0/-.=&%_?:@ Aä~!\n"
"""One of each kind that patterns tell apart, the most frequent ones first."""
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT"})
_GROUPS = {"SUBPATTERN": -1, "ATOMIC_GROUP": None, "ASSERT": 1, "ASSERT_NOT": 1}
"""Where the parts of a group are in the record of the parser."""
_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": lambda one: one.isalnum() or one == "_",
}


def write_hostile_texts(pattern: str) -> list[str]:
    """Return texts for which this pattern may be slow; none if it has no repetition of something that varies.

    The pattern must be a regular expression. Cost: microseconds for each part of it.
    """
    parts = list(_parser.parse(pattern))
    return list(islice(dict.fromkeys(_write_texts(parts, [""])), _MOST_TEXTS))


def _write_texts(parts: list[Any], before: list[str]) -> Iterator[str]:
    """Yield texts for each repetition among these parts, and inside of them."""
    for part in parts:
        name, inner = str(part[0]), list(_list_inner(part))
        if name in _REPEATS and part[1][1] > 1 and any(map(_varies, inner)):
            for sample in _sample(inner):
                for start in before:
                    yield from (start + sample * TIMES + end for end in _ENDS if sample)
        branches = [list(one) for one in part[1][1]] if name == "BRANCH" else [inner]
        for branch in branches:
            yield from _write_texts(branch, before)
        before = [start + sample for sample in _sample([part]) for start in before][:_MOST_PREFIXES] or before


def _varies(part: Any) -> bool:
    """Say whether a part can match texts of several lengths, or the same text in several ways."""
    name = str(part[0])
    if name in _REPEATS:
        return bool(part[1][0] != part[1][1]) or any(map(_varies, _list_inner(part)))
    return name == "BRANCH" or any(map(_varies, _list_inner(part)))


def _list_inner(part: Any) -> list[Any]:
    """Return the parts of a repetition or of a group."""
    name, value = str(part[0]), part[1]
    if name in _REPEATS or name == "POSSESSIVE_REPEAT":
        return list(value[2])
    if name in _GROUPS:
        place = _GROUPS[name]
        return list(value if place is None else value[place])
    return []


def _sample(parts: list[Any]) -> list[str]:
    """Return some texts that these parts match, the shortest ones first."""
    samples = [""]
    for part in parts:
        more = _sample_part(part)
        samples = [one + another for one in samples for another in more][:_MOST_SAMPLES]
    return [sample for sample in samples if len(sample) <= _LONGEST_SAMPLE]


def _sample_part(part: Any) -> list[str]:
    name, value = str(part[0]), part[1]
    if name == "BRANCH":
        return [sample for branch in value[1] for sample in _sample(list(branch))[:2]][: 2 * _MOST_SAMPLES]
    if name in _REPEATS or name == "POSSESSIVE_REPEAT":
        repeated = [sample * max(1, min(value[0], TIMES)) for sample in _sample(list(value[2]))]
        return repeated if value[0] else ["", *repeated]
    if name in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _sample(_list_inner(part))
    if name in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
        matched = [one for one in _CHARACTERS if _matches(name, value, one)]
        return [chr(value)] if name == "LITERAL" else matched[:_MOST_SAMPLES]
    return [""]  # places, looks ahead and back, references


def _matches(name: str, value: Any, character: str) -> bool:
    """Say whether a set of characters has this one."""
    if name == "ANY":
        return character != "\n"
    if name in ("LITERAL", "NOT_LITERAL"):
        return bool(ord(character) == value) == (name == "LITERAL")
    turned = str(value[0][0]) == "NEGATE"
    return bool(turned != any(_matches_item(str(kind), what, character) for kind, what in value[turned:]))


def _matches_item(kind: str, value: Any, character: str) -> bool:
    if kind == "RANGE":
        return bool(value[0] <= ord(character) <= value[1])
    if kind == "CATEGORY":
        word = str(value)
        test = _CATEGORIES[word.replace("_NOT_", "_")]
        return bool(test(character)) != ("_NOT_" in word)
    return bool(ord(character) == value)
