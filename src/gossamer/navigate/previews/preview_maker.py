"""Cards of pages that the collection does not know: a few are fetched at once, each is remembered for some minutes."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from anyio.to_thread import run_sync

from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.read_page import read
from gossamer.errors import GossamerError
from gossamer.fetch.fetcher import Fetcher
from gossamer.fetch.socket_shortage import Shortage
from gossamer.navigate.link_card import LinkCard, choose_sentences, read_address
from gossamer.navigate.previews.manners import PreviewManners
from gossamer.navigate.previews.read_beginning import Beginning, BeginningReader
from gossamer.net import url as urls
from gossamer.records import Exchange, Failed, Fetched, Refused, Request
from gossamer.text.language.detection.page_language import page_language

_MOST_WAITING = 32
_LONGEST_S = 20.0
_MOST_KEPT, _KEPT_S = 500, 300.0
_MANNERS_S = 30.0
_MOST_CHARACTERS = 300
_GONE = (404, 410)


class Preview(msgspec.Struct, frozen=True):
    """The card of a page that was fetched for it."""

    card: LinkCard
    note: str = ""
    """Why there is no more on the card, in one sentence; "" if nothing is missing."""


class PreviewMaker:
    """Makes previews for one server. Belongs to one event loop; cancel `make` to end its request."""

    def __init__(
        self,
        fetcher: Fetcher,
        read_manners: Callable[[], PreviewManners],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = BeginningReader(fetcher)
        self._read_manners = read_manners
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Preview]] = OrderedDict()
        self._manners: tuple[float, PreviewManners] | None = None
        self.under_way = 0
        """How many previews are being made or wait."""

    async def make(self, address: str) -> Preview:
        """Return the preview of a page; raise `BadInput` if the address is none. Nothing of it is written anywhere."""
        url = read_address(address)
        found = self._find(url)
        if found is not None:
            return found
        if self.under_way >= _MOST_WAITING:
            return _explain(url, "too many previews are asked for at once; try again in a moment")
        self.under_way += 1
        try:
            async with asyncio.timeout(_LONGEST_S):
                return await self._make(url)
        except TimeoutError:
            return _explain(url, "its host did not answer in time")
        except GossamerError as error:  # such as HostBusy
            return _explain(url, str(error))
        finally:
            self.under_way -= 1

    async def close(self) -> None:
        """Close all connections."""
        await self._reader.close()

    async def _make(self, url: str) -> Preview:
        manners = await self._get_manners()
        beginning = await self._reader.read(url, manners)
        if isinstance(beginning.outcome, Shortage):
            return _explain(url, beginning.outcome.what)
        made = await run_sync(_describe, url, beginning, manners.page.agent)
        self._kept[url] = self._clock(), made
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return made

    def _find(self, url: str) -> Preview | None:
        made_s, found = self._kept.get(url, (0.0, None))
        if found is not None and self._clock() - made_s > _KEPT_S:
            del self._kept[url]
            return None
        return found

    async def _get_manners(self) -> PreviewManners:
        """Return the manners of the web's newest task, and what it has forgotten, as they were half a minute ago at most."""
        now_s = self._clock()
        if self._manners is None or now_s - self._manners[0] > _MANNERS_S:
            self._manners = now_s, await run_sync(self._read_manners)
        return self._manners[1]


def _explain(url: str, why: str) -> Preview:
    return Preview(LinkCard(url=url), f"{why[:1].upper()}{why[1:].rstrip('.')}.")


def _describe(url: str, beginning: Beginning, agent: str) -> Preview:
    """Return what the beginning of a page says."""
    outcome, note = beginning.outcome, ""
    card = LinkCard(url=url, redirects=beginning.redirects, fetched_s=time.time())
    match outcome:
        case Fetched(exchange):
            return Preview(_describe_page(card, exchange, agent))
        case Failed(exchange=exchange) if exchange is not None and exchange.status:
            note = describe_cause(str(exchange.status))
            status = exchange.status
            card = msgspec.structs.replace(card, status=status, gone=status in _GONE, failure=outcome.cause)
        case Failed() | Refused():
            note = describe_cause(outcome.cause)
            card = msgspec.structs.replace(card, failure=outcome.cause)
    return Preview(card, f"{note[:1].upper()}{note[1:].rstrip('.')}." if note else "")


def _describe_page(card: LinkCard, exchange: Exchange, agent: str) -> LinkCard:
    url = card.redirects[-1] if card.redirects else card.url
    request = Request(urls.page_id(url), url, urls.host(url), 0)
    reading = read(request, exchange, agent)
    page, document, headers = reading.page, reading.document, dict(exchange.headers)
    return msgspec.structs.replace(
        card,
        title=page.title[:_MOST_CHARACTERS],
        sentences=choose_sentences(page, document) if page.archive else (),
        author=document.author[:_MOST_CHARACTERS] if document is not None else "",
        language=page_language(document.text) if document is not None else "",
        kind=page.kind,
        bytes=_find_size(headers, exchange),
        words=0 if exchange.cut else page.words,
        modified=page.last_modified,
        status=exchange.status,
        out_links=0 if exchange.cut else len({link.url for link in reading.links}),
    )


def _find_size(headers: dict[str, str], exchange: Exchange) -> int:
    """Return the size of the whole page: as its server says, or as it was received; 0 if only its beginning is known."""
    said = headers.get("content-length", "")
    if said.isascii() and said.isdecimal() and len(said) < 16:
        return int(said)
    return 0 if exchange.cut else len(exchange.body)
