"""Read the members of a ZIP file within limits, so that a bomb costs no more than an honest file."""

import io
import zipfile
import zlib
from collections.abc import Iterator

from gossamer.documents.document_content import UnreadableDocument

MOST_MEMBERS = 20_000
MOST_BYTES = 200_000_000
"""Unpacked bytes of all members that are read: an honest workbook of 10 MB has some 100 MB."""
_CHUNK_BYTES = 1 << 16
_ENCRYPTED = 0x1
# What the module raises for broken files, damaged members and unknown methods.
_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, OSError, ValueError)


class ZipMembers:
    """The members of a ZIP file in memory."""

    def __init__(self, body: bytes) -> None:
        try:
            self._file = zipfile.ZipFile(io.BytesIO(body))
        except _FAULTS as error:
            raise UnreadableDocument("broken", f"not a whole ZIP file: {error}") from None
        if len(self._file.filelist) > MOST_MEMBERS:
            raise UnreadableDocument("too large", f"it has more than {MOST_MEMBERS:,} members")
        self.names = frozenset(self._file.namelist())
        self._left = MOST_BYTES

    def read_chunks(self, name: str) -> Iterator[bytes]:
        """Yield a member in pieces; nothing if it does not exist."""
        if name not in self.names:
            return
        member = self._file.getinfo(name)
        if member.flag_bits & _ENCRYPTED:
            raise UnreadableDocument("encrypted", "it needs a password")
        try:
            with self._file.open(member) as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    self._left -= len(chunk)
                    if self._left < 0:
                        raise UnreadableDocument("too large", f"it unpacks to more than {MOST_BYTES:,} bytes")
                    yield chunk
        except _FAULTS as error:
            raise UnreadableDocument("broken", f"{name[:100]}: {error}") from None

    def read(self, name: str, most_bytes: int = MOST_BYTES) -> bytes:
        """Return a member, at most so many bytes of it."""
        found = bytearray()
        for chunk in self.read_chunks(name):
            found += chunk
            if len(found) >= most_bytes:
                break
        return bytes(found[:most_bytes])
