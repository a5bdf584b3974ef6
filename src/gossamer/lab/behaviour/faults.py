"""Which trouble strikes which page or host, and which answer it gives. Everything follows from hashes.

Pages are struck by a draw on their key. Hosts are struck by rank in a shuffled order, so that a share
strikes exactly as many hosts as it says and at least one; the host where crawls begin comes last.
"""

import math
import zlib
from functools import cache
from typing import Literal

from gossamer.lab.options import HOST_TROUBLES, PAGE_TROUBLES, ROBOTS_TROUBLES, Trouble
from gossamer.lab.seeded_random import key_of, mix, salt, unit
from gossamer.lab.server.answer import Fault, LabAnswer

Outcome = Literal["page", "temporary", "doubtful", "broken"]

OUTCOMES: dict[str, Outcome] = {
    "redirect_loop": "broken",
    "not_found": "broken",
    "gone": "broken",
    "stall": "broken",
    "reset": "broken",
    "endless_headers": "broken",
    "gzip_bomb": "broken",
    "too_many": "temporary",
    "unavailable": "temporary",
    "truncated": "doubtful",
    "wrong_length": "doubtful",
    "malformed": "doubtful",
    "endless_body": "doubtful",
    "wrong_type": "doubtful",
}
"""What a careful client gets out of a struck page. "temporary": the page, when it obeys Retry-After.
"doubtful": careful clients may differ in whether they read it. All other pages are simply pages."""

_PAGE = salt("trouble of pages")
_DETAIL = salt("details of trouble")
_PHASE = salt("phase of refusals")
_SECTION = salt("closed directories")
REDIRECT_STATUSES = (301, 302, 303, 307, 308)
_MALFORMED: tuple[Literal["status", "header", "no-colon", "nul", "chunk"], ...] = (
    "status",
    "header",
    "no-colon",
    "nul",
    "chunk",
)
WRONG_TYPES = ("text/plain", "application/octet-stream", "image/png", "application/pdf", "")
WRONG_ENCODINGS = (
    ("ISO-8859-1", "UTF-8"),
    ("UTF-8", "ISO-8859-1"),
    ("windows-1252", "UTF-8"),
    ("UTF-16", "UTF-8"),
)
"""Real and declared."""
ROBOTS_METAS = ("noindex", "nofollow", "noindex, nofollow", "none")


