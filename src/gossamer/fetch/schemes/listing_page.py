"""Writes the index page of a folder: links to what is in it."""

from collections.abc import Iterable
from html import escape
from urllib.parse import quote_from_bytes

MOST_ENTRIES = 20_000
"""Entries of one folder; the rest is left out."""


def make_listing(name: str, entries: Iterable[tuple[bytes, bool]], truncated: bool = False) -> bytes:
    """Return the index page of a folder, its entries given by name and whether they are folders."""
    lines = []
    for entry, is_folder in entries:
        slash = "/" if is_folder else ""
        # The dot keeps a name such as `javascript:x` from being read as a scheme.
        target = f"./{quote_from_bytes(entry, safe='')}{slash}"
        text = escape(entry.decode("utf-8", "replace"))
        lines.append(f'<li><a href="{target}">{text}{slash}</a></li>')
    note = f"<p>Only the first {MOST_ENTRIES:,} entries are listed.</p>" if truncated else ""
    title = escape(f"Index of {name}")
    # People search for the files, not for lists of them.
    head = f'<!doctype html><meta name="robots" content="noindex"><title>{title}</title>'
    page = f"{head}<h1>{title}</h1><ul>\n" + "\n".join(lines) + f"\n</ul>{note}"
    return page.encode("utf-8", "replace")
