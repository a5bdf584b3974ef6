"""Answers the requests of a page in a browser by our own fetcher: each address is checked when it is connected to.

A page at a public address may not reach private ones, even if the task may crawl them: they belong to the user, and the page
to a stranger. Scripts, styles, images and fonts are kept for the pages that follow.
"""

from collections.abc import Awaitable, Callable

import msgspec

from gossamer.fetch.address_guard import check_address
from gossamer.fetch.browser.rendered_page import BrowserAnswer, BrowserRequest, LoadedResponse
from gossamer.fetch.browser.shared_responses import SharedResponses
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.fetch.socket_shortage import Shortage
from gossamer.net import url as urls
from gossamer.records import Exchange, Failed, Outcome, Refused

_SHARED_KINDS = frozenset({"Script", "Stylesheet", "Image", "Font"})
_FRAMES = frozenset({"Document"})
# What a page may say of its request; anything else would need the consent of the other server first.
_PASSED = frozenset({"accept", "accept-language", "cookie", "origin", "referer"})
_PASSED_AT_HOME = frozenset({"x-requested-with", "authorization"})
_SECRETS = frozenset({"cookie", "authorization"})
_MOST_VALUE = 4_096


def _leave_uncounted(_: Exchange) -> None:
    """Count nothing."""


class NetworkSource:
    """Answers the requests of one page. Its cookies are those of its browser context, and end with it."""

    def __init__(
        self,
        fetcher: Fetcher,
        document: Exchange,
        make_options: Callable[[str], FetchOptions],
        shared: SharedResponses,
        may_load: Callable[[str, bool], Awaitable[str]],
        count: Callable[[Exchange], None] = _leave_uncounted,
    ) -> None:
        self._fetcher = fetcher
        self._shared = shared
        self._make_options = make_options
        """Returns how a URL is fetched, with the password of its origin."""
        self._may_load = may_load
        """Returns why robots.txt or a limit refuses a URL, or ""; the second argument says whether it is a document."""
        self._count = count
        """Called with everything that came over the wire."""
        self._origin = urls.origin(document.url)
        self._is_private = bool(document.address) and check_address(document.address, ()) is not None

    async def answer(self, request: BrowserRequest) -> BrowserAnswer:
        """Answer one request: from what is kept, or from the network."""
        if request.method not in ("GET", "HEAD"):
            return BrowserAnswer(refused=f"method {request.method[:10]}")
        if refused := await self._may_load(request.url, request.kind in _FRAMES):
            return BrowserAnswer(refused=refused)
        options = self._choose_options(request)
        if request.kind not in _SHARED_KINDS or request.method != "GET" or _sends_secrets(options):
            return await self._fetch(request.url, options)
        return await self._share(request.url, options)

    async def _share(self, url: str, options: FetchOptions) -> BrowserAnswer:
        """Return what is kept; or fetch it, while others that want the same wait."""
        # Servers may answer each of these differently, and tasks with other settings share nothing.
        name = ((options.settings, options.agent, options.sender), url)
        asked = dict(options.more)
        async with self._shared.urls.wait_for(name):
            known = self._shared.find(name, asked)
            if known is not None and self._may_reach(known.exchange):
                return BrowserAnswer(known)
            answer = await self._fetch(url, options)
            if answer.loaded is not None:
                self._shared.keep(name, asked, answer.loaded)
            return answer

    def _may_reach(self, known: Exchange) -> bool:
        """Say whether a kept response came from an address that this page may reach."""
        return self._is_private or not known.address or check_address(known.address, ()) is None

    def _choose_options(self, request: BrowserRequest) -> FetchOptions:
        """Return how a request is sent: passwords and cookies of the crawl go to the origin of the page alone."""
        options = self._make_options(request.url)
        settings = options.settings
        at_home = urls.origin(request.url) == self._origin
        if not self._is_private and settings.allow_private:
            settings = msgspec.structs.replace(settings, allow_private=())
        if not at_home and settings.cookies:
            settings = msgspec.structs.replace(settings, cookies=False)
        return msgspec.structs.replace(
            options,
            settings=settings,
            method="HEAD" if request.method == "HEAD" else "GET",
            auth=options.auth if at_home else "",
            more=_select_headers(request, at_home),
        )

    async def _fetch(self, url: str, options: FetchOptions) -> BrowserAnswer:
        host = urls.host(url)
        async with self._shared.hosts.wait_for(host):
            where = await self._fetcher.locate(host, options.settings)
            if not isinstance(where, HostAddresses):
                return BrowserAnswer(refused=_name_refusal(where))
            outcome = await self._fetcher.fetch(url, where, options)
        exchange: Exchange | None = getattr(outcome, "exchange", None)
        if exchange is not None:
            self._count(exchange)
        if isinstance(outcome, Shortage) or exchange is None or not exchange.status:
            return BrowserAnswer(refused=_name_refusal(outcome))
        return BrowserAnswer(LoadedResponse(exchange))


def _sends_secrets(options: FetchOptions) -> bool:
    """Say whether a request has credentials, so that its answer must not be shared."""
    return bool(options.auth) or options.settings.cookies or any(name in _SECRETS for name, _ in options.more)


def _select_headers(request: BrowserRequest, at_home: bool) -> tuple[tuple[str, str], ...]:
    passed = _PASSED | _PASSED_AT_HOME if at_home else _PASSED
    return tuple(
        (name, value) for name, value in request.headers if name in passed and len(value) <= _MOST_VALUE
    )


def _name_refusal(outcome: Outcome | Shortage) -> str:
    match outcome:
        case Refused(cause):
            return cause
        case Failed(cause):
            return f"failed: {cause}"
    return "failed"
