"""Earlier versions of a page that the collection has kept, each with what differs from the one before."""

from pathlib import Path

import msgspec

from gossamer.navigate.link_card import read_address
from gossamer.net import url as urls
from gossamer.records import Visit
from gossamer.watch.change_log import BlockKind, describe_edits
from gossamer.watch.difference.find_edits import find_edits
from gossamer.watch.difference.mark_words import SpanKind
from gossamer.watch.difference.part_text import PageVersion, WatchedPart
from gossamer.watch.read_versions import VersionReader, list_visits
from gossamer.web import Web

_MOST_VERSIONS = 20
_SUCCESS = 2
_MAIN_TEXT = WatchedPart()


class VersionWords(msgspec.Struct, frozen=True):
    """A run of words: in both versions (`same`), only in the older (`gone`) or only in the newer one (`new`)."""

    kind: SpanKind
    text: str


class VersionBlock(msgspec.Struct, frozen=True):
    """A paragraph that differs from the version before."""

    kind: BlockKind
    words: tuple[VersionWords, ...]


class KeptVersion(msgspec.Struct, frozen=True):
    """A version of a page."""

    fetched_s: float
    before_s: float
    """When the version with which it is compared was fetched; 0 for the oldest that is kept."""
    title: str
    blocks: tuple[VersionBlock, ...]
    left_out: int
    """How many further paragraphs differ."""


class KeptVersions(msgspec.Struct, frozen=True):
    """The versions of a page, the latest first."""

    url: str
    title: str
    visits: int
    """How often the collection visited it."""
    items: tuple[KeptVersion, ...]
    note: str = ""
    """Why there are none, or fewer than visits, in one sentence."""


def list_versions(web: Web, address: str) -> KeptVersions:
    """Return the versions of the main text of a page, at most 20; raise `BadInput` if it is no address.

    Visits that found the text of the one before are not listed. Cost: reading and comparing each version.
    """
    url = read_address(address)
    page, visits = web.store.page(urls.page_id(url)), list_visits(web.store, url)
    if page is None or not page.archive:
        note = (
            "This page allows no copies." if page is not None else "The collection does not have this page."
        )
        return KeptVersions(url, page.title if page is not None else "", len(visits), (), note)
    reader = VersionReader(Path(web.folder) / "archive")
    read = [
        version for one in _choose_visits(visits) if (version := reader.read(one, _MAIN_TEXT)) is not None
    ]
    older: list[PageVersion | None] = [None, *read]
    items = [
        item for version, before in zip(read, older, strict=False) if (item := _compare(version, before))
    ]
    note = "" if items else "The archive has no copy of this page."
    if len(items) == 1:
        note = "The collection knows one version of this page."
    return KeptVersions(url, page.title, len(visits), tuple(reversed(items)), note)


def _choose_visits(visits: list[Visit]) -> list[Visit]:
    """Return the visits that found another text than the one before, the latest of them."""
    chosen = list[Visit]()
    for visit in visits:
        is_version = visit.result == "fetched" and visit.status // 100 == _SUCCESS
        if is_version and (
            not chosen or not visit.text_digest or visit.text_digest != chosen[-1].text_digest
        ):
            chosen.append(visit)
    return chosen[-_MOST_VERSIONS:]


def _compare(version: PageVersion, before: PageVersion | None) -> KeptVersion | None:
    """Return a version with its differences; None if its main text is the same."""
    if before is None:
        return KeptVersion(version.fetched_s, 0.0, version.title, (), 0)
    blocks, left_out = describe_edits(find_edits(before, version))
    if not blocks and version.title == before.title:
        return None
    shown = tuple(
        VersionBlock(block.kind, tuple(VersionWords(span.kind, span.text) for span in block.words))
        for block in blocks
    )
    return KeptVersion(version.fetched_s, before.fetched_s, version.title, shown, left_out)
