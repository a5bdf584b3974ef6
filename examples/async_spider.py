# ruff: noqa: T201
"""A crawl inside an asynchronous program: `async for` gives each page while other things go on.

python examples/async_spider.py https://www.example.org/ example.web
"""

import asyncio
import sys

from trying import manners

import gossamer


async def ticking() -> None:
    """Do something else meanwhile."""
    while True:
        print("tick")
        await asyncio.sleep(0.2)


async def spider(url: str, folder: str) -> None:
    """Crawl a host while a clock ticks."""
    clock = asyncio.create_task(ticking())
    with gossamer.open(folder) as web:
        async for page in web.crawl(gossamer.Task(seeds=[url], scope="host", pages=50, **manners(url))):
            print(page.url)
    clock.cancel()


if __name__ == "__main__":
    asyncio.run(spider(*sys.argv[1:3]))
