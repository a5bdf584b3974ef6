import asyncio
from pathlib import Path

import pytest
from starlette.types import Message, Receive
from tests.unit.ui.console.test_crawl_watch import HANGS_S, Messages, count_readers, run, wait_for

from gossamer.ui.console.live import crawl_watch
from gossamer.ui.console.live.crawl_watch import CrawlWatch, Subject
from gossamer.ui.console.live.event_stream import EventResponse


async def receive_nothing() -> Message:
    await asyncio.sleep(HANGS_S)
    return {"type": "http.disconnect"}


RECEIVE: Receive = receive_nothing
SCOPE = {"type": "http", "method": "GET"}


def test_messages_and_comments_are_sent_until_the_time_is_up(library: Path) -> None:
    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        await EventResponse(watch, Subject(), longest_s=0.6, heartbeat_s=0.25)(SCOPE, RECEIVE, send)
        headers = dict(sent[0]["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert b"content-length" not in headers
        assert sent[1]["body"] == b"retry: 1000\n\n"
        assert sent[2]["body"].startswith(b'data: {"html":"first 0"')
        assert sent[2]["body"].endswith(b"\n\n")
        assert sent[2]["body"].count(b"\n") == 2, "a line end within a message would cut it"
        assert sent[3]["body"].startswith(b":")
        assert (sent[-1]["body"], sent[-1].get("more_body", False)) == (b"", False)
        await wait_for(lambda: count_readers() == 0)

    run(look())


def test_a_viewer_that_is_cancelled_leaves(library: Path) -> None:
    async def look() -> None:
        made = Messages(library)
        watch = CrawlWatch(made.open_web, made.make)
        came = asyncio.Event()

        async def send(message: Message) -> None:
            if b"first" in message.get("body", b""):
                came.set()

        streaming = asyncio.create_task(EventResponse(watch, Subject())(SCOPE, RECEIVE, send))
        await came.wait()
        streaming.cancel()
        await asyncio.wait([streaming])
        await wait_for(lambda: count_readers() == 0)
        assert not watch.is_running

    run(look())


def test_one_too_many_is_told_to_ask_instead(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_watch, "_MOST_VIEWERS", 0)

    async def look() -> None:
        made = Messages(library)
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        await EventResponse(CrawlWatch(made.open_web, made.make), Subject())(SCOPE, RECEIVE, send)
        assert sent[0]["status"] == 503
        assert made.opened == 0

    run(look())
