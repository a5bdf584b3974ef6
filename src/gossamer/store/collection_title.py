"""The title of a web: what people call the collection. Its pages show it."""

import unicodedata

from gossamer.errors import BadInput
from gossamer.store.batch import Batch, Store

MOST_CHARACTERS = 80
ROOM, _NAME = "web", "title"
_REFUSED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control characters, marks of direction, and what is not a character: they could disguise the rest of a page."""


def read_title(store: Store) -> str:
    """Return the title of a web; "" if it has none."""
    kept = store.note(ROOM, _NAME)
    text = kept.decode("utf-8", "replace") if kept is not None else ""
    shown = "".join(one for one in text if unicodedata.category(one) not in _REFUSED)
    return shown.strip()[:MOST_CHARACTERS]


def write_title(store: Store, title: str) -> str:
    """Store the title of a web and return it; "" removes it. Raise BadInput if it cannot be one."""
    checked = check_title(title)
    store.commit(Batch(notes={(ROOM, _NAME): checked.encode() or None}))
    return checked


def check_title(title: str) -> str:
    """Return a title without spaces around it; raise BadInput if it cannot be one."""
    found = title.strip(" ")
    if any(unicodedata.category(one) in _REFUSED for one in found):
        raise BadInput(
            "a title has no line breaks, control characters or marks of direction; write it as plain text"
        )
    if len(found) > MOST_CHARACTERS:
        raise BadInput(f"a title has at most {MOST_CHARACTERS} characters, and this one has {len(found):,}")
    return found
