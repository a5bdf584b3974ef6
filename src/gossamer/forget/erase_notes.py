"""Find the notes of other parts of the program that name forgotten pages, and what is to stand there instead."""

import re
from collections.abc import Callable, Collection

import msgspec

from gossamer.assess.judgements import ROOM as ASSESS
from gossamer.assess.records import Sample
from gossamer.config import from_json
from gossamer.crawl.control.start_tasks import canonical_or_same
from gossamer.forget.needles import Needles
from gossamer.store.batch import Store
from gossamer.store.collection_title import ROOM as TITLE
from gossamer.store.tombstones import DROPPED, ROOM, TAKEDOWNS, tombstone_name

Notes = dict[tuple[str, str], bytes | None]
_PARTS = re.compile(r"[ ./]")
_ID_DIGITS = 16
_LEFT_ALONE = {ROOM, TAKEDOWNS, TITLE}
_SAMPLE = msgspec.json.Decoder(Sample)


def find_notes(store: Store, ids: Collection[int], hosts: Collection[str], needles: Needles) -> Notes:
    """Return the notes to be deleted or replaced. Cost: a pass over all notes."""
    names = {tombstone_name(one) for one in ids} | {str(one) for one in ids}
    wanted = set(ids)
    found: Notes = {}
    for room in store.rooms():
        if room in _LEFT_ALONE:
            continue
        for name, value in store.notes(room):
            if _is_named(name, names, hosts, needles):
                found[room, name] = None
            elif room == ASSESS and (sample := _drop_items(value, wanted)) is not None:
                found[room, name] = sample
            elif room != DROPPED and needles.is_in(value):
                found[room, name] = None
    return found


def _is_named(name: str, names: Collection[str], hosts: Collection[str], needles: Needles) -> bool:
    """Say whether the name of a note is that of a page or a host: by its id, its URL, or its host."""
    parts = _PARTS.split(name)
    if name[:_ID_DIGITS] in names or any(part in names for part in parts):
        return True
    if any(name.endswith((f" {host}", f".{host}")) for host in hosts):
        return True
    return "://" in name and needles.is_in(name.encode("utf-8", "replace"))


def _drop_items(value: bytes, ids: Collection[int]) -> bytes | None:
    """Return a sample without some pages; None if it has none of them, or is no sample."""
    try:
        sample = _SAMPLE.decode(value)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    items = tuple(item for item in sample.items if item.page not in ids)
    if len(items) == len(sample.items):
        return None
    return msgspec.json.encode(msgspec.structs.replace(sample, items=items))


def find_specs(store: Store, covers: Callable[[str], bool]) -> dict[int, bytes]:
    """Return the options of tasks that have forgotten start pages, without these, by the number of the task."""
    found: dict[int, bytes] = {}
    for note in store.tasks():
        spec = from_json(note.spec)
        seeds = tuple(url for url in spec.seeds if not covers(canonical_or_same(url)))
        sitemaps = tuple(url for url in spec.sitemaps if not covers(canonical_or_same(url)))
        if (seeds, sitemaps) != (tuple(spec.seeds), tuple(spec.sitemaps)):
            found[note.number] = msgspec.json.encode(
                msgspec.structs.replace(spec, seeds=seeds, sitemaps=sitemaps)
            )
    return found
