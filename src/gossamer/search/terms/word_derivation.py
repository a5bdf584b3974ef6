"""Find the word that another word is derived from: “theoretical” comes from theory, “Verschlüsselung” from verschlüsseln.

A stemmer cuts endings off and so takes universe and university, organ and organization for one word. Here an ending is exchanged
only if a dictionary knows the result, and if that is not a far rarer word: “several” does not come from sever.
"""

from collections.abc import Callable
from string import ascii_lowercase

from gossamer.search.terms.word_frequencies import MOST_COST, Costs

# By ending: what may stand in its place; longer endings come first. “” means that nothing does.
_ENGLISH = {
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
_GERMAN = {
    "ung": "en n", "igkeit": "ig -", "keit": "-", "heit": "-", "en": "-",
}  # fmt: skip
_ENDINGS = {"en": _ENGLISH, "de": _GERMAN}
_BRITISH = {"ae": "e", "oe": "e"}  # haemophilia, oedema
_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü"}
_UNCHANGED = frozenset({"university", "officer"})
_SHORTEST_STEM = 3
_SHORTEST_BASE = 5
# These leave verbs and adjectives, which are short more often than nouns are.
_SHORTEST_AFTER = {"ing": 4, "ed": 4, "ful": 3, "er": 6, "en": 4, "s": 3, "es": 3, "ies": 3}
# Centibels: a base may be a hundred times rarer than the word. “Several” is four hundred times as frequent as sever.
_MARGIN = 200
_MOST_STEPS = 4


def _group_endings() -> dict[str, tuple[str, ...]]:
    """Return the endings by the last two letters of words that may have them, the longest first."""
    every = {*_ENGLISH, *_GERMAN, *_INFLECTIONS}
    pairs = {one[-2:] for one in every if len(one) > 1} | {letter + "s" for letter in ascii_lowercase}
    return {
        pair: tuple(
            sorted((one for one in every if one.endswith(pair) or pair.endswith(one)), key=len, reverse=True)
        )
        for pair in pairs
    }


_BY_LAST_LETTERS = _group_endings()

Look = Callable[[str], str | None]
"""Return the base form of a word by a dictionary, or None."""


def find_origin(word: str, language: str, look: Look, costs: Costs) -> str:
    """Return the word that a word of a dictionary is derived from, over several steps; itself if it is not derived."""
    endings = _ENDINGS.get(language, {})
    for _ in range(_MOST_STEPS if endings else 0):
        if language == "de" and word.endswith("en") and look(word) is None:
            break  # a name, as München: verbs are written small
        base = _exchange(word, endings, look, costs) or (_respell(word, look) if language == "en" else None)
        if base is None or word in _UNCHANGED:
            break
        word = base
    return word


def restore_umlauts(word: str, look: Look) -> str:
    """Return a German word with umlauts if the dictionary has it with them: “Haeuser” is Häuser."""
    for digraph, umlaut in _UMLAUTS.items():
        if digraph in word:
            usual = word.replace(digraph, umlaut)
            if look(usual) is not None or look(usual.capitalize()) is not None:
                word = usual
    return word


def guess_base(word: str, look: Look, costs: Costs) -> str | None:
    """Return a word of the English dictionary of which an unknown word is a form: its endings are exchanged; None if there is none."""
    for form in (word, *_list_candidates(word, _INFLECTIONS)):
        known = form if look(form) is not None else _exchange(form, _ENGLISH, look, costs)
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
            if _is_base(base, look) and costs.get(base, MOST_COST) <= most
        ]
        if bases:
            return next((base for base in bases if base in costs), bases[0])
    return None


def _is_base(word: str, look: Look) -> bool:
    """Say whether the dictionary has a word as a base form, perhaps as a German noun."""
    return look(word) == word or look(word.capitalize()) == word.capitalize()


def _respell(word: str, look: Look) -> str | None:
    """Return the American spelling of a word, or None."""
    for digraph, letter in _BRITISH.items():
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
    longest = len(word) - _SHORTEST_STEM
    candidates = _BY_LAST_LETTERS.get(word[-2:], ())
    return [one for one in candidates if one in endings and len(one) <= longest and word.endswith(one)]


def _list_bases(word: str, ending: str, replacements: str) -> list[str]:
    """Return what a word would be with its ending exchanged; “running” also with one n."""
    stem = word[: -len(ending)]
    found = [stem + new.replace("-", "") for new in replacements.split()]
    if ending in ("ing", "ed") and stem[-1] == stem[-2]:
        found.append(stem[:-1])
    return [base for base in found if len(base) >= _SHORTEST_AFTER.get(ending, _SHORTEST_BASE)]
