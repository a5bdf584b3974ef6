"""Split the title of a page: the names of a page, its section and its site are often joined into one."""

import re

_SEPARATOR = re.compile(r"\s+[|·•–—:»›-]+\s+")


def split_title(title: str) -> list[str]:
    """Return the parts of “Quartets | Music library”, without spaces around them; at least one."""
    return _SEPARATOR.split(" ".join(title.split()))
