"""What `urlkey.readers` makes of single formats: which records there are, what they carry, what is wrong with some."""

import contextlib
import gzip
import io
import json
import zlib

import pytest

import made
from test_readers import good, rows, urls
from urlkey import evidence
from urlkey.readers import ReadError, read
from urlkey.readers.warc import captures

pyarrow = pytest.importorskip("pyarrow")


def told(content, *args, **options):
    """URL, or problem and text, of each row."""
    return [row.url or (row.problem, row.text) for row in rows(content, *args, **options)]


# --- tables and JSON lines


def test_a_column_is_found_by_name_number_or_path():
    table = b"id;seite;url\n1;http://a.example/;x\n"
    assert urls(table, "csv", column="seite") == urls(table, "csv", column=2) == ("http://a.example/",)
    assert urls(b"1,http://a.example/\n", "csv", column=2, header=False) == ("http://a.example/",)
    line = json.dumps({"request": {"urls": [1, "http://a.example/"]}}).encode()
    assert urls(line, "jsonl", column="request.urls.1") == ("http://a.example/",)
    with pytest.raises(ReadError, match="which column holds the URLs"):
        urls(b"a,b\n1,2\n", "csv")


@pytest.mark.parametrize("said", [b"sep=;\n", b"SEP=;\r\n", b'"sep=;"\n', b"\xef\xbb\xbfsep=;\n"])
def test_a_line_that_says_what_stands_between_cells_is_no_row(said):
    table = b"n;a,b,url,c;url\n1;http://no.example/,,,;http://a.example/;x\n"
    for form in (None, "csv", "tsv", "crawl"):
        [row] = rows(said + table, form)
        assert (row.url, row.number) == ("http://a.example/", 3), form
        assert row.fields == {"n": "1", "a,b,url,c": "http://no.example/,,,", "url": "http://a.example/"}
    assert urls(said + b"1;http://a.example/\n", "csv", column=2, header=False) == ("http://a.example/",)
    assert urls(said + b"http://a.example/;1\n", "csv", column=1) == ("http://a.example/",)
    assert urls(said + table.replace(b";", b"|"), "csv", delimiter="|") == ("http://a.example/",)
    assert urls(said.decode("utf-8-sig").encode("utf-16") + table.decode().encode("utf-16-le")) == (
        "http://a.example/",
    )


def test_what_only_looks_like_such_a_line_is_a_row():
    for line in (b"sep=url", b"sep=", b"sep=;;", b"sep", b"xsep=;", b'sep="', b"sep=;url"):
        assert urls(b"%b\nhttp://a.example/\n" % line, "csv", column=1) == ("http://a.example/",), line
    assert urls(b"url\nsep=;\n", "csv") == ("sep=;",)
    assert urls(b"sep=;\n", "csv") == urls(b"sep=;", "csv") == ()


def test_rows_without_a_url_say_why_and_keep_their_text():
    assert told(b"n,url\n1\n\n2,http://a.example/\n") == [("missing-column", b"1"), "http://a.example/"]
    lines = b'{"url": 1}\n{"u": 2}\nnonsense\n{"url": "\\ud800"}\n'
    assert told(lines, "jsonl") == [
        ("not-text", b'{"url": 1}'),
        ("missing-column", b'{"u": 2}'),
        ("bad-json", b"nonsense"),
        ("surrogate", b'{"url": "\\ud800"}'),
    ]


def test_a_crawl_export_may_have_a_title_and_semicolons():
    content = '"Internal - HTML"\r\n"Address";"Status Code"\r\n"http://a.example/é";"200"\r\n'
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        [row] = rows(content.encode(encoding))
        assert (row.url, row.number, row.fields["Status Code"]) == ("http://a.example/é", 3, "200")


# --- XML


def test_a_sitemap_index_names_sitemaps_and_images_are_no_pages():
    index = b"<sitemapindex><sitemap><loc> http://a.example/s.xml\n</loc></sitemap></sitemapindex>"
    [row] = rows(index)
    assert (row.url, row.fields["kind"]) == ("http://a.example/s.xml", "sitemap")
    page = (
        b'<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><image:image><image:loc>http://i/'
        b'</image:loc></image:image><s:loc>http://a.example/?a&amp;b</s:loc><xhtml:link rel="alternate" hreflang="de" '
        b'href="http://de/"/><s:priority>0.5</s:priority></s:url></s:urlset>'
    )
    [row] = rows(page)
    assert row.url == "http://a.example/?a&b"
    assert row.fields == {"kind": "page", "priority": "0.5", "alternates": [("de", "http://de/")]}


