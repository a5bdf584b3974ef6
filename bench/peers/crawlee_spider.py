"""Crawlee as its introduction writes it, with its parser that costs least: a dataset of addresses and titles.

Run by the Python of an environment of its own. It keeps its queue and its dataset in the folder, and goes on with them when
it is started again. It has no pause for a host; how many requests it sends at once it finds by itself, up to a bound.

    python bench/peers/crawlee_spider.py FOLDER CONCURRENCY URL …
"""

import asyncio
import logging
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings, Glob, service_locator
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext


async def crawl(folder: str, concurrency: int, seeds: list[str]) -> None:
    """Crawl from the start pages."""
    service_locator.set_configuration(Configuration(storage_dir=folder, purge_on_start=False))
    crawler = ParselCrawler(
        respect_robots_txt_file=True,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=1, desired_concurrency=concurrency, max_concurrency=concurrency
        ),
        request_handler_timeout=timedelta(seconds=60),
        configure_logging=False,
    )

    @crawler.router.default_handler  # type: ignore[untyped-decorator, unused-ignore]
    async def keep(context: ParselCrawlingContext) -> None:
        url = context.request.loaded_url or context.request.url
        await context.push_data({"url": url, "title": context.selector.css("title::text").get()})
        await context.enqueue_links(strategy="all", include=[Glob("http://127.0.1.*/**")])

    await crawler.run(seeds)


def main() -> None:
    """Crawl as the command line says."""
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(crawl(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))


if __name__ == "__main__":
    main()
