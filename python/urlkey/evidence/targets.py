"""What a URL that a page or header names leads to, and whether that is a mistake that can be seen in the URLs alone.
Must not know who named it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.resources import files
from urllib.parse import unquote

from urlkey._native import Base, Policy, Url, UrlKeyError, parse
from urlkey.evidence.placeholders import is_placeholder, placeholders

__all__ = ["Here", "Refused", "base_of"]

_AROUND = "".join(map(chr, range(0x21)))
_LEFT_OUT = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HTTP = re.compile(r"https?:", re.IGNORECASE)
_HOST_FOLLOWS = re.compile(r"https?:[/\\]{2}[^/\\]", re.IGNORECASE)
_SCHEME_AS_SEGMENT = re.compile(r"https?:?/+", re.IGNORECASE)
_PAGE_SEGMENTS = re.compile(r"/(?:page|seite)[/-]?([0-9]{1,6})(?=/|$)")
_NUMBER = re.compile(r"[0-9]{1,6}\Z")


class Refused(Exception):
    """A target that is not believed: a code of `REFUSALS`, and the target as far as it is one."""

    def __init__(self, reason: str, to: str | None, detail: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.to, self.detail = reason, to, detail or ""


class Here:
    """The URL that a response is of, with what comparisons need, each made once. Raises UrlKeyError for what is no
    URL, and ValueError for one that is neither http nor https: it has no responses."""

    def __init__(self, url: str | bytes, policy: Policy) -> None:
        self.policy = policy
        self.url: Url = parse(url)
        if self.url.scheme not in ("http", "https"):
            raise ValueError(f"a response is of an http or https URL, not of {self.url.scheme}:")
        self.href: str = self.url.href
        self.key: str = policy.key(self.href)
        self.base = Base(self.url)

    @classmethod
    def asked(cls, url: str | bytes, policy: str | Policy) -> Here:
        """The URL of a request, which has no fragment: what a response says, it says of the page without."""
        return cls(parse(url).replace(fragment=None).href, Policy(policy))

    @cached_property
    def loose(self) -> Url:
        """The URL as nearly every site would answer it: scheme, www, index files and AMP caches folded."""
        return parse(_loose().key(self.href))

    @cached_property
    def site(self) -> str:
        """The registrable domain, or the host where there is none."""
        return _site(self.loose)

    def resolved(
        self, raw: str | bytes, base: Base | None = None, encoding: str = "utf-8", *, claimed: bool = True
    ) -> Here:
        """What a URL leads to that stands in a header or in the page; `claimed` if nobody goes there, so that a
        mistake would not be noticed. Raises Refused for what shows one."""
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
        # As the parser reads it: it leaves these out wherever they stand.
        text = text.strip(_AROUND).translate(_LEFT_OUT)
        self._check_spelling(text)
        try:
            there = Here(parse(raw, base or self.base, encoding=encoding).href, self.policy)
        except UrlKeyError as error:
            raise Refused("no-host" if error.code == "host-missing" else "invalid", text, error.code) from None
        except ValueError:
            raise Refused("not-http", text) from None
        if not _SCHEME.match(text):
            folder = parse(".", base or self.base).path if claimed else "/"
            self._check_relative(text.replace("\\", "/"), there, folder)
        return there

    def _check_spelling(self, text: str) -> None:
        if not text:
            raise Refused("empty", None)
        if is_placeholder(text):
            raise Refused("placeholder", text)
        if _HTTP.match(text):
            # `https:///a`, `https:/a` and `https:a`: the URL Standard finds a host in the first two, where a template
            # was given none.
            if not _HOST_FOLLOWS.match(text):
                raise Refused("no-host", text)
            # http://https://a.example/: its host is `https`.
            if re.match(r"https?:[/\\]{2}https?(?:[:/\\]|$)", text, re.IGNORECASE):
                raise Refused("relative-mistake", text, "a scheme in the place of the host")
        elif re.match(r"[/\\]{3}", text):
            raise Refused("no-host", text)
        elif (scheme := _SCHEME.match(text)) and "." in scheme[0]:
            # a.example:443/x
            raise Refused("relative-mistake", text, "a host without a scheme")

    def _check_relative(self, text: str, there: Here, folder: str) -> None:
        """A relative reference that was meant to be an absolute URL or path."""
        if text.startswith("//"):
            return
        bare = _SCHEME_AS_SEGMENT.sub("", text.lstrip("/"), count=1)
        first = re.split(r"[/?#]", bare, maxsplit=1)[0].lower()
        schemed = not text.startswith("/") and len(bare) < len(text)
        if schemed or first.startswith("www.") or self._is_own_host(first):
            raise Refused("relative-mistake", there.href, "a host without a scheme")
        # /a/b/ names `a/b/`, which is /a/b/a/b/: the first slash was forgotten.
        if len(folder) > 1 and f"/{text}".startswith(folder):
            raise Refused("relative-mistake", there.href, "the folder stands in it twice")

    def _is_own_host(self, segment: str) -> bool:
        if "." not in segment:
            return False
        own = self.url.registrable_domain or self.url.hostname
        name = segment.partition(":")[0]
        return own is not None and (name == own or name.endswith(f".{own}"))

    def is_home(self) -> bool:
        """Whether this is the home page of its site, or that of one of its languages."""
        segments = self.loose.path.strip("/")
        return not self.loose.query and "/" not in segments and (not segments or bool(_spoken(self.loose)))

    def is_same_site(self, there: Here) -> bool:
        """Whether the two are of one registrable domain."""
        return self.site == there.site

    def is_variant(self, there: Here) -> bool:
        """Whether the two differ only as most sites answer alike."""
        return self.key == there.key or self.loose.href == there.loose.href

    def check(self, there: Here) -> None:
        """Raises Refused where this page naming that one is a known mistake."""
        if self.is_variant(there):
            return
        if not self.is_same_site(there):
            raise Refused("cross-site", there.href)
        if there.is_home() and not self.is_home():
            raise Refused("home-page", there.href)
        self._check_path(there)
        if self.is_walled_by(there):
            raise Refused("interstitial", there.href)
        if self._turns_pages(there):
            raise Refused("pagination", there.href)

    def _check_path(self, there: Here) -> None:
        """What a path shows that no page has, unless this one has it too."""
        own, other = _segments(self.loose), _segments(there.loose)
        if placeholders(there.loose) - placeholders(self.loose):
            raise Refused("placeholder", there.href)
        # /https://a.example/x: put together of two absolute URLs.
        inner = [other[at + 1 : at + 3] for at, segment in enumerate(other) if segment in ("http:", "https:")]
        if any(self._is_own_host(segment) for rest in inner for segment in rest) and other != own[: len(other)]:
            raise Refused("relative-mistake", there.href, "a URL in a path of the same site")
        spoken = _spoken(self.loose), _spoken(there.loose)
        if None not in spoken and spoken[0] != spoken[1]:
            raise Refused("other-language", there.href)

    def _turns_pages(self, there: Here) -> bool:
        own, other = _page_numbers(self.loose), _page_numbers(there.loose)
        return bool(own) and own != other and _unnumbered(self.loose) == _unnumbered(there.loose)

    def is_walled_by(self, there: Here) -> bool:
        """Whether that URL is a page in the place of others, by what it carries or by its name."""
        return self.is_carried_by(there) or (_is_wall(there.url) and not _is_wall(self.url))

    def names_bare(self, there: Here) -> bool:
        """Whether that URL is this one's path without a parameter that says which page it is."""
        same = (self.loose.host, self.loose.path) == (there.loose.host, there.loose.path)
        return same and not _identifiers(self.loose) <= _identifiers(there.loose)

    def is_carried_by(self, there: Here) -> bool:
        """Whether that URL holds this one in its query, as pages do that stand in the way: whole under any name, its
        path alone under a name of those that say where to go on."""
        path = self.url.path + (f"?{self.url.query}" if self.url.query else "")
        whole = {self.href, f"{self.url.host}{path}", f"//{self.url.host}{path}"}
        # The path of the home page says nothing.
        paths = {path, path[1:]} if path != "/" else set[str]()
        for name, value in _fields(there.url):
            value = unquote(value)
            if value.lower().startswith(("http%3a", "https%3a", "%2f")):
                value = unquote(value)
            value = value.partition("#")[0]
            if value in whole or (value in paths and name in _names()["returns"]):
                return True
        return False


