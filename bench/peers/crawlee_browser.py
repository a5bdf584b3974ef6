"""Load pages with Crawlee's PlaywrightCrawler, which stores nothing: python crawlee_browser.py URL PAGES AT_ONCE"""

import asyncio
import sys

from crawlee import ConcurrencySettings
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

_BROWSER = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox"],
    "chromium_sandbox": False,
}


async def main(start: str, pages: int, at_once: int) -> None:
    """Load all pages of a host, and print how many there were."""
    found = 0
    concurrency = ConcurrencySettings(
        min_concurrency=at_once, max_concurrency=at_once, desired_concurrency=at_once
    )
    crawler = PlaywrightCrawler(
        headless=True,
        browser_type="chromium",
        max_requests_per_crawl=pages,
        concurrency_settings=concurrency,
        browser_launch_options=_BROWSER,
        storage_client=MemoryStorageClient(),
    )

    async def handle(context: PlaywrightCrawlingContext) -> None:
        nonlocal found
        await context.page.wait_for_load_state("networkidle")
        await context.page.content()
        found += 1
        await context.enqueue_links()

    crawler.router.default_handler(handle)
    await crawler.run([start])
    print("FOUND", found)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
