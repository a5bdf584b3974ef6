"""Serve the responses of a WARC file again; bodies stay in the file until requested."""

import math
from bisect import bisect_right, insort
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Self
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.recordings.read_warc import RecordSummary, read_answer, read_records
from gossamer.lab.server.answer import LabAnswer, LabRequest, answer_with_text
from gossamer.lab.server.loopback_sockets import loopback_address
from gossamer.net.warc_record_end import find_record_end

_FIRST_ADDRESS = 254 * 256  # 127.1.0.1: 127.0.0.1 stays free for the proxy
_PROGRESS_EVERY = 2000

Progress = Callable[[int, int], None]
"""Called now and then with the bytes read and the size of the file."""

Ending = Literal["whole", "cut last", "cut next", "rubbish"]
"""How a file ends: with its last record · within it · within the first bytes of another record · with something else."""


class Capture(msgspec.Struct, frozen=True, gc=False, order=True):
    """One response: when it was recorded (seconds since 1970) and its offset in the file."""

    at_s: float
    offset: int


class Recording:
    """A WARC file as a world: each recorded host has its own address.

    Of several captures of a page the last is served; with `by_clock`, the one that was current at the world's
    time, which starts at the first capture in the file.
    """

    def __init__(self, path: Path, by_clock: bool = False, progress: Progress | None = None) -> None:
        self.path = path
        self.by_clock = by_clock
        self.warning = ""
        """What is wrong with the file, if it can still be served."""
        self._captures: dict[str, list[Capture]] = {}
        self._first_url: dict[str, str] = {}
        self._add_records(self._list_records(progress or (lambda _list_records, _size: None)))
        if not self._captures:
            raise BadInput(f"{path} has no response that can be served.")
        self._began_s = min(captures[0].at_s for captures in self._captures.values())

    def _list_records(self, progress: Progress) -> list[RecordSummary]:
        """List all records; a truncated file is served up to the truncation."""
        found: list[RecordSummary] = []
        damage = ""
        try:
            size_bytes = self.path.stat().st_size
            for number, record in enumerate(read_records(self.path)):
                if record.offset >= size_bytes or (found and record.offset <= found[-1].offset):
                    raise BadInput(f"{self.path} is compressed as a whole: compress each record separately.")
                found.append(record)
                if number % _PROGRESS_EVERY == 0:
                    progress(record.offset, size_bytes)
            progress(size_bytes, size_bytes)
        except OSError as error:
            if error.errno is not None:
                raise BadInput(f"Cannot read {self.path}: {error.strerror}.") from None
            damage = str(error)
        if not found:
            raise BadInput(f"{self.path} is not a WARC file.")
        ends = _find_ending(self.path, found[-1].offset)
        if damage and ends in ("whole", "rubbish"):
            where = f"at or after record {len(found)}, byte {found[-1].offset}"
            raise BadInput(f"{self.path} is damaged {where}: {damage}.")
        if ends != "whole":
            self.warning = f"{self.path} ends in the middle of a record; that record is left out."
        return found[:-1] if ends == "cut last" else found

    def _add_records(self, found: list[RecordSummary]) -> None:
        places = [(_split_url(record.url), record) for record in found]
        for place, record in places:
            if place is not None and not record.revisit:
                host, target = place
                self._captures.setdefault(_make_key(host, target), []).append(
                    Capture(record.at_s, record.offset)
                )
                if target == "/" or host not in self._first_url:
                    self._first_url[host] = f"http://{host}{target}"
        for captures in self._captures.values():
            captures.sort()
        for place, record in places:
            same = _split_url(record.same_url)
            if place is not None and same is not None:
                self._add_revisit(_make_key(*place), _make_key(*same), record)

    def _add_revisit(self, key: str, same: str, record: RecordSummary) -> None:
        """Add a revisit as a copy of the last capture that is not newer than the one it refers to."""
        originals = self._captures.get(same, [])
        number = bisect_right(originals, record.same_at_s, key=lambda capture: capture.at_s)
        if originals:
            offset = originals[max(0, number - 1)].offset
            insort(self._captures.setdefault(key, []), Capture(record.at_s, offset))

    def __len__(self) -> int:
        return len(self._captures)

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer with the response recorded for this URL, for direct and for proxy requests."""
        if request.method not in ("GET", "HEAD"):
            return answer_with_text(405, "A recording answers only GET and HEAD.")
        captures = self._find(request)
        number, fresh_until_s = len(captures), math.inf
        if self.by_clock:
            number = bisect_right(captures, self._began_s + now_s, key=lambda capture: capture.at_s)
            if number < len(captures):
                fresh_until_s = captures[number].at_s - self._began_s
        if number == 0:
            return answer_with_text(404, "This page was not recorded.")
        try:
            return read_answer(self.path, captures[number - 1].offset, fresh_until_s)
        except (OSError, StopIteration):
            return answer_with_text(502, "The recording can no longer be read.")

    def _find(self, request: LabRequest) -> list[Capture]:
        """Find the captures of a URL by the host with its port, then without the port, which may be the lab's."""
        target = request.target.partition("#")[0]
        for host in (_strip_default_port(request.host), request.host.partition(":")[0]):
            if found := self._captures.get(_make_key(host, target)):
                return found
        return []

    def hosts(self) -> list[str]:
        """Return the recorded hosts, without ports."""
        return list(dict.fromkeys(host.partition(":")[0] for host in self._first_url))

    def host_map(self) -> dict[str, str]:
        """Map each host to an address, in order of appearance."""
        return {host: loopback_address(_FIRST_ADDRESS + number) for number, host in enumerate(self.hosts())}

    def with_port(self, port: int) -> Self:  # noqa: ARG002 - part of `LocatedWorld`
        """Return the recording itself: its URLs do not depend on the port."""
        return self

    def seeds(self) -> list[str]:
        """Return each host's front page, or the first recorded page of a host without one."""
        return list(self._first_url.values())


def _split_url(url: str) -> tuple[str, str] | None:
    """Split a recorded http URL into host (with a port that is not the default) and target."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    host = _strip_default_port(parts.netloc.rpartition("@")[2].lower())
    if parts.scheme not in ("http", "https") or not host:
        return None
    query = f"?{parts.query}" if "?" in url.partition("#")[0] else ""
    return host, (parts.path or "/") + query


def _strip_default_port(host: str) -> str:
    return host.removesuffix(":80").removesuffix(":443")


def _make_key(host: str, target: str) -> str:
    """Return a key that is the same for all percent-encodings of a target: crawlers and recorders differ in them."""
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
