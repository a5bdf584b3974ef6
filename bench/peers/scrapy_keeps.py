"""Scrapy with what its manual offers for a long crawl: a job folder to go on with, pauses, retries, items in a feed.

python bench/peers/scrapy_keeps.py FOLDER DELAY URL …
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class KeepingSpider(CrawlSpider):  # type: ignore[misc, unused-ignore]
    """Follows all links and makes an item of each page."""

    name = "keeps"
    rules = (Rule(LinkExtractor(), callback="parse_item", follow=True),)

    def parse_start_url(self, response: Response, **_: Any) -> Any:
        """Make an item of a start page, too."""
        return self.parse_item(response)

    def parse_item(self, response: Response) -> Iterator[dict[str, str | None]]:
        """Make an item of a page, with its text as received."""
        yield {"url": response.url, "title": response.css("title::text").get(), "body": response.text}


def main(folder: Path, delay_s: float, seeds: list[str]) -> None:
    """Crawl from the given start pages, or go on with the job of the folder."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": delay_s,
            "RANDOMIZE_DOWNLOAD_DELAY": False,
            "JOBDIR": str(folder / "job"),
            "FEEDS": {str(folder / "items.jsonl"): {"format": "jsonlines", "overwrite": False}},
            "LOG_LEVEL": "WARNING",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    allowed = [str(urlsplit(seed).hostname) for seed in seeds]
    process.crawl(KeepingSpider, start_urls=seeds, allowed_domains=allowed)
    process.start()


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
