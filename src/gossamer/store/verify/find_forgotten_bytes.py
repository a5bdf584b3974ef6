"""Search every file of a web for URLs of forgotten pages, of which only fingerprints are known.

At each `://` the URL that follows is compared with the tombstones; in the file of a database, where nothing tells where a URL
ends, all beginnings of what follows are. WARC records are unpacked; of them, headers are searched, and texts are left as they were received.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from xxhash import xxh3_64_intdigest

from gossamer.store.archive import http_message
from gossamer.store.archive.warc_records import WarcReader, WarcRecord
from gossamer.store.lock import FILE_NAME as LOCK
from gossamer.store.opening.open_store import STATE
from gossamer.store.verify.findings import Findings

_SCHEME = re.compile(rb"(?:https?|ftp|gopher|gemini)://")
_REST = re.compile(rb"[!#-;=?-~]*")
_ENDS = re.compile(rb"['()\[\],;|{}\\#]")
_ENDS_SENTENCE = b".,:;!?"
_LONGEST_BYTES = 2_100
_PIECE_BYTES = 1 << 24
_WARC = (".warc.gz", ".warc")
_ONLY_PAYLOAD = ("resource", "conversion")
IsKept = Callable[[int], bool]
"""Says of an id whether the web knows its URL."""


class ForgottenUrls:
    """Finds URLs by their fingerprints. Cost: 0.1 µs for each character behind a `://`."""

    def __init__(self, gone: frozenset[int], is_kept: IsKept) -> None:
        """Ids are signed, as everywhere."""
        self._gone = frozenset(one & 0xFFFF_FFFF_FFFF_FFFF for one in gone)
        self._is_kept = is_kept

    def find(self, data: bytes) -> Iterator[int]:
        """Yield the ids of forgotten URLs in a text."""
        for scheme in _SCHEME.finditer(data):
            begin, first = scheme.span()
            for upto in {_find_end(data, first), *_list_ends(data, first)}:
                if (one := xxh3_64_intdigest(data[begin:upto])) in self._gone:
                    yield one

    def find_in_rows(self, data: bytes) -> Iterator[int]:
        """Yield the ids of forgotten URLs in the bytes of a database; those that are part of a kept URL are none."""
        past = 0
        for scheme in _SCHEME.finditer(data):
            begin, first = scheme.span()
            if begin < past:
                continue
            end, found = _find_end(data, first), 0
            for upto in range(first + 1, end + 1):
                if (one := xxh3_64_intdigest(data[begin:upto])) in self._gone:
                    found = one
            if found and not (past := self._find_kept(data, begin, first, end)):
                yield found

    def _find_kept(self, data: bytes, begin: int, first: int, end: int) -> int:
        """Return where the longest kept URL that begins here ends; 0 if there is none longer than the forgotten one."""
        for upto in range(end, first, -1):
            one = xxh3_64_intdigest(data[begin:upto])
            if one in self._gone:
                return 0
            if self._is_kept(one - (1 << 64) if one >> 63 else one):
                return upto
        return 0


def _find_end(data: bytes, first: int) -> int:
    rest = _REST.match(data, first, first + _LONGEST_BYTES)
    return rest.end() if rest else first


def _list_ends(data: bytes, first: int) -> Iterator[int]:
    """Yield where the URL may end before a sign that can be part of it, or of the text around it."""
    end = _find_end(data, first)
    yield from (sign.start() for sign in _ENDS.finditer(data, first, end))
    yield first + len(data[first:end].rstrip(_ENDS_SENTENCE))


def find_forgotten_bytes(folder: Path, urls: ForgottenUrls, findings: Findings) -> None:
    """Search all files of a web. Cost: reading every byte, and unpacking the archive."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.name == LOCK:
            continue
        name = str(path.relative_to(folder))
        findings.check("files searched for forgotten URLs")
        if path.name.endswith(_WARC):
            for record in WarcReader(path):
                for one in set(urls.find(_read_heads(record))):
                    findings.add(
                        "forgotten page",
                        f"{one:016x} in the {record.type} record at {record.offset} of {name}",
                    )
            continue
        find = urls.find_in_rows if name.startswith(STATE) else urls.find
        for one in {one for piece in _read_pieces(path) for one in find(piece)}:
            findings.add("forgotten URL", f"{one:016x} in {name}")


def _read_pieces(path: Path) -> Iterator[bytes]:
    kept = b""
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield kept + piece
            kept = piece[-_LONGEST_BYTES:]


def _read_heads(record: WarcRecord) -> bytes:
    """Return the headers of a record, of WARC and of HTTP; of requests and metadata everything."""
    head = "\n".join(record.headers.values()).encode("utf-8", "replace")
    if record.type in _ONLY_PAYLOAD:
        return head
    block = http_message.split_message(record.block)[0] if record.type == "response" else record.block
    return head + b"\n" + block
