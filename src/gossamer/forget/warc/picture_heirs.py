"""Find who keeps a picture when its page is forgotten: pages that look the same share one record, which names one of them."""

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import get_args

from gossamer.net.url import page_id
from gossamer.store import page_pictures
from gossamer.store.batch import Store

Heir = str
"""The address under which a picture stays, of a page that is kept."""
_TARGET = re.compile(rb"^(WARC-Target-URI:)[^\r\n]*(\r\n)", re.IGNORECASE | re.MULTILINE)


class PictureHeirs:
    """The pages of a web that share pictures with others."""

    def __init__(self, store: Store, ids: Collection[int], covers: Callable[[str], bool]) -> None:
        """`ids` are the pages that are forgotten; `covers` says of a URL whether it is forgotten by its host or a pattern."""
        self._store = store
        self._gone = frozenset(ids)
        self._covers = covers
        self._users: dict[tuple[str, int], list[tuple[int, page_pictures.Size]]] | None = None

    def find(self, path: Path, offset: int) -> Heir | None:
        """Return the address under which the picture at a place stays; None if no kept page has it. Cost: once, a pass over notes."""
        if self._users is None:
            self._users = self._read_users()
        for user, size in self._users.get((path.name, offset), ()):
            page = self._store.pages_by_id([user]).get(user)
            if page is not None and not self._covers(page.url):
                return page_pictures.make_address(page.url, size)
        return None

    def _read_users(self) -> dict[tuple[str, int], list[tuple[int, page_pictures.Size]]]:
        users: dict[tuple[str, int], list[tuple[int, page_pictures.Size]]] = {}
        for name, note in self._store.notes(page_pictures.ROOM):
            place, found = page_pictures.decode_place(note), page_pictures.parse_note(name)
            if place is not None and found is not None and found[0] not in self._gone:
                users.setdefault((place.warc, place.offset), []).append(found)
        return users

    def list_files(self, ids: Collection[int]) -> set[str]:
        """Return the WARC files with pictures of some pages."""
        places = (
            page_pictures.find_place(self._store, one, size)
            for one in ids
            for size in get_args(page_pictures.Size)
        )
        return {place.warc for place in places if place is not None}

    def is_known(self, url: str) -> bool:
        """Say whether the web knows a URL, so that it can be forgotten on its own."""
        return self._store.url(page_id(url)) is not None


def rename(raw: bytes, heir: Heir) -> bytes:
    """Return a record of a picture under the address of another page."""
    target = heir.encode("utf-8", "replace").replace(b"\\", b"\\\\")
    return _TARGET.sub(rb"\1 " + target + rb"\2", raw, count=1)
