"""A WARC's responses served again: found by offset, read when asked for."""

import math
from bisect import bisect_right, insort
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Self
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.recordings.read_warc import RecordSummary, recorded, records
from gossamer.lab.server.answer import LabAnswer, LabRequest, answer_with_text
from gossamer.lab.server.loopback_sockets import loopback_address
from gossamer.net.warc_record_end import find_record_end

_FIRST_ADDRESS = 254 * 256  # 127.1.0.1: 127.0.0.1 stays free for the proxy
_TELL_EVERY = 2000

Progress = Callable[[int, int], None]
"""Told from time to time how many bytes of how many are read."""

Ending = Literal["whole", "cut last", "cut next", "rubbish"]
"""How a file ends: with its last record · within it · within the first bytes of another record · with something else."""


class Capture(msgspec.Struct, frozen=True, gc=False, order=True):
    """One response: when it was recorded (seconds since 1970) and where it stands in the file."""

    at_s: float
    offset: int


class Recording:
    """A WARC file as a world: each recorded host at an address of its own.

    Of several captures of a page the last is served; with `by_clock` the one that was true at the world's
    time, which begins with the first capture of all.
    """

    def __init__(self, path: Path, by_clock: bool = False, progress: Progress | None = None) -> None:
        self.path = path
        self.by_clock = by_clock
        self.warning = ""
        """What is wrong with the file, if it can be served all the same."""
        self._captures: dict[str, list[Capture]] = {}
        self._first_url: dict[str, str] = {}
        self._take_in(self._read(progress or (lambda _read, _size: None)))
        if not self._captures:
            raise BadInput(f"{path} holds no response that could be served.")
        self._began_s = min(captures[0].at_s for captures in self._captures.values())

    def _read(self, progress: Progress) -> list[RecordSummary]:
        """Find all records; a file that merely breaks off is served as far as it goes."""
        found: list[RecordSummary] = []
        damage = ""
        try:
            size_bytes = self.path.stat().st_size
            for number, record in enumerate(records(self.path)):
                if record.offset >= size_bytes or (found and record.offset <= found[-1].offset):
                    raise BadInput(f"{self.path} is compressed as one piece: compress each record by itself.")
                found.append(record)
                if number % _TELL_EVERY == 0:
                    progress(record.offset, size_bytes)
            progress(size_bytes, size_bytes)
        except OSError as error:
            if error.errno is not None:
                raise BadInput(f"{self.path} cannot be read: {error.strerror}.") from None
            damage = str(error)
        if not found:
            raise BadInput(f"{self.path} is no WARC file.")
        ends = _find_ending(self.path, found[-1].offset)
        if damage and ends in ("whole", "rubbish"):
            where = f"at or after record {len(found)}, byte {found[-1].offset}"
            raise BadInput(f"{self.path} is damaged {where}: {damage}.")
        if ends != "whole":
            self.warning = f"{self.path} breaks off within a record, which is left out."
        return found[:-1] if ends == "cut last" else found

    def _take_in(self, found: list[RecordSummary]) -> None:
        places = [(_place(record.url), record) for record in found]
        for place, record in places:
            if place is not None and not record.revisit:
                host, target = place
                self._captures.setdefault(_key(host, target), []).append(Capture(record.at_s, record.offset))
                if target == "/" or host not in self._first_url:
                    self._first_url[host] = f"http://{host}{target}"
        for captures in self._captures.values():
            captures.sort()
        for place, record in places:
            same = _place(record.same_url)
            if place is not None and same is not None:
                self._add_revisit(_key(*place), _key(*same), record)

    def _add_revisit(self, key: str, same: str, record: RecordSummary) -> None:
        """Let a revisit stand for the last capture that is not younger than what it refers to."""
        originals = self._captures.get(same, [])
        number = bisect_right(originals, record.same_at_s, key=lambda capture: capture.at_s)
        if originals:
            offset = originals[max(0, number - 1)].offset
            insort(self._captures.setdefault(key, []), Capture(record.at_s, offset))

    def __len__(self) -> int:
        return len(self._captures)

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer with what was recorded for this URL, whether asked directly or as a proxy."""
        if request.method not in ("GET", "HEAD"):
            return answer_with_text(405, "A recording answers GET and HEAD.")
        captures = self._find(request)
        number, fresh_until_s = len(captures), math.inf
        if self.by_clock:
            number = bisect_right(captures, self._began_s + now_s, key=lambda capture: capture.at_s)
            if number < len(captures):
                fresh_until_s = captures[number].at_s - self._began_s
        if number == 0:
            return answer_with_text(404, "This page was not recorded.")
        try:
            return recorded(self.path, captures[number - 1].offset, fresh_until_s)
        except (OSError, StopIteration):
            return answer_with_text(502, "The recording can no longer be read.")

    def _find(self, request: LabRequest) -> list[Capture]:
        """Look for the host with its port as recorded, then without the port that the lab happens to have."""
        target = request.target.partition("#")[0]
        for host in (_default_port_off(request.host), request.host.partition(":")[0]):
            if found := self._captures.get(_key(host, target)):
                return found
        return []

    def hosts(self) -> list[str]:
        """Return the recorded hosts, without ports."""
        return list(dict.fromkeys(host.partition(":")[0] for host in self._first_url))

    def host_map(self) -> dict[str, str]:
        """Give each host an address, in order of appearance."""
        return {host: loopback_address(_FIRST_ADDRESS + number) for number, host in enumerate(self.hosts())}

    def with_port(self, port: int) -> Self:  # noqa: ARG002 - part of `LocatedWorld`
        """Return the recording as it is: its URLs are those that were recorded."""
        return self

    def seeds(self) -> list[str]:
        """Return each host's front page, or else the page of it that was recorded first."""
        return list(self._first_url.values())


def _place(url: str) -> tuple[str, str] | None:
    """Return host (with port, unless it is the usual one) and target of a recorded http URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    host = _default_port_off(parts.netloc.rpartition("@")[2].lower())
    if parts.scheme not in ("http", "https") or not host:
        return None
    query = f"?{parts.query}" if "?" in url.partition("#")[0] else ""
    return host, (parts.path or "/") + query


def _default_port_off(host: str) -> str:
    return host.removesuffix(":80").removesuffix(":443")


def _key(host: str, target: str) -> str:
    """Return one key for all ways to percent-encode a target: crawlers and recorders differ in that."""
    return host + unquote_to_bytes(target).decode("latin-1")


def _find_ending(path: Path, offset: int) -> Ending:
    """Return how a file ends whose last readable record begins at `offset`; lz4 and zstd are not checked."""
    size_bytes = path.stat().st_size
    with path.open("rb") as file:
        end = find_record_end(file, offset, size_bytes)
        if end.is_damaged:
            return "rubbish"
        if end.is_cut or not end.has_separator:
            return "cut last"
        if end.at == size_bytes:
            return "whole"
        following = find_record_end(file, end.at, size_bytes)
        is_cut = following.is_cut or not following.has_separator
        return "cut next" if is_cut and not following.is_damaged else "rubbish"
