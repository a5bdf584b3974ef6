"""How do you try a crawler on a web that you know? With a synthetic web, served over real HTTP on loopback.

Import the public names from here; their modules are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gossamer.lab.options import BowTie, Changes, Group, Shape, Trouble
    from gossamer.lab.script_options import Scripted
    from gossamer.lab.server.serve_world import serve, serving
    from gossamer.lab.world.world import World

__all__ = ["BowTie", "Changes", "Group", "Scripted", "Shape", "Trouble", "World", "serve", "serving"]

_MODULES = {
    "Scripted": "script_options",
    "World": "world.world",
    "serve": "server.serve_world",
    "serving": "server.serve_world",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'options')}"), name)
