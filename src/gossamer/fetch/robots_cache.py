"""Fetches the robots.txt of hosts and caches it by the rules of RFC 9309.

| response                                               | consequence                                           |
|--------------------------------------------------------|-------------------------------------------------------|
| 2xx                                                    | its rules apply                                       |
| 4xx, a redirect without a usable target, a sixth one   | everything is allowed ("unavailable")                 |
| 429, 5xx, no response or half of one, a refused hop    | nothing is allowed for now ("unreachable"), or what   |
|                                                        | the last copy allows if it is at most thirty days old |

Status 429 is a 4xx, but the server says that it gets too many requests, and allowing everything would send it more. So
it counts as unreachable, as with Google. A host has one robots.txt, fetched by the scheme of its first request.
"""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache

import msgspec

from gossamer.config import Fetching
from gossamer.errors import BadUrl
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.fetch.socket_shortage import Shortage
from gossamer.frontier.pauses_and_backoff import CLOCK_SLACK_S
from gossamer.net import url as urls
from gossamer.net.robots import MAX_BYTES, Robots, parse
from gossamer.records import (
    Exchange,
    Failed,
    Fetched,
    HostNote,
    NotModified,
    Outcome,
    Redirected,
    RefusalCause,
)

MAX_REDIRECTS = 5
"""RFC 9309, section 2.3.1.2."""
OLD_COPY_S = 30 * 86_400.0
"""How long the last copy is valid while the host is unreachable."""
RETRY_S = 600.0
"""How long to wait before an unreachable robots.txt is fetched again, unless the server asks for longer."""
_LONGEST_WAIT_S = 86_400.0
_CACHED_HOSTS = 20_000
_CACHED_BYTES = 32_000_000
BeforeRedirect = Callable[[str, tuple[str, ...]], Awaitable[bool]]
"""Is called with the host and the addresses that a redirect leads to, before the request; False prevents it."""


class RobotsAnswer(msgspec.Struct, frozen=True):
    """The state of a host's robots.txt."""

    status: int
    """Of the last response; 0 if there was none."""
    asked_s: float
    """When it was requested; for an old copy, when that copy was requested."""
    rules: Robots | None = None
    """None: everything is allowed, or nothing if unreachable."""
    body: bytes | None = None
    """The file that the rules were read from, little more than 500 KiB at most."""
    unreachable: bool = False
    """Whether nothing is known of it, so that nothing may be fetched."""
    again_s: float = 0.0
    """Do not fetch it again before this time; 0 if only its age decides."""
    detail: str = ""
    """Why it is unreachable."""
    no_connection: RefusalCause | None = None
    """Why there was no connection to the host at all: then this, and not its robots.txt, is what keeps pages from us."""
    exchanges: tuple[Exchange, ...] = ()
    """The HTTP exchanges that it took, redirects first; each was a request to its host."""

    def check_url(self, url: str, agent: str) -> RefusalCause | None:
        """Return why a URL of this host may not be fetched; None if it may."""
        if self.unreachable:
            return self.no_connection or "robots unreachable"
        return None if self.rules is None or self.rules.allows(url, agent) else "robots"

    def delay_s(self, agent: str) -> float:
        """Return the pause between two pages that the host asks for; 0 if it asks for none."""
        return (self.rules.delay_s(agent) if self.rules else None) or 0.0

    def is_fresh(self, now_s: float, max_age_s: float) -> bool:
        """Return whether it does not have to be fetched again yet."""
        return now_s < (self.again_s or self.asked_s + max_age_s)


