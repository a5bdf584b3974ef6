"""The life of one link, from taken to kept. This file is the tour of the house.

    take → recall → locate → robots → fetch → read → judge → keep → tell

Whatever goes wrong on the way is a value and ends in `keep` as well: nothing that was taken is lost.
"""

from gossamer.crawl.read_page import read
from gossamer.crawl.visit.cached_pages import CacheHit
from gossamer.crawl.visit.judge_page import judge, tell
from gossamer.crawl.visit.record_outcome import Ending, keep, retry, worth_another_try
from gossamer.crawl.visit.shard_context import Parts
from gossamer.crawl.visit.shorter_path import nearer
from gossamer.fetch.fetcher import HostAddresses
from gossamer.records import Failed, Fetched, Request


async def visit(request: Request, parts: Parts) -> None:
    """Visit one link: find its host, ask its robots.txt, fetch it, read it, judge it, keep it."""
    outcome = await approach(request, parts)
    match outcome:
        case None:
            return  # it waits on: its address is busy, or robots.txt had to be asked for first
        case Fetched(exchange):
            reading = read(request, exchange, parts.task(request).agent)
            judged = await judge(request, reading, parts)
            keep(request, outcome, parts, judged)
            await tell(request, judged, parts)
        case CacheHit(reading):
            judged = await judge(request, reading, parts)
            keep(request, outcome, parts, judged)
            await tell(request, judged, parts)
        case Failed() if worth_another_try(request, outcome, parts):
            retry(request, outcome, parts)
        case _:
            keep(request, outcome, parts)


async def approach(request: Request, parts: Parts) -> Ending | None:
    """Go to the page as far as it lets us; None if the request has to wait on."""
    if refused := parts.unwanted(request):
        return refused
    if parts.being_written(request):
        return None
    if known := await nearer(request, parts) or await parts.cached(request):
        return known
    where = await parts.locate(request)
    if not isinstance(where, HostAddresses):
        return where
    if not parts.address_is_free(request, where) or not await parts.robots_known(request, where):
        return None
    return parts.robots_refuse(request) or await parts.fetch(request, where)
