"""Scrapy as its tutorial and its templates write it: a CrawlSpider whose one rule follows every link.

The project template's settings, but for the pause: it would wait a second between pages, and is asked not to. Its
one request at a time for each host is kept, as Gossamer keeps to one. Items are made and dropped.
"""

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

SETTINGS: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    "FEED_EXPORT_ENCODING": "utf-8",
}


class TutorialSpider(CrawlSpider):  # type: ignore[misc, unused-ignore]
    """Follows all links and makes an item of each page."""

    name = "tutorial"
    rules = (Rule(LinkExtractor(), callback="parse_item", follow=True),)

    def parse_item(self, response: Response) -> Iterator[dict[str, str | None]]:
        """Make an item of a page."""
        yield {"url": response.url, "title": response.css("title::text").get()}


def main(seeds: list[str]) -> None:
    """Crawl from the given start pages."""
    process = CrawlerProcess(SETTINGS)
    allowed = [str(urlsplit(seed).hostname) for seed in seeds]
    process.crawl(TutorialSpider, start_urls=seeds, allowed_domains=allowed)
    process.start()


if __name__ == "__main__":
    main(sys.argv[1:])
