"""A shop on loopback that is as hard to crawl as shops are. Everything follows from the numbers below: no chance, no
clock but the year in which the calendar begins.

Every product stands under 4 category paths, in 2 sort orders, with 3 tracking sources: 24 spellings. One link in ten
has a session id, another one on every page. There is a calendar without an end, redirects, pages that are gone and
answer 200, and canonical tags: right ones on half of the products, wrong ones on a few.
"""

import hashlib
from collections import Counter
from datetime import date
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

PRODUCTS = 200
# Path of the category, and what spreads products over the ten categories of each kind.
KINDS = {"lamps": 1, "brands": 3, "rooms": 7, "gifts": 9}
CATEGORIES = 10
PER_PAGE = 10
SORTS = ("name", "price")
SOURCES = (
    "utm_source=list&utm_medium=grid",
    "utm_campaign=week&utm_source=promo",
    "gclid=Cj0KCQiA7NKB{id:04}BhDyARIsAK",
)
SESSION_EVERY = 10
# Every so many products: moved from an address of the years before; gone, with a page that answers 200.
MOVED_EVERY = 10
GONE = 10
DISALLOWED = "/basket"

WORDS = ("brass", "oak", "linen", "glass", "copper", "paper", "velvet", "slate", "cork", "rattan", "marble")


def category(kind: str, product: int) -> str:
    """The path of the category of a kind that a product is in."""
    return f"/{kind}/{(product * KINDS[kind] + product // CATEGORIES) % CATEGORIES}"


def address(product: int, kind: str = "lamps", sort: str = "name") -> str:
    """The path and query of a product, without what tracks."""
    return f"{category(kind, product)}/item-{product:03}?sort={sort}"


def spellings(product: int) -> set[str]:
    """Every path and query that links lead to a product by, session ids aside."""
    return {
        f"{address(product, kind, sort)}&{source.format(id=product)}"
        for kind in KINDS
        for sort in SORTS
        for source in SOURCES
    }


def has_tag(product: int) -> bool:
    """Whether a product's pages have a canonical tag that is right."""
    return product % 2 == 0


class Answer:
    """What the shop says to a path and query."""

    def __init__(self, body: str = "", status: int = 200, location: str | None = None, kind: str = "text/html") -> None:
        self.body, self.status, self.location = body.encode(), status, location
        self.kind = f"{kind}; charset=utf-8"


