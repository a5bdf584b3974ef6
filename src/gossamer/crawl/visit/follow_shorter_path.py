"""Pages found again by a shorter path: their links may be within the depth limit after all.

With a depth limit it matters by which path a page was found first, and that is chance: hosts answer at different speeds.
So a page that is found at a smaller depth is scheduled once more. If it was visited meanwhile, nothing is fetched: its
stored links are judged again for the smaller depth. In the end exactly the pages within the limit are visited.
Source: Wollenweber 2002, section 6.2: a page scanned with fewer steps left is scanned again.
"""

import asyncio
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.crawl.task.running_task import RunningTask
from gossamer.crawl.task.schedule_links import Candidates
from gossamer.crawl.visit.cached_pages import RecalledPage
from gossamer.crawl.visit.judge_page import filter_links
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.records import Decision, Link, Page, PageLink, Request


class ShorterPath(msgspec.Struct, frozen=True):
    """The page was visited before; these of its links are followed by the shorter path."""

    page: Page | None
    found: Candidates
    depth: int
    """The depth of the links."""
    hops: int
    decisions: Sequence[Decision] = ()


async def follow_shorter_path(request: Request, shard: ShardContext) -> ShorterPath | None:
    """Judge the links of a page again if the task visited it before; None if it did not, or wants a revisit."""
    task = shard.task_of(request)
    if request.type == "revisit" or not task.scheduler.is_done(request.id):
        return None
    recalled = await asyncio.to_thread(shard.cache.recall, request, task.spec, task.agent)
    return await judge_again(request, recalled, task, shard.clock())


async def judge_again(
    request: Request, recalled: RecalledPage, task: RunningTask, now_s: float
) -> ShorterPath:
    """Judge the stored links of a visited page by the rules that hold now."""
    redirects = is_redirect(recalled.links)
    depth, hops = (request.depth, request.hops + 1) if redirects else (request.depth + 1, 0)
    found = task.scheduler.find_candidates(recalled.links, depth)
    decisions: list[Decision] = []
    if task.judges_links and not redirects:
        page = recalled.page or Page(
            request.id, request.url, request.host, request.task, request.depth, 0.0, 0, ""
        )
        found = await filter_links(task, page, found, decisions, now_s, [])
    return ShorterPath(recalled.page, found, depth, hops, decisions)


def is_redirect(links: Iterable[Link | PageLink]) -> bool:
    """Say whether links are those of a redirect, which adds no depth."""
    return any(link.type == "redirect" for link in links)
