"""Check watched pages: look at each, once or several times, judge what came, and write down what changed."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from gossamer.store.batch import Batch, Store
from gossamer.watch.change_log import PageChange, make_notes
from gossamer.watch.difference.page_noise import KnownNoise
from gossamer.watch.judge_visits import FIRST_LOOKS, Judgement, judge_visits
from gossamer.watch.read_versions import VersionReader, find_target, list_visits
from gossamer.watch.watch_list import WatchedPage, make_note

MOST_LOOKS = FIRST_LOOKS + 2
"""Looks of one check: those at a new page, and two more if it turns out to be redirected."""
CIRCLE = "its redirects lead in a circle"
_replace = msgspec.structs.replace

Look = Callable[[Sequence[str]], None]
"""Fetches each of these pages once; afterwards the visits are in the store."""


class PageCheck:
    """One check of some watched pages."""

    def __init__(self, store: Store, archive: Path, look: Look, now_s: float) -> None:
        self._store = store
        self._look = look
        self._now_s = now_s
        self._versions = VersionReader(archive)
        self._moved: dict[str, str] = {}
        """The new targets of pages that redirect elsewhere since the last check, by the names of the pages."""
        self.changes: list[PageChange] = []

    def run(self, pages: Iterable[WatchedPage]) -> list[WatchedPage]:
        """Check pages; return them as they are afterwards. What was found is in `changes`, and in the store.

        Each round is written in one transaction. After a kill, the next check judges the visits that this one has left.
        """
        left = list(pages)
        done: list[WatchedPage] = []
        for number in range(1, MOST_LOOKS + 1):
            if not left:
                break
            self._look(list(dict.fromkeys(url for page in left for url in (page.url, page.target) if url)))
            judged = [self._judge(page, final=number == MOST_LOOKS) for page in left]
            self._write(judged)
            left = [one.page for one in judged if one.look_again]
            done += [one.page for one in judged if not one.look_again]
        return done

    def _judge(self, page: WatchedPage, final: bool) -> Judgement:
        target = find_target(self._store, page.url)
        if not target:
            return self._judge_circle(page)
        if page.checked_s and target != (page.target or page.url):
            self._moved[page.name] = target
            page = self._begin_target(page, target)
        elif not page.checked_s:
            page = self._begin_target(page, target)
        read = partial(self._versions.read, part=page.part)
        judgement = judge_visits(page, list_visits(self._store, target), read, final)
        if judgement.look_again:
            return Judgement(page, look_again=True)
        if page.name in self._moved and judgement.page.status in ("there", "part gone"):
            change = PageChange(
                page.url, str(page.part), "moved", self._now_s, title=judgement.page.title, detail=target
            )
            return judgement._replace(change=change)
        return judgement

    def _begin_target(self, page: WatchedPage, target: str) -> WatchedPage:
        """Return a page whose URL leads to another page than before: it begins anew, without earlier visits."""
        earlier = sum(visit.when_s < self._now_s for visit in list_visits(self._store, target))
        return _replace(
            page,
            target=target if target != page.url else "",
            visits=earlier,
            version=0,
            looks=0,
            noise=KnownNoise(),
        )

    def _judge_circle(self, page: WatchedPage) -> Judgement:
        known = page.status in ("", "failing")
        page = _replace(page, status="failing", detail=CIRCLE, checked_s=self._now_s)
        change = PageChange(page.url, str(page.part), "failing", self._now_s, detail=CIRCLE)
        return Judgement(page, None if known else change)

    def _write(self, judged: Sequence[Judgement]) -> None:
        """Write pages that were judged, and their changes, in one transaction."""
        changes = [one.change for one in judged if one.change is not None]
        notes = make_notes(self._store, changes)
        notes |= dict(make_note(one.page) for one in judged if not one.look_again)
        self._store.commit(Batch(notes=notes))
        self.changes += changes