def test_a_second_address_of_a_sitemaps_record_is_told():
    record = b"<urlset><url><loc>http://a.example/1</loc>%b</url><url><loc>http://a.example/3</loc></url></urlset>"
    two = b"<loc> http://a.example/2 </loc><lastmod>2026-12-01</lastmod><loc>http://a.example/1</loc><loc/>"
    assert told(record % two) == ["http://a.example/1", ("two-urls", b"http://a.example/2"), "http://a.example/3"]
    assert [row.number for row in rows(record % two)] == [1, 1, 2]
    found = evidence.from_sitemap("http://a.example/s.xml", record % two)
    assert [piece.to for piece in found.evidence] == ["http://a.example/1", "http://a.example/3"]
    assert [(no.to, no.reason) for no in found.refusals] == [("http://a.example/2", "bad-syntax")]


def test_an_address_of_an_extension_is_none_of_the_record():
    image = b'<i:loc xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">http://i/</i:loc><image:loc>http://j/'
    page = b"<urlset><url>%b</image:loc><loc>http://a.example/</loc></url><url><x:loc>http://x/</x:loc></url></urlset>"
    assert told(page % image) == ["http://a.example/", ("missing-url", b"")]


@pytest.mark.parametrize(
    ("form", "around"),
    [("sitemap", b"<urlset><url>%b</url></urlset>"), ("feed", b"<rss><channel><item>%b</item></channel></rss>")],
)
def test_a_url_with_elements_inside_is_not_read_without_them(form, around):
    name = b"loc" if form == "sitemap" else b"link"
    for url, left in [
        (b"http://a.example/<x>y</x>z", b"http://a.example/z"),
        (b"<x>http://a.example/</x>", b""),
        (b"http://a.example/<br/>", b"http://a.example/"),
    ]:
        assert told(around % (b"<%b>%b</%b>" % (name, url, name)), form) == [("markup", left)]
    commented = b"<%b>http://a.example/<!-- a -->z<![CDATA[?a&b]]></%b>" % (name, name)
    assert urls(around % commented, form) == ("http://a.example/z?a&b",)


def test_a_second_link_of_an_entry_is_kept_beside_the_first():
    feed = (
        b"<rss><channel><item><link>http://a.example/1</link><link>http://a.example/2</link>"
        b"<guid>tag:<b>1</b></guid></item></channel></rss>"
    )
    [row] = rows(feed)
    assert row.url == "http://a.example/1"
    assert row.fields == {"id": "", "links": [("alternate", "http://a.example/2")], "permalink": True}


def test_a_text_sitemap_is_lines():
    assert urls(b"http://a.example/\nhttp://b.example/\n", "sitemap") == ("http://a.example/", "http://b.example/")


def test_a_record_of_xml_that_is_cut_is_a_reject_and_the_error_has_its_place():
    whole = made.sitemap()
    found, error = good(whole[: whole.index(b"c.example") + 3])
    assert [row.url for row in found] == [*made.URLS[:3], None]
    assert (found[-1].problem, error.code, error.at) == (
        "cut-off",
        "broken",
        whole.count(b"\n", 0, whole.index(b"c.exa")) + 1,
    )
    assert "XML broken at line" in str(error)


def test_guids_of_feeds_are_kept_and_lead_on_where_they_are_links():
    feed = (
        b"<rss><channel><item><guid>http://a.example/1</guid></item>"
        b'<item><guid isPermaLink="false">http://a.example/2</guid><title>x</title></item>'
        b"<item><link>http://a.example/3</link><guid>tag:3</guid><pubDate>now</pubDate>"
        b'<enclosure url="http://a.example/3.mp3"/><source><link>http://no/</link></source>'
        b"<feedburner:origLink>http://o/</feedburner:origLink></item></channel></rss>"
    )
    found = rows(feed)
    assert [row.url for row in found] == ["http://a.example/1", None, "http://a.example/3"]
    assert [row.fields["id"] for row in found] == ["http://a.example/1", "http://a.example/2", "tag:3"]
    assert (found[1].problem, found[1].text) == ("missing-url", b"http://a.example/2")
    assert found[2].fields | {"id": "", "permalink": 0} == {
        "id": "",
        "permalink": 0,
        "date": "now",
        "enclosures": ["http://a.example/3.mp3"],
        "original": "http://o/",
    }


