"""Schedule what pages need to be shown: images, styles, scripts, fonts and frames, from any host and at any depth.

Requisites have a mark of their own in the seen set. A page that was fetched as a requisite, such as a frame, is therefore
still visited as a page when a link leads to it, and its links are followed.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import compress

from gossamer.crawl.host_shards import Territory, host_of, share_of
from gossamer.crawl.seen_keys import requisite_mark
from gossamer.crawl.task.link_keys import ids_of
from gossamer.crawl.task_counts import REQUISITES_FINISHED, REQUISITES_QUEUED, Tally
from gossamer.frontier.request_window import REQUISITES_FIRST
from gossamer.frontier.seen_set import SeenSet
from gossamer.records import Request
from gossamer.store.batch import Batch
from gossamer.store.tombstones import NONE, Tombstones

MOST_STEPS = 8
"""Redirects and requisites of requisites in a row that are followed: styles import styles, and frames hold frames."""


class RequisiteScheduler:
    """Schedules the requisites of one task, each URL once."""

    def __init__(
        self,
        number: int,
        seen: SeenSet,
        tally: Tally,
        territory: Territory,
        forgotten: Tombstones = NONE,
    ) -> None:
        self._number = number
        self._forgotten = forgotten
        self._seen = seen
        self._tally = tally
        self._territory = territory
        self._mark = requisite_mark(number)

    def schedule(self, source: Request, urls: Sequence[str], batch: Batch) -> list[Request]:
        """Return requests, not numbered yet, for the requisites of a page that are new; those of other shards are sent.

        `source` is the request of the page, or of the requisite that needs them or redirects to them.
        """
        steps = source.hops + 1 if source.type == "requisite" else 0
        if steps > MOST_STEPS or not urls:
            return []
        ids = ids_of([url for url in urls if not self._forgotten.covers(url)])
        own = [self._territory.owns(host_of(url)) for url in ids] if self._territory.shards > 1 else None
        new = self._seen.add_many(list(ids.values()), self._mark)
        made = [self._make_request(source, url, ids[url], steps) for url in compress(ids, new)]
        if not made:
            return []
        kept = made if own is None else list(compress(made, compress(own, new)))
        self._tally.count(REQUISITES_QUEUED, len(made))
        self._tally.count_links(len(kept), len(kept), Counter())
        batch.scheduled.extend(one.id ^ self._mark for one in kept)
        if len(kept) < len(made):
            at_home = {one.id for one in kept}
            batch.sent.extend((share_of(one.host), one) for one in made if one.id not in at_home)
        return kept

    def has_scheduled(self, page_id: int) -> bool:
        """Say whether a page was scheduled as a requisite."""
        return bool(self._seen.has_many([page_id], (self._mark,))[0])

    def accept(self, requests: Sequence[Request], batch: Batch) -> list[Request]:
        """Return those of the requisites that other shards have sent that are new here."""
        keys = [one.id for one in requests]
        new = self._seen.add_many(keys, self._mark)
        accepted = list(compress(requests, new))
        batch.scheduled.extend(one.id ^ self._mark for one in accepted)
        self._tally.count_links(len(requests), len(accepted), Counter())
        self._tally.count(REQUISITES_FINISHED, len(requests) - len(accepted))
        return accepted

    def _make_request(self, source: Request, url: str, page_id: int, steps: int) -> Request:
        """Return a request that goes before all pages of its host, and among hosts counts like its page."""
        priority = source.priority if source.type == "requisite" else source.priority + REQUISITES_FIRST
        return Request(
            page_id,
            url,
            host_of(url),
            self._number,
            source.depth,
            priority,
            source.id,
            "requisite",
            hops=steps,
        )
