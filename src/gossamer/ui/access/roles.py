"""The roles of visitors. Each may do what the roles before it may."""

import difflib
from enum import IntEnum
from typing import Literal

from gossamer.errors import BadInput

RoleName = Literal["reader", "judge", "operator"]
"""The roles that a user can have, as people write them."""


class Role(IntEnum):
    """What a visitor may do."""

    ANYONE = 0
    """Not logged in: may only log in."""
    READER = 1
    """May search, and read copies, changes and the link check."""
    JUDGE = 2
    """May also judge pages of samples, and submit pages to a crawl."""
    OPERATOR = 3
    """May also see and steer crawls: the console and the workbench."""

    @property
    def word(self) -> str:
        """The role as people write it."""
        return self.name.lower()


ANYONE, READER, JUDGE, OPERATOR = Role
NAMES: dict[str, RoleName] = {"reader": "reader", "judge": "judge", "operator": "operator"}


def parse_role(text: str) -> RoleName:
    """Return the name of a role that a user can have; raise BadInput if it is not one."""
    if text in NAMES:
        return NAMES[text]
    near = difflib.get_close_matches(text.lower(), NAMES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the roles are {', '.join(NAMES)}"
    raise BadInput(f"there is no role {text[:40]!r}; {hint}")
