"""Web crawling: what a page links to, whose robots.txt asks to be read first, which URLs look like a trap.

>>> from urlkey.systems import crawler
>>> html = b'<a href="/shop/?utm_source=nav&id=7">Shop</a> <a href="mailto:a@b.example" rel="nofollow">Mail</a>'
>>> for link in crawler.links(html, "http://a.example/"):
...     print(link.key, link.nofollow, link.reason)
http://a.example/shop/?id=7 False None
None True not-http
>>> [trap.code for trap in crawler.traps("http://a.example/x/y/x/y/x/y/")]
['repeated-segments']

Nothing is fetched. Request `link.url`, compare `link.key`.
"""

from urlkey.systems.crawler.links import Link, links
from urlkey.systems.crawler.robots import robots_key, robots_url
from urlkey.systems.crawler.traps import TRAPS, Trap, traps

__all__ = ["TRAPS", "Link", "Trap", "links", "robots_key", "robots_url", "traps"]
