"""Closely related languages, between which the language of a text may stay in doubt."""

_FAMILIES = ("da nb nn", "bs hr sl sr", "cs sk", "id ms", "ca es gl pt")
_FAMILY_OF = {code: family for family in _FAMILIES for code in family.split()}


def find_family(code: str) -> str:
    """Return the family of a language: the codes of its close relatives and its own, or its own code alone."""
    return _FAMILY_OF.get(code, code)
