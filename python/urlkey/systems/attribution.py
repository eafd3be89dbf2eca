"""Affiliate tracking: who is credited for a link, and which page it is about.

>>> from urlkey.systems.attribution import attribution
>>> link = "https://www.awin1.com/cread.php?awinmid=7&awinaffid=42&ued=https%3A%2F%2Fshop.example%2Fp%3Fgclid%3DCj0"
>>> told = attribution(link)
>>> told.page_key
'https://shop.example/p'
>>> told.owners["Awin"]
{'awinmid': ['7'], 'awinaffid': ['42']}
>>> [(p.owner, p.name, p.value) for p in told.params if p.kind == "click-id"]
[('Google Ads', 'gclid', 'Cj0')]

Two outputs of one link, never one for the other: `page_key` says which page, without what is paid;
`owners` says who is paid. Nothing here is to be requested but what `paid_link` gives: a click id is
the record of a sale. Must not know rules: whose a parameter is stands in the core's data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from urlkey import Hop, Policy, parse, unwrap
from urlkey._native import app_links
from urlkey._native import owners as _owners

__all__ = ["Attribution", "Kind", "Param", "Place", "attribution", "page_key", "paid_link"]

Kind = Literal["campaign", "click-id", "affiliate", "session"]
Place = Literal["query", "fragment", "path", "app-link"]

# Links inside links inside links: more than this is no attribution but an attack.
_MOST_LINKS = 32


class Param(NamedTuple):
    """A parameter that somebody is known to own."""

    owner: str
    """Whose it is: `Google Ads`, `Awin`."""
    kind: Kind
    """`campaign`, `click-id`, `affiliate` or `session`."""
    name: str
    """Its name, decoded, in the case it was written in."""
    value: str
    """Its value, form-decoded once, in the case it was written in."""
    place: Place
    """Where in its URL it stood."""
    url: str
    """The URL it stood in: the link, a target it wraps, a link that it hands to an app."""
    verified: bool
    """Whether a source that is named in the data has it."""
    risk: bool
    """Whether the name is ordinary content on some sites (`ref`): a hint, no proof."""
    rule: str
    """`file:line` of the row that says so."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one link says about who is credited."""

    url: str
    """The link as given; bytes as text."""
    page_key: str | None
    """The page it is about, tracking and affiliate ids dropped; None where an app alone opens it."""
    params: tuple[Param, ...]
    """All that has an owner, in the order in which it stands: the link first, then what it holds."""
    chain: tuple[Hop, ...]
    """The layers that `unwrap` takes off, outermost first."""
    links: tuple[str, ...]
    """Every URL that was read: the link, its targets, the links it hands to apps."""

    @property
    def owners(self) -> dict[str, dict[str, list[str]]]:
        """Owner to name to values, as `params` has them; a value that several layers repeat stands once."""
        found: dict[str, dict[str, list[str]]] = {}
        for param in self.params:
            values = found.setdefault(param.owner, {}).setdefault(param.name, [])
            if param.value not in values:
                values.append(param.value)
        return found

    @property
    def kinds(self) -> frozenset[Kind]:
        """Which kinds of parameters there are."""
        return frozenset(param.kind for param in self.params)

    @property
    def is_paid(self) -> bool:
        """Whether the link names somebody who may be paid: an affiliate's id, or an affiliate network's link.

        What only a row without a source, or of a name that is content elsewhere, says does not count.
        """
        named = any(p.kind == "affiliate" and p.verified and not p.risk for p in self.params)
        return named or any(hop.kind == "affiliate" for hop in self.chain)


