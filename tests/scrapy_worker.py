"""Scrapy spiders with a request for each way in which requests end: `scrapy_worker.py SPIDER BASE OUT NAME=VALUE ...`,
the last being settings. Scrapy's statistics go to OUT, as JSON."""

import json
import sys
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess


class Ends(scrapy.Spider):
    """Callbacks that return, raise, are no methods; errors with and without an errback; redirects, retries, polls."""

    name = "ends"
    handle_httpstatus_list = (404,)

    async def start(self):
        yield scrapy.Request(f"{self.base}/start", dont_filter=True)

    def parse(self, response):
        base = self.base
        yield from (
            scrapy.Request(f"{base}/{name}", self.leaf) for name in ("flaky", "error", "missing", "loop", "moved")
        )
        yield scrapy.Request(f"{base}/lambda", callback=lambda response: [])
        yield scrapy.Request(f"{base}/raises", self.raises)
        yield scrapy.Request(f"{base}/private", self.leaf, errback=self.failed)
        yield scrapy.Request("http://127.0.0.1:1/refused", self.leaf, errback=self.failed)
        yield scrapy.Request("http://127.0.0.1:1/refused-too", self.leaf)
        yield from (scrapy.Request(f"{base}/post", self.leaf, method="POST", body=body) for body in ("a", "b", "a"))
        yield scrapy.FormRequest(f"{base}/post", self.leaf, formdata={"q": "x"})
        yield from (scrapy.Request(f"{base}/head", self.leaf, method=method) for method in ("GET", "HEAD", "HEAD"))
        yield scrapy.Request(f"{base}/poll", self.poll, cb_kwargs={"left": 2})
        yield scrapy.Request(f"{base}/meta", self.leaf, meta=response.meta)
        yield {"item": response.url}

    def leaf(self, response):
        yield {"item": response.url}

    async def raises(self, response):
        yield scrapy.Request(f"{self.base}/before", self.leaf)
        raise RuntimeError("as asked")

    def poll(self, response, left):
        if left:
            request = response.request
            request.cb_kwargs["left"], request.dont_filter = left - 1, True
            yield request

    def failed(self, failure):
        yield scrapy.Request(f"{self.base}/instead?of={failure.value.__class__.__name__}", self.leaf)


class Private(scrapy.Spider):
    """Begins with many requests that robots.txt forbids."""

    name = "private"

    async def start(self):
        for number in range(20):
            yield scrapy.Request(f"{self.base}/private?x={number}", dont_filter=True)
        yield scrapy.Request(f"{self.base}/start", dont_filter=True)

    def parse(self, response):
        yield {"item": response.url}


def main() -> None:
    name, base, out, *rest = sys.argv[1:]
    settings = {key: json.loads(value) for key, _, value in (pair.partition("=") for pair in rest)}
    process = CrawlerProcess({"LOG_LEVEL": "CRITICAL", "TELNETCONSOLE_ENABLED": False, **settings})
    crawler = process.create_crawler({"ends": Ends, "private": Private}[name])
    process.crawl(crawler, base=base)
    process.start()
    Path(out).write_text(json.dumps(crawler.stats.get_stats(), default=str))


if __name__ == "__main__":
    main()
