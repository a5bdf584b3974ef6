"""Read the beginning of a page as the robot does: by the address guard and robots.txt, one request at a time for each host."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial

import msgspec

from gossamer.crawl.rule_names import FORGOTTEN
from gossamer.errors import BadUrl
from gossamer.fetch.fetcher import Fetcher, HostAddresses
from gossamer.fetch.robots_cache import RobotsAnswer, RobotsCache
from gossamer.fetch.socket_shortage import Shortage
from gossamer.frontier.timed_rule import strip_port
from gossamer.navigate.previews.host_pauses import HostBusy, HostPauses, Turn
from gossamer.navigate.previews.manners import PreviewManners
from gossamer.net import url as urls
from gossamer.records import Failed, Outcome, Redirected, Refused

_AT_ONCE = 4
_MOST_HOPS = 4
_LONGEST_WAIT_S = 8.0
"""A reader has moved on by then."""
_LONGEST_PAUSE_S = 3_600.0


class Beginning(msgspec.Struct, frozen=True):
    """What came of a preview."""

    outcome: Outcome | Shortage
    redirects: tuple[str, ...] = ()
    """The addresses that the first one leads to."""


class BeginningReader:
    """Reads beginnings of pages. Belongs to one event loop."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._robots = RobotsCache(fetcher, cached_hosts=2_000)
        self._pauses = HostPauses(_LONGEST_WAIT_S)
        self._places = asyncio.Semaphore(_AT_ONCE)
        """For those that ask their host; those that wait for a pause need none."""

    async def read(self, url: str, manners: PreviewManners) -> Beginning:
        """Read the beginning of a page and follow its redirects; raise `HostBusy` if a host has to be left alone for longer."""
        way = list[str]()
        for _ in range(_MOST_HOPS):
            outcome = await self._read_one(url, manners)
            if not isinstance(outcome, Redirected):
                return Beginning(outcome, tuple(way))
            try:
                url = urls.canonical(outcome.location, url)
            except BadUrl:
                return Beginning(Refused("bad url", outcome.location[:200]), tuple(way))
            way.append(url)
        return Beginning(Failed("status", "too many redirects in a row"), tuple(way))

    async def close(self) -> None:
        """Close all connections."""
        await self._fetcher.close()

    async def _read_one(self, url: str, manners: PreviewManners) -> Outcome | Shortage:
        host = urls.host(url)
        if not url.startswith(("http://", "https://")):
            return Refused("bad url", url[:200])
        if manners.forgotten.covers(url):
            return Refused(FORGOTTEN)
        _check_hour(host, manners)
        where = await self._fetcher.locate(host, manners.page.settings)
        if not isinstance(where, HostAddresses):
            return where
        async with self._pauses.take_turn(_list_names(host, where, manners)) as turn, self._places:
            if manners.politeness.robots:
                answer = await self._ask_robots(url, where, manners, turn)
                if isinstance(answer, Shortage):
                    return answer
                if cause := answer.check_url(url, manners.page.agent):
                    return Refused(cause, answer.detail if answer.unreachable else "")
            return await self._fetch(url, where, manners, turn)

    async def _ask_robots(
        self, url: str, where: HostAddresses, manners: PreviewManners, turn: Turn
    ) -> RobotsAnswer | Shortage:
        """Return the robots.txt of a host. It and the page after it are one turn: a reader waits for both."""
        host = urls.host(url)
        known = self._robots.find_fresh(host, manners.politeness.robots_age_s)
        if known is not None:
            return known
        turn.pause_s = manners.politeness.delay_s
        before = partial(self._wait_for_redirect, host, manners)
        return await self._robots.fetch(host, url.partition(":")[0], where, manners.robots, before)

    async def _wait_for_redirect(
        self, own: str, manners: PreviewManners, host: str, _: tuple[str, ...]
    ) -> bool:
        """Wait for the host that a robots.txt redirects to; the own one has its turn already."""
        if host == own:
            return True
        # Not by its address: it may be that of the own host, whose turn this is.
        return await self._pauses.pass_by((host,), manners.politeness.delay_s)

    async def _fetch(
        self, url: str, where: HostAddresses, manners: PreviewManners, turn: Turn
    ) -> Outcome | Shortage:
        """Send the request; the pause afterwards is what the robot of a crawl would keep."""
        manner, host = manners.politeness, urls.host(url)
        known = self._robots.find_fresh(host, manner.robots_age_s)
        wanted_s = known.delay_s(manners.page.agent) if known is not None else 0.0
        # Set before the request: a cancelled one has reached the host all the same.
        turn.pause_s = max(manner.delay_s, min(wanted_s, manner.max_delay_s))
        began_s = time.monotonic()
        outcome = await self._fetcher.fetch(url, where, manners.page)
        turn.pause_s = max(turn.pause_s, manner.adaptive * (time.monotonic() - began_s))
        if isinstance(outcome, Failed) and outcome.retry_after_s:
            turn.pause_s = max(turn.pause_s, min(outcome.retry_after_s, _LONGEST_PAUSE_S))
        return outcome


def _list_names(host: str, where: HostAddresses, manners: PreviewManners) -> Sequence[str]:
    """Return what has to be left alone after a request: the host, and its address if hosts there share their pause."""
    return (host, *where.addresses[:1]) if manners.politeness.per_address else (host,)


def _check_hour(host: str, manners: PreviewManners) -> None:
    """Raise `HostBusy` in the quiet hours of the task."""
    now_s, hours = time.time(), manners.quiet_hours
    if any(hours.find_end(now_s, name) for name in ("", host, strip_port(host))):
        raise HostBusy("these are quiet hours of the web's task, in which nothing is fetched")
