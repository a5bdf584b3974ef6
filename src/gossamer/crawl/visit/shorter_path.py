"""Pages that are found again, nearer to the start: their links may be followed after all.

With a limit of depth it matters by which way a page was found first, and that is chance: hosts answer when they like. So
a page that turns up at a smaller depth is scheduled once more. If it was visited meanwhile nothing is fetched: the links
that the web has of it are judged again, for the smaller depth. In the end exactly the pages within the limit are visited.
Seed 004, section 6.2, asks for the same: what was scanned with fewer steps left is scanned again.
"""

import asyncio
from collections.abc import Iterable

import msgspec

from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.visit.cached_pages import Recalled
from gossamer.crawl.visit.judge_page import filter_links
from gossamer.crawl.visit.shard_context import Parts
from gossamer.records import Link, Page, PageLink, Request


class Nearer(msgspec.Struct, frozen=True):
    """The page was visited before; these of its links are followed by the shorter way."""

    page: Page | None
    found: Candidates
    depth: int
    """Of the links."""
    hops: int


async def nearer(request: Request, parts: Parts) -> Nearer | None:
    """Judge the links of a page again if it was visited before; None if it was not, or is to be visited again."""
    running = parts.task(request)
    if request.type == "revisit" or not running.finder.is_done(request.id):
        return None
    recalled = await asyncio.to_thread(parts.cache.recall, request, running.spec, running.agent)
    return await judge_again(request, recalled, parts)


async def judge_again(request: Request, recalled: Recalled, parts: Parts) -> Nearer:
    """Judge the links of a page that was visited, as of now."""
    running = parts.task(request)
    redirects = is_redirect(recalled.links)
    depth, hops = (request.depth, request.hops + 1) if redirects else (request.depth + 1, 0)
    found = running.finder.candidates(recalled.links, depth)
    if running.judges_links and not redirects:
        page = recalled.page or Page(
            request.id, request.url, request.host, request.task, request.depth, 0.0, 0, ""
        )
        found = await filter_links(running, page, found, parts)
    return Nearer(recalled.page, found, depth, hops)


def is_redirect(links: Iterable[Link | PageLink]) -> bool:
    """Say whether links are those of a redirect, which is no step away from the start."""
    return any(link.type == "redirect" for link in links)