class Shop:
    """The pages. `base` is the origin that absolute URLs have."""

    def __init__(self, base: str, products: int = PRODUCTS) -> None:
        self.base, self.products = base, products
        #: Kinds of categories that the shop has given up, and left links to: 404.
        self.closed: frozenset[str] = frozenset()
        #: Whether products have canonical tags.
        self.tags = True
        #: Prices rise with the years.
        self.year = 1

    def answer(self, target: str) -> Answer:
        """The answer to a path with its query."""
        # A session id in the path is no part of the path.
        path = urlsplit(target).path.partition(";jsessionid=")[0]
        query = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        parts = unquote(path).strip("/").split("/")
        if parts[0] in self.closed:
            return Answer("<title>Closed</title>", status=404)
        match parts:
            case [""]:
                return self._home(target)
            case ["robots.txt"]:
                return Answer(f"User-agent: *\nDisallow: {DISALLOWED}\n", kind="text/plain")
            case ["calendar"]:
                return self._calendar(target, query)
            case ["today"]:
                return Answer(status=302, location=address(0))
            case ["go", number] if number.isdigit():
                return Answer(status=308, location=f"/old/{number}")
            case ["old", number] if number.isdigit() and int(number) < self.products:
                return Answer(status=301, location=self.base + address(int(number)))
            case [kind, number] if kind in KINDS and number.isdigit() and int(number) < CATEGORIES:
                return self._listing(target, kind, int(number), query)
            case [kind, _, item] if kind in KINDS and item.startswith("item-") and item[5:].isdigit():
                return self._item(target, path, int(item[5:]), query)
        return Answer("<title>Not found</title><main>Not found</main>", status=404)

    def _home(self, target: str) -> Answer:
        links = [(f"/{kind}/{number}?sort={SORTS[0]}&page=1", kind) for kind in KINDS for number in range(CATEGORIES)]
        links += [(f"/go/{product}", "As before") for product in range(0, self.products, 2 * MOVED_EVERY)]
        links += [(f"/old/{product}", "Moved") for product in range(0, self.products, MOVED_EVERY)]
        links += [(f"/lamps/0/item-{900 + gone}?sort=name", "Last pieces") for gone in range(GONE)]
        links += [
            ("/today", "Of the day"),
            (f"/calendar?month={date.today().year}-01", "Events"),
            (DISALLOWED, "Basket"),
        ]
        return self._page(target, "Lamps and more", "<p>Welcome.</p>", links)

    def _listing(self, target: str, kind: str, number: int, query: dict[str, str]) -> Answer:
        sort = query.get("sort", SORTS[0])
        page = int(query["page"]) if query.get("page", "").isdigit() else 1
        all_of_it = [p for p in range(self.products) if category(kind, p) == f"/{kind}/{number}"]
        if sort == "price":
            all_of_it.sort(key=price)
        shown = all_of_it[(page - 1) * PER_PAGE : page * PER_PAGE]
        # Photo, name, button: each with its own source.
        links = [
            (f"{address(product, kind, sort)}&{source.format(id=product)}", f"Item {product}")
            for product in shown
            for source in SOURCES
        ]
        links += [(f"/{kind}/{number}?sort={other}&page=1", f"By {other}") for other in SORTS]
        if page * PER_PAGE < len(all_of_it):
            links.append((f"/{kind}/{number}?page={page + 1}&sort={sort}", "Next"))
        text = " ".join(f"Item {product}" for product in shown)
        return self._page(target, f"{kind} {number}, page {page}, by {sort}", f"<p>{text}</p>", links)

    def _item(self, target: str, path: str, product: int, query: dict[str, str]) -> Answer:
        if product >= self.products or not path.startswith(category(path.split("/")[1], product) + "/"):
            # Gone, but says 200; and sends search engines home.
            canonical = f'<link rel="canonical" href="{self.base}/">'
            return self._page(
                target, "Sorry", "<p>This piece is not available any more.</p>", [("/", "Home")], canonical
            )
        canonical = ""
        if not self.tags:
            pass
        elif has_tag(product):
            # As templates do: not absolute.
            canonical = f'<link rel="canonical" href="{escape(address(product))}">'
        elif product % MOVED_EVERY == 1:
            # A mistake that shops make: the category is given for the page.
            canonical = f'<link rel="canonical" href="{category("lamps", product)}?sort=name&amp;page=1">'
        # The same as elsewhere, in another order.
        links = [(f"{category(kind, product)}?page=1&sort={query.get('sort', SORTS[0])}", kind) for kind in KINDS]
        text = f"<p>{price(product) * self.year} crowns. {words(product, 40)}.</p>"
        main = f'<h1 data-product="{product}">{words(product)}</h1>{text}'
        return self._page(target, f"Item {product}", main, links, canonical)

    def _calendar(self, target: str, query: dict[str, str]) -> Answer:
        year, _, month = query.get("month", "").partition("-")
        if not (year.isdigit() and month.isdigit() and 1 <= int(month) <= 12):
            return Answer("<title>Not found</title>", status=404)
        after = int(year) * 12 + int(month)
        links = [(f"/calendar?month={after // 12}-{after % 12 + 1:02}", "Next month"), ("/", "Home")]
        return self._page(target, f"Events of {year}-{month}", f"<p>Nothing in {year}-{month}.</p>", links)

    def _page(self, target: str, title: str, main: str, links: list[tuple[str, str]], head: str = "") -> Answer:
        rows = "".join(
            f'<li><a href="{escape(with_session(href, target, at))}">{escape(text)}</a>'
            for at, (href, text) in enumerate(links)
        )
        return Answer(
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{escape(title)}</title>{head}</head>"
            f"<body><main>{main}</main><nav><ul>{rows}</ul></nav></body></html>"
        )


def with_session(href: str, target: str, at: int) -> str:
    """The link, or one link in ten with a session id that this page alone has."""
    seed = hashlib.sha256(f"{target} {at}".encode()).hexdigest()
    if int(seed[:4], 16) % SESSION_EVERY:
        return href
    path, mark, query = href.partition("?")
    if at % 2:
        return f"{path};jsessionid={seed[:32].upper()}{mark}{query}"
    return f"{path}?{query}{'&' if query else ''}PHPSESSID={seed[:32]}"


def price(product: int) -> int:
    """What a product costs."""
    return 100 + product * 37 % 900


def words(product: int, count: int = 4) -> str:
    """A text that no other product has."""
    return (
        " ".join(WORDS[(product * 7 + at * at + product // 11 * at) % len(WORDS)] for at in range(count))
        + f" {product}"
    )


class Server(ThreadingHTTPServer):
    """The shop on a port of loopback; counts what it is asked for: `asked[path and query]`."""

    daemon_threads = True

    def __init__(self, products: int = PRODUCTS, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.shop, self.asked = Shop(self.base, products), Counter[str]()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else each answer waits for the acknowledgement of its headers.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.asked[self.path] += 1
        answer = self.server.shop.answer(self.path)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location:
            self.send_header("Location", answer.location)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: Any) -> None:
        pass