class RobotsCache:
    """Caches the robots.txt of the most recently used hosts, and fetches others."""

    def __init__(
        self,
        fetcher: Fetcher,
        clock: Callable[[], float] = time.time,
        cached_hosts: int = _CACHED_HOSTS,
        cached_bytes: int = _CACHED_BYTES,
    ) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._most_hosts = cached_hosts
        self._most_bytes = cached_bytes
        self._cache: OrderedDict[str, RobotsAnswer] = OrderedDict()
        self._bytes = 0

    def find_fresh(self, host: str, max_age_s: float) -> RobotsAnswer | None:
        """Return the cached robots.txt of a host; None if there is none or it is too old."""
        answer = self._cache.get(host)
        if answer is None or not answer.is_fresh(self._clock(), max_age_s):
            return None
        self._cache.move_to_end(host)
        return answer

    def prime(self, note: HostNote) -> None:
        """Take the robots.txt of a stored host note into the cache, unless one is there already."""
        if note.robots_s > 0 and note.name not in self._cache:
            self._put(note.name, _from_note(note, self._clock()))

    def add_to_note(self, note: HostNote) -> HostNote:
        """Return a host note with the cached robots.txt of that host added."""
        answer = self._cache.get(note.name)
        if answer is None:
            return note
        return msgspec.structs.replace(
            note, robots=answer.body, robots_status=answer.status, robots_s=answer.asked_s
        )

    async def fetch(
        self,
        host: str,
        scheme: str,
        where: HostAddresses,
        options: FetchOptions,
        before_redirect: BeforeRedirect | None = None,
    ) -> RobotsAnswer | Shortage:
        """Fetch the robots.txt of a host and cache it; the host is given as in Request.host.

        Each redirect is a request of its own, often to another host: `before_redirect` may delay it until the pause
        of that host is over.
        """
        exchanges: list[Exchange] = []
        outcome = await self._follow(
            f"{scheme}://{host}/robots.txt", where, options, exchanges, before_redirect
        )
        if isinstance(outcome, Shortage):  # says nothing about the host
            return msgspec.structs.replace(outcome, exchanges=tuple(exchanges))
        answer = _interpret_outcome(outcome, self._clock(), self._cache.get(host))
        if not exchanges:
            answer = _add_missing_connection(answer, outcome)
        answer = msgspec.structs.replace(answer, exchanges=tuple(exchanges))
        self._put(host, msgspec.structs.replace(answer, exchanges=()))
        return answer

    async def _follow(
        self,
        url: str,
        where: HostAddresses,
        options: FetchOptions,
        exchanges: list[Exchange],
        before_redirect: BeforeRedirect | None,
    ) -> Outcome | Shortage:
        """Fetch a URL and follow redirects; each new host is looked up and checked, and no new origin gets credentials."""
        settings = _limit_settings(options.settings)
        options = msgspec.structs.replace(options, settings=settings, method="GET", etag="", last_modified="")
        for turn in range(MAX_REDIRECTS + 1):
            outcome = await self._fetcher.fetch(url, where, options)
            exchange = getattr(outcome, "exchange", None)
            if exchange is not None:
                exchanges.append(exchange)
            if not isinstance(outcome, Redirected):
                return outcome
            try:
                target = urls.canonical(outcome.location, url)
            except BadUrl:
                return outcome
            if urls.host(target) != urls.host(url):
                located = await self._fetcher.locate(urls.host(target), settings)
                if not isinstance(located, HostAddresses):
                    return located
                where = located
            if urls.origin(target) != urls.origin(url):
                options = msgspec.structs.replace(options, auth="")
            if (
                before_redirect is not None
                and turn < MAX_REDIRECTS
                and not await before_redirect(urls.host(target), where.addresses)
            ):
                return Failed("timeout", f"{urls.host(target)} was busy for too long")
            url = target
        return outcome

    def _put(self, host: str, answer: RobotsAnswer) -> None:
        before = self._cache.pop(host, None)
        self._cache[host] = answer
        self._bytes += len(answer.body or b"") - len(before.body or b"" if before else b"")
        while len(self._cache) > self._most_hosts or (
            self._bytes > self._most_bytes and len(self._cache) > 1
        ):
            _, oldest = self._cache.popitem(last=False)
            self._bytes -= len(oldest.body or b"")


@lru_cache(maxsize=64)
def _limit_settings(settings: Fetching) -> Fetching:
    """Limit the file to what is parsed, plus one byte that tells the parser that the last line is cut off."""
    return msgspec.structs.replace(settings, page_bytes=min(settings.page_bytes, MAX_BYTES + 1))


def _interpret_outcome(outcome: Outcome, now_s: float, before: RobotsAnswer | None) -> RobotsAnswer:
    """Return what an outcome means for a host, given the answer before it."""
    match outcome:
        case Fetched(exchange) if exchange.cut in ("", "length"):
            return RobotsAnswer(exchange.status, now_s, parse(exchange.body), exchange.body)
        case Redirected(exchange):
            return RobotsAnswer(exchange.status, now_s)
        case Failed("status", status) if not _is_unreachable(int(status)):
            return RobotsAnswer(int(status), now_s)
    return _mark_unreachable(outcome, now_s, before)


def _mark_unreachable(outcome: Outcome, now_s: float, before: RobotsAnswer | None) -> RobotsAnswer:
    wait_s = (outcome.retry_after_s or 0.0) if isinstance(outcome, Failed) else 0.0
    again_s = now_s + min(max(wait_s, RETRY_S), _LONGEST_WAIT_S)
    status, detail = _describe_trouble(outcome)
    if before is not None and before.rules is not None and now_s - before.asked_s <= OLD_COPY_S:
        return msgspec.structs.replace(before, again_s=again_s, detail=detail)
    return RobotsAnswer(status, now_s, unreachable=True, again_s=again_s, detail=detail)


def _describe_trouble(outcome: Outcome) -> tuple[int, str]:
    """Return the status that made a robots.txt unreachable, 0 for none, and a short reason."""
    if isinstance(outcome, Fetched | NotModified | Redirected):
        return 0, f"half a response, cut by {outcome.exchange.cut}"
    exchange = getattr(outcome, "exchange", None)
    status = exchange.status if exchange is not None else 0
    return status if _is_unreachable(status) else 0, f"{outcome.cause} {outcome.detail}".strip()


def _add_missing_connection(answer: RobotsAnswer, outcome: Outcome) -> RobotsAnswer:
    """Return the answer with the reason why no connection to the host came about, if none did."""
    match outcome:
        case Failed("connect" | "tls" as cause, detail):
            return msgspec.structs.replace(answer, no_connection=cause, detail=detail)
    return answer


def _is_unreachable(status: int) -> bool:
    return status == 429 or not 200 <= status < 500


def _from_note(note: HostNote, now_s: float) -> RobotsAnswer:
    asked_s, again_s = note.robots_s, 0.0
    if asked_s > now_s + CLOCK_SLACK_S:  # by a wrong clock: its age is unknown, so it is fetched again now
        asked_s = again_s = now_s
    if note.robots is not None:
        return RobotsAnswer(note.robots_status, asked_s, parse(note.robots), note.robots, again_s=again_s)
    unreachable = _is_unreachable(note.robots_status)
    if unreachable and not again_s:
        again_s = asked_s + RETRY_S
    return RobotsAnswer(note.robots_status, asked_s, unreachable=unreachable, again_s=again_s)
