"""The messages between a crawl and the process that reads its documents, each with its length before it."""

import struct
from typing import IO

import msgspec

from gossamer.documents.document_content import DocumentContent, ReadingFailure

ReadingResult = DocumentContent | ReadingFailure
MOST_ANSWER_BYTES = 200_000_000
_LENGTH = struct.Struct(">Q")


class UnreadDocument(msgspec.Struct, frozen=True):
    """A document that is to be read."""

    reader: str
    """The name of its reader, as `find_reader.choose_reader` gives it."""
    url: str
    body: bytes


class WorkerAnswer(msgspec.Struct, frozen=True):
    """The answer of a worker."""

    result: ReadingResult
    retires: bool = False
    """Whether the worker ends after this answer, because it has grown."""


encode_message = msgspec.msgpack.Encoder().encode
decode_document = msgspec.msgpack.Decoder(UnreadDocument).decode
decode_answer = msgspec.msgpack.Decoder(WorkerAnswer).decode


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def read_message(stream: IO[bytes], most_bytes: int | None = None) -> bytes | None:
    """Read one message; None at the end of the stream, or if it is longer than allowed."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if most_bytes is not None and length > most_bytes:
        return None
    message = stream.read(length)
    return message if len(message) == length else None
