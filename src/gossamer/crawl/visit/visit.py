"""The life of one link, from the frontier to the batch that is written. This file is the tour of the house.

    take → refuse, wait, reuse or fetch → read → render → judge → record → notify

Each step returns a value, failures included, and `record` is the only one that writes. The shard's loop begins and ends
the turn around it (`host_turns.py`), so a request that was taken is never lost.
"""

from gossamer.crawl.visit.cached_pages import CacheHit, UnchangedCopy
from gossamer.crawl.visit.fetch_page import (
    BrowserElsewhere,
    fetch_page,
    refuse_request,
    reuse_page,
    wait_for_browser,
    wait_for_quiet_host,
    wait_for_write,
)
from gossamer.crawl.visit.judge_page import judge, notify_listeners
from gossamer.crawl.visit.record_outcome import record
from gossamer.crawl.visit.render_page import render_page
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.records import Fetched, Request


async def visit(request: Request, shard: ShardContext) -> None:
    """Visit one link: refuse it, wait, reuse a copy or fetch it; then read, perhaps render, judge and record it."""
    task = shard.task_of(request)
    outcome = (
        refuse_request(request, shard)
        or wait_for_write(request, shard)
        or await reuse_page(request, shard)
        or wait_for_quiet_host(request, shard)
        or wait_for_browser(request, shard)
        or await fetch_page(request, shard)
    )
    judged = rendering = None
    match outcome:
        case Fetched(exchange):
            reading = shard.read(request, exchange)
            if reading.unread is not None:  # a document beyond HTML
                reading = await shard.read_document(request, reading)
            shown = await render_page(request, exchange, reading, shard)
            if isinstance(shown, BrowserElsewhere):
                outcome = shown
            else:
                reading, rendering = shown
                judged = await judge(request, reading, task, shard.clock)
                if task.task.page_keeper is not None:
                    kept = rendering.document if rendering is not None else exchange
                    task.task.page_keeper.keep(judged.reading.page, kept, reading.places)
        case CacheHit(reading) | UnchangedCopy(reading=reading):
            judged = await judge(request, reading, task, shard.clock)
    record(request, outcome, shard, judged, rendering)
    if judged is not None and request.type != "requisite":
        await notify_listeners(judged, task)
    shard.report_plugin_failures(task)
