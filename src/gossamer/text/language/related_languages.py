"""Languages that are so near to each other that a text may be in doubt between them, and still be clear of all others."""

_FAMILIES = ("da nb nn", "bs hr sl sr", "cs sk", "id ms", "ca es gl pt")
_FAMILY_OF = {code: family for family in _FAMILIES for code in family.split()}


def family_of(code: str) -> str:
    """Return the close relatives of a language, itself included; of one without any, its code."""
    return _FAMILY_OF.get(code, code)
