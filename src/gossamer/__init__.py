"""Gossamer: a web crawler with a search engine, and tools to study what it collects.

>>> web = gossamer.open("trier.web")
>>> for page in web.crawl(gossamer.Task(seeds=["https://www.uni-trier.de/"], depth=2)): ...
"""

from importlib import import_module
from typing import TYPE_CHECKING

from gossamer.former_names import accept_former_names

if TYPE_CHECKING:
    from gossamer.broker.broker import open_many
    from gossamer.crawl.task.task import Task
    from gossamer.web import Web
    from gossamer.web import open_web as open  # noqa: A004 - read as gossamer.open

__all__ = ["Task", "Web", "open", "open_many"]
__version__ = "0.1.0.dev0"

_PLACES = {
    "Task": ("crawl.task.task", "Task"),
    "Web": ("web", "Web"),
    "open": ("web", "open_web"),
    "open_many": ("broker.broker", "open_many"),
}


def __getattr__(name: str) -> object:
    # Loaded on first use: `gossamer --help` must answer at once.
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(import_module(f"{__name__}.{module}"), attribute)


accept_former_names()
