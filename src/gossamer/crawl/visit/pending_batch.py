"""The batch that is being filled: what the store does not know yet. Store and pending batch together are the truth."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import msgspec

from gossamer.records import Exchange, Request, Visit, VisitResult
from gossamer.store.batch import Batch

LINK_BYTES = 300
"""What a link of a batch takes in memory, with its URL, its text, its key and perhaps a request."""


def count_body_bytes(exchange: Exchange) -> int:
    """Return how many bytes of bodies an exchange holds: as sent and, if that differs, decoded."""
    payload, body = exchange.payload, exchange.body
    return len(payload) if body is payload else len(payload) + len(body)


class ArchiveEntry(msgspec.Struct, frozen=True, gc=False):
    """An exchange that goes into the archive, and the places of its page and its visit in the batch."""

    request: Request
    """The request that it answers, or that needed it first (robots.txt)."""
    exchange: Exchange
    visit_at: int
    page_at: int | None = None
    """None if it brought no page: redirects, errors and robots.txt are archived as well."""
    via: str = ""
    """The URL that led to it, if that is not the request's parent."""
    beyond: str = ""
    """The steps from the request to it, one letter each, if it is not the page that was requested."""
    note: tuple[str, str] = ("", "")
    """The note that is to say where it is, if it is a picture: it belongs to no visit then."""


class PendingBatch(msgspec.Struct):
    """A batch, with the exchanges that go into the archive before it."""

    batch: Batch = msgspec.field(default_factory=Batch)
    exchanges: list[ArchiveEntry] = []
    archived: int = 0
    """How many of the exchanges are in the archive already: a failed write is tried again."""
    held_bytes: int = 0
    """Bytes of the bodies and, roughly, of the links in it."""
    urgent: bool = False
    """Whether it must be written at once: a host's pause is longer than a restart takes, or a task changed."""

    def has_work_for(self, task: int) -> bool:
        """Say whether it brings a task work that the store cannot know of yet."""
        return any(one.task == task for _, one in self.batch.sent) or any(
            one.task == task for one in self.batch.widenings
        )

    def count_waiting(self) -> Mapping[tuple[str, int], int]:
        """Return by how many more (or fewer) requests wait for each host and task than the store says."""
        change = Counter((request.host, request.task) for request in self.batch.requests)
        change.subtract((request.host, request.task) for request in self.batch.finished)
        return change

    def list_finished_numbers(self) -> set[int]:
        """Return the numbers of the requests that are finished, although the store may still have them."""
        return {request.number for request in self.batch.finished}

    def list_moved_requests(self) -> dict[int, Request]:
        """Return the requests whose priority changed, by number, although the store may have the old priority."""
        return {after.number: after for _, after in self.batch.moved}

    def list_new_requests(self) -> Mapping[tuple[str, int], list[Request]]:
        """Return the waiting requests that the store does not have, by host and task."""
        finished, moved = self.list_finished_numbers(), self.list_moved_requests()
        new: dict[tuple[str, int], list[Request]] = defaultdict(list)
        for request in self.batch.requests:
            if request.number not in finished:
                new[request.host, request.task].append(moved.get(request.number, request))
        return new


def make_visit(
    page_id: int,
    task: int,
    when_s: float,
    result: VisitResult,
    exchange: Exchange | None,
    *,
    cause: str = "",
    detail: str = "",
    digest: int = 0,
) -> Visit:
    """Make the record of one attempt at a page, with what its exchange tells if there was one."""
    return Visit(
        page_id,
        task,
        when_s,
        result,
        status=exchange.status if exchange else 0,
        cause=cause,
        detail=detail,
        took_s=exchange.took_s if exchange else 0.0,
        body_bytes=len(exchange.body) if exchange else 0,
        address=exchange.address if exchange else "",
        text_digest=digest,
    )
