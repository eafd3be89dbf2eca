"""The formats there are: names, extensions, what gives each away, its reader, what a row carries. One list, of which
`--format`, the sniffing and the table in docs/files.md are made. Imports no reader: each is loaded when asked for.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import NamedTuple

__all__ = ["FORMATS", "ROW_FORMATS", "Format", "format_of", "promised", "sniff"]

COMPRESSED = (".gz", ".zst", ".zstd", ".zip")


class Format(NamedTuple):
    """One format. `reader` is `module:function` below `urlkey.readers`; `numbers` says what rows count; `carries` the
    names of `Row.fields`; `sniff` tells the format by a file's first bytes, None where only a name or a caller can."""

    name: str
    extensions: tuple[str, ...]
    what: str
    reader: str
    numbers: str
    carries: tuple[str, ...] = ()
    sniff: Callable[[bytes], bool] | None = None
    extra: str | None = None


class _Pattern(NamedTuple):
    """An expression that is compiled when it is asked, since most commands ask none."""

    text: bytes
    flags: int = 0

    def compiled(self) -> re.Pattern[bytes]:
        return re.compile(self.text, self.flags)

    def match(self, data: bytes) -> re.Match[bytes] | None:
        return self.compiled().match(data)


def _starts(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(magic)


# What stands before the root of XML: declaration, instructions, comments, a document type.
_PROLOG = _Pattern(
    rb"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[<>]*+(?:\[.*?\]\s*+)?>)*+<([A-Za-z_][\w.-]*+:)?([A-Za-z_][\w.-]*+)",
    re.S,
)
_HTML = _Pattern(rb"(?:\s++|<!--.*?-->)*+<(?:!doctype\s+html|html|head|body|title|base|meta|a|p|div)[\s>]", re.S | re.I)
_BOOKMARKS = _Pattern(rb"\s*+<!DOCTYPE NETSCAPE-Bookmark-file-1", re.I)
_HAR = _Pattern(rb'\s*+\{\s*+"log"\s*+:\s*+\{')
_CDX = _Pattern(rb"!?[^ \n]{1,4096} \d{4,17} \{|!OpenWayback-CDXJ|[^ \n]{1,4096}\)[^ \n]{0,4096} \d{4,17} ")
_ROBOTS = _Pattern(rb"(?:\s++|#[^\n]*+\n)*+(?:user-agent|sitemap)[ \t]*+:", re.I)
# Host first where the log is of several: `%v:%p %h ...`. A list of addresses, as proxies forward it, is one client, and
# no host: nor is an address before a user with a space in the name, `::1 - ann b`.
LOG_LINE = _Pattern(
    rb"(?:(?P<vhost>[^\s\"\[,:]{1,512}(?::\d{0,5})?) (?!- (?!- )))?"
    rb"(?P<client>[^\s\"\[]{1,512}(?:(?<=,) [^\s\"\[]{1,512}){0,32}) (?P<ident>[^\s\"\[]{1,512}) "
    rb"(?P<user>\"\"|[^\"\[]{1,512}) "
    rb"\[(?P<time>[^\]\n]{1,64})\] \"(?P<request>(?:[^\"\\\n]|\\.)*+)\" (?P<status>\d{3}|-) (?P<size>\d{1,20}|-)"
    rb"(?: \"(?P<referrer>(?:[^\"\\\n]|\\.)*+)\" \"(?P<agent>(?:[^\"\\\n]|\\.)*+)\")?(?P<rest>[^\n]*+)"
)


# Column names that are no words of a list.
_COLUMNS = (b"url", b"address", b"link", b"href", b"uri", b"loc")


def _root(*names: bytes) -> Callable[[bytes], bool]:
    def found(head: bytes) -> bool:
        root = _PROLOG.match(head)
        return root is not None and root[2] in names

    return found


def _first_line(head: bytes) -> bytes:
    return head.partition(b"\n")[0].rstrip(b"\r")


def _json_lines(head: bytes) -> bool:
    line, ended, _ = head.lstrip().partition(b"\n")
    if not line.startswith((b'{"', b"{ ")):
        return False
    import json

    try:
        return isinstance(json.loads(line.decode("utf-8", "replace")), dict)
    except (ValueError, RecursionError):
        return not ended and len(line) > 4096


def _table(delimiter: bytes) -> Callable[[bytes], bool]:
    def found(head: bytes) -> bool:
        line = _first_line(head)
        cells = [cell.strip(b' "\r').lower() for cell in line.split(delimiter)]
        return len(cells) > 1 and b"://" not in line and any(name in cells for name in _COLUMNS)

    return found


def _csv(head: bytes) -> bool:
    """Whether the first line names columns with commas between, or says what else is between them."""
    from urlkey.readers.delimited import said_delimiter

    return _table(b",")(head) or said_delimiter(_first_line(head)) is not None


def _crawl(head: bytes) -> bool:
    """Whether one of the first two lines is the header of a crawl export."""
    return any(
        {"address", "status code"}
        <= {cell.strip(' "\r').lower() for cell in re.split("[,;\t]", line.decode("latin-1"))}
        for line in head.split(b"\n", 2)[:2]
    )


def _log(head: bytes) -> bool:
    # The first line may be the rest of one, where logs are cut by size, or a comment.
    return any(LOG_LINE.match(line.rstrip(b"\r")) for line in head.split(b"\n", 3)[:3])


# In the order in which they are tried.
_ALL = (
    Format(
        "warc",
        (".warc",),
        "web archive: response, revisit, request, resource, conversion and metadata records",
        "warc:rows",
        "record",
        ("type", "offset", "date", "record_id", "status", "mime", "digest"),
        _starts(b"WARC/"),
        "warc",
    ),
    Format(
        "parquet",
        (".parquet", ".pq"),
        "a column of Parquet",
        "tables:parquet",
        "row",
        sniff=_starts(b"PAR1"),
        extra="arrow",
    ),
    Format(
        "feather",
        (".feather", ".arrow", ".ipc", ".arrows"),
        "a column of Arrow IPC, file (Feather 2) or stream",
        "tables:feather",
        "row",
        sniff=_starts(b"ARROW1", b"\xff\xff\xff\xff"),
        extra="arrow",
    ),
    Format(
        "bookmarks",
        (".html", ".htm"),
        "bookmarks as browsers export them (Netscape)",
        "bookmarks:rows",
        "record",
        ("title", "folder", "added", "modified", "tags", "feed"),
        lambda head: _BOOKMARKS.match(head) is not None,
    ),
    Format(
        "html",
        (".html", ".htm", ".xhtml"),
        "links of a page, against its base and `--base`",
        "html:rows",
        "record",
        ("element", "href", "rel", "title"),
        lambda head: _HTML.match(head) is not None,
        "page",
    ),
    Format(
        "sitemap",
        (".xml",),
        "sitemap, sitemap index; text too",
        "sitemap:rows",
        "record",
        ("kind", "lastmod", "changefreq", "priority", "alternates"),
        _root(b"urlset", b"sitemapindex"),
    ),
    Format(
        "feed",
        (".rss", ".atom", ".rdf", ".xml"),
        "entries of RSS 0.9 to 2.0, RDF and Atom",
        "feed:rows",
        "record",
        ("id", "permalink", "title", "date", "links", "enclosures", "original"),
        _root(b"rss", b"RDF", b"feed", b"channel"),
    ),
    Format(
        "opml",
        (".opml", ".xml"),
        "subscriptions",
        "opml:rows",
        "record",
        ("kind", "title", "folder"),
        _root(b"opml"),
    ),
    Format(
        "har",
        (".har", ".json"),
        "requests of a browser's recording",
        "har:rows",
        "record",
        ("method", "status", "mime", "redirect", "started"),
        lambda head: _HAR.match(head) is not None,
    ),
    Format(
        "jsonl",
        (".jsonl", ".ndjson", ".jl", ".json"),
        "a key of each line of JSON",
        "texts:jsonl",
        "line",
        ("the object's other keys",),
        _json_lines,
    ),
    Format(
        "cdx",
        (".cdx", ".cdxj"),
        "index of a web archive, CDX or CDXJ",
        "cdx:rows",
        "line",
        ("urlkey", "timestamp", "mimetype", "statuscode", "digest", "length", "offset", "filename"),
        lambda head: head.startswith(b" CDX ") or _CDX.match(head) is not None,
    ),
    Format(
        "log",
        (".log",),
        "access log, common or combined, with `--host`; also with the host in front",
        "accesslog:rows",
        "line",
        ("method", "status", "time", "size", "client", "user", "referrer", "agent", "host"),
        _log,
    ),
    Format(
        "robots",
        ("robots.txt",),
        "the sitemaps that a robots.txt names",
        "robots:rows",
        "line",
        ("kind",),
        lambda head: _ROBOTS.match(head) is not None,
    ),
    Format(
        "crawl",
        (),
        "crawl export of Screaming Frog, Sitebulb or Lumar",
        "texts:crawl",
        "line",
        ("the other columns",),
        _crawl,
    ),
    Format(
        "tsv", (".tsv", ".tab"), "a column, tabs between", "texts:tsv", "line", ("the other columns",), _table(b"\t")
    ),
    Format("csv", (".csv",), "a column, commas between", "texts:csv", "line", ("the other columns",), _csv),
    Format("txt", (".txt", ".text", ".lst", ".list", ".urls", ".log"), "one URL a line", "texts:txt", "line"),
)
FORMATS: dict[str, Format] = {form.name: form for form in _ALL}

#: Formats of text whose rows `dedupe` gives out as they came in.
ROW_FORMATS = ("txt", "csv", "tsv", "jsonl")


def _named(path: str) -> list[Format]:
    """The formats that a file's name promises, compression aside."""
    file = PurePath(path.lower())
    if file.suffix in COMPRESSED:
        file = file.with_suffix("")
    whole = [form for form in _ALL if file.name in form.extensions]
    return whole or [form for form in _ALL if file.suffix and file.suffix in form.extensions]


def promised(path: str) -> str | None:
    """The format that a file's name promises; None where it promises none, or one of several.

    >>> promised("crawl.CSV.gz"), promised("-"), promised("a.xml")
    ('csv', None, None)
    """
    named = _named(path)
    return named[0].name if len(named) == 1 else None


def format_of(path: str) -> str:
    """The format that a file's name promises; `txt` if it promises none.

    >>> format_of("crawl.CSV.gz"), format_of("-")
    ('csv', 'txt')
    """
    return promised(path) or "txt"


def sniff(head: bytes, path: str = "") -> str:
    """The format of a file by its first bytes, unpacked and as UTF-8; `txt` where nothing gives away another.

    Of formats that share the extension of `path`, the first stands if none is recognized.

    >>> sniff(b'<?xml version="1.0"?><rss version="2.0">'), sniff(b"http://a.example/")
    ('feed', 'txt')
    """
    head = head.removeprefix(b"\xef\xbb\xbf")
    named = _named(path)
    tried: Iterable[Format] = named or _ALL
    for form in tried:
        if form.sniff is not None and form.sniff(head):
            return form.name
    # A file of lines may be called a log. Of a page that shows no tag yet, and of XML of another kind, the reader says
    # what it is.
    fallback = {".log": "txt", ".html": "html", ".htm": "html", ".json": "jsonl"}
    suffix = PurePath(path.lower().removesuffix(".gz")).suffix
    return fallback.get(suffix, named[0].name if named else "txt")
