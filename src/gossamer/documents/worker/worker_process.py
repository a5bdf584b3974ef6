"""The process that reads documents: limits itself, then answers one document after another.

    python -m gossamer.documents.worker.worker_process LIMITS [READER]

Without READER it has all readers of ours, and can open neither files nor sockets. With READER it has that plug-in,
which may need files.
"""

import encodings
import os
import pkgutil
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import IO

import msgspec

from gossamer.documents.document_content import ReadingFailure, UnreadableDocument, limit_content
from gossamer.documents.find_reader import BUILT_INS, Reader, find_missing_package, find_reader
from gossamer.documents.worker.messages import (
    ReadingResult,
    UnreadDocument,
    WorkerAnswer,
    decode_document,
    encode_message,
    read_message,
    write_message,
)
from gossamer.documents.worker.process_limits import (
    MemoryGauge,
    ReadingLimits,
    forbid_files,
    limit_cpu_time,
    limit_memory,
)

READY = b"ready"
# Encodings of other platforms.
_NOT_HERE = frozenset({"mbcs", "oem", "cp65001"})


def main(arguments: list[str]) -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the crawl decides when its reader ends
    limits = msgspec.json.decode(arguments[0], type=ReadingLimits)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a reader prints is not an answer
    limit_memory(limits.memory_bytes)
    gauge = MemoryGauge()
    if len(arguments) > 1:
        readers = _load([arguments[1]])
    else:
        readers = _load(BUILT_INS)
        _load_encodings()
        forbid_files()
    write_message(answers, READY)
    answer_documents(sys.stdin.buffer, answers, readers, limits, gauge)


def answer_documents(
    questions: IO[bytes],
    answers: IO[bytes],
    readers: Mapping[str, Reader],
    limits: ReadingLimits,
    gauge: MemoryGauge,
) -> None:
    """Read documents from one stream and write what they say to another, until the first ends.

    A process that has kept a third of its memory after a document ends: a new one has more room for the next.
    """
    while (question := read_message(questions)) is not None:
        limit_cpu_time(limits.cpu_s)
        result = read_document(decode_document(question), readers)
        retires = gauge.read_bytes() > limits.memory_bytes // 3
        write_message(answers, encode_message(WorkerAnswer(result, retires)))
        if retires:
            return


def read_document(document: UnreadDocument, readers: Mapping[str, Reader]) -> ReadingResult:
    """Read a document; whatever its reader raises becomes a value."""
    reader = readers.get(document.reader)
    if reader is None:
        return ReadingFailure("unsupported", f"there is no reader for {document.reader[:100]}")
    try:
        return limit_content(reader(document.body, document.url))
    except UnreadableDocument as error:
        return error.failure
    except MemoryError:
        return ReadingFailure("too large", "reading it takes more memory than allowed")
    except RecursionError:
        return ReadingFailure("broken", "it is nested too deeply")
    except Exception as error:  # noqa: BLE001 - a file can break any reader, and the next file must be read
        return ReadingFailure("broken", f"{type(error).__name__}: {error}"[:300])


def _load(names: "Mapping[str, object] | list[str]") -> dict[str, Reader]:
    """Load those readers whose packages are installed."""
    found = ((name, find_reader(name)) for name in names if not find_missing_package(name))
    return {name: reader for name, reader in found if reader is not None}


def _load_encodings() -> None:
    """Load all encodings while files can be opened: documents name any of them."""
    for module in pkgutil.iter_modules(encodings.__path__):
        if module.name not in _NOT_HERE:
            import_module(f"encodings.{module.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
