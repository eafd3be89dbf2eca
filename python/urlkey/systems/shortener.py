"""URL shorteners: one code a page and never two pages a code, no loops, nothing private.

>>> from urlkey.systems import shortener
>>> shortener.dedupe_key("HTTP://Shop.Example:80/%7Eann?utm_source=mail#/cart")
'http://shop.example/~ann?utm_source=mail#/cart'
>>> verdict = shortener.check("http://0x7f.1/admin", own_hosts=["go.example"])
>>> verdict.accepted, [reason.code for reason in verdict.reasons]
(False, ['private-address'])

Reads URLs alone: no name is resolved and nothing is requested. What a name resolves to is for
whoever connects to check, with `urlkey.classify_ip`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, overload

from urlkey._native import Policy, Url, UrlKeyError, data_versions, is_signed, not_public, unwrap_layers
from urlkey._native import shortener as _shortener

__all__ = [
    "LONGEST",
    "REASONS",
    "Reason",
    "Verdict",
    "check",
    "check_all",
    "dedupe_key",
    "dedupe_keys",
    "dedupe_policy",
    "is_shortener",
    "is_signed",
]

LONGEST = 8000
"""Bytes of the longest href that `check` accepts: what RFC 9110, section 4.1, asks everybody to support."""

REASONS = {
    "no-url": "the text is no URL; the sentence has the code of the error",
    "too-long": "the URL is longer than the limit",
    "script-scheme": "a scheme that runs or carries content in the reader's browser: javascript, data and others",
    "scheme": "a scheme that is neither http nor https",
    "userinfo": "a user name or a password, which makes other hosts look like well-known ones",
    "own-host": "the link, or a redirector's target, is on one of your own hosts",
    "shortener": "the link, or a redirector's target, is on the host of a URL shortener",
    "redirector-loop": "more layers of redirectors than anybody needs, or layers that come back to themselves",
    "private-address": "an IP address that is not globally reachable, or a service of a cloud",
    "private-name": "a name of this machine, of private networks, or one that resolves to any address",
    "single-label": "a name of one label, which only a network's own search list finds",
    "special-use-name": "a name that is in no public DNS: .onion, .invalid and others",
    "empty-label": "a host with an empty label, which cannot resolve",
}
"""The codes of reasons, each with what it means."""

# Runs or shows in the reader's browser what is in the link itself, with a shortener's good name.
_SCRIPT_SCHEMES = frozenset({"javascript", "data", "vbscript", "blob", "filesystem", "about", "view-source"})

_NEVER_ALLOWED = frozenset({"no-url", "script-scheme"})

_POLICY = Policy("shortener")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a link is refused: a code of `REASONS`, and a sentence about this link."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a link. True in a condition where it is accepted.

    `href` is what to redirect to, `key` what to look up (`dedupe_key`); both are None where the text
    is no URL. `reasons` are all that speak against it, those that the caller allows included.
    """

    accepted: bool
    href: str | None
    key: str | None
    reasons: tuple[Reason, ...]

    def __bool__(self) -> bool:
        return self.accepted


def dedupe_key(url: str | bytes) -> str:
    """What to look a link up by: one for spellings that specifications call equivalent, else another.

    Query, tracking and fragment stay: people shorten tagged links on purpose, and fragments hold
    routes. A signed URL (`is_signed`) stays as its href, byte for byte. The scheme must be there.
    Raises UrlKeyError where the text is no URL. Redirect to the href, never to the key.

    >>> dedupe_key("https://shop.example/a/../b") == dedupe_key("https://SHOP.example:443/b")
    True
    >>> dedupe_key("https://shop.example/?b=1&a=2") == dedupe_key("https://shop.example/?a=2&b=1")
    False
    """
    return _POLICY.href(url) if is_signed(url) else _POLICY.key(url)


@overload
def dedupe_keys(urls: Iterable[str | bytes | None], *, on_error: Literal["raise"] = "raise") -> list[str]: ...
@overload
def dedupe_keys(urls: Iterable[str | bytes | None], *, on_error: Literal["null"]) -> list[str | None]: ...
@overload
def dedupe_keys(urls: Iterable[str | bytes | None], *, on_error: Literal["error"]) -> list[str | UrlKeyError]: ...
def dedupe_keys(
    urls: Iterable[str | bytes | None], *, on_error: Literal["raise", "null", "error"] = "raise"
) -> list[str] | list[str | None] | list[str | UrlKeyError]:
    """`dedupe_key` of each URL, a row for each: `on_error` as in `urlkey.keys`.

    >>> dedupe_keys(["http://a.example", "a.example"], on_error="null")
    ['http://a.example/', None]
    """
    if on_error not in ("raise", "null", "error"):
        raise ValueError(f"on_error is {on_error!r}; allowed: 'raise', 'null', 'error'")
    keys: list[str | UrlKeyError] = []
    for url in urls:
        try:
            keys.append(_POLICY.keys([None])[0] if url is None else dedupe_key(url))
        except UrlKeyError as error:
            if on_error == "raise":
                raise
            keys.append(error)
    if on_error == "null":
        return [key if isinstance(key, str) else None for key in keys]
    return keys


def dedupe_policy() -> str:
    """The id of all that decides `dedupe_key`: store it beside the keys, make them anew where it differs.

    >>> dedupe_policy().startswith(Policy("shortener").id)
    True
    """
    return f"{_POLICY.id}-signed-{data_versions()['signed_urls']}"


