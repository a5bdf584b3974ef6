"""What pages of different tasks share in a browser, what is archived of it, and how requests end that go wrong."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from tests.rendering.harness import AGENT, Show, open_show
from tests.rendering.scripted_site import ScriptedSite
from tests.rendering.test_render_crawls import crawl_site, list_records

from gossamer.fetch.browser.network_source import NetworkSource
from gossamer.fetch.browser.rendered_page import (
    BrowserAnswer,
    BrowserRequest,
    LoadedResponse,
    PictureWish,
    RenderedPage,
    RenderLimits,
    RequestSource,
)
from gossamer.fetch.fake_fetcher import make_response
from gossamer.records import Fetched

pytestmark = pytest.mark.slow

_HTML = [("Content-Type", "text/html; charset=utf-8")]


class SharingSite(ScriptedSite):
    """Pages that use one script, the first of which asks not to be kept; and a page that says who is reading it."""

    def answer(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return status, headers and body of a path."""
        match path:
            case "/who":
                return 200, _HTML, b"<p id=p></p><script>p.textContent='as '+navigator.userAgent</script>"
            case "/shared.js":
                return 200, [("Content-Type", "text/javascript")], b"document.write('<p>made by a script')"
            case "/index":
                return 200, _HTML, b"<a href=/first>1</a><a href=/second>2</a><a href=/third>3</a>"
            case "/first" | "/second" | "/third":
                die = "<script>while(true){}</script>" if path == "/first" else ""
                return 200, _HTML, f"<title>{path}</title><script src=/shared.js></script>{die}".encode()
        return super().answer(path)


async def _show_as(show: Show, url: str, agent: str, owner: str) -> bytes:
    document = await show.fetch(url)

    async def may_load(_url: str, _is_document: bool) -> str:
        return ""

    shown = await show.pool.show(
        document,
        lambda: NetworkSource(show.fetcher, document, lambda _: show.options, show.shared, may_load),
        agent,
        PictureWish(),
        owner,
    )
    assert isinstance(shown, RenderedPage), shown
    return shown.html


def test_each_task_is_seen_as_its_own_agent_and_has_its_own_tabs() -> None:
    async def run() -> None:
        site = SharingSite("127.0.0.2")
        try:
            async with open_show() as show:
                for agent, owner in [("One", "a"), ("Two", "a"), ("Two", "b"), ("One", "a")]:
                    assert f"as {agent}<".encode() in await _show_as(show, f"{site.url}/who", agent, owner)
                running = show.pool._current
                assert running is not None
                assert sorted(tab.uses for tab in running.idle) == [1, 1, 2]
        finally:
            site.close()

    asyncio.run(run())


class TroubledSource:
    """Fails as a defect would, for scripts; and sends much, for images."""

    async def answer(self, request: BrowserRequest) -> BrowserAnswer:
        """Answer one request."""
        if request.kind == "Script":
            raise ZeroDivisionError
        outcome = make_response(request.url, "x" * 4_000, headers=[("Content-Type", "text/plain")])
        assert isinstance(outcome, Fetched)
        return BrowserAnswer(LoadedResponse(outcome.exchange))


def test_a_request_that_ends_in_an_error_is_refused_by_name_and_the_rest_goes_on() -> None:
    async def run() -> None:
        site = SharingSite("127.0.0.2")
        try:
            async with open_show(RenderLimits(time_s=15.0, body_bytes=10_000)) as show:
                document = msgspec.structs.replace(
                    await show.fetch(f"{site.url}/first"),
                    body=b"<!doctype html><script src=/a.js></script><a href=/there>x</a>"
                    + b"".join(f"<img src=/{number}.png>".encode() for number in range(5)),
                )
                source: RequestSource = TroubledSource()
                page = await show.pool.show(document, lambda: source, AGENT, PictureWish())
                assert isinstance(page, RenderedPage), page
                assert page.ready == "quiet"
                assert b"/there" in page.html
                assert page.refused["failed: ZeroDivisionError"] == 1
                assert page.refused["too many bytes"] >= 3  # browsers may ask for an icon, too
                assert page.loaded == len(page.responses) == 2
        finally:
            site.close()

    asyncio.run(run())


def test_a_script_is_archived_with_the_first_page_that_is_kept_though_another_loaded_it(
    tmp_path: Path,
) -> None:
    site = SharingSite("127.0.0.2")
    try:
        ran = crawl_site(
            site,
            tmp_path / "web",
            *("--render", "always", "--render-time", "3", "--connections", "1", "--json"),
            start="/index",
        )
    finally:
        site.close()
    assert ran.returncode == 0, ran.stderr
    assert [path for _, path, _ in site.requests].count("/shared.js") == 1
    records = [
        (record.type, record.headers.get("warc-target-uri"))
        for path in (tmp_path / "web" / "archive").glob("*.gz")
        for record in list_records(path)
    ]
    assert records.count(("response", f"{site.url}/shared.js")) == 1
    counts = json.loads(ran.stdout.splitlines()[-1])["counts"]
    assert counts["not rendered"] == 1
    assert counts["bytes"] > sum(
        len(site.answer(path)[2]) for path in ("/index", "/first", "/second", "/third")
    )
