"""The batch that is being filled: what the store does not know yet. Store and filling together are the truth."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import msgspec

from gossamer.net import url as urls
from gossamer.records import Exchange, Request, Visit
from gossamer.store.batch import Batch


class Kept(msgspec.Struct, frozen=True, gc=False):
    """An exchange that goes into the archive, and the places of its page and its visit in the batch."""

    request: Request
    """The one that it answers, or for which it had to be known first."""
    exchange: Exchange
    visit_at: int
    page_at: int | None = None
    """None: no page came of it. Redirects, errors and robots.txt are archived as well."""
    via: str = ""
    """What led to it, if that is not the request's parent."""
    beyond: str = ""
    """The steps from the request to it, a letter each, if it is not what was asked for."""


class Filling(msgspec.Struct):
    """A batch with the exchanges that go into the archive before it."""

    batch: Batch = msgspec.field(default_factory=Batch)
    exchanges: list[Kept] = []
    archived: int = 0
    """How many of the exchanges are in the archive already: writing may have to be tried again."""
    urgent: bool = False
    """Whether a host wants to be left in peace for longer than a restart takes: the web must know that at once."""

    def promises(self, task: int) -> bool:
        """Say whether it brings a task something to do that the store cannot know of from what it has."""
        return any(one.task == task for _, one in self.batch.sent) or any(
            one.task == task for one in self.batch.widenings
        )

    def waiting_more(self) -> Mapping[tuple[str, int], int]:
        """Return by how many more (or fewer) requests wait at each host, for each task, than the store says."""
        change = Counter((request.host, request.task) for request in self.batch.requests)
        change.subtract((request.host, request.task) for request in self.batch.finished)
        return change

    def finished(self) -> set[int]:
        """Return the numbers of the requests that are done with, although the store may still have them."""
        return {request.number for request in self.batch.finished}

    def moved(self) -> dict[int, Request]:
        """Return requests as they are since they were moved, although the store may have them as they were."""
        return {after.number: after for _, after in self.batch.moved}

    def new_requests(self) -> Mapping[tuple[str, int], list[Request]]:
        """Return the requests that wait and that the store does not have, by host and task."""
        finished, moved = self.finished(), self.moved()
        new: dict[tuple[str, int], list[Request]] = defaultdict(list)
        for request in self.batch.requests:
            if request.number not in finished:
                new[request.host, request.task].append(moved.get(request.number, request))
        return new


def robots_visit(task: int, exchange: Exchange, when_s: float) -> Visit:
    """Write down that a host was asked for its robots.txt."""
    return Visit(
        urls.page_id(exchange.url),
        task,
        when_s,
        "robots",
        exchange.status,
        took_s=exchange.took_s,
        body_bytes=len(exchange.body),
        address=exchange.address,
    )
