"""Find the English word that another word is derived from: “theoretical” comes from theory, “autistic” from autism.

A stemmer cuts endings off and so takes universe and university, organ and organization for one word. Here an ending is exchanged
only if a dictionary knows the result, and if that is not a far rarer word: “several” does not come from sever.
"""

from collections.abc import Callable
from functools import cache

from gossamer.search.terms.word_frequencies import MOST_COST, Costs

# By ending: what may stand in its place; longer endings come first. “” means that nothing does.
_ENDINGS = {
    "istically": "ism",
    "ibility": "ible", "ability": "able", "icity": "ic", "ality": "al", "arity": "ar", "ivity": "ive", "osity": "ous",
    "uity": "uous", "ility": "ile le", "ity": "- e",
    "ically": "ic ical", "ally": "al", "ably": "able", "ibly": "ible", "ily": "y", "ly": "le",
    "iness": "y", "ness": "-",
    "ication": "icate y", "ization": "ize", "isation": "ise ize", "ation": "ate e -", "ition": "ite e", "ution": "ute ve",
    "ction": "ct ce", "ption": "pt be ve", "sion": "se d de t s", "ion": "- e", "ator": "ate", "ional": "ion",
    "istic": "ism ist", "ologist": "ology",
    "drical": "der", "etical": "y esis etic", "ytical": "ysis ytic", "otical": "osis", "ical": "y ic e -", "ics": "ic",
    "ytic": "ysis", "otic": "osis", "etic": "esis y", "aemic": "aemia", "emic": "emia", "ic": "y ia us",
    "ative": "ate e -", "ive": "- e ion",
    "able": "- e ate", "ible": "- e ion",
    "ency": "ent", "ancy": "ant", "ence": "ent - e", "ance": "ant - e", "ent": "- e", "ant": "- e ate",
    "ctious": "ction", "ment": "-", "ful": "-",
    "alize": "al", "arize": "ar", "ilize": "ile le", "urize": "ure",
    "ural": "ure", "val": "ve", "sal": "se", "cial": "ce", "omal": "ome", "ial": "- y ium", "al": "- a us",
    "ing": "- e", "ed": "- e",
    "ise": "ize", "yse": "yze", "our": "or", "tre": "ter", "er": "- e",
}  # fmt: skip
_INFLECTIONS = {"ies": "y", "es": "- e", "s": "-", "ied": "y", "ed": "- e", "ing": "- e"}
# Digraphs of British spelling: haemophilia, oedema.
_DIGRAPHS = (("ae", "e"), ("oe", "e"))
_UNCHANGED = frozenset({"university", "officer"})
_SHORTEST_STEM = 3
_SHORTEST_BASE = 5
# These leave verbs and adjectives, which are short more often than nouns are.
_SHORTEST_AFTER = {"ing": 4, "ed": 4, "ful": 3, "er": 6, "s": 3, "es": 3, "ies": 3}
# Centibels: a base may be a hundred times rarer than the word. “Several” is four hundred times as frequent as sever.
_MARGIN = 200
_MOST_STEPS = 4

Look = Callable[[str], str | None]
"""Return the base form of a word by a dictionary, or None."""


def find_origin(word: str, look: Look, costs: Costs) -> str:
    """Return the word that a word of a dictionary is derived from, over several steps; itself if it is not derived."""
    for _ in range(_MOST_STEPS):
        base = _exchange(word, _ENDINGS, look, costs) or _exchange_digraph(word, look)
        if base is None or word in _UNCHANGED:
            break
        word = base
    return word


def guess_base(word: str, look: Look, costs: Costs) -> str | None:
    """Return a word of a dictionary of which an unknown word is a form: its endings are exchanged; None if there is none."""
    for form in (word, *_list_candidates(word, _INFLECTIONS)):
        known = form if look(form) is not None else _exchange(form, _ENDINGS, look, costs)
        if known is not None:
            return known
    return None


def _exchange(word: str, endings: dict[str, str], look: Look, costs: Costs) -> str | None:
    """Return the first word that the dictionary has as a base form; words of the frequency list go first."""
    most = costs.get(word, MOST_COST) + _MARGIN
    for ending in _find_endings(word, endings):
        bases = [
            base
            for base in _list_bases(word, ending, endings[ending])
            if look(base) == base and costs.get(base, MOST_COST) <= most
        ]
        if bases:
            return next((base for base in bases if base in costs), bases[0])
    return None


def _exchange_digraph(word: str, look: Look) -> str | None:
    for digraph, letter in _DIGRAPHS:
        if digraph in word:
            base = word.replace(digraph, letter)
            if look(base) == base:
                return base
    return None


def _list_candidates(word: str, endings: dict[str, str]) -> list[str]:
    return [
        base for ending in _find_endings(word, endings) for base in _list_bases(word, ending, endings[ending])
    ]


def _find_endings(word: str, endings: dict[str, str]) -> list[str]:
    """Return the endings of a word, the longest first."""
    longest = min(_find_longest(tuple(endings)), len(word) - _SHORTEST_STEM)
    return [word[-length:] for length in range(longest, 0, -1) if word[-length:] in endings]


@cache
def _find_longest(endings: tuple[str, ...]) -> int:
    return max(map(len, endings))


def _list_bases(word: str, ending: str, replacements: str) -> list[str]:
    """Return what a word would be with its ending exchanged; “running” also with one n."""
    stem = word[: -len(ending)]
    found = [stem + new.replace("-", "") for new in replacements.split()]
    if ending in ("ing", "ed") and stem[-1] == stem[-2]:
        found.append(stem[:-1])
    return [base for base in found if len(base) >= _SHORTEST_AFTER.get(ending, _SHORTEST_BASE)]