def test_links_of_atom_are_resolved_against_xml_base_and_the_page():
    feed = (
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><entry xml:base="2026/">'
        b'<link rel="edit" href="e"/>'
        b'<link href="x"/><link href="y"/><content><a xmlns="" xml:base="z/"/></content></entry></feed>'
    )
    assert urls(feed, base="http://a.example/") == ("http://a.example/blog/2026/x",)
    assert urls(feed.replace(b"/blog/", b"http://b.example/")) == ("http://b.example/2026/x",)


def test_feeds_in_old_encodings_and_of_rss_091_are_read():
    doctype = b'<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://x/rss-0.91.dtd">'
    for encoding in ("shift_jis", "euc-jp", "windows-1251", "iso-8859-5", "utf-16"):
        text = "я" if encoding in ("windows-1251", "iso-8859-5") else "日"
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        feed = f"\n {head}<rss><item><link>http://a.example/{text}</link></item></rss>"
        assert urls((feed.strip() if encoding == "utf-16" else feed).encode(encoding)) == (f"http://a.example/{text}",)
    assert urls(doctype + b"<rss><item><link>http://a.example/&eacute;</link></item></rss>") == ("http://a.example/é",)


def test_outlines_have_feeds_and_sites_in_folders():
    outlines = (
        b'<opml><body><outline text="News"><outline text="A" xmlUrl="http://a.example/feed" htmlUrl="http://a.example/"/>'
        b'<outline title="B" xmlURL=""/></outline><outline type="link" url="http://c.example/"/></body></opml>'
    )
    found = rows(outlines)
    assert [(row.url, row.fields["kind"], row.fields["folder"]) for row in found] == [
        ("http://a.example/feed", "feed", "News"),
        ("http://a.example/", "site", "News"),
        (None, "feed", "News"),
        ("http://c.example/", "link", ""),
    ]


# --- pages


def test_links_of_a_page_are_resolved_against_its_base():
    page = b'<base href="/shop/"><a href="x" rel="Nofollow">t</a><a href="http://[/">broken</a><a href="">here</a>'
    found = rows(page, "html", base="http://a.example/")
    assert [row.url for row in found] == ["http://a.example/shop/x", None, "http://a.example/shop/"]
    assert found[0].fields == {"element": "a", "href": "x", "rel": ["nofollow"], "title": "t"}
    assert (found[1].problem, found[1].text) == ("bad-base", b"http://[/")
    assert urls(page, "html")[:2] == ("x", "http://[/")


def test_bookmarks_have_folders_dates_and_tags_however_they_are_written():
    content = (
        b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3 ADD_DATE='1'>A &amp; B</H3><DL><p>\n"
        b'<DT><A HREF="http://a.example/?x&amp;y" ADD_DATE="12" LAST_MODIFIED="13" TAGS="p,q">T &lt;</A>\n'
        b"</DL><p><dt><a add_date=14 href='http://b.example/'>b</a><DT><A>no</A><DT><A HREF=\"\">none</A></DL>"
    )
    found = rows(content)
    assert [row.url for row in found] == ["http://a.example/?x&y", "http://b.example/", None]
    assert found[0].fields == {"title": "T <", "folder": "A & B", "added": 12, "modified": 13, "tags": "p,q"}
    assert found[1].fields == {"title": "b", "folder": "", "added": 14}


def test_a_bookmark_in_a_comment_or_a_script_is_none():
    link = b'<DT><A HREF="http://a.example/%b">%b</A>'
    one, two, none = (link % (name, name) for name in (b"1", b"2", b"none"))
    for hidden in [
        b"<!--%b-->",
        b"<!-- - -- --> <!--%b--!>",
        b"<!--!>%b-->",
        b"<!--><!--->" + b"<!--<!-- %b -->",
        b"<SCRIPT src=x>'</scripts>%b'</Script >",
        b"<style>%b</style>",
    ]:
        for space in (b"", b" " * 70_000, b"\n<DT>" * 20_000):
            content = b"<DL><p>" + one + hidden % (none + space + none) + two + b"</DL>"
            assert urls(content, "bookmarks") == ("http://a.example/1", "http://a.example/2"), hidden
    assert urls(b"<A HREF='http://a.example/<!--'>a</A><A HREF=http://a.example/2>b</A>", "bookmarks") == (
        "http://a.example/<!--",
        "http://a.example/2",
    )
    assert urls(b"<!-- x>" + b"-" * (3 << 20) + b"-->" + one, "bookmarks") == ("http://a.example/1",)


