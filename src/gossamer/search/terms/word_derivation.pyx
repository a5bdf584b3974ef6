# cython: language_level=3
"""Find the word that another word is derived from: “theoretical” comes from theory, “Verschlüsselung” from verschlüsseln.

A stemmer cuts endings off and so takes universe and university, organ and organization for one word. Here an ending is exchanged
only if a dictionary knows the result, and if that is not a far rarer word: “several” does not come from sever.
"""

from string import ascii_lowercase

from gossamer.search.terms.lemma_dictionary cimport LemmaDictionary
from gossamer.search.terms.word_frequencies cimport HIGHEST_COST, WordCosts

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
_BRITISH = (("ae", "e"), ("oe", "e"))  # haemophilia, oedema
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))
_UNCHANGED = frozenset({"university", "officer"})
# These leave verbs and adjectives, which are short more often than nouns are.
_SHORTEST_AFTER = {"ing": 4, "ed": 4, "ful": 3, "er": 6, "en": 4, "s": 3, "es": 3, "ies": 3}
_SHORTEST_BASE = 5

cdef enum:
    SHORTEST_STEM = 3
    MOST_STEPS = 4
    # Centibels: a base may be a hundred times rarer than the word. “Several” is four hundred times as frequent as sever.
    MARGIN = 200


cdef class Ending:
    """An ending, and what may stand in its place."""

    cdef str text
    cdef tuple replacements
    cdef Py_ssize_t shortest_base
    cdef bint doubles
    """Whether a consonant before it may be doubled: “running” also comes from run."""

    def __init__(self, text, replacements):
        self.text = text
        self.replacements = tuple(new.replace("-", "") for new in replacements.split())
        self.shortest_base = _SHORTEST_AFTER.get(text, _SHORTEST_BASE)
        self.doubles = text in ("ing", "ed")


def _group_endings(endings):
    """Return the endings by the last two letters of words that may have them, the longest first."""
    pairs = {one[-2:] for one in endings if len(one) > 1} | {letter + "s" for letter in ascii_lowercase}
    found = {}
    for pair in pairs:
        here = [one for one in endings if one.endswith(pair) or pair.endswith(one)]
        found[pair] = tuple(Ending(one, endings[one]) for one in sorted(here, key=len, reverse=True))
    return found


cdef dict ENGLISH = _group_endings(_ENGLISH)
cdef dict INFLECTIONS = _group_endings(_INFLECTIONS)
cdef dict ENDINGS = {"en": ENGLISH, "de": _group_endings(_GERMAN)}


cdef str find_origin(str word, str language, LemmaDictionary dictionary, WordCosts costs):
    """Return the word that a word of a dictionary is derived from, over several steps; itself if it is not derived."""
    cdef dict endings = ENDINGS.get(language)
    cdef bint is_german = language == "de"
    cdef int step
    cdef str base
    if endings is None:
        return word
    for step in range(MOST_STEPS):
        if is_german and word.endswith("en") and dictionary.get(word) is None:
            break  # a name, as München: verbs are written small
        base = _exchange(word, endings, dictionary, costs)
        if base is None and not is_german:
            base = _respell(word, dictionary)
        if base is None or word in _UNCHANGED:
            break
        word = base
    return word


cdef str restore_umlauts(str word, LemmaDictionary dictionary):
    """Return a German word with umlauts if the dictionary has it with them: “Haeuser” is Häuser."""
    cdef str digraph, umlaut, usual
    for digraph, umlaut in _UMLAUTS:
        if digraph in word:
            usual = word.replace(digraph, umlaut)
            if dictionary.get(usual) is not None or dictionary.get(usual.capitalize()) is not None:
                word = usual
    return word


cdef str guess_base(str word, LemmaDictionary dictionary, WordCosts costs):
    """Return a word of the English dictionary of which an unknown word is a form: its endings are exchanged; None if there is none."""
    cdef str form, known
    for form in (word, *_list_candidates(word, INFLECTIONS)):
        if dictionary.get(form) is not None:
            return form
        known = _exchange(form, ENGLISH, dictionary, costs)
        if known is not None:
            return known
    return None


cdef str _exchange(str word, dict endings, LemmaDictionary dictionary, WordCosts costs):
    """Return the first word that the dictionary has as a base form; words of the frequency list go first."""
    cdef int cost, most = costs.estimate(word) + MARGIN
    cdef Ending ending
    cdef str base, found
    for ending in endings.get(word[-2:], ()):
        found = None
        for base in _list_bases(word, ending):
            cost = costs.find(base)
            if (cost if cost >= 0 else HIGHEST_COST) <= most and _is_base(base, dictionary):
                if cost >= 0:
                    return base
                found = found or base
        if found is not None:
            return found
    return None


cdef bint _is_base(str word, LemmaDictionary dictionary):
    """Say whether the dictionary has a word as a base form, perhaps as a German noun."""
    cdef str noun
    if dictionary.get(word) == word:
        return True
    noun = word.capitalize()
    return dictionary.get(noun) == noun


cdef str _respell(str word, LemmaDictionary dictionary):
    """Return the American spelling of a word, or None."""
    cdef str digraph, letter, base
    for digraph, letter in _BRITISH:
        if digraph in word:
            base = word.replace(digraph, letter)
            if dictionary.get(base) == base:
                return base
    return None


cdef list _list_candidates(str word, dict endings):
    cdef Ending ending
    cdef list found = []
    for ending in endings.get(word[-2:], ()):
        found += _list_bases(word, ending)
    return found


cdef list _list_bases(str word, Ending ending):
    """Return what a word would be with its ending exchanged; “running” also with one n."""
    cdef Py_ssize_t length = len(word) - len(ending.text)
    cdef str stem, new, base
    cdef list found = []
    if length < SHORTEST_STEM or not word.endswith(ending.text):
        return found
    stem = word[:length]
    for new in ending.replacements:
        if length + len(new) >= ending.shortest_base:
            found.append(stem + new)
    if ending.doubles and stem[length - 1] == stem[length - 2] and length - 1 >= ending.shortest_base:
        found.append(stem[:length - 1])
    return found
