"""robots.txt of hosts, asked for and remembered as RFC 9309 says.

| what came                                        | what follows                                            |
|--------------------------------------------------|---------------------------------------------------------|
| 2xx                                              | its rules hold                                          |
| 4xx, a redirect that leads nowhere, a sixth one  | everything is allowed ("unavailable")                   |
| 429, 5xx, no or half an answer, a refused hop    | nothing is allowed for now ("unreachable"), or what the |
|                                                  | last copy allowed if that is at most thirty days old    |

429 is a 4xx, but it says "too much", and more is what allowing everything would mean: so it counts as
unreachable, as with Google. There is one robots.txt for each host, of the scheme that is asked for first.
"""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache

import msgspec

from gossamer.config import Fetching
from gossamer.errors import BadUrl
from gossamer.fetch.fetcher import Ask, Fetcher, Located
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
"""How long the last copy holds while the host cannot be reached."""
ASK_AGAIN_S = 600.0
"""How long an unreachable robots.txt is left in peace, unless the server asks for longer."""
_LONGEST_WAIT_S = 86_400.0
_KNOWN_HOSTS = 20_000
Hop = Callable[[str, tuple[str, ...]], Awaitable[bool]]
"""Called with the host that a redirect leads to, and its addresses, before it is asked; False if it is not to be."""
_KNOWN_BYTES = 32_000_000


class RobotsAnswer(msgspec.Struct, frozen=True):
    """What is known of a host's robots.txt."""

    status: int
    """The last answer's; 0 if there was none."""
    asked_s: float
    """When it was asked for: of an old copy, when that one was."""
    rules: Robots | None = None
    """None: everything is allowed, or nothing if unreachable."""
    body: bytes | None = None
    """What the rules were read from, not much more than 500 KiB."""
    unreachable: bool = False
    """Nothing is known, so nothing may be fetched."""
    again_s: float = 0.0
    """Not to be asked for again before this time; 0 if its age alone decides."""
    detail: str = ""
    """Why it is unreachable."""
    exchanges: tuple[Exchange, ...] = ()
    """What went over the wire for it, redirects first; each was a request to its host."""

    def refusal(self, url: str, agent: str) -> RefusalCause | None:
        """Say why a URL of this host may not be fetched; None if it may."""
        if self.unreachable:
            return "robots unreachable"
        return None if self.rules is None or self.rules.allows(url, agent) else "robots"

    def delay_s(self, agent: str) -> float:
        """Return the pause between two pages that the host asks for; 0 if it does not."""
        return (self.rules.delay_s(agent) if self.rules else None) or 0.0

    def is_fresh(self, now_s: float, max_age_s: float) -> bool:
        """Tell whether it need not be asked for again yet."""
        return now_s < (self.again_s or self.asked_s + max_age_s)