def test_a_comment_without_an_end_says_what_it_hides():
    found, error = good(b"<DL><A HREF=http://a.example/1>1</A><!-- <A HREF=http://a.example/2>2</A></DL>", "bookmarks")
    assert [row.url for row in found] == ["http://a.example/1"]
    assert (error.code, error.at) == ("broken", 1)
    assert "<!--" in str(error)


def test_a_single_column_without_a_header_loses_no_line():
    assert urls(b"http://a.example/\nhttp://b.example/\n", "csv") == ("http://a.example/", "http://b.example/")
    assert urls(b"pages\nhttp://b.example/\n", "csv") == ("http://b.example/",)


# --- logs, robots, indexes, recordings


@pytest.mark.parametrize(
    ("target", "url"),
    [
        ("/a?b=c", "https://shop.example/a?b=c"),
        ("//evil.example/x", "https://shop.example//evil.example/x"),
        ("http://other.example/x", "http://other.example/x"),
        ("/a b", "https://shop.example/a b"),
        ("/\\xe9\\x22\\\\", b'https://shop.example/\xe9"\\'),
        ("/tab\\t", "https://shop.example/tab\t"),
        ("*", None),
        ("shop.example:443", None),
    ],
)
@pytest.mark.parametrize("combined", [True, False])
def test_paths_of_a_log_are_completed_and_unescaped(target, url, combined):
    [row] = rows(made.log_line(target, combined=combined), host="shop.example")
    assert row.url == url
    assert row.fields["status"] == 200
    if url is None:
        assert row.problem == "not-a-page"
    if combined:
        assert (row.fields["referrer"], row.fields["agent"]) == ("http://from.example/", 'agent "x"')


@pytest.mark.parametrize(
    ("before", "url"),
    [
        (b"192.0.2.1, 198.51.100.7 - -", "https://shop.example/x"),
        (b"192.0.2.1,198.51.100.7, 203.0.113.9 - -", "https://shop.example/x"),
        (b"v.example:80 192.0.2.1, 198.51.100.7 - -", "http://v.example/x"),
        (b"::1 - ann", "https://shop.example/x"),
        (b"::1 - ann b", "https://shop.example/x"),
        (b"192.0.2.1 - ann b", "https://shop.example/x"),
        (b'192.0.2.1 - ""', "https://shop.example/x"),
        (b"v.example ::1 - -", "https://v.example/x"),
        (b"v.example - - -", "https://v.example/x"),
    ],
)
def test_a_client_of_a_log_is_no_host(before, url):
    assert urls(before + b' [01/Dec/2026:00:00:00 +0000] "GET /x HTTP/1.1" 200 5\n', host="shop.example") == (url,)


@pytest.mark.parametrize("request_line", [b"GET /x HTTP/1.1 ", b"GET  /x HTTP/1.1", b"GET /x  HTTP/1.1", b"GET /x "])
def test_spaces_around_the_target_of_a_request_are_none_of_it(request_line):
    line = b'192.0.2.1 - - [01/Dec/2026:00:00:00 +0000] "' + request_line + b'" 200 5\n'
    assert urls(line, host="shop.example") == ("https://shop.example/x",)


def test_a_log_takes_host_scheme_and_port_from_its_caller_or_its_lines():
    line = made.log_line("/x")
    assert urls(line, host="a.example:8080", scheme="http") == ("http://a.example:8080/x",)
    assert urls(line, host="http://a.example/") == ("http://a.example/x",)
    assert urls(b"a.example:443 " + line, host="b.example") == ("https://a.example/x",)
    assert urls(b"a.example:80 " + line) == ("http://a.example/x",)
    assert told(line) == [("no-host", line.strip())]
    assert told(b"x\n" + line, "log", host="a.example") == [("bad-row", b"x"), "https://a.example/x"]
    for host in ("a b", "u@a.example", "a.example/x", ""):
        with pytest.raises(ReadError, match="is no host of a log"):
            urls(line, host=host)


def test_robots_name_sitemaps_in_any_spelling():
    content = (
        b"\xef\xbb\xbfUSER-AGENT:*\r\nsitemap : http://a.example/1.xml # x\r\nSiteMap:\rSitemap: http://a.example/2\n"
    )
    assert told(content) == ["http://a.example/1.xml", ("missing-url", b"SiteMap:"), "http://a.example/2"]


