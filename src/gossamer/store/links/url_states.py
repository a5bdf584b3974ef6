"""What became of the URLs of a host: kept, waiting, redirected, failed, refused, or only known."""

from collections.abc import Iterator
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.store.batch import Store
from gossamer.store.links.snapshot import Snapshot, open_snapshot
from gossamer.store.packed_bytes import unpack_texts

UrlState = Literal["kept", "waiting", "redirected", "failed", "refused", "known"]
STATES: tuple[UrlState, ...] = ("kept", "waiting", "redirected", "failed", "refused", "known")
_SCHEMES = ("http", "https", "ftp")
_OF_RESULT: dict[int, UrlState] = {1: "redirected", 2: "failed", 3: "refused"}
_LAST_RESULTS = (
    "select page, case result when 'redirected' then 1 when 'failed' then 2 when 'refused' then 3 else 0 end "
    "from visit order by number"
)


class UrlFact(msgspec.Struct, frozen=True, gc=False):
    """A URL, its state and the size of its copy."""

    url: str
    state: UrlState
    body_bytes: int = 0


class HostFact(msgspec.Struct, frozen=True, gc=False):
    """A host, and how much of it the web has."""

    host: str
    pages: int
    body_bytes: int
    waiting: int


def read_url_states(store: Store, host: str) -> list[UrlFact]:
    """Return all known URLs of a host with their states. Cost: a pass over pages, known URLs, and visits if any URL needs it."""
    with open_snapshot(store) as state:
        kept = {
            page_id: UrlFact(url, "kept", size) for page_id, url, size in _read_pages(state, _quote(host))
        }
        others = {page_id: url for page_id, url in _read_known(state, host) if page_id not in kept}
        waiting = set(_read_waiting(state, _quote(host)))
        results = _read_results(state, others) if others.keys() - waiting else {}
    facts = list(kept.values())
    for page_id, url in others.items():
        found = "waiting" if page_id in waiting else _OF_RESULT.get(results.get(page_id, 0), "known")
        facts.append(UrlFact(url, found))
    return facts


def read_hosts(store: Store) -> list[HostFact]:
    """Return the hosts of a web. Cost: a pass over pages."""
    pages: dict[str, tuple[int, int]] = {}
    waiting: dict[str, int] = {}
    with open_snapshot(store) as state:
        counts = "select host, count(*), cast(sum(body_bytes) as bigint) from page group by host"
        for names, numbers, sizes in state.read_batches(counts, "bnn"):
            rows = zip(unpack_texts(names), numbers.tolist(), sizes.tolist(), strict=True)
            pages.update((name, (number, size)) for name, number, size in rows)
        queues = "select host, cast(sum(requests) as bigint) from waiting group by host"
        for names, numbers in state.read_batches(queues, "bn"):
            waiting.update(zip(unpack_texts(names), numbers.tolist(), strict=True))
    known = pages.keys() | waiting.keys() | {note.name for note in store.all_hosts()}
    return [HostFact(host, *pages.get(host, (0, 0)), waiting.get(host, 0)) for host in sorted(known)]


def _read_pages(state: Snapshot, host: str) -> Iterator[tuple[int, str, int]]:
    query = f"select id, url, body_bytes from page where host = {host}"  # noqa: S608 - quoted
    for ids, texts, sizes in state.read_batches(query, "nbn"):
        yield from zip(ids.tolist(), unpack_texts(texts), sizes.tolist(), strict=True)


def _read_known(state: Snapshot, host: str) -> Iterator[tuple[int, str]]:
    for scheme in _SCHEMES:
        begin = f"{scheme}://{host}/"
        query = f"select id, url from known where substr(url, 1, {len(begin)}) = {_quote(begin)}"  # noqa: S608 - quoted
        for ids, texts in state.read_batches(query, "nb"):
            yield from zip(ids.tolist(), unpack_texts(texts), strict=True)


def _read_waiting(state: Snapshot, host: str) -> Iterator[int]:
    for (ids,) in state.read_batches(f"select id from request where host = {host}", "n"):  # noqa: S608 - quoted
        yield from ids.tolist()


def _read_results(state: Snapshot, wanted: dict[int, str]) -> dict[int, int]:
    """Return the result of the last visit to each page, as a number."""
    ids: NDArray[np.int64] = np.sort(np.fromiter(wanted, np.int64, len(wanted)))
    found: dict[int, int] = {}
    for pages, results in state.read_batches(_LAST_RESULTS, "nn"):
        places = np.minimum(np.searchsorted(ids, pages), len(ids) - 1)
        here = ids[places] == pages
        found.update(zip(pages[here].tolist(), results[here].tolist(), strict=True))
    return found


def _quote(text: str) -> str:
    """Return text as a literal of SQL, which both databases read alike; neither holds a NUL."""
    doubled = text.replace("\0", "").replace("'", "''")
    return f"'{doubled}'"
