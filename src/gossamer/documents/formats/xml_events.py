"""Read XML as a stream of events within limits: no entities, no external files, no deep nesting."""

import time
from collections.abc import Callable, Iterable
from xml.parsers import expat

from gossamer.documents.document_content import UnreadableDocument

MOST_DEPTH = 500
MOST_NAMES = 10_000
_CPU_S = 8.0
"""A file that takes longer is read up to there: some three million elements."""
_CHECKED_ELEMENTS = 10_000

Attributes = dict[str, str]


class EnoughRead(Exception):  # noqa: N818 - not an error: it ends the reading
    """Ends the reading of a file whose rest is not needed."""


class XmlEvents:
    """Calls functions at the beginning and end of elements, with names without their namespace prefix."""

    def __init__(
        self,
        on_start: Callable[[str, Attributes], None],
        on_end: Callable[[str], None],
        on_text: Callable[[str], None],
        cpu_clock: Callable[[], float] = time.process_time,
    ) -> None:
        self._on_start = on_start
        self._on_end = on_end
        self._depth = self._elements = 0
        self._cpu_clock = cpu_clock
        self._ends_s = cpu_clock() + _CPU_S
        self._names: dict[str, str] = {}
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = on_text
        self._parser.EntityDeclHandler = _refuse_entity

    def read(self, chunks: Iterable[bytes]) -> bool:
        """Read a file; return False if it is faulty, and was read up to the fault."""
        try:
            for chunk in chunks:
                self._parser.Parse(chunk, False)
            self._parser.Parse(b"", True)
        except EnoughRead:
            return True
        except expat.ExpatError:
            return False
        return True

    def _start(self, name: str, attributes: Attributes) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MOST_DEPTH:
            raise UnreadableDocument("too large", f"its XML is nested more than {MOST_DEPTH} deep")
        if not self._elements % _CHECKED_ELEMENTS and self._cpu_clock() > self._ends_s:
            raise EnoughRead
        short = self._names.get(name)
        if short is None:
            if len(self._names) > MOST_NAMES:
                raise UnreadableDocument(
                    "too large", f"its XML has more than {MOST_NAMES:,} different elements"
                )
            short = self._names[name] = name.rpartition(":")[2]
        self._on_start(short, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._on_end(self._names[name])


def get_attribute(attributes: Attributes, name: str) -> str:
    """Return an attribute by its name without a namespace prefix, or ""."""
    for key, value in attributes.items():
        if key == name or key.endswith(f":{name}"):
            return value
    return ""


def _refuse_entity(*_: object) -> None:
    raise UnreadableDocument("broken", "it declares XML entities, which are not expanded")
