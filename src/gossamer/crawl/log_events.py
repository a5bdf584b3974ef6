"""Write the events of a crawl into the log: every line about a URL has its task, its host and the number of its request.

A level that is off costs nothing for each page: if no line can come of them, events do not pass through here at all.
"""

import logging
from typing import Any

from gossamer.crawl.events import LogLine, Notice, PageVisited, TaskEnded, TrapFound, Watcher
from gossamer.printable_text import format_bytes

_CRAWL = logging.getLogger("gossamer.crawl")
_FETCH = logging.getLogger("gossamer.fetch")
_STORE = logging.getLogger("gossamer.store")
# Without this, Python would print warnings of programs that have not set up logs.
logging.getLogger("gossamer").addHandler(logging.NullHandler())
_TROUBLE = ("failed",)


def is_verbose() -> bool:
    """Say whether the log wants each step of a visit."""
    return any(
        logger.isEnabledFor(logging.DEBUG) and logger.hasHandlers() for logger in (_FETCH, _CRAWL, _STORE)
    )


def log_events(watch: Watcher) -> Watcher:
    """Return a watcher that writes events into the log and passes them on; the same one if no line can come of them."""
    if not _has_readers():
        return watch
    logs_pages = _FETCH.isEnabledFor(logging.WARNING)

    def observe(event: Any) -> None:
        match event:
            case PageVisited():
                if logs_pages:
                    _log_page(event)
            case LogLine():
                _log_line(event)
                return
            case Notice():
                _CRAWL.log(logging.WARNING if event.is_trouble else logging.INFO, "%s", event.text)
            case TrapFound():
                _CRAWL.info(
                    "a trap was found: %s: %s", event.reason, event.pattern, extra={"task": event.task}
                )
            case TaskEnded():
                _log_end(event)
        watch(event)

    return observe


def _has_readers() -> bool:
    """Say whether a line of a crawl would be written anywhere: a library's own handler does not count."""
    logger: logging.Logger | None = logging.getLogger("gossamer")
    while logger is not None:
        if any(not isinstance(handler, logging.NullHandler) for handler in logger.handlers):
            return True
        logger = logger.parent if logger.propagate else None
    return False


def _log_page(event: PageVisited) -> None:
    level = logging.WARNING if event.result in _TROUBLE else logging.INFO
    if not _FETCH.isEnabledFor(level):
        return
    parts = [event.result, str(event.status or ""), event.cause if event.cause != str(event.status) else ""]
    parts += [format_bytes(event.body_bytes) if event.body_bytes else "", f"{event.took_s:.2f} s"]
    _FETCH.log(level, "%s", " ".join(filter(None, parts)), extra=_make_facts(event))


def _log_line(event: LogLine) -> None:
    logger = {"fetch": _FETCH, "store": _STORE}.get(event.category, _CRAWL)
    logger.log(event.level, "%s", event.text, extra=_make_facts(event))


def _make_facts(event: PageVisited | LogLine) -> dict[str, object]:
    return {"task": event.task, "host": event.host, "request": event.request, "url": event.url}


def _log_end(event: TaskEnded) -> None:
    pages = event.counts.get("downloaded", 0)
    _CRAWL.info("%s: %s; %s pages", event.state, event.reason, f"{pages:,}", extra={"task": event.task})