def attribution(url: str | bytes, *, unverified: bool = False) -> Attribution:
    """Who is credited for a link, from one reading of all of it: query, fragment (`#utm_`,
    `#/route?gclid=`), path, the targets that it wraps, and the links that it hands to apps.

    Any scheme. `unverified=True` takes redirectors that no listed source confirms, too; parameters
    of such rows are always told, with `verified` false. Nothing is requested.

    Errors: UrlKeyError where `urlkey.parse` raises it.

    >>> told = attribution("intent://shop.example/p#Intent;scheme=https;S.utm_source=mail;end")
    >>> told.page_key, told.owners
    ('https://shop.example/p', {'Google Analytics': {'utm_source': ['mail']}})
    """
    given = parse(url)
    chain = tuple(unwrap(url, unverified=unverified))
    links = tuple(_links(given.href, chain, unverified))
    params = tuple(param for link in links for param in _params(link))
    return Attribution(
        url=url if isinstance(url, str) else url.decode("utf-8", "replace"),
        page_key=_page_key(links, chain),
        params=params,
        chain=chain,
        links=links,
    )


def page_key(url: str | bytes) -> str | None:
    """The page that a link is about: the key under the policy `affiliate` of where it leads.

    Two affiliates' links to one product have one page key. None where no web page is named
    (`myapp://cart?gclid=1`). For comparing, never for following.

    Errors: UrlKeyError where `urlkey.parse` raises it.

    >>> page_key("https://www.amazon.de/dp/B07?tag=me-21&th=1&utm_source=x")
    'https://www.amazon.de/dp/B07?th=1'
    >>> page_key("https://a.example/#/item?id=3&gclid=Cj0")
    'https://a.example/#/item?id=3'
    """
    return attribution(url).page_key


def paid_link(url: str | bytes) -> str:
    """The link as a client may request it without losing a sale: campaign tags (`utm_`) are dropped,
    every affiliate and click id stays, in its order and its spelling.

    Targets inside the link stay as they are, as does a signed URL: networks check what they gave out.

    Errors: UrlKeyError where `urlkey.parse` raises it.

    >>> paid_link("https://clk.tradedoubler.com/click?p=1&a=2&epi=x&utm_source=y&url=https://shop.example/")
    'https://clk.tradedoubler.com/click?p=1&a=2&epi=x&url=https://shop.example/'
    """
    return _untagged().key(url)


@cache
def _affiliate() -> Policy:
    return Policy("affiliate")


@cache
def _unwrapped() -> Policy:
    return _affiliate().with_(unwrap_redirector=False)


@cache
def _untagged() -> Policy:
    return Policy("whatwg").with_(drop_tracking={"kinds": ["campaign"]})


def _links(href: str, chain: tuple[Hop, ...], unverified: bool) -> Iterator[str]:
    """The link, its targets, and the links that any of them hands to an app, each once."""
    todo = [href, *(hop.url for hop in chain)]
    seen: set[str] = set()
    while todo and len(seen) < _MOST_LINKS:
        link = todo.pop(0)
        if link in seen:
            continue
        seen.add(link)
        yield link
        for _, _, inner in app_links(link):
            todo += [inner, *(hop.url for hop in unwrap(inner, unverified=unverified))]


def _params(link: str) -> Iterator[Param]:
    for owner, kind, name, value, place, verified, risk, rule in _owners(link):
        yield Param(owner, kind, name, value, place, link, verified, risk, rule)


def _page_key(links: tuple[str, ...], chain: tuple[Hop, ...]) -> str | None:
    """That of the first web page that a link to an app names, else that of where the chain ends."""
    target = chain[-1].url if chain else links[0]
    handed = [link for link in links if link not in {links[0], *(hop.url for hop in chain)}]
    web = next((link for link in [*handed, target] if _is_web(link)), None)
    return web and _affiliate().key(_without_tags(web))


def _is_web(link: str) -> bool:
    return parse(link).scheme in ("http", "https")


def _without_tags(link: str) -> str:
    """The link, its route (`#/item?gclid=`) without what the policy drops from queries."""
    url = parse(link)
    route, mark, query = (url.fragment or "").partition("?")
    if not mark or not route.startswith(("/", "!")):
        return link
    # Policies read queries: the route's goes through one, and comes back.
    kept = parse(_unwrapped().key(url.replace(query=query, fragment=None).href)).query
    return url.replace(fragment=f"{route}?{kept}" if kept else route).href