def test_an_index_says_what_is_wrong_with_a_line():
    assert told(b" CDX N b a\nk) 1 http://a.example/\nk) 1\n") == ["http://a.example/", ("bad-row", b"k) 1")]
    assert told(b'!OpenWayback-CDXJ 1.0\nk) 2020 {"url": 1}\n') == [("bad-row", b'k) 2020 {"url": 1}')]


def test_a_recording_is_read_entry_by_entry_in_any_layout():
    entries = [{"request": {"url": f"http://a.example/{n}", "method": "GET"}, "x": "y" * 9_000} for n in range(200)]
    whole = {"log": {"pages": [{"title": '"entries": ['}], "n": -1.5e3, "entries": entries, "comment": ""}, "log2": 1}
    for indent in (None, 2):
        found = rows(json.dumps(whole, indent=indent).encode(), "har")
        assert [row.url for row in found] == [entry["request"]["url"] for entry in entries]
    content = json.dumps(whole).encode()
    found, error = good(content[:1_000_000], "har")
    assert len(found) == content[:1_000_000].count(b'{"request"') - 1
    assert (error.code, "JSON broken at character" in str(error)) == ("broken", True)
    assert urls(b'{"log": {"entries": []}}') == urls(b'{"log": {}}', "har") == urls(b"{}", "har") == ()
    assert told(b'{"log": {"entries": [1, {"request": {"url": "\\ud800"}}, {"request": {"url": 2}}]}}') == [
        ("missing-url", b""),
        ("surrogate", b"\xed\xa0\x80"),
        ("not-text", b""),
    ]


# --- archives


def test_records_of_an_archive_are_told_by_type_and_offset():
    packed = [gzip.compress(record) for record in (made.warc_record("http://a.example/", kind=kind) for kind in KINDS)]
    found = rows(b"".join(packed))
    assert [row.fields["type"] for row in found] == KINDS
    offsets = [sum(map(len, packed[:n])) for n in range(len(KINDS))]
    assert [row.fields["offset"] for row in found] == offsets
    assert found[0].fields["status"] == 200
    assert found[0].fields["date"] == "2026-11-30T00:00:00Z"


KINDS = ["response", "request", "revisit", "resource", "metadata"]


def test_an_archive_that_is_cut_names_the_record():
    whole = made.warc()
    found, error = good(whole[:-30])
    assert [row.url for row in found] == list(made.URLS)
    assert "the file ends in the middle" in str(error)
    assert error.at == whole.rindex(b"WARC/1.1")
    found, error = good(made.warc() + b"nonsense\r\n\r\n" + made.warc())
    assert (len(found), error.code) == (4, "broken")


def captured(*records):
    return list(captures(io.BytesIO(b"".join(records))))


def test_captures_have_status_headers_and_the_plain_body():
    body = b"<p>caf\xc3\xa9" + b"".join(b"%d" % (n * 7919) for n in range(500))
    packed = gzip.compress(body)
    chunked = b"%x\r\n%s\r\n5;x=y\r\n%s\r\n0\r\n\r\n" % (len(packed) - 5, packed[:-5], packed[-5:])
    headers = b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\nX-A: 1\r\nX-A: 2\r\n"
    [one] = captured(made.warc_record("http://a.example/", chunked, headers=headers, status=b"404 Not Found"))
    assert (one.url, one.type, one.status, one.body, one.truncated) == (
        "http://a.example/",
        "response",
        404,
        body,
        None,
    )
    assert [value for name, value in one.headers if name == "X-A"] == ["1", "2"]
    for coding, sent in (("deflate", zlib.compress(body)), ("deflate", zlib.compress(body)[2:-4]), ("gzip", body)):
        [one] = captured(
            made.warc_record("http://a.example/", sent, headers=f"Content-Encoding: {coding}\r\n".encode())
        )
        assert (one.body, one.encoding) == (body, None)
    brotli = pytest.importorskip("brotli")
    for sent, plain, fault in (
        (brotli.compress(body), body, None),
        (b"<p>caf\xc3\xa9 not packed", b"<p>caf\xc3\xa9 not packed", None),
        (brotli.compress(body)[:200], None, "broken"),
    ):
        [one] = captured(made.warc_record("http://a.example/", sent, headers=b"Content-Encoding: br\r\n"))
        assert (one.truncated, one.encoding) == (fault, None)
        assert one.body == plain or body.startswith(one.body)
    [one] = captured(made.warc_record("http://a.example/", packed[:40], headers=b"Content-Encoding: gzip\r\n"))
    assert one.truncated == "broken"
    [one] = captured(made.warc_record("http://a.example/", b"\x8b\x00", headers=b"Content-Encoding: zstd\r\n"))
    assert (one.body, one.encoding) == (b"\x8b\x00", "zstd")