class RobotsCache:
    """Knows the robots.txt of the hosts used last, and asks for others through a fetcher."""

    def __init__(
        self,
        fetcher: Fetcher,
        clock: Callable[[], float] = time.time,
        known_hosts: int = _KNOWN_HOSTS,
        known_bytes: int = _KNOWN_BYTES,
    ) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._most_hosts = known_hosts
        self._most_bytes = known_bytes
        self._known: OrderedDict[str, RobotsAnswer] = OrderedDict()
        self._bytes = 0

    def known(self, host: str, max_age_s: float) -> RobotsAnswer | None:
        """Return what is known of a host, if that is fresh enough."""
        answer = self._known.get(host)
        if answer is None or not answer.is_fresh(self._clock(), max_age_s):
            return None
        self._known.move_to_end(host)
        return answer

    def prime(self, note: HostNote) -> None:
        """Learn what the web remembers of a host, unless more is known already."""
        if note.robots_s > 0 and note.name not in self._known:
            self._keep(note.name, _remembered(note))

    def note(self, note: HostNote) -> HostNote:
        """Return the web's note on a host with what is known of its robots.txt."""
        answer = self._known.get(note.name)
        if answer is None:
            return note
        return msgspec.structs.replace(
            note, robots=answer.body, robots_status=answer.status, robots_s=answer.asked_s
        )

    async def ask(
        self, host: str, scheme: str, where: Located, ask: Ask, hop: Hop | None = None
    ) -> RobotsAnswer:
        """Ask a host for its robots.txt, and remember the answer; the host is given as in Request.host.

        Each redirect is a request of its own, at a host of its own: `hop` may hold it up for as long as that host
        wants to be left in peace.
        """
        exchanges: list[Exchange] = []
        outcome = await self._follow(f"{scheme}://{host}/robots.txt", where, ask, exchanges, hop)
        answer = _judged(outcome, self._clock(), self._known.get(host))
        answer = msgspec.structs.replace(answer, exchanges=tuple(exchanges))
        self._keep(host, msgspec.structs.replace(answer, exchanges=()))
        return answer

    async def _follow(
        self, url: str, where: Located, ask: Ask, exchanges: list[Exchange], hop: Hop | None
    ) -> Outcome:
        """Ask, and follow redirects; each hop is located and guarded anew, and only the first is given auth."""
        settings = _robots_settings(ask.settings)
        ask = Ask(settings, ask.agent, auth=ask.auth)
        for turn in range(MAX_REDIRECTS + 1):
            outcome = await self._fetcher.fetch(url, where, ask)
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
                if not isinstance(located, Located):
                    return located
                where, ask = located, Ask(settings, ask.agent)
            if hop is not None and turn < MAX_REDIRECTS and not await hop(urls.host(target), where.addresses):
                return Failed("timeout", f"{urls.host(target)} was busy for too long")
            url = target
        return outcome

    def _keep(self, host: str, answer: RobotsAnswer) -> None:
        before = self._known.pop(host, None)
        self._known[host] = answer
        self._bytes += len(answer.body or b"") - len(before.body or b"" if before else b"")
        while len(self._known) > self._most_hosts or (
            self._bytes > self._most_bytes and len(self._known) > 1
        ):
            _, oldest = self._known.popitem(last=False)
            self._bytes -= len(oldest.body or b"")


@lru_cache(maxsize=64)
def _robots_settings(settings: Fetching) -> Fetching:
    """Take no more of the file than counts; the byte too many tells the parser that the last line is cut."""
    return msgspec.structs.replace(settings, page_bytes=min(settings.page_bytes, MAX_BYTES + 1))


def _judged(outcome: Outcome, now_s: float, before: RobotsAnswer | None) -> RobotsAnswer:
    """Say what an answer means for a host, given what was known before."""
    match outcome:
        case Fetched(exchange) if exchange.cut in ("", "length"):
            return RobotsAnswer(exchange.status, now_s, parse(exchange.body), exchange.body)
        case Redirected(exchange):
            return RobotsAnswer(exchange.status, now_s)
        case Failed("status", status) if not _is_unreachable(int(status)):
            return RobotsAnswer(int(status), now_s)
    return _unreachable(outcome, now_s, before)


def _unreachable(outcome: Outcome, now_s: float, before: RobotsAnswer | None) -> RobotsAnswer:
    wait_s = (outcome.retry_after_s or 0.0) if isinstance(outcome, Failed) else 0.0
    again_s = now_s + min(max(wait_s, ASK_AGAIN_S), _LONGEST_WAIT_S)
    status, detail = _said(outcome)
    if before is not None and before.rules is not None and now_s - before.asked_s <= OLD_COPY_S:
        return msgspec.structs.replace(before, again_s=again_s, detail=detail)
    return RobotsAnswer(status, now_s, unreachable=True, again_s=again_s, detail=detail)


def _said(outcome: Outcome) -> tuple[int, str]:
    """Return the status that made a robots.txt unreachable, 0 for none, and in a few words what was wrong."""
    if isinstance(outcome, Fetched | NotModified | Redirected):
        return 0, f"half an answer, cut by {outcome.exchange.cut}"
    exchange = getattr(outcome, "exchange", None)
    status = exchange.status if exchange is not None else 0
    return status if _is_unreachable(status) else 0, f"{outcome.cause} {outcome.detail}".strip()


def _is_unreachable(status: int) -> bool:
    return status == 429 or not 200 <= status < 500


def _remembered(note: HostNote) -> RobotsAnswer:
    if note.robots is not None:
        return RobotsAnswer(note.robots_status, note.robots_s, parse(note.robots), note.robots)
    unreachable = _is_unreachable(note.robots_status)
    again_s = note.robots_s + ASK_AGAIN_S if unreachable else 0.0
    return RobotsAnswer(note.robots_status, note.robots_s, unreachable=unreachable, again_s=again_s)
