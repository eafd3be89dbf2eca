"""Small files of every format that `urlkey.readers` reads, made here: whole ones, and the pieces that tests break.
Each whole file holds the same URLs in the same order."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Sequence

URLS = ("http://a.example/?b=1&a=2", "http://A.example/?a=2&b=1#x", "https://b.example/caf%C3%A9", "http://c.example/")


def escaped(url: str) -> str:
    return url.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def txt(urls: Sequence[str] = URLS) -> bytes:
    return "".join(f"{url}\n" for url in urls).encode()


def csv(urls: Sequence[str] = URLS) -> bytes:
    return "".join(["n,url\n", *(f"{n},{url}\n" for n, url in enumerate(urls))]).encode()


def tsv(urls: Sequence[str] = URLS) -> bytes:
    return csv(urls).replace(b",", b"\t")


def crawl(urls: Sequence[str] = URLS) -> bytes:
    rows = "".join(f'"{url}","text/html","200"\r\n' for url in urls)
    return f'\ufeff"Address","Content Type","Status Code"\r\n{rows}'.encode()


def jsonl(urls: Sequence[str] = URLS) -> bytes:
    return b"".join(json.dumps({"n": n, "url": url}).encode() + b"\n" for n, url in enumerate(urls))


def sitemap(urls: Sequence[str] = URLS) -> bytes:
    rows = "".join(f"<url>\n<loc>{escaped(url)}</loc><lastmod>2026-11-30</lastmod></url>\n" for url in urls)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{rows}</urlset>\n'.encode()


def rss(urls: Sequence[str] = URLS) -> bytes:
    items = "".join(
        f'<item><title>t</title><link>{escaped(url)}</link><guid isPermaLink="false">id-{n}</guid></item>\n'
        for n, url in enumerate(urls)
    )
    return f'<rss version="2.0"><channel><link>http://site.example/</link>{items}</channel></rss>'.encode()


def atom(urls: Sequence[str] = URLS) -> bytes:
    entries = "".join(
        f'<entry><id>id-{n}</id><link rel="self" href="http://s.example/"/><link href="{escaped(url)}"/></entry>'
        for n, url in enumerate(urls)
    )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://site.example/"/>{entries}</feed>'.encode()


def rdf(urls: Sequence[str] = URLS) -> bytes:
    space = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
    items = "".join(f'<item rdf:about="id-{n}"><link>{escaped(url)}</link></item>' for n, url in enumerate(urls))
    return f"<rdf:RDF {space}><channel><link>http://site.example/</link></channel>{items}</rdf:RDF>".encode()


def opml(urls: Sequence[str] = URLS) -> bytes:
    outlines = "".join(f'<outline text="t" type="rss" xmlUrl="{escaped(url)}"/>' for url in urls)
    return f'<opml version="2.0"><body><outline text="folder">{outlines}</outline></body></opml>'.encode()


def bookmarks(urls: Sequence[str] = URLS) -> bytes:
    rows = "".join(f'<DT><A HREF="{escaped(url)}" ADD_DATE="1796000000">t</A>\n' for url in urls)
    return f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n{rows}</DL><p>\n".encode()


def html(urls: Sequence[str] = URLS) -> bytes:
    links = "".join(f'<p><a href="{escaped(url)}">t</a>\n' for url in urls)
    return f"<!doctype html><title>t</title>\n{links}".encode()


def har(urls: Sequence[str] = URLS) -> bytes:
    entries = [
        {"request": {"method": "GET", "url": url}, "response": {"status": 200, "content": {"text": "x" * 50}}}
        for url in urls
    ]
    return json.dumps({"log": {"version": "1.2", "pages": [{"id": "p"}], "entries": entries}}, indent=1).encode()


def cdx(urls: Sequence[str] = URLS) -> bytes:
    rows = "".join(f"key)/{n} 20261130000000 {url} text/html 200 AAAA 100\n" for n, url in enumerate(urls))
    return f" CDX N b a m s k S\n{rows}".encode()


def cdxj(urls: Sequence[str] = URLS) -> bytes:
    return b"".join(b"key)/ 20261130000000 " + json.dumps({"url": url}).encode() + b"\n" for url in urls)


def log(urls: Sequence[str] = URLS) -> bytes:
    """As a proxy writes it, with whole URLs."""
    return b"".join(log_line(url) for url in urls)


def log_line(target: str, method: str = "GET", combined: bool = True) -> bytes:
    rest = ' "http://from.example/" "agent \\"x\\""' if combined else ""
    line = f'192.0.2.1 - - [30/Nov/2026:13:55:36 +0000] "{method} {target} HTTP/1.1" 200 2326{rest}\n'
    return line.encode()


def robots(urls: Sequence[str] = URLS) -> bytes:
    return b"User-agent: *\nDisallow: /x\n" + b"".join(f"Sitemap: {url.replace('#', '%23')}\n".encode() for url in urls)


def warc_record(
    url: str,
    body: bytes = b"<p>hello",
    *,
    kind: str = "response",
    headers: bytes = b"",
    status: bytes = b"200 OK",
    mime: bytes = b"text/html",
) -> bytes:
    http = b"HTTP/1.1 " + status + b"\r\nContent-Type: " + mime + b"\r\n" + headers + b"\r\n" + body
    if kind == "request":
        http = b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-30T00:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype={kind}\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def warc_records(urls: Sequence[str] = URLS) -> list[bytes]:
    info = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n"
    return [info, *(warc_record(url) for url in urls)]


def warc(urls: Sequence[str] = URLS) -> bytes:
    return b"".join(warc_records(urls))


def warc_gz(urls: Sequence[str] = URLS) -> bytes:
    return b"".join(gzip.compress(record) for record in warc_records(urls))


def parquet(urls: Sequence[str] = URLS) -> bytes:
    import pyarrow
    from pyarrow import parquet as pq

    out = io.BytesIO()
    pq.write_table(pyarrow.table({"n": list(range(len(urls))), "url": list(urls)}), out)
    return out.getvalue()


def feather(urls: Sequence[str] = URLS, *, stream: bool = False, rows: int = 2) -> bytes:
    import pyarrow
    from pyarrow import ipc

    table = pyarrow.table({"n": list(range(len(urls))), "url": list(urls)})
    out = io.BytesIO()
    with (ipc.new_stream if stream else ipc.new_file)(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return out.getvalue()


def arrow_stream(urls: Sequence[str] = URLS) -> bytes:
    return feather(urls, stream=True)


def zipped(content: bytes, name: str = "urls.txt", *more: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in (name, *more):
            archive.writestr(each, content)
    return out.getvalue()


# Format, extension that promises it (or a family of formats), maker.
WHOLE: dict[str, tuple[str, str, Callable[..., bytes]]] = {
    "txt": ("txt", ".txt", txt),
    "csv": ("csv", ".csv", csv),
    "tsv": ("tsv", ".tsv", tsv),
    "crawl": ("crawl", "", crawl),
    "jsonl": ("jsonl", ".jsonl", jsonl),
    "sitemap": ("sitemap", ".xml", sitemap),
    "rss": ("feed", ".rss", rss),
    "atom": ("feed", ".atom", atom),
    "rdf": ("feed", ".rdf", rdf),
    "opml": ("opml", ".opml", opml),
    "bookmarks": ("bookmarks", ".html", bookmarks),
    "html": ("html", ".html", html),
    "har": ("har", ".har", har),
    "cdx": ("cdx", ".cdx", cdx),
    "cdxj": ("cdx", ".cdxj", cdxj),
    "log": ("log", ".log", log),
    "robots": ("robots", "", robots),
    "warc": ("warc", ".warc", warc),
    "warc.gz": ("warc", ".warc.gz", warc_gz),
    "parquet": ("parquet", ".parquet", parquet),
    "feather": ("feather", ".feather", feather),
    "arrow": ("feather", ".arrows", arrow_stream),
}
