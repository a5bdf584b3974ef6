"""Streaming reader of GraphML: nodes, their names, and edges; other attributes are ignored.

Source: http://graphml.graphdrawing.org/specification.html. Files that declare entities are refused.
"""

from array import array
from pathlib import Path
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput
from gossamer.graph.node_names import NameList, Names, name_nodes

_AT_ONCE_BYTES = 1 << 20
# In order of preference; a node with none of them is named by its id.
_NAMES = ("url", "name", "label")


def read_graphml(path: Path) -> tuple[NDArray[np.int32], NDArray[np.int32], Names]:
    """Return sources, targets and the names of nodes. An undirected edge becomes two links."""
    reader = _GraphmlReader(path)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda tag, given: reader.start(
        _local_name(tag), given, parser.CurrentLineNumber
    )
    parser.EndElementHandler = lambda tag: reader.end(_local_name(tag))
    parser.CharacterDataHandler = reader.add_text
    parser.EntityDeclHandler = reader.refuse_entity
    try:
        with path.open("rb") as file:
            while piece := file.read(_AT_ONCE_BYTES):
                parser.Parse(piece, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise BadInput(f"{path}, line {error.lineno}: {expat.ErrorString(error.code)}") from None
    return reader.result()


class _GraphmlReader:
    """Collects nodes and edges from the events of an XML parser."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._rank: list[int] = []
        self._keys: dict[str, int] = {}
        self._ends: list[tuple[str, str, int]] = []
        self._both_ways = False
        self._in_node = False
        self._key: int | None = None
        self._text: list[str] = []

    def start(self, tag: str, given: dict[str, str], line: int) -> None:
        match tag:
            case "key" if (
                given.get("for") in ("node", "all") and given.get("attr.name", "").lower() in _NAMES
            ):
                self._keys[given.get("id", "")] = _NAMES.index(given["attr.name"].lower())
            case "graph":
                self._both_ways = given.get("edgedefault") == "undirected"
            case "node":
                self._add_node(self._require(given, "id", tag, line), line)
            case "data" if self._in_node:
                self._key, self._text = self._keys.get(given.get("key", "")), []
            case "edge":
                self._add_edge(given, line)

    def end(self, tag: str) -> None:
        if tag == "node":
            self._in_node = False
        elif tag == "data" and self._key is not None:
            if self._key < self._rank[-1]:
                self._names[-1], self._rank[-1] = "".join(self._text).strip(), self._key
            self._key = None

    def add_text(self, text: str) -> None:
        if self._key is not None:
            self._text.append(text)

    def refuse_entity(self, name: str, *_: object) -> None:
        raise BadInput(f"{self._path} declares the entity {name!r}; entities are not allowed in a graph file")

    def result(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Names]:
        """Return the graph of the whole file; nodes may come after the edges that refer to them."""
        sources, targets = array("i"), array("i")
        for source, target, line in self._ends:
            for name, numbers in ((source, sources), (target, targets)):
                if name not in self._numbers:
                    raise BadInput(f"{self._path}, line {line}: there is no node {name[:200]!r}")
                numbers.append(self._numbers[name])
        names = name_nodes(NameList(self._names), len(self._names))
        return np.array(sources, np.int32), np.array(targets, np.int32), names

    def _add_node(self, name: str, line: int) -> None:
        if name in self._numbers:
            raise BadInput(f"{self._path}, line {line}: there are two nodes {name[:200]!r}")
        self._numbers[name] = len(self._names)
        self._names.append(name)
        self._rank.append(len(_NAMES))
        self._in_node = True

    def _add_edge(self, given: dict[str, str], line: int) -> None:
        source, target = (self._require(given, end, "edge", line) for end in ("source", "target"))
        self._ends.append((source, target, line))
        if given.get("directed", "false" if self._both_ways else "true") == "false":
            self._ends.append((target, source, line))

    def _require(self, given: dict[str, str], name: str, tag: str, line: int) -> str:
        if name not in given:
            raise BadInput(f"{self._path}, line {line}: <{tag}> has no {name}")
        return given[name]


def _local_name(tag: str) -> str:
    return tag.rpartition(" ")[2]
