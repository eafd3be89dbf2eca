"""Links of a page for Scrapy: found, resolved and encoded as browsers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.http import TextResponse
from scrapy.link import Link
from scrapy.linkextractors import IGNORED_EXTENSIONS
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor
from scrapy.utils.url import url_has_any_extension

from urlkey._native import Policy
from urlkey.systems.crawler import links

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["KeyLinkExtractor"]


class KeyLinkExtractor:
    """A link extractor, for `CrawlSpider` rules or by itself: `extract_links(response)` gives the links of a page, one
    for each key, with the URL to request.

    They are those of `urlkey.systems.crawler.links`: of `a`, `area`, `iframe`, `frame` and a refresh, against the
    `<base>` of the page, in its encoding. `allow`, `deny`, `allow_domains` and `deny_domains` are those of Scrapy's
    `LinkExtractor` and look at the URL; so does `deny_extensions`. Without `nofollow` links that ask not to be
    followed are left out. `unique=False` gives every link. Needs the extra `page`.
    """

    def __init__(
        self,
        *,
        policy: str | Policy = "crawl",
        deny_extensions: Iterable[str] | None = None,
        nofollow: bool = True,
        unique: bool = True,
        **filters: Any,
    ) -> None:
        unknown = filters.keys() - {"allow", "deny", "allow_domains", "deny_domains"}
        if unknown:
            raise TypeError(f"KeyLinkExtractor takes no {', '.join(sorted(unknown))}")
        self._policy, self._filter = Policy(policy), LxmlLinkExtractor(**filters)
        denied = IGNORED_EXTENSIONS if deny_extensions is None else deny_extensions
        self._denied = {f".{extension}" for extension in denied}
        self._nofollow, self._unique = nofollow, unique

    def extract_links(self, response: TextResponse) -> list[Link]:
        """The links of a response, in the order of the page."""
        headers = [(name.decode(), value.decode("latin-1")) for name, value in _pairs(response)]
        found, seen = [], set[str]()
        for link in links(response.body, response.url, headers=headers, policy=self._policy):
            if link.url is None or link.key is None or (link.nofollow and not self._nofollow):
                continue
            if not self.matches(link.url):
                continue
            if not self._unique or link.key not in seen:
                seen.add(link.key)
                found.append(Link(link.url, link.text, link.url.partition("#")[2], link.nofollow))
        return found

    def matches(self, url: str) -> bool:
        """Whether the filters let a URL pass."""
        return self._filter.matches(url) and not url_has_any_extension(url, self._denied)


def _pairs(response: TextResponse) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, values in response.headers.items() for value in values]
