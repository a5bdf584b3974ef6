"""The life of one link, from taken to kept. This file is the tour of the house.

    take → locate → robots → fetch → read → judge → keep → tell

Whatever goes wrong on the way is a value and ends in `keep` as well: nothing that was taken is lost.
"""

from gossamer.crawl.parts import Parts
from gossamer.crawl.reading import read
from gossamer.fetch.fetcher import Located
from gossamer.records import Failed, Fetched, Outcome, Refused, Request


async def visit(request: Request, parts: Parts) -> None:
    """Visit one link: find its host, ask its robots.txt, fetch it, read it, judge it, keep it."""
    outcome = await approach(request, parts)
    match outcome:
        case None:
            return  # it waits on: its address is busy, or robots.txt had to be asked for first
        case Fetched(exchange):
            reading = read(request, exchange, parts.agent(request))
            judged = await parts.judge(request, reading)
            parts.keep(request, outcome, judged)
            await parts.tell(request, judged)
        case Failed() if parts.worth_another_try(request, outcome):
            parts.retry(request, outcome)
        case _:
            parts.keep(request, outcome)


async def approach(request: Request, parts: Parts) -> Outcome | None:
    """Go to the page as far as it lets us; None if the request has to wait on."""
    if parts.in_trap(request):
        return Refused("trap")
    where = await parts.locate(request)
    if not isinstance(where, Located):
        return where
    if not parts.address_is_free(request, where) or not await parts.robots_known(request, where):
        return None
    return parts.robots_refuse(request) or await parts.fetch(request, where)
