"""Load pages with a plain loop over Playwright, which stores nothing: python playwright_loop.py URL PAGES AT_ONCE"""

import asyncio
import sys
from typing import Any

from playwright.async_api import async_playwright

_LINKS = "all => all.map(one => one.href.split('#')[0])"


async def main(start: str, pages: int, at_once: int) -> None:
    """Load all pages of a host, and print how many there were."""
    queue: asyncio.Queue[str] = asyncio.Queue()
    queue.put_nowait(start)
    seen, done = {start}, 0
    host = "/".join(start.split("/")[:3]) + "/"

    async def work(browser: Any) -> None:
        nonlocal done
        while True:
            url = await queue.get()
            context = await browser.new_context()
            page = await context.new_page()
            await page.goto(url, wait_until="networkidle")
            await page.content()
            for link in await page.eval_on_selector_all("a[href]", _LINKS):
                if link.startswith(host) and link not in seen and len(seen) < pages:
                    seen.add(link)
                    queue.put_nowait(link)
            await context.close()
            done += 1
            queue.task_done()

    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        workers = [asyncio.create_task(work(browser)) for _ in range(at_once)]
        await queue.join()
        for one in workers:
            one.cancel()
        await browser.close()
    print("FOUND", done)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