class Troubles:
    """The trouble of a world."""

    def __init__(self, trouble: Trouble, seed: int, hosts: int, root_host: int) -> None:
        self.trouble = trouble
        self._hosts = hosts
        self._root_host = root_host
        self._steps = {name: _coprime(key_of(seed, name), hosts) for name in (*HOST_TROUBLES, "robots")}
        self._struck: dict[str, int] = {}
        for name in (*HOST_TROUBLES, *ROBOTS_TROUBLES):
            share: float = getattr(trouble, name)
            self._struck[name] = max(1, round(share * hosts)) if share > 0 else 0
        self._bounds: list[tuple[float, str]] = []
        total = 0.0
        for name in PAGE_TROUBLES:
            total += getattr(trouble, name)
            if getattr(trouble, name):
                self._bounds.append((total, name))

    def of_page(self, key: int, front_page: bool) -> str:
        """Return the trouble of a page, or ""."""
        if not self._bounds or front_page:
            return ""
        chance = unit(key, _PAGE)
        return next((name for bound, name in self._bounds if chance < bound), "")

    def detail(self, key: int, choices: int) -> int:
        """Return which of several forms a page's trouble has."""
        return mix(key, _DETAIL) % choices

    def chain(self, key: int) -> int:
        """Return the length of the chain of redirects that leads to a page struck by it."""
        return 1 + self.detail(key, self.trouble.chain_most)

    def strikes(self, name: str, host: int) -> bool:
        """Tell whether a trouble of hosts strikes this one."""
        return self._struck[name] > 0 and self._rank(name, host) < self._struck[name]

    def _rank(self, name: str, host: int) -> int:
        """Return the host's place in the order in which a trouble strikes."""
        return self._hosts - 1 - (host - self._root_host) * self._steps[name] % self._hosts

    def robots(self, host: int) -> str:
        """Return the trouble of a host's robots.txt, or ""."""
        rank = self._rank("robots", host)
        for name in ROBOTS_TROUBLES:
            rank -= self._struck[name]
            if rank < 0:
                return name
        return ""

    def of_host(self, host: int) -> tuple[str, ...]:
        """Return all troubles of a host; a mirror is no trouble of the host that it copies."""
        own = [name for name in HOST_TROUBLES if name != "mirrors" and self.strikes(name, host)]
        return (*own, *filter(None, (self.robots(host),)))

    @property
    def mirrors(self) -> int:
        """How many hosts are copied by another."""
        return self._struck["mirrors"]

    def mirrored(self, mirror: int) -> int:
        """Return the host that the mirror with this number (from 0) copies."""
        inverse = pow(self._steps["mirrors"], -1, self._hosts) if self._hosts > 1 else 0
        return (self._root_host + (self._hosts - 1 - mirror) * inverse) % self._hosts

    def mirror_of(self, host: int) -> int | None:
        """Return the number (from 0) of the mirror that copies a host, if one does."""
        rank = self._rank("mirrors", host)
        return rank if rank < self.mirrors else None

    def closed(self, host_key: int, section: str) -> bool:
        """Tell whether the robots.txt of a host closes a directory."""
        return (
            self.trouble.disallowed > 0
            and unit(key_of(host_key, section), _SECTION) < self.trouble.disallowed
        )

    def retry_after_s(self, key: int, now_s: float) -> int:
        """Return how long a page that sometimes refuses will go on refusing; 0 if it answers now.

        Refusing and answering take turns, half a period each. So nothing need be counted, and who waits as
        told is served.
        """
        period_s = self.trouble.retry_period_s
        phase_s = (now_s + unit(key, _PHASE) * period_s) % period_s
        return max(1, math.ceil(period_s / 2 - phase_s)) if phase_s < period_s / 2 else 0

    def phase_ends_s(self, key: int, now_s: float) -> float:
        """Return when a page that sometimes refuses changes its mind next."""
        half_s = self.trouble.retry_period_s / 2
        return now_s + half_s - (now_s + unit(key, _PHASE) * 2 * half_s) % half_s

    def fault(self, name: str, key: int, body_bytes: int) -> Fault | None:
        """Return how sending a struck page goes wrong, if it does."""
        match name:
            case "stall":
                return Fault(stall_after=self.detail(key, 2) * min(body_bytes // 8, 100))
            case "reset":
                return Fault(reset_after=self.detail(key, 2) * min(body_bytes // 8, 100))
            case "truncated":
                return Fault(close_after=body_bytes // 2)
            case "wrong_length":
                return Fault(length_added=(-(body_bytes // 3), 1000)[self.detail(key, 2)])
            case "malformed":
                return Fault(malformed=_MALFORMED[self.detail(key, len(_MALFORMED))])
            case "endless_headers":
                return Fault(endless="headers")
            case "endless_body":
                return Fault(endless="body")
        return None


def _coprime(key: int, hosts: int) -> int:
    """Return a step that visits all hosts before it comes back to the first."""
    step = key % hosts or 1
    while math.gcd(step, hosts) != 1:
        step += 1
    return step


@cache
def gzip_bomb(unpacked_bytes: int) -> bytes:
    """Return a small gzip body that unpacks to this size: the start of a page, then spaces."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = b"<!DOCTYPE html><title>A long page</title><p>"
    parts = [packer.compress(start)]
    piece = b" " * (1 << 20)
    left = unpacked_bytes - len(start)
    while left > 0:
        parts.append(packer.compress(piece[:left]))
        left -= len(piece)
    return b"".join((*parts, packer.flush()))


def bomb(unpacked_bytes: int) -> LabAnswer:
    """Answer with a gzip bomb, whether or not the client takes gzip."""
    headers = (("Content-Type", "text/html; charset=UTF-8"), ("Content-Encoding", "gzip"))
    return LabAnswer(200, headers, gzip_bomb(unpacked_bytes), fresh_until_s=math.inf)