def test_captures_are_those_that_are_asked_for():
    records = [made.warc_record("http://a.example/", kind=kind) for kind in KINDS]
    assert [one.type for one in captured(*records)] == ["response", "revisit", "resource"]
    stream = io.BytesIO(b"".join(records))
    assert [one.type for one in captures(stream, ("request",))] == ["request"]


# --- columns


def written(table, **options):
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    "kind", ["string", "large_string", "string_view", "binary", "large_binary", "dictionary", "dictionary of large"]
)
def test_columns_of_every_text_type_are_read(kind):
    texts = ["http://a.example/é", None, "http://b.example/"]
    if kind.startswith("dictionary"):
        column = pyarrow.array(texts, pyarrow.large_string() if "large" in kind else None).dictionary_encode()
    elif "binary" in kind:
        column = pyarrow.array([text and text.encode() for text in texts], getattr(pyarrow, kind)())
    else:
        column = pyarrow.array(texts, getattr(pyarrow, kind)())
    table = pyarrow.table({"url": column, "n": [1, 2, 3]})
    out = io.BytesIO()
    with pyarrow.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    for content in (written(table), out.getvalue()):
        found = rows(content)
        assert [row.url for row in found] == texts
        assert (found[1].problem, found[2].fields, found[2].number) == ("null", {"n": 3}, 3)


def test_a_column_may_be_a_field_of_another_and_must_hold_text():
    table = pyarrow.table({"request": [{"url": "http://a.example/"}, None], "n": [1, 2]})
    content = written(table)
    assert [row.url for row in rows(content, column="request.url")] == ["http://a.example/", None]
    for column, why in (("n", "holds no text, but int64"), ("x", "no column 'x'"), ("request.x", "no field 'x'")):
        with pytest.raises(ReadError, match=why):
            rows(content, column=column)
    with pytest.raises(ReadError, match="which column holds the URLs"):
        rows(written(pyarrow.table({"a": ["x"], "b": ["y"]})))


def test_arrow_that_is_cut_gives_the_batches_before(tmp_path):
    many = [f"http://a.example/{n}" for n in range(100)]
    for stream in (True, False):
        content = made.feather(many, stream=stream, rows=10)
        found, error = good(content[: len(content) // 2])
        assert len(found) % 10 == 0
        assert len(found) > 20
        assert (error.code, error.at) == ("broken", len(found))


def test_offsets_that_lie_are_an_error_not_a_crash():
    content = bytearray(made.feather(["http://a.example/" * 5] * 4, stream=True, rows=4))
    for at in range(0, len(content) - 4, 4):
        lie = bytes(content[:at]) + b"\xff\xff\xff\x7f" + bytes(content[at + 4 :])
        with contextlib.suppress(ReadError):
            list(read(io.BytesIO(lie), "feather"))


# --- found by changing files at random


@pytest.mark.parametrize("label", ["UTb-8", "idna", "bz2", "undefined", "utf-7", "euc-tw", "punycode", "x"])
def test_an_encoding_that_nobody_knows_is_an_error(label):
    content = made.sitemap().replace(b"UTF-8", label.encode())
    try:
        assert urls(content, "sitemap") == made.URLS
    except ReadError as error:
        assert error.code == "broken"


def test_an_empty_url_is_none():
    contents = {
        "csv": b"n,url\n1,\n",
        "jsonl": b'{"url": ""}\n',
        "cdx": b'k) 2020 {"url": ""}\n',
        "sitemap": b"<urlset><url><loc> </loc></url></urlset>",
        "opml": b'<opml><outline xmlUrl=" "/></opml>',
        "bookmarks": b'<A HREF="">',
        "parquet": made.parquet([""]),
        "har": b'{"log": {"entries": [{"request": {"url": ""}}]}}',
    }
    for form, content in contents.items():
        assert [(row.url, row.problem) for row in rows(content, form)] == [(None, "missing-url")], form
