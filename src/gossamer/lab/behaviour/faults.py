"""Which trouble strikes which page or host, and the fault or answer that it causes.

Everything follows from hashes. Pages are struck by a draw on their key. Hosts are struck by rank in a shuffled
order, so that a share strikes exactly that share of hosts, and at least one; the host where crawls begin comes last.
"""

import math
import zlib
from functools import cache
from typing import Literal

from gossamer.lab.options import HOST_TROUBLES, PAGE_TROUBLES, ROBOTS_TROUBLES, Trouble
from gossamer.lab.seeded_random import make_key, mix, salt, unit
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
"""What a careful client gets from a page with this trouble. "temporary": the page, if it obeys Retry-After.
"doubtful": careful clients may or may not read it. Every other page is "page"."""

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
"""Pairs of real and declared encoding."""
ROBOTS_METAS = ("noindex", "nofollow", "noindex, nofollow", "none")


class Troubles:
    """Decides which pages and hosts of a world are in trouble."""

    def __init__(self, trouble: Trouble, seed: int, hosts: int, root_host: int) -> None:
        self.trouble = trouble
        self._hosts = hosts
        self._root_host = root_host
        self._steps = {
            name: _find_coprime_step(make_key(seed, name), hosts) for name in (*HOST_TROUBLES, "robots")
        }
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

    def find_page_trouble(self, key: int, front_page: bool) -> str:
        """Return the trouble of a page, or ""."""
        if not self._bounds or front_page:
            return ""
        chance = unit(key, _PAGE)
        return next((name for bound, name in self._bounds if chance < bound), "")

    def pick_variant(self, key: int, choices: int) -> int:
        """Return the number of the variant, out of `choices`, that a page's trouble takes."""
        return mix(key, _DETAIL) % choices

    def pick_chain_length(self, key: int) -> int:
        """Return the number of redirects that lead to a page with the trouble "redirect"."""
        return 1 + self.pick_variant(key, self.trouble.chain_most)

    def strikes(self, name: str, host: int) -> bool:
        """Tell whether a trouble of hosts strikes this host."""
        return self._struck[name] > 0 and self._find_rank(name, host) < self._struck[name]

    def _find_rank(self, name: str, host: int) -> int:
        """Return the host's place in the order in which a trouble strikes hosts."""
        return self._hosts - 1 - (host - self._root_host) * self._steps[name] % self._hosts

    def find_robots_trouble(self, host: int) -> str:
        """Return the trouble of a host's robots.txt, or ""."""
        rank = self._find_rank("robots", host)
        for name in ROBOTS_TROUBLES:
            rank -= self._struck[name]
            if rank < 0:
                return name
        return ""

    def find_host_troubles(self, host: int) -> tuple[str, ...]:
        """Return all troubles of a host; being copied by a mirror is not one of them."""
        own = [name for name in HOST_TROUBLES if name != "mirrors" and self.strikes(name, host)]
        return (*own, *filter(None, (self.find_robots_trouble(host),)))

    @property
    def mirrors(self) -> int:
        """Number of hosts that have a mirror."""
        return self._struck["mirrors"]

    def find_original(self, mirror: int) -> int:
        """Return the host that the mirror with this number (from 0) copies."""
        inverse = pow(self._steps["mirrors"], -1, self._hosts) if self._hosts > 1 else 0
        return (self._root_host + (self._hosts - 1 - mirror) * inverse) % self._hosts

    def find_mirror(self, host: int) -> int | None:
        """Return the number (from 0) of the mirror that copies a host, if one does."""
        rank = self._find_rank("mirrors", host)
        return rank if rank < self.mirrors else None

    def is_disallowed(self, host_key: int, section: str) -> bool:
        """Tell whether the robots.txt of a host disallows a directory."""
        return (
            self.trouble.disallowed > 0
            and unit(make_key(host_key, section), _SECTION) < self.trouble.disallowed
        )

    def find_retry_after_s(self, key: int, now_s: float) -> int:
        """Return the seconds until a page that sometimes refuses answers again; 0 if it answers now.

        The page refuses for half of each period and answers for the other half. So the server counts nothing,
        and a client that waits for Retry-After gets the page.
        """
        period_s = self.trouble.retry_period_s
        phase_s = (now_s + unit(key, _PHASE) * period_s) % period_s
        return max(1, math.ceil(period_s / 2 - phase_s)) if phase_s < period_s / 2 else 0

    def find_phase_end_s(self, key: int, now_s: float) -> float:
        """Return when a page that sometimes refuses next switches between refusing and answering."""
        half_s = self.trouble.retry_period_s / 2
        return now_s + half_s - (now_s + unit(key, _PHASE) * 2 * half_s) % half_s

    def make_fault(self, name: str, key: int, body_bytes: int) -> Fault | None:
        """Return the fault that a page's trouble causes while it is sent, or None."""
        match name:
            case "stall":
                return Fault(stall_after=self.pick_variant(key, 2) * min(body_bytes // 8, 100))
            case "reset":
                return Fault(reset_after=self.pick_variant(key, 2) * min(body_bytes // 8, 100))
            case "truncated":
                return Fault(close_after=body_bytes // 2)
            case "wrong_length":
                return Fault(length_added=(-(body_bytes // 3), 1000)[self.pick_variant(key, 2)])
            case "malformed":
                return Fault(malformed=_MALFORMED[self.pick_variant(key, len(_MALFORMED))])
            case "endless_headers":
                return Fault(endless="headers")
            case "endless_body":
                return Fault(endless="body")
        return None


def _find_coprime_step(key: int, hosts: int) -> int:
    """Return a step that visits every host once before it returns to the first."""
    step = key % hosts or 1
    while math.gcd(step, hosts) != 1:
        step += 1
    return step


@cache
def build_gzip_bomb(unpacked_bytes: int) -> bytes:
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


def answer_with_bomb(unpacked_bytes: int) -> LabAnswer:
    """Return an answer with a gzip bomb, whether or not the client accepts gzip."""
    headers = (("Content-Type", "text/html; charset=UTF-8"), ("Content-Encoding", "gzip"))
    return LabAnswer(200, headers, build_gzip_bomb(unpacked_bytes), fresh_until_s=math.inf)
