"""Draw which pages need JavaScript, and of which kind they are. All from hashes."""

from gossamer.lab.script_options import RESTING_SCRIPTS, RESTLESS_SCRIPTS, Scripted
from gossamer.lab.seeded_random import salt, unit

_SCRIPT = salt("scripts of pages")
IN_RESPONSE = ("lazy", *RESTLESS_SCRIPTS)
"""Kinds whose text and links stand in the response; only pictures may be missing."""


class ScriptKinds:
    """The kinds of a world, each with its share."""

    def __init__(self, options: Scripted) -> None:
        self.options = options
        self._ends: list[tuple[float, str]] = []
        end = 0.0
        for kind in (*RESTING_SCRIPTS, *RESTLESS_SCRIPTS):
            if share := getattr(options, kind):
                end += share
                self._ends.append((end, kind))

    @property
    def are_any(self) -> bool:
        """Whether any page needs JavaScript."""
        return bool(self._ends)

    def draw(self, key: int) -> str:
        """Return the kind of the page with this key; "" if it needs no script."""
        if not self._ends:
            return ""
        chance = unit(key, _SCRIPT)
        return next((kind for end, kind in self._ends if chance < end), "")
