"""Take forgotten pages out of the archive: plan first which files change, then write each anew."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from gossamer.errors import StoreFailed
from gossamer.forget.journal import FileDone, Journal
from gossamer.forget.warc.plan_edits import (
    Choice,
    Edit,
    FilePlan,
    find_length,
    join_gaps,
    keep_alive,
    plan_file,
    read_raw,
    refer_to,
)
from gossamer.forget.warc_files import WarcFiles
from gossamer.store.archive import cdxj_index
from gossamer.store.archive.archive import find_file_before
from gossamer.store.archive.archive_reader import WarcPosition, read_reference
from gossamer.store.archive.read_exchange import target_url
from gossamer.store.batch import Store

Checkpoint = Callable[[], None]
"""Writes the journal."""
_AT_ONCE = 500
Originals = dict[tuple[str, int], str]


def erase_archive(
    store: Store, files: WarcFiles, journal: Journal, choice: Choice, checkpoint: Checkpoint
) -> None:
    """Remove what goes from all WARC files and their indexes. Cost: unpacking and copying the files that it stands in."""
    erasing = _Erasing(store, files, journal, choice)
    files.clean_up()
    if journal.to_do is None:
        erasing.plan()
        checkpoint()
    for names in files.group(name for name in journal.to_do or () if name not in journal.files):
        done = {name: erasing.change(name) for name in names}
        files.put_back()
        journal.files.update(done)
        checkpoint()


def remove_empty_files(folder: Path, names: Iterable[str]) -> None:
    """Remove WARC files in which nothing is left, when the state does not name them any more."""
    for name in names:
        path = folder / "archive" / name
        cdxj_index.index_path(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)


class _Erasing:
    """The archive of one web, and what is planned for its files."""

    def __init__(self, store: Store, files: WarcFiles, journal: Journal, choice: Choice) -> None:
        self._store = store
        self._files = files
        self._journal = journal
        self._choice = choice
        self._plans: dict[str, FilePlan] = {}

    def plan(self) -> None:
        """Find the files that change, and the responses to which revisits of other pages refer."""
        queue = self._find_files()
        seen: set[str] = set()
        originals: Originals = {}
        while queue:
            name = queue.pop()
            if name in seen or name not in self._files.ends or self._files.find(name) is None:
                continue
            seen.add(name)
            plan = self._plan(name)
            originals |= {(name, offset): digest for offset, digest in plan.originals.items()}
            if plan.begins_inside and (before := find_file_before(name, self._files.ends)):
                queue |= {before} - seen
            queue |= {place.warc for place in plan.references} - seen
        for name in self._find_stand_ins(seen):
            self._plans.pop(name)
            originals |= {(name, offset): digest for offset, digest in self._plan(name).originals.items()}
        alive, referring = self._find_alive(originals)
        self._journal.alive = alive
        self._journal.to_do = sorted(seen | referring)

    def _find_stand_ins(self, names: Collection[str]) -> set[str]:
        """Note responses that stand only for revisits that go, in the place of pages forgotten before; return their files."""
        found: set[str] = set()
        for plan in [self._plan(name) for name in names]:
            for place, url in plan.loaded:
                if place.warc not in names or place.offset not in self._plan(place.warc).bare:
                    continue
                record = self._files.read_record(place)
                if record is not None and target_url(record) == url:
                    self._journal.offsets.setdefault(place.warc, []).append(place.offset)
                    found.add(place.warc)
        return found

    def change(self, name: str) -> FileDone:
        """Write one file anew, if anything of it goes."""
        if name not in self._files.ends or self._files.find(name) is None:
            return FileDone()
        plan = self._plan(name)
        edits = self._with_alive(name, plan)
        is_empty = not plan.left and not self._holds_alive(name) and bool(plan.edits)
        removed = [edit for edit in edits if not edit.records]

        def is_gone(url: str, offset: int) -> bool:
            return self._choice.covers(url) or any(
                one.offset <= offset < one.offset + one.length for one in removed
            )

        self._files.change(name, edits, is_gone)
        self._plans.pop(name, None)
        return FileDone(plan.removed, plan.removed_bytes, bool(edits), is_empty)

    def _plan(self, name: str) -> FilePlan:
        if name not in self._plans:
            path = self._find(name)
            self._plans[name] = plan_file(path, self._files.ends[name], self._choice)
        return self._plans[name]

    def _find(self, name: str) -> Path:
        path = self._files.find(name)
        if path is None:
            raise StoreFailed(f"{name} is not in the archive any more: run `gossamer verify`")
        return path

    def _find_files(self) -> set[str]:
        """Return the files in which the pages, or records that name them, stand."""
        journal = self._journal
        if journal.mode == "drop":
            found = set(journal.offsets)
        elif journal.every_file or journal.hosts or journal.patterns:
            return set(self._files.ends)
        else:
            found = set()
        ids = [*journal.ids, *journal.related] if journal.mode == "forget" else journal.ids
        for at in range(0, len(ids), _AT_ONCE):
            some = ids[at : at + _AT_ONCE]
            for visits in self._store.visits_of_pages(some).values():
                found |= {visit.warc for visit in visits if visit.warc}
            found |= {page.warc for page in self._store.pages_by_id(some).values() if page.warc}
        return found | self._choice.heirs.list_files(journal.ids)

    def _find_alive(self, originals: Originals) -> tuple[list[tuple[str, int, str, int]], set[str]]:
        """Find revisits of other pages that refer to removed responses. Cost: a pass over the CDXJ indexes."""
        digests = set(originals.values()) - {""}
        found: list[tuple[int, tuple[str, int, str, int]]] = []
        if not digests:
            return [], set()
        for name, offset in self._files.find_revisits(digests):
            record = self._files.read_record(WarcPosition(name, offset))
            if record is None or record.type != "revisit" or self._choice.covers(target_url(record)):
                continue
            if name in self._plans and offset in self._plans[name].revisits:
                continue
            place = read_reference(record)
            if (place.warc, place.offset) in originals:
                found.append((len(target_url(record)), (place.warc, place.offset, name, offset)))
        # The one with the shortest URL comes first, and takes the place of the original: it fits best.
        alive = [one for _, one in sorted(found)]
        return alive, {one[2] for one in alive}

    def _holds_alive(self, name: str) -> bool:
        return any(name == one[0] for one in self._journal.alive)

    def _with_alive(self, name: str, plan: FilePlan) -> list[Edit]:
        """Return the edits of a file with responses that stay for other pages, and with revisits that name those pages."""
        edits = {edit.offset: edit for edit in plan.edits}
        standing: dict[int, WarcPosition] = {}
        for warc, offset, revisit_warc, revisit_offset in self._journal.alive:
            if warc == name and offset not in standing:
                standing[offset] = WarcPosition(revisit_warc, revisit_offset)
        if self._journal.mode == "drop":
            return join_gaps(part for part in plan.parts if part.offset not in standing)
        for offset, revisit in standing.items():
            gap = next(
                (one for one in edits.values() if one.offset <= offset < one.offset + one.length), None
            )
            if gap is None or gap.records:
                continue
            room = gap.offset + gap.length - offset
            made = keep_alive(self._files, WarcPosition(name, offset), revisit, room)
            if made is None:
                continue
            del edits[gap.offset]
            if gap.offset < offset:
                edits[gap.offset] = Edit(gap.offset, offset - gap.offset)
            edits[offset] = Edit(offset, room, (made,))
        self._name_new_originals(name, edits)
        return list(edits.values())

    def _name_new_originals(self, name: str, edits: dict[int, Edit]) -> None:
        """Have the revisits of a file name the pages whose responses now stand in the place of forgotten ones."""
        first: dict[tuple[str, int], str] = {}
        for warc, offset, revisit_warc, revisit_offset in self._journal.alive:
            revisit = self._files.read_record(WarcPosition(revisit_warc, revisit_offset))
            url = target_url(revisit) if revisit is not None else ""
            heir = first.setdefault((warc, offset), url)
            if revisit_warc != name or revisit is None or revisit.type != "revisit":
                continue
            path = self._find(name)
            edit = edits.get(revisit_offset) or Edit(
                revisit_offset, find_length(path, revisit_offset), (b"",)
            )
            if edit.records and edit.length:
                raw = edit.records[0] or read_raw(path, edit.offset, edit.length)
                edits[revisit_offset] = Edit(edit.offset, edit.length, (refer_to(raw, heir, edit.length),))


def check_room(folder: Path, largest: int, free: int) -> None:
    """Raise StoreFailed if the largest file does not fit beside itself."""
    if free < largest:
        raise StoreFailed(
            f"{folder} has {free / 1e6:,.0f} MB free, and a WARC file of {largest / 1e6:,.0f} MB has to be written "
            "anew beside the old one: make room, and run the same command again",
            full=True,
        )
