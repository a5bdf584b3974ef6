"""The budget of sitemaps: how deep they may nest, and how many files and bytes of each host are read for a task.

An index of sitemaps may list further indexes, without end if a server makes them up. A file beyond the budget is not
fetched if an index listed it; one that is fetched all the same, as a start page or by a link of a page, is kept and not
followed. What was read outlives the process, in notes of the store.
"""

from collections.abc import Callable, Iterable

import msgspec

from gossamer.crawl.task_counts import format_count
from gossamer.records import Request

DEEPEST_INDEX = 3
"""Indexes that may follow each other; by the protocol (sitemaps.org) an index lists no other index."""
MOST_FILES = 10_000
"""Of one host: 500 million pages, if each file is full."""
MOST_BYTES = 4_000_000_000
"""Of one host, unpacked: some 600 full files."""
SITEMAP_ROOM = "sitemaps"
"""The name under which the store keeps what was read."""


class HostSitemaps(msgspec.Struct):
    """The sitemaps of one host that were read."""

    files: int = 0
    unpacked_bytes: int = 0


_HOST = msgspec.msgpack.Decoder(HostSitemaps)


class SitemapBudget:
    """What a task has read of sitemaps, and what it may still read."""

    def __init__(self, task: int) -> None:
        self._prefix = f"{task}."
        self._hosts: dict[str, HostSitemaps] = {}
        self._levels: dict[int, int] = {}
        """By file that was read: its level, counted from 1; negative if it lists pages and not sitemaps."""
        self._find_note: Callable[[str], bytes | None] | None = None
        self._new_hosts: set[str] = set()
        self._new_levels: set[int] = set()

    def load_notes(
        self, notes: Iterable[tuple[str, bytes]], find_note: Callable[[str], bytes | None] | None = None
    ) -> None:
        """Load what earlier runs have read; `find_note` returns what another shard has noted since."""
        self._find_note = find_note
        for name, note in notes:
            task, _, rest = name.partition(".")
            kind, _, key = rest.partition(".")
            if f"{task}." != self._prefix:
                continue
            if kind == "host":
                self._hosts[key] = _HOST.decode(note)
            else:
                self._levels[int(key)] = int(note)

    def take_notes(self) -> dict[tuple[str, str], bytes | None]:
        """Return what was read since the last call, for the store."""
        if not self._new_hosts and not self._new_levels:
            return {}
        notes: dict[tuple[str, str], bytes | None] = {
            (SITEMAP_ROOM, f"{self._prefix}host.{host}"): msgspec.msgpack.encode(self._hosts[host])
            for host in self._new_hosts
        }
        for page_id in self._new_levels:
            notes[SITEMAP_ROOM, f"{self._prefix}file.{page_id}"] = b"%d" % self._levels[page_id]
        self._new_hosts, self._new_levels = set(), set()
        return notes

    def refuse(self, request: Request) -> str:
        """Say why a file that an index lists is not fetched, or return ""."""
        if self._find_level_above(request) <= 0:
            return ""
        return self._describe_excess(request.host)

    def count_file(self, request: Request, lists_sitemaps: bool, unpacked_bytes: int) -> str:
        """Count a sitemap that was read; say why its links are not followed, or return ""."""
        if request.type == "revisit":  # it was counted when it was found
            return ""
        excess = self._describe_excess(request.host)
        read = self._hosts.setdefault(request.host, HostSitemaps())
        read.files += 1
        read.unpacked_bytes += unpacked_bytes
        self._new_hosts.add(request.host)
        level = self._find_level(request)
        if level > DEEPEST_INDEX + (not lists_sitemaps):
            excess = excess or f"more than {DEEPEST_INDEX} indexes follow each other"
        if not excess:
            self._record_level(request.id, level if lists_sitemaps else -level)
        return excess

    def follow_redirect(self, request: Request) -> None:
        """Let the target of a redirect have the place of the file that redirects to it."""
        above = self._find_level_above(request)
        if above:
            self._record_level(request.id, above)

    def _record_level(self, page_id: int, level: int) -> None:
        self._levels[page_id] = level
        self._new_levels.add(page_id)

    def _find_level(self, request: Request) -> int:
        """Return 1 for a file that no other led to; what listed it may have been read before levels were noted."""
        above = abs(self._find_level_above(request))
        return above + 1 if above or request.type != "sitemap" else 2

    def _find_level_above(self, request: Request) -> int:
        """Return the level of the file that led to this one, which another shard may have read; 0 if there is none."""
        above = self._levels.get(request.parent)
        if above is not None:
            return above
        if self._find_note is None or not request.parent or request.type not in ("sitemap", "redirect"):
            return 0
        # A shard notes the level of a file in the same batch as the links that it sends to other shards, or earlier.
        level = int(self._find_note(f"{self._prefix}file.{request.parent}") or 0)
        if level or request.type == "sitemap":  # many pages have the same file above them
            self._levels[request.parent] = level
        return level

    def _describe_excess(self, host: str) -> str:
        read = self._hosts.get(host)
        if read is None:
            return ""
        if read.files >= MOST_FILES:
            return f"{format_count(MOST_FILES, 'sitemap')} of its host were read"
        if read.unpacked_bytes >= MOST_BYTES:
            return f"{format_count(MOST_BYTES, 'byte')} of sitemaps of its host were read"
        return ""
