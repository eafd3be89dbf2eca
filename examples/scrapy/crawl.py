"""One crawl of a site by Scrapy, with the add-on or plain: `python crawl.py BASE --help`. Writes what it found and its
statistics; run.py reads them."""

import argparse
import hashlib
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

# Plain Scrapy would not come to an end.
PLAIN_DEPTH = 12
PLAIN_PAGES = 6_000
# URLs of a host that look like a trap.
TRAPS = 20


class ShopSpider(scrapy.Spider):
    """Follows every link of a site; an item for each page that shows a product."""

    name = "shop"

    def __init__(self, base: str, extractor: Any) -> None:
        super().__init__()
        self.base, self.extractor = base, extractor

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(f"{self.base}/", dont_filter=True)

    def parse(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, TextResponse):
            return
        product = response.css("h1::attr(data-product)").get()
        if product is not None:
            yield {"product": int(product), "url": response.url}
        for link in self.extractor.extract_links(response):
            if link.url.startswith(self.base):
                yield scrapy.Request(link.url)


class Lines:
    """Items as JSON lines, each on its way before its page is done with: Scrapy's feeds keep some in memory, which a
    kill takes along."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115, closed by close_spider

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> "Lines":
        return cls(crawler.settings["ITEMS"])

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        self._file.write(json.dumps(item) + "\n")
        return item

    def close_spider(self) -> None:
        self._file.close()


class Observations:
    """A downloader middleware that writes what each response shows, as `urlkey learn` reads it: a JSON line with url,
    fingerprint of the main content (null where there is none), time, status, redirect, canonical."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115, closed by close

    @classmethod
    def from_crawler(cls, crawler: scrapy.crawler.Crawler) -> "Observations":
        made = cls(crawler.settings["OBSERVATIONS"])
        crawler.signals.connect(made.close, scrapy.signals.engine_stopped)
        return made

    def close(self) -> None:
        self._file.close()

    def process_response(self, request: scrapy.Request, response: Response) -> Response:
        if not request.url.endswith("/robots.txt"):
            self._file.write(json.dumps(observation(request.url, response)) + "\n")
        return response


def observation(url: str, response: Response) -> dict[str, Any]:
    """What a response shows."""
    location = response.headers.get("Location")
    main = canonical = None
    if isinstance(response, TextResponse) and response.status == 200:
        main = " ".join(" ".join(response.css("main ::text").getall()).split()).casefold()
        canonical = response.css("head link[rel=canonical]::attr(href)").get()
    return {
        "url": url,
        "fingerprint": hashlib.sha256(main.encode()).hexdigest()[:32] if main else None,
        "time": int(time.time()),
        "status": response.status,
        "redirect": response.urljoin(location.decode("latin-1")) if location else None,
        "canonical": response.urljoin(canonical) if canonical else None,
    }


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Of the crawl. One request at a time, so that figures are the same in every run."""
    chosen: dict[str, Any] = {
        "CONCURRENT_REQUESTS": options.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "ITEMS": options.items,
        "ITEM_PIPELINES": {Lines: 500} if options.items else {},
        "JOBDIR": options.jobdir,
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
    }
    if options.plain:
        chosen |= {"DEPTH_LIMIT": PLAIN_DEPTH, "CLOSESPIDER_PAGECOUNT": PLAIN_PAGES}
    else:
        chosen |= {"ADDONS": {"urlkey.scrapy.Addon": 500}, "URLKEY_TRAPS": TRAPS, "URLKEY_RULES": options.rules}
        chosen |= {"URLKEY_STORE": options.store} if options.store else {}
    if options.observations:
        chosen |= {"OBSERVATIONS": options.observations, "DOWNLOADER_MIDDLEWARES": {Observations: 606}}
    return chosen


def main() -> None:
    """Runs the crawl."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="the site, http://host:port")
    parser.add_argument("--plain", action="store_true", help="without the add-on, with a limit of depth and of pages")
    parser.add_argument("--store", help="a store for the add-on: a file or a postgresql:// URL")
    parser.add_argument("--rules", action="append", default=[], help="a rule file, such as one that was learned")
    parser.add_argument("--jobdir", help="where the crawl is kept, so that it resumes")
    parser.add_argument("--items", help="a file for what was found, JSON lines")
    parser.add_argument("--stats", help="a file for Scrapy's statistics, JSON")
    parser.add_argument("--observations", help="a file for what every response shows, JSON lines")
    parser.add_argument("--concurrency", type=int, default=1)
    options = parser.parse_args()
    process = CrawlerProcess(settings(options))
    crawler = process.create_crawler(ShopSpider)
    if options.plain:
        extractor: Any = LinkExtractor()
    else:
        from urlkey.scrapy import KeyLinkExtractor

        extractor = KeyLinkExtractor(unique=False)
    process.crawl(crawler, base=options.base, extractor=extractor)
    process.start()
    if options.stats:
        assert crawler.stats is not None
        Path(options.stats).write_text(json.dumps(crawler.stats.get_stats(), default=str, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