def is_shortener(url: str | bytes) -> bool:
    """Whether a link is on the host of a URL shortener, known by label.

    Hosts whose links hold the id of what they lead to (youtu.be, redd.it) are none: no request is
    needed to follow them. Raises UrlKeyError where the text is no URL.

    >>> is_shortener("https://bit.ly/3xYz"), is_shortener("https://notbit.ly/3xYz")
    (True, False)
    """
    return _shortener(_POLICY.parse(url).hostname or "") is not None


def check(
    url: str | bytes,
    own_hosts: Iterable[str] = (),
    *,
    allow: Collection[str] = (),
    longest: int = LONGEST,
) -> Verdict:
    """Whether to shorten a link: a Verdict with every reason against it.

    `own_hosts` are the hosts of your short links, in any spelling, `*.go.example` for it and all
    below; ports do not count. `allow` are codes of `REASONS` that do not refuse. `longest` is in
    bytes of the href. What a known redirector holds (`urlkey.unwrap`) is checked too.

    >>> check("https://www.google.com/url?q=https://go.example/x", ["GO.example."]).reasons[0].text
    'go.example is one of your own hosts (inside google-url)'
    """
    return next(check_all([url], own_hosts, allow=allow, longest=longest))


def check_all(
    urls: Iterable[str | bytes | None],
    own_hosts: Iterable[str] = (),
    *,
    allow: Collection[str] = (),
    longest: int = LONGEST,
) -> Iterator[Verdict]:
    """`check` of each URL, in order, as they are asked for. None is refused as `no-url`.

    >>> [bool(verdict) for verdict in check_all(["https://a.example/", "https://localhost/", "a"])]
    [True, False, False]
    """
    own = _OwnHosts(own_hosts)
    unknown = set(allow) - (REASONS.keys() - _NEVER_ALLOWED)
    if isinstance(allow, str) or unknown:
        allowed = ", ".join(code for code in REASONS if code not in _NEVER_ALLOWED)
        raise ValueError(f"allow is {allow!r}; allowed: codes of {allowed}")
    return (_verdict(url, own, frozenset(allow), longest) for url in urls)


def _verdict(url: str | bytes | None, own: _OwnHosts, allow: frozenset[str], longest: int) -> Verdict:
    if url is None:
        return Verdict(False, None, None, (Reason("no-url", "the row is None: it has no URL"),))
    try:
        parsed = _POLICY.parse(url)
        key = dedupe_key(url)
    except UrlKeyError as error:
        code = "too-long" if error.code == "too-long" else "no-url"
        return Verdict(False, None, None, (Reason(code, f"{error.code}: {error}"),))
    reasons = tuple(dict.fromkeys(_reasons(parsed, own, longest)))
    return Verdict(all(reason.code in allow for reason in reasons), parsed.href, key, reasons)


def _reasons(url: Url, own: _OwnHosts, longest: int) -> Iterator[Reason]:
    if len(url.href) > longest:
        yield Reason("too-long", f"{len(url.href)} bytes; allowed: {longest}")
    if url.scheme not in ("http", "https"):
        kind = "script-scheme" if url.scheme in _SCRIPT_SCHEMES else "scheme"
        yield Reason(kind, f"the scheme is {url.scheme}; allowed: http, https")
        return
    if url.username or url.password:
        yield Reason("userinfo", f"a user name or a password stands before the host {url.hostname}")
    yield from _of_host(url.hostname or "", own, "")
    layers, ended = unwrap_layers(url.href)
    if not ended:
        yield Reason("redirector-loop", "redirectors inside redirectors, without an end")
    for layer in layers:
        if layer.kind == "copy":
            return  # an archive shows what it has stored, and follows nothing
        yield from _of_host(Url(layer.url).hostname or "", own, f" (inside {layer.rule})")


def _of_host(host: str, own: _OwnHosts, where: str) -> Iterator[Reason]:
    if host in own:
        yield Reason("own-host", f"{host} is one of your own hosts{where}")
        return
    if found := _shortener(host):
        yield Reason("shortener", f"{host} is a URL shortener: {found[0]}{where}")
    if private := not_public(host):
        yield Reason(private[0], f"{private[1]}{where}")


class _OwnHosts:
    """Hosts of one owner, matched by label whatever their spelling."""

    def __init__(self, hosts: Iterable[str]) -> None:
        if isinstance(hosts, str):
            raise TypeError("own_hosts must be a list of hosts, not a str")
        self._exact: set[str] = set()
        self._below: tuple[str, ...] = ()
        for host in hosts:
            name = _host_of(host.removeprefix("*."))
            self._exact.add(name)
            if host.startswith("*."):
                self._below += (f".{name}",)

    def __contains__(self, host: str) -> bool:
        name = host.removesuffix(".")
        return name in self._exact or name.endswith(self._below)


def _host_of(text: str) -> str:
    """The host, as URLs serialize it, of a host with or without a port."""
    url = Url(f"http://{text}/")
    whole = url.path == "/" and not url.username and url.query is None and url.fragment is None
    if not whole or not url.hostname or "*" in url.hostname:
        raise ValueError(f"{text!r} is no host; allowed: go.example, *.go.example, go.example:8080")
    return url.hostname.removesuffix(".")
