"""The log of requests to a lab server: it shows how polite a crawler was."""

import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from gossamer.errors import BadInput


class LoggedRequest(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One request and its answer. Times are monotonic seconds, comparable between processes."""

    arrived_s: float
    """When the last byte of the request's head was read."""
    ended_s: float
    """When the last byte of the answer was handed to the system, or sending was given up."""
    host: str
    """Requested host, without port."""
    address: str
    """The 127.x.y.z address that the client connected to."""
    connection: int
    """Equal for requests on one connection."""
    method: str
    target: str
    status: int
    """Status as sent, or as it would have been sent; 0 if the request was not HTTP."""
    agent: str


Sink = Callable[[list[LoggedRequest]], None]


def _arrival(entry: LoggedRequest) -> float:
    return entry.arrived_s


class _StringTable:
    """Numbers for strings that repeat."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._names: list[str] = []

    def number(self, name: str) -> int:
        found = self._number.get(name)
        if found is None:
            found = self._number[name] = len(self._names)
            self._names.append(name)
        return found

    def name(self, number: int) -> str:
        return self._names[number]


class RequestLog:
    """Every request with its times, in columns: some 140 bytes each with a target of 40 characters.

    With `keep=False` requests go to the sink at each `flush`; only their number for each host stays in memory.
    Thread-safe.
    """

    def __init__(self, keep: bool = True, sink: Sink | None = None) -> None:
        self._keep = keep
        self._sink = sink
        self._lock = threading.Lock()
        self._flushed = 0
        self._dropped: Counter[str] = Counter()
        self._names = _StringTable()
        self._clear()

    def _clear(self) -> None:
        self._arrived_s, self._ended_s = array("d"), array("d")
        self._host, self._address, self._agent, self._method = array("I"), array("I"), array("I"), array("I")
        self._connection, self._status = array("Q"), array("H")
        self._target: list[str] = []

    def add(self, request: LoggedRequest) -> None:
        """Add one request."""
        with self._lock:
            number = self._names.number
            self._arrived_s.append(request.arrived_s)
            self._ended_s.append(request.ended_s)
            self._host.append(number(request.host))
            self._address.append(number(request.address))
            self._agent.append(number(request.agent))
            self._method.append(number(request.method))
            self._connection.append(request.connection)
            self._status.append(request.status)
            self._target.append(request.target)

    @property
    def wants_entries(self) -> bool:
        """Whether whole requests are kept or passed on; otherwise they are only counted."""
        return self._keep or self._sink is not None

    def add_counts(self, counts: dict[str, int]) -> None:
        """Add the numbers of requests to each host that another process counted."""
        with self._lock:
            self._dropped.update(counts)

    def extend(self, requests: Iterable[LoggedRequest]) -> None:
        """Add requests that another process answered."""
        for request in requests:
            self.add(request)

    def flush(self) -> None:
        """Pass new requests to the sink; drop them unless the log keeps them."""
        with self._lock:
            if self._sink is not None and self._flushed < len(self._target):
                self._sink([self._read_row(row) for row in range(self._flushed, len(self._target))])
            self._flushed = len(self._target)
            if not self._keep:
                self._dropped += self._count_by_host()
                self._flushed = 0
                self._clear()

    def _read_row(self, row: int) -> LoggedRequest:
        name = self._names.name
        return LoggedRequest(
            arrived_s=self._arrived_s[row],
            ended_s=self._ended_s[row],
            host=name(self._host[row]),
            address=name(self._address[row]),
            connection=self._connection[row],
            method=name(self._method[row]),
            target=self._target[row],
            status=self._status[row],
            agent=name(self._agent[row]),
        )

    def _count_by_host(self) -> Counter[str]:
        return Counter({self._names.name(number): n for number, n in Counter(self._host).items()})

    def __len__(self) -> int:
        with self._lock:
            return len(self._target) + self._dropped.total()

    def entries(self, host: str | None = None) -> list[LoggedRequest]:
        """Return the kept requests in order of arrival: all, or those to one host (by name or address)."""
        with self._lock:
            rows: Iterable[int] = range(len(self._target))
            if host is not None:
                wanted = self._names.number(host)
                rows = [row for row in rows if wanted in (self._host[row], self._address[row])]
            return sorted(map(self._read_row, rows), key=_arrival)

    def counts(self) -> dict[str, int]:
        """Return how many requests each host got, most first; requests no longer kept are counted too."""
        with self._lock:
            return dict((self._dropped + self._count_by_host()).most_common())

    def gaps(self, host: str) -> list[float]:
        """Return the seconds between the end of one answer and the next request, for each request but one.

        If answers overlap, the latest end counts: a gap below 0 means that a request arrived while an answer
        was still being sent.
        """
        gaps: list[float] = []
        ended_s = float("-inf")
        for entry in self.entries(host):
            gaps.append(entry.arrived_s - ended_s)
            ended_s = max(ended_s, entry.ended_s)
        return gaps[1:]

    def max_parallel(self, host: str) -> int:
        """Return the largest number of simultaneous requests to a host."""
        entries = self.entries(host)
        # An end at the same moment as an arrival comes first: the two were not parallel.
        events = sorted([(e.ended_s, -1) for e in entries] + [(e.arrived_s, 1) for e in entries])
        most = under_way = 0
        for _, change in events:
            under_way += change
            most = max(most, under_way)
        return most


class LogFile:
    """A sink that appends each request to a file as one line of JSON, with wall-clock and monotonic times."""

    def __init__(self, path: Path) -> None:
        self._wall_ahead_s = time.time() - time.monotonic()
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise BadInput(f"Cannot write the log to {path}: {error.strerror}.") from None

    def __call__(self, entries: list[LoggedRequest]) -> None:
        """Append these requests."""
        self._file.write(b"".join(map(self._line, entries)))
        self._file.flush()

    def _line(self, entry: LoggedRequest) -> bytes:
        line: dict[str, str | int | float] = {"arrived": round(entry.arrived_s + self._wall_ahead_s, 6)}
        line["ended"] = round(entry.ended_s + self._wall_ahead_s, 6)
        line |= {name: getattr(entry, name) for name in entry.__struct_fields__}
        return msgspec.json.encode(line) + b"\n"

    def close(self) -> None:
        """Close the file."""
        self._file.close()
