"""Write an Atom feed (RFC 4287) of anything that has a title, a time and pages."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput
from gossamer.watch.report.change_html import clean

_NEVER = "1970-01-01T00:00:00Z"


class FeedEntry(msgspec.Struct, frozen=True):
    """One entry of a feed."""

    id: str
    """A UUID that never changes."""
    title: str
    updated_s: float
    summary: str
    url: str = ""
    links: tuple[tuple[str, str], ...] = ()
    """Further pages, each with its title."""


def render_feed(title: str, about: str, entries: Sequence[FeedEntry]) -> str:
    """Return a feed, its newest entry first; `about` identifies it, so that it keeps its id."""
    ordered = sorted(entries, key=lambda one: -one.updated_s)
    updated = _format(ordered[0].updated_s) if ordered else _NEVER
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
            f"<title>{clean(title)}</title>\n<id>urn:uuid:{name_entry('feed', about)}</id>",
            f"<updated>{updated}</updated>\n<author><name>Gossamer</name></author>",
            "<generator>Gossamer</generator>",
            *map(_render_entry, ordered),
            "</feed>\n",
        ]
    )


def write_feed_file(path: Path, feed: str) -> None:
    """Write a feed to a file, whole or not at all."""
    try:
        with write_atomically(path) as new:
            new.write_text(feed, encoding="utf-8")
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {error.strerror}; name a file in an existing folder"
        ) from None


def name_entry(*parts: str) -> str:
    """Return a UUID that follows from some texts."""
    text = " ".join(("gossamer", *parts)).encode("utf-8", "replace").decode()
    return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


def _render_entry(entry: FeedEntry) -> str:
    items = "".join(
        f'<li><a href="{clean(url)}">{clean(title or url)}</a></li>' for url, title in entry.links
    )
    content = f"<p>{clean(entry.summary)}</p>" + (f"<ul>{items}</ul>" if items else "")
    link = f'<link rel="alternate" href="{clean(entry.url)}"/>\n' if entry.url else ""
    return (
        f"<entry>\n<id>urn:uuid:{entry.id}</id>\n<title>{clean(entry.title)}</title>\n"
        f"<updated>{_format(entry.updated_s)}</updated>\n{link}"
        # HTML in a feed is text: escaped once more.
        f'<summary>{clean(entry.summary)}</summary>\n<content type="html">{clean(content)}</content>\n</entry>'
    )


def _format(when_s: float) -> str:
    return datetime.fromtimestamp(max(when_s, 0.0), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
