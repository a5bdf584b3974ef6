# ruff: noqa: T201
"""A crawl inside an asynchronous program: `async for` yields each page while other tasks run.

python examples/async_spider.py https://www.example.org/ example.web
"""

import asyncio

from arguments import read_arguments
from lab_options import lab_options

import gossamer


async def tick() -> None:
    """Do something else during the crawl."""
    while True:
        print("tick")
        await asyncio.sleep(0.2)


async def spider(url: str, folder: str) -> None:
    """Crawl a host while a clock ticks."""
    clock = asyncio.create_task(tick())
    with gossamer.open(folder) as web:
        async for page in web.crawl(gossamer.Task(seeds=[url], scope="host", pages=50, **lab_options(url))):
            print(page.url)
    clock.cancel()


if __name__ == "__main__":
    asyncio.run(spider(*read_arguments()))
