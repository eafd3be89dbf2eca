"""Every public function, called with a text of one of the kinds in `shapes`. Those that are left out say why."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import nanoarrow

import urlkey
import urlkey.arrow
from urlkey import _native, importers, page
from urlkey._native import (
    Bloom,
    Dedupe,
    Diff,
    StoreRows,
    check_rules,
    decode,
    expression_fault,
    host_fault,
    owners,
    redact,
    rules_for,
    shortener,
)
from urlkey.compat.w3lib import canonicalize_url
from urlkey.page import tame
from urlkey.store import Seen
from urlkey.systems import archive, attribution, company, crawler, gateway, reputation, seo, social
from urlkey.systems import shortener as shorteners

# Small pages are parsed as they are; here all are made harmless first, as large ones are.
tame._SMALL = 0

# All rungs but those that take everything away, beside rules that ask for expressions and paths.
_RULES = """schema = 1
[[site]]
host = "*"
url = "[?&]a="
except = ["/[?&]nothing=/"]
drop = ["s*", "/^id[a-z]*$/", "x"]
keep = ["v"]
raw = ["ref=[^/?]*"]
drop_path = [";sid=[^/;]*", "^/en/"]
[[site]]
host = "*.a.example"
path = "/{int}/{slug}"
default = { page = "1" }
"""


def _wide() -> urlkey.Policy:
    off = ("drop_query", "drop_fragment", "drop_port")
    fold = urlkey.Policy.from_text(urlkey.Policy("fold").text + "\n" + _RULES.removeprefix("schema = 1\n"))
    return fold.with_(**{rung: rung not in off for rung in urlkey.RUNGS})


WIDE = _wide()
CRAWL = urlkey.Policy("crawl")
OTHER = urlkey.Policy("seo")
BASE = urlkey.Base("http://a.example/b/c?d")
LONG = 1 << 20


class Counted(NamedTuple):
    """A function, by the name that a user calls it, and how it is called with a text."""

    name: str
    call: Callable[[str], object]
    kind: str = "url"


def _each(made: Iterable[object]) -> None:
    for _ in made:
        pass


def _parts(text: str) -> None:
    url = urlkey.parse(text)
    _ = (url.host, url.hostname, url.path, url.query, url.fragment, url.origin, url.registrable_domain, url.violations)


def _replaced(text: str) -> None:
    url = urlkey.parse("http://u:p@a.example:8080/b?c#d")
    for part in ("href", "username", "password", "host", "path", "query", "fragment"):
        try:
            url.replace(**{part: text})  # type: ignore[misc]
        except ValueError:
            continue


def _lines(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogatepass").split(b"\n")


def _fed(text: str) -> None:
    dedupe = Dedupe("crawl", report=True, groups=True, rejects=1000)
    dedupe.feed(text.encode("utf-8", "surrogatepass"))
    dedupe.end_file()
    dedupe.take_rejects()
    dedupe.groups(0, dedupe.group_count())
    dedupe.report()


def _listed(text: str) -> None:
    builder = _native.BlocklistBuilder()
    builder.feed(text.encode("utf-8", "surrogatepass"))
    table, _ = builder.finish()
    table.lookup_many(_lines(text), errors=True)


def _differing(text: str) -> None:
    diff = Diff(CRAWL, OTHER)
    diff.add(_lines(text))
    _ = (diff.totals, diff.samples, diff.reasons)


def _columns(text: str) -> None:
    column = nanoarrow.c_array(text.split("\n"), nanoarrow.string())
    urlkey.arrow.keys(column, threads=1)
    urlkey.arrow.column(column, "registrable_domain", threads=1)


def _stored(text: str) -> None:
    rows = StoreRows(_lines(text), "crawl", 0)
    _ = (rows.digests, rows.rejects)
    bloom = Bloom(1000, 0.01)
    bloom.insert(rows.digests)
    bloom.may_hold(rows.digests)


def _seen(text: str) -> None:
    seen = Seen()
    seen.add_many(_lines(text), on_error="null")


def _blocked() -> _native.BlocklistTable:
    builder = _native.BlocklistBuilder()
    builder.feed(b"a.example/x\nb.example\nexample.com/a/b\n")
    return builder.finish()[0]


def _patterns(dialect: str, text: str) -> None:
    listed = gateway.PatternSet(dialect, _lines(text))
    listed.match_many(["http://a.example/x", "http://h000001.example/", "http://1.2.3.4/"], on_error="error")


_SETS = {
    dialect: gateway.PatternSet(dialect, ["a.example", "*.example.com/a/*", "b.example/x?y=z", "*.a.*"])
    for dialect in ("chrome", "zscaler", "pan-os")
}
_EXPRESSIONS = gateway.PatternSet("squid", ["url_regex -i ^https?://[^/]*(a|b)+.*c", "urlpath_regex (%[0-9a-f]{2})+x"])

FUNCTIONS = [
    Counted("urlkey.key", WIDE.key),
    Counted("urlkey.key, of bytes", lambda text: WIDE.key(text.encode() + b"\xff")),
    Counted("urlkey.key, crawl", urlkey.key),
    Counted("urlkey.href", WIDE.href),
    Counted("urlkey.digest", urlkey.digest),
    Counted("urlkey.parse", _parts),
    Counted("urlkey.Url.replace", _replaced),
    Counted("urlkey.Base", urlkey.Base),
    Counted("urlkey.join", lambda text: urlkey.join(BASE, text)),
    Counted("urlkey.explain", WIDE.explain),
    Counted("urlkey.identify", WIDE.identify),
    Counted("urlkey.compare", lambda text: WIDE.compare(text, text + "&z")),
    Counted("urlkey.unwrap", lambda text: urlkey.unwrap(text, unverified=True)),
    Counted("urlkey.unwrap, by redirectors", lambda text: urlkey.unwrap(text, unverified=True), "link"),
    Counted("urlkey.key, by redirectors", WIDE.key, "link"),
    Counted("urlkey.is_signed", urlkey.is_signed),
    Counted("urlkey.classify_ip", urlkey.classify_ip),
    Counted("urlkey.keys", lambda text: WIDE.keys(_lines(text), on_error="error"), "lines"),
    Counted("urlkey.arrow.keys", _columns, "lines"),
    Counted("urlkey.store.Seen.add_many", _seen, "lines"),
    Counted("_native.StoreRows", _stored, "lines"),
    Counted("_native.Dedupe", _fed, "lines"),
    Counted("_native.Diff", _differing, "lines"),
    Counted("_native.redact", redact),
    Counted("_native.owners", owners),
    Counted("_native.shortener", lambda text: shortener(text.removeprefix("http://"))),
    Counted("_native.not_public", lambda text: _native.not_public(text.removeprefix("http://").partition("/")[0])),
    Counted("_native.decode", lambda text: decode(text.encode("utf-8", "surrogatepass"), "shift_jis")),
    Counted("_native.rules_for", lambda text: rules_for(WIDE, text)),
    Counted("_native.expression_fault", expression_fault),
    Counted("_native.host_fault", lambda text: host_fault(text.removeprefix("http://"))),
    Counted("_native.check_rules", lambda text: check_rules(text, "f.toml"), "rules"),
    Counted(
        "urlkey.Policy.from_text", lambda text: urlkey.Policy.from_text(urlkey.Policy("safe").text + text[10:]), "rules"
    ),
    Counted("urlkey.importers.convert", lambda text: importers.convert(text, redirections=True), "list"),
    Counted("urlkey.importers.sniff", importers.sniff, "list"),
    Counted("urlkey.compat.w3lib.canonicalize_url", canonicalize_url),
    Counted("urlkey.page.Page", lambda text: page.Page(text.encode()), "page"),
    Counted("urlkey.page.refresh", page.refresh, "header"),
    Counted("urlkey.page.page_encoding", lambda text: page.page_encoding(text.encode()), "page"),
    Counted("urlkey.systems.crawler.links", lambda text: crawler.links(text.encode(), "http://a.example/"), "page"),
    Counted("urlkey.systems.crawler.robots_key", crawler.robots_key),
    Counted("urlkey.systems.crawler.robots_url", crawler.robots_url),
    Counted("urlkey.systems.crawler.traps", crawler.traps),
    Counted("urlkey.systems.archive.surt", archive.surt),
    Counted("urlkey.systems.archive.surt, java", lambda text: archive.surt(text, "java")),
    Counted("urlkey.systems.archive.surt, heritrix", lambda text: archive.surt(text, "heritrix")),
    Counted("urlkey.systems.archive.surts", lambda text: archive.surts(_lines(text)), "lines"),
    Counted("urlkey.systems.archive.unsurt", lambda text: archive.unsurt("com,example)/" + text)),
    Counted("urlkey.systems.archive.ssurt", archive.ssurt),
    Counted("urlkey.systems.archive.cdx_range", lambda text: archive.cdx_range(text, "domain")),
    Counted("urlkey.systems.archive.canonical", archive.canonical),
    Counted(
        "urlkey.systems.archive.parse_wayback",
        lambda text: archive.parse_wayback(f"https://web.archive.org/web/2017/{text}"),
    ),
    Counted(
        "urlkey.systems.archive.memento", lambda text: archive.memento(text, "2017", "https://web.archive.org/web/")
    ),
    Counted("urlkey.systems.archive.parse_links", archive.parse_links, "header"),
    Counted("urlkey.systems.archive.timestamp_of", archive.timestamp_of, "header"),
    Counted("urlkey.systems.archive.http_date", archive.http_date, "header"),
    Counted("urlkey.systems.archive.sort_lines", lambda text: _each(archive.sort_lines(_lines(text))), "lines"),
    Counted(
        "urlkey.systems.archive.post_append, a form",
        lambda text: archive.post_append("http://a/", "POST", "application/x-www-form-urlencoded", text.encode()),
    ),
    Counted(
        "urlkey.systems.archive.post_append, JSON",
        lambda text: archive.post_append("http://a/", "POST", "application/json", text.encode()),
        "list",
    ),
    Counted(
        "urlkey.systems.archive.post_append, parts",
        lambda text: archive.post_append("http://a/", "POST", "multipart/form-data; boundary=a", text.encode()),
    ),
    Counted("urlkey.systems.reputation.canonical", reputation.canonical),
    Counted("urlkey.systems.reputation.canonical, v4", lambda text: reputation.canonical(text, "v4")),
    Counted("urlkey.systems.reputation.expressions", reputation.expressions),
    Counted("urlkey.systems.reputation.hashes", reputation.hashes),
    Counted("urlkey.systems.reputation.refang", lambda text: reputation.refang(text, nested=True)),
    Counted("urlkey.systems.reputation.is_defanged", lambda text: reputation.is_defanged(text, nested=True)),
    Counted("urlkey.systems.reputation.defang", reputation.defang),
    Counted("urlkey.systems.reputation.virustotal_id", reputation.virustotal_id),
    Counted("urlkey.systems.reputation.Blocklist", _listed, "lines"),
    Counted("urlkey.systems.reputation.Blocklist.lookup", _blocked().lookup),
    Counted("urlkey.systems.gateway.check", lambda text: gateway.check(text, longest=LONG)),
    Counted("urlkey.systems.gateway.check, lenient", lambda text: gateway.check(text, strict=False, longest=LONG)),
    Counted("urlkey.systems.gateway.check_many", lambda text: gateway.check_many(_lines(text)), "lines"),
    Counted(
        "urlkey.systems.gateway.check_resolved",
        lambda text: gateway.check_resolved(text, ["8.8.8.8", "127.0.0.1"], longest=LONG),
    ),
    Counted("urlkey.systems.gateway.embedded_url", gateway.embedded_url),
    Counted(
        "urlkey.systems.gateway.homograph", lambda text: gateway.homograph(text.removeprefix("http://"), ["a.example"])
    ),
    Counted("urlkey.systems.gateway.skeleton", gateway.skeleton),
    Counted("urlkey.systems.gateway.Homographs", lambda text: gateway.Homographs(text.split("\n")), "lines"),
    Counted("urlkey.systems.gateway.PatternSet.match, expressions", _EXPRESSIONS.match),
    *(Counted(f"urlkey.systems.gateway.PatternSet.match, {name}", made.match) for name, made in _SETS.items()),
    *(
        Counted(f"urlkey.systems.gateway.PatternSet, {name}", lambda text, name=name: _patterns(name, text), "lines")
        for name in gateway.DIALECTS
    ),
    Counted("urlkey.systems.shortener.dedupe_key", shorteners.dedupe_key),
    Counted(
        "urlkey.systems.shortener.dedupe_keys",
        lambda text: shorteners.dedupe_keys(_lines(text), on_error="null"),
        "lines",
    ),
    Counted("urlkey.systems.shortener.is_shortener", shorteners.is_shortener),
    Counted("urlkey.systems.shortener.check", lambda text: shorteners.check(text, ["go.example"], longest=LONG)),
    Counted("urlkey.systems.shortener.check_all", lambda text: _each(shorteners.check_all(_lines(text))), "lines"),
    Counted("urlkey.systems.attribution.attribution", lambda text: attribution.attribution(text, unverified=True)),
    Counted("urlkey.systems.attribution.page_key", attribution.page_key),
    Counted("urlkey.systems.attribution.paid_link", attribution.paid_link),
    Counted("urlkey.systems.company.company_key", company.company_key),
    Counted("urlkey.systems.company.company_keys", lambda text: company.company_keys(_lines(text)), "lines"),
    Counted(
        "urlkey.systems.company.profile_id", lambda text: company.profile_id("https://www.linkedin.com/in/" + text)
    ),
    Counted(
        "urlkey.systems.social.social_id", lambda text: social.social_id("https://www.youtube.com/watch?v=" + text)
    ),
    Counted("urlkey.systems.social.social_ids", lambda text: social.social_ids(_lines(text)), "lines"),
    Counted("urlkey.systems.seo.compare", lambda text: seo.compare(text, text + "&z")),
    Counted("urlkey.systems.seo.group", lambda text: seo.group(text.split("\n")), "lines"),
]

# By name: why no count is taken.
LEFT_OUT = {
    "urlkey.systems.archive.prefixes": "its result is as long as the URL times its segments, one at a time",
    "urlkey.systems.archive.ancestry": "the same",
    "urlkey.systems.archive.lookup": "binary search in a file",
    "urlkey.systems.archive.rekey": "files: `surts` and `sort_lines`",
    "urlkey.systems.archive.sort_index": "files: `sort_lines`",
    "urlkey.systems.seo.read": "files, row by row",
    "urlkey.systems.seo.report": "files: `group` and `compare`",
    "urlkey.systems.seo.page_of": "a row of a file",
    "urlkey.systems.shortener.dedupe_policy": "takes no input",
    "urlkey.systems.shortener.is_signed": "urlkey.is_signed",
    "urlkey.arrow.column": "with urlkey.arrow.keys",
    "urlkey.arrow.table": "columns by those two",
}
