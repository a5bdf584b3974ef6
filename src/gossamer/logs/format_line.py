"""Lines of a log: as text, with the facts as `name=value` before the sentence, or as one JSON object each."""

import logging
from datetime import UTC, datetime

import msgspec

from gossamer.logs.hide_secrets import hide_secrets
from gossamer.printable_text import clean_lines

FACTS = ("task", "host", "request", "url")
"""What a line may say besides its sentence: attributes of a record."""
_JSON = msgspec.json.Encoder()


def make_facts(record: logging.LogRecord) -> dict[str, str | int]:
    """Return the facts of a record that are known, made harmless."""
    found: dict[str, str | int] = {}
    for name in FACTS:
        value = getattr(record, name, "")
        if value:
            found[name] = value if isinstance(value, int) else make_harmless(str(value))
    return found


def make_harmless(text: str) -> str:
    """Return a text on one line, without control characters and secrets."""
    return " ".join(clean_lines(hide_secrets(text)).split())


class TextFormatter(logging.Formatter):
    """`2026-11-19T02:14:27.123Z INFO gossamer.fetch task=docs host=www.example.org request=7 fetched …`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; what follows an exception is indented."""
        facts = make_facts(record)
        url = facts.pop("url", "")
        words = [_format_time(record.created), record.levelname, record.name]
        words += [f"{name}={value}" for name, value in facts.items()]
        words += [make_harmless(record.getMessage())]
        if url:
            words.append(str(url))
        return "\n  ".join([" ".join(words), *_list_trace(self, record)])


class JsonFormatter(logging.Formatter):
    """One JSON object a line, with time, level, category, text, and the facts that are known."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, object] = {
            "time": _format_time(record.created),
            "level": record.levelname,
            "category": record.name,
            "text": make_harmless(record.getMessage()),
            **make_facts(record),
            "process": record.process,
        }
        if trace := _list_trace(self, record):
            line["trace"] = trace
        return _JSON.encode(line).decode()


def _format_time(created_s: float) -> str:
    return datetime.fromtimestamp(created_s, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _list_trace(formatter: logging.Formatter, record: logging.LogRecord) -> list[str]:
    if not record.exc_info:
        return []
    lines = clean_lines(hide_secrets(formatter.formatException(record.exc_info))).splitlines()
    return [line for line in lines if line.strip()]
