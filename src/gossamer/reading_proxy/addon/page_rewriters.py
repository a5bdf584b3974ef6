"""Rewrite pages by functions of the user's own files, while they stream through.

A file defines `rewrite(page)`. It gets each page that the proxy may change, and returns a function from bytes to bytes, which is
called with each piece of the page and with no bytes at its end; or None, and the page stays as it is.
Source: plug-ins that rewrite the stream, Wollenweber (docs/sources.md), section 2.3.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import NamedTuple

FUNCTION = "rewrite"
Rewrite = Callable[[bytes], bytes]


class ProxiedPage(NamedTuple):
    """A page that begins to stream through; names of headers are in lower case."""

    url: str
    headers: Mapping[str, str]


class PageRewriters:
    """The functions of some files, in the order of the command line."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Load the files; one that cannot be loaded is told, and left out."""
        self._begin = list[tuple[str, Callable[[ProxiedPage], Rewrite | None]]]()
        for path in paths:
            try:
                self._begin.append((path.name, _load(path)))
            except Exception as error:  # noqa: BLE001 - a file of the user can raise anything
                _tell(path.name, "cannot be loaded", error)

    def begin(self, page: ProxiedPage) -> "StreamRewriter | None":
        """Return what rewrites a page; None if no file wants to."""
        chosen = list[tuple[str, Rewrite]]()
        for name, begin in self._begin:
            try:
                rewrite = begin(page)
            except Exception as error:  # noqa: BLE001
                _tell(name, f"failed at {page.url}", error)
                continue
            if rewrite is not None:
                chosen.append((name, rewrite))
        return StreamRewriter(chosen) if chosen else None


class StreamRewriter:
    """Passes the pieces of one page through functions; one that fails is left out from then on."""

    def __init__(self, functions: list[tuple[str, Rewrite]]) -> None:
        self._functions = functions

    def rewrite(self, piece: bytes) -> bytes:
        """Return what goes on instead of a piece."""
        for one in list(self._functions):
            piece = self._call(one, piece) if piece else b""
        return piece

    def end(self) -> bytes:
        """Return what comes after the last piece."""
        rest = b""
        for one in list(self._functions):
            rest = (self._call(one, rest) if rest else b"") + self._call(one, b"")
        return rest

    def _call(self, one: tuple[str, Rewrite], piece: bytes) -> bytes:
        if one not in self._functions:
            return piece
        try:
            return bytes(one[1](piece))
        except Exception as error:  # noqa: BLE001 - the page goes on without it
            _tell(one[0], "failed, and the rest of the page passes without it", error)
            self._functions.remove(one)
            return piece


def _load(path: Path) -> Callable[[ProxiedPage], Rewrite | None]:
    spec = spec_from_file_location(f"gossamer_rewriter_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[ProxiedPage], Rewrite | None] = getattr(module, FUNCTION)
    return found


def _tell(name: str, what: str, error: Exception) -> None:
    logging.getLogger(__name__).error("%s %s: %s: %s", name, what, type(error).__name__, error)