def base_of(here: Here, href: str | None, encoding: str) -> Base:
    """What the links of a page are resolved against.

    Source: https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url"""
    if href is None:
        return here.base
    try:
        frozen = parse(href, here.base, encoding=encoding)
    except UrlKeyError:
        return here.base
    return here.base if frozen.scheme in ("data", "javascript") else Base(frozen)


@cache
def _loose() -> Policy:
    return Policy("fold").with_(unwrap_amp=True)


def _site(url: Url) -> str:
    return url.registrable_domain or url.hostname or ""


def _page_numbers(url: Url) -> frozenset[tuple[str, str]]:
    """What says which page of a list this is; nothing for the first."""
    found = {("", number) for number in _PAGE_SEGMENTS.findall(url.path) if int(number) > 1}
    names = _names()
    for name, value in _fields(url):
        if _NUMBER.match(value) and int(value) > (1 if name in names["pages"] else 0):
            found |= {(name, value)} if name in names["pages"] | names["entries"] else set()
    return frozenset(found)


def _is_wall(url: Url) -> bool:
    last = url.path.rstrip("/").rpartition("/")[2].lower()
    return (last.rpartition(".")[0] or last).replace("-", "").replace("_", "") in _names()["walls"]


def _segments(url: Url) -> list[str]:
    return url.path.lower().strip("/").split("/")


def _spoken(url: Url) -> str | None:
    """The language that the path begins with, without its region."""
    first = re.fullmatch(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}))?", _segments(url)[0])
    return first[1] if first and first[1] in _names()["languages"] else None


def _identifiers(url: Url) -> frozenset[str]:
    """The names of the parameters that say which page this is."""
    return _names()["identifiers"].intersection(name for name, value in _fields(url) if value)


def _fields(url: Url) -> Iterator[tuple[str, str]]:
    """Names, as the table has them, and values of a query."""
    for field in (url.query or "").split("&"):
        name, _, value = field.partition("=")
        yield name.lower().replace("-", "").replace("_", ""), value


@cache
def _names() -> dict[str, frozenset[str]]:
    read = tomllib.loads(files("urlkey.evidence").joinpath("parameters.toml").read_text("utf-8"))
    return {name: frozenset(names) for name, names in read.items()}


def _unnumbered(url: Url) -> str:
    """Host and path without the number of the page."""
    return f"{url.host}{_PAGE_SEGMENTS.sub('', url.path).rstrip('/')}"
