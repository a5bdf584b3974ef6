"""Where a log goes: standard error, a file that is replaced when it is large, or the journal of systemd."""

import logging
import logging.handlers
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.logs.format_line import FACTS, make_facts, make_harmless

JOURNAL = "journald"
STANDARD_ERROR = "-"
_FILE_BYTES, _OLD_FILES = 20_000_000, 5
_JOURNAL_SOCKET = "/run/systemd/journal/socket"
_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG_PRIORITY = 7


def find_priority(level: int) -> int:
    """Return the priority of syslog for a level."""
    return next((priority for least, priority in _PRIORITIES if level >= least), _DEBUG_PRIORITY)


def open_sink(where: str, formatter: logging.Formatter) -> logging.Handler:
    """Return what writes a log to a file, to standard error (`-`) or to the journal."""
    if where == JOURNAL:
        return JournalHandler(formatter)
    if where == STANDARD_ERROR:
        handler: logging.Handler = StderrHandler()
    else:
        handler = _open_file(Path(where))
    handler.setFormatter(formatter)
    return handler


def _open_file(path: Path) -> logging.Handler:
    try:
        handler = FileHandler(
            path, maxBytes=_FILE_BYTES, backupCount=_OLD_FILES, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise BadInput(f"the log file {path} cannot be written: {error.strerror or error}") from None
    return handler


class _Quietly(logging.Handler):
    """A handler that says once that a log cannot be written, and never ends the program because of it."""

    _told = False

    def handleError(self, _: logging.LogRecord) -> None:  # noqa: N802 - a name of logging
        """Say on standard error, once, why a line was lost."""
        if self._told:
            return
        self._told = True
        error = sys.exc_info()[1]
        with suppress(OSError):
            sys.stderr.write(
                f"gossamer: the log cannot be written: {error}; the program goes on without it\n"
            )


class FileHandler(_Quietly, logging.handlers.RotatingFileHandler):
    """A file that becomes FILE.1 when it is large; five old ones are kept."""

    def close(self) -> None:
        """Close the file; what a full disk has kept from being written is lost."""
        with suppress(OSError):
            super().close()


class StderrHandler(_Quietly, logging.StreamHandler):  # type: ignore[type-arg]
    """Standard error; under systemd, with the prefixes that tell the journal the level of a line."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._has_prefix = _is_journal(sys.stderr)

    def format(self, record: logging.LogRecord) -> str:
        """Return a line, with the prefix of its level for the journal."""
        line = super().format(record)
        return f"<{find_priority(record.levelno)}>{line}" if self._has_prefix else line


class JournalHandler(_Quietly):
    """Sends each line to the journal with its facts as fields, by the journal's own protocol."""

    def __init__(self, formatter: logging.Formatter, path: str = _JOURNAL_SOCKET) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._path = path
        try:
            self._socket.connect(path)
        except OSError:
            raise BadInput(
                f"there is no journal at {path}: use --log-file FILE, or leave it out for standard error"
            ) from None

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record."""
        try:
            self._socket.send(encode_fields(make_fields(record, self)))
        except OSError:
            self._send_again(record)

    def _send_again(self, record: logging.LogRecord) -> None:
        """The journal was started again since, or the record is too long for one message."""
        try:
            self._socket.connect(self._path)
            self._socket.send(
                encode_fields({name: text[:8_000] for name, text in make_fields(record, self).items()})
            )
        except OSError:
            self.handleError(record)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
        super().close()


def make_fields(record: logging.LogRecord, handler: logging.Handler) -> dict[str, str]:
    """Return the fields of a record for the journal."""
    facts = make_facts(record)
    message = make_harmless(record.getMessage())
    if record.exc_info:
        message = handler.format(record)
    elif url := facts.get("url"):
        message = f"{message} {url}"
    named = {f"GOSSAMER_{name.upper()}": str(facts[name]) for name in FACTS if name in facts}
    return {
        "MESSAGE": message,
        "PRIORITY": str(find_priority(record.levelno)),
        "SYSLOG_IDENTIFIER": "gossamer",
        "GOSSAMER_CATEGORY": record.name,
        **named,
    }


def encode_fields(fields: dict[str, str]) -> bytes:
    """Encode fields by the journal's protocol: NAME=text on a line, or with the length before a text that has lines."""
    parts = []
    for name, text in fields.items():
        packed = text.encode("utf-8", "replace")
        if b"\n" in packed:
            parts.append(name.encode() + b"\n" + len(packed).to_bytes(8, "little") + packed + b"\n")
        else:
            parts.append(name.encode() + b"=" + packed + b"\n")
    return b"".join(parts)


def _is_journal(stream: object) -> bool:
    """Say whether a stream is connected to the journal, as systemd's JOURNAL_STREAM says."""
    device, _, node = os.environ.get("JOURNAL_STREAM", "").partition(":")
    try:
        about = os.fstat(stream.fileno())  # type: ignore[attr-defined]
    except (OSError, AttributeError, ValueError):
        return False
    return (str(about.st_dev), str(about.st_ino)) == (device, node)
