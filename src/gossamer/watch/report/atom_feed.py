"""Changes as an Atom feed (RFC 4287), which every feed reader can subscribe to."""

import uuid
from collections.abc import Sequence

from gossamer.watch.change_log import PageChange, describe_change, format_time
from gossamer.watch.report.change_html import clean, make_title, render_blocks

MOST_ENTRIES = 100
_NEVER = "1970-01-01T00:00:00Z"


def render_feed(changes: Sequence[PageChange], about: str) -> str:
    """Return a feed of changes, the newest first; `about` identifies the web, so that the feed keeps its id."""
    shown = changes[:MOST_ENTRIES]
    name = uuid.uuid5(uuid.NAMESPACE_URL, f"gossamer watch {about}".encode("utf-8", "replace").decode())
    updated = format_time(shown[0].when_s) if shown else _NEVER
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
            f"<title>Changes of watched pages</title>\n<id>urn:uuid:{name}</id>",
            f"<updated>{updated}</updated>\n<author><name>Gossamer</name></author>",
            "<generator>Gossamer</generator>",
            *map(_render_entry, shown),
            "</feed>\n",
        ]
    )


def _render_entry(change: PageChange) -> str:
    part = f" ({change.part})" if change.part else ""
    sentence = describe_change(change)
    content = f"<p>{clean(sentence)}</p>{render_blocks(change)}"
    return "\n".join(
        [
            "<entry>",
            f"<id>urn:uuid:{change.id}</id>",
            f"<title>{clean(f'{make_title(change)}{part}: {sentence}')}</title>",
            f"<updated>{format_time(change.when_s)}</updated>",
            f'<link rel="alternate" href="{clean(change.url)}"/>',
            f"<summary>{clean(sentence)}</summary>",
            # HTML in a feed is text: escaped once more.
            f'<content type="html">{clean(content)}</content>',
            "</entry>",
        ]
    )
