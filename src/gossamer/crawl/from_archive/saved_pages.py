"""Pages that a reader saved as their browser shows them: they wait in a folder of the web until a writer takes them in.

A crawl may hold the lock of the web for days. So a page is first written to the folder `saved`, safely and at once. The next
process that holds the lock adds it to state and archive: the server if no crawl runs, otherwise a crawl when it begins and when it ends.
"""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer.atomic_file import write_atomically
from gossamer.crawl.from_archive.import_warc import import_exchanges
from gossamer.errors import BadInput
from gossamer.net import url as urls
from gossamer.records import Exchange
from gossamer.store.batch import Store

FOLDER = "saved"
MOST_BYTES = 10_000_000
TASK_NAME, _REASON = "saved", "saved by readers"
_MOST_WAITING = 1_000
_AT_ONCE = 50
_OK = 200


class SavedPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page as a browser shows it."""

    url: str
    """In canonical form."""
    html: str
    saved_s: float


_DECODER = msgspec.json.Decoder(SavedPage)


def save_page(folder: Path, page: SavedPage) -> None:
    """Write a page where the next writer of the web finds it; raise `BadInput` if that is not possible."""
    where = folder / FOLDER
    try:
        where.mkdir(mode=0o700, exist_ok=True)
        if sum(1 for _ in where.glob("*.json")) >= _MOST_WAITING:
            raise BadInput(
                f"{_MOST_WAITING:,} saved pages wait in {where} already; wait until the crawl ends"
            )
        with write_atomically(
            where / f"{time.time_ns():020}-{urls.page_id(page.url) & 0xFFFF:04x}.json"
        ) as new:
            new.touch(0o600)
            new.write_bytes(msgspec.json.encode(page))
    except OSError as error:
        raise BadInput(f"the page cannot be saved in {where}: {error.strerror}") from None


def count_waiting(folder: Path) -> int:
    """Return how many saved pages wait."""
    return sum(1 for _ in (folder / FOLDER).glob("*.json"))


def take_in_saved(store: Store, folder: Path) -> int:
    """Take saved pages into a web whose lock the caller holds; return how many files were taken.

    If this is interrupted, the next writer repeats it: captures that the web has already are skipped.
    """
    taken = 0
    while files := sorted((folder / FOLDER).glob("*.json"))[:_AT_ONCE]:
        import_exchanges(store, folder, _read_pages(files), time.time(), TASK_NAME, reason=_REASON)
        for file in files:
            file.unlink(missing_ok=True)
        taken += len(files)
    return taken


def _read_pages(files: list[Path]) -> Iterator[Exchange]:
    for file in files:
        try:
            page = _DECODER.decode(file.read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            logging.getLogger(__name__).warning("the saved page %s is left out: %s", file, error)
            continue
        yield make_exchange(page)


def make_exchange(page: SavedPage) -> Exchange:
    """Return a saved page as it goes into the archive: a resource, since no server sent it, so it has no heads."""
    body = page.html.encode("utf-8", "replace")[:MOST_BYTES]
    headers = (("content-type", "text/html; charset=utf-8"),)
    return Exchange(page.url, _OK, b"", b"", body, body, headers, "", page.saved_s, 0.0, 0.0)
