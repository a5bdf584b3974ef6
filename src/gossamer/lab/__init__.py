"""A synthetic web whose truth is known, served over real HTTP on loopback.

`World` and the records that order one can be had from here; they are loaded when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.lab.options import BowTie, Changes, Group, Shape, Trouble
    from gossamer.lab.world import World

__all__ = ["BowTie", "Changes", "Group", "Shape", "Trouble", "World"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'world' if name == 'World' else 'options'}"), name)
