"""Observations out of WARC files and CDX indexes, small real ones that are made here."""

import gzip
import json

import pytest

import made
from command import urlkey
from urlkey.learn import Observation, declarations, from_cdx, from_warc, learn, read
from urlkey.readers import ReadError

WORDS = " ".join(f"word{n}" for n in range(60))
SITE = "http://shop.example"


def html(text, head="", language="en"):
    return f"<html lang={language}><head>{head}</head><body><nav>x</nav><main>{WORDS} {text}</main>".encode()


def record(path, body=b"", **more):
    return made.warc_record(SITE + path, body, **more)


def digest(name):
    return f"WARC-Payload-Digest: sha1:{name}\r\n".encode()


def with_digest(data, name):
    """The record with one more WARC header."""
    return data.replace(b"Content-Type: application/http", digest(name) + b"Content-Type: application/http", 1)


@pytest.fixture
def rows(tmp_path):
    def read_back(*records, name="a.warc.gz"):
        path = tmp_path / name
        path.write_bytes(b"".join(map(gzip.compress, records)) if name.endswith(".gz") else b"".join(records))
        return list(from_warc(str(path)))

    return read_back


def test_a_page_has_the_fingerprint_of_its_main_text_and_what_it_says(rows):
    head = f'<link rel=canonical href="{SITE}/p/1">'
    one, other, plain = rows(
        record("/p/1?a=1", html("one", head, "en-GB"), headers=b'No-Vary-Search: params=("a")\r\n'),
        record("/p/1?a=2", html("one").replace(b"<nav>x", b"<nav>y")),
        record("/p/1", html("one"), headers=b"Content-Language: de\r\n"),
    )
    assert one.fingerprint == other.fingerprint == plain.fingerprint is not None
    assert one == Observation(
        f"{SITE}/p/1?a=1",
        one.fingerprint,
        1795996800.0,
        200,
        canonical=f"{SITE}/p/1",
        language="en-gb",
        no_vary_search='params=("a")',
    )
    assert (other.canonical, other.language, plain.language) == (None, "en", "en")


def test_canonical_tags_that_are_mistakes_are_none(rows):
    for target in ("/", "http://other.example/p", "https:///p", "{{ url }}"):
        (one,) = rows(record("/p/1", html("one", f'<link rel=canonical href="{target}">')))
        assert one.canonical is None


def test_redirects_are_resolved_and_those_to_a_login_or_home_are_none(rows):
    def redirect(target, status=b"301 Moved"):
        (one,) = rows(record("/p/1?a=1", status=status, headers=f"Location: {target}\r\n".encode()))
        return one

    assert (redirect("/p/1").redirect, redirect("/p/1").status) == (f"{SITE}/p/1", 301)
    assert redirect("p").redirect == f"{SITE}/p/p"
    assert redirect("/p/1", b"302 Found").redirect == f"{SITE}/p/1"
    for target in ("/login?next=%2Fp%2F1", "/", "/p/1?a=1"):
        assert redirect(target).redirect is None
    assert redirect("/p/1", b"303 See Other").redirect is None


def test_what_is_cut_off_or_short_or_no_page_tells_no_content(rows):
    cut = record("/p/1", html("one")).replace(
        b"\r\nContent-Type: app", b"\r\nWARC-Truncated: length\r\nContent-Type: app", 1
    )
    broken = record("/p/2", gzip.compress(html("two"))[:40], headers=b"Content-Encoding: gzip\r\n")
    short = record("/p/3", b"<p>Log in")
    pixel = record("/p/4", b"GIF89a", mime=b"image/gif")
    first, second, third, fourth = rows(cut, broken, short, pixel)
    assert (first.truncated, second.truncated, third.truncated, fourth.truncated) == (True, True, False, False)
    assert [one.fingerprint for one in (third, fourth)] == [None, None]
    # Text cut off would be another page's beginning too.
    assert learn([first, second]).findings == ()


def test_other_files_are_told_by_their_bytes(rows):
    def image(path, body):
        return record(path, body, mime=b"image/png")

    a, b, c = rows(image("/a", b"x" * 2000), image("/a?v=1", b"x" * 2000), image("/b", b"y" * 2000))
    assert a.fingerprint == b.fingerprint != c.fingerprint


def test_a_revisit_has_the_content_of_what_it_repeats(rows, tmp_path):
    first = with_digest(record("/p/1", html("one")), "AAAA")
    again = with_digest(record("/p/1?a=1", kind="revisit"), "AAAA")
    unchanged = with_digest(record("/p/1", kind="revisit", status=b"304 Not Modified"), "AAAA")
    unknown = with_digest(record("/p/9", kind="revisit"), "BBBB")
    one, two, three, four = rows(first, again, unchanged, unknown)
    assert one.fingerprint == two.fingerprint == three.fingerprint is not None
    assert (one.status, two.status, three.status, four.fingerprint) == (200, 200, 200, None)
    for name, data in (("1.warc", first), ("2.warc", again)):
        (tmp_path / name).write_bytes(data)
    both = list(read(str(tmp_path / "1.warc"), str(tmp_path / "2.warc")))
    assert both[0].fingerprint == both[1].fingerprint


def test_robots_and_sitemaps_of_the_crawl_declare(rows):
    found = rows(
        record("/robots.txt", b"User-agent: *\nClean-param: ref&sid /p\nClean-param: x\n", mime=b"text/plain"),
        record("/map.xml", made.sitemap((f"{SITE}/p/1", "http://other.example/")), mime=b"application/xml"),
        record("/sitemap.txt", f"{SITE}/p/2\n".encode(), mime=b"text/plain"),
        record("/feed.xml", made.rss((f"{SITE}/p/3",)), mime=b"text/xml"),
        record("/robots.txt", b"<h1>Not found", status=b"404 Not Found"),
    )
    said = [(row.clean_param, row.listed, row.fetched) for row in found]
    assert said == [("ref&sid /p", False, False), ("x", False, False)] + [(None, True, False)] * 2 + [
        (None, False, True)
    ]
    assert [row.url for row in found[2:]] == [f"{SITE}/p/1", f"{SITE}/p/2", f"{SITE}/feed.xml"]
    assert declarations(f"{SITE}/robots.txt", "x") == []


@pytest.mark.parametrize("body", [b"<div>" * 200_000, b"\xff\xfe\x00", b"", b"<" * 10_000])
def test_hostile_pages_are_read_as_others_are(rows, body):
    (one,) = rows(record("/p/1", body))
    assert one.fingerprint is None


def test_what_is_not_of_the_web_is_passed_over(rows):
    dns = made.warc_record("dns:shop.example", b"x", kind="resource")
    assert rows(dns, record("/p/1", kind="request"), record("/p/1", html("one"))) != []
    assert len(rows(dns, record("/p/1", kind="request"), record("/p/1", html("one")))) == 1


def crawl(pages=60, tails=("", "?color=red", "?color=blue")):
    return [record(f"/p/{n}{tail}", html(n)) for n in range(pages) for tail in tails]


def test_rules_are_learned_from_a_packed_archive(tmp_path):
    (tmp_path / "crawl.warc.gz").write_bytes(b"".join(map(gzip.compress, crawl())))
    run = urlkey("learn", "crawl.warc.gz", "-o", "rules.toml", "--budget", "0.01", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert b"180 observations of 1 host: 1 rule, merging 120 of 180 keys" in run.stderr
    assert '"color"' in (tmp_path / "rules.toml").read_text()
    run = urlkey("key", "--rules", "rules.toml", f"{SITE}/p/99?color=green", cwd=tmp_path)
    assert run.stdout == f"{SITE}/p/99\n".encode()


def test_a_broken_archive_is_an_error_after_what_was_good(tmp_path):
    (tmp_path / "a.warc").write_bytes(b"".join(crawl(2)) + b"WARC/1.1\r\nnonsense")
    with pytest.raises(ReadError, match=r"a\.warc"):
        list(read(str(tmp_path / "a.warc")))
    assert urlkey("learn", "a.warc", cwd=tmp_path).returncode == 2


INDEX = f""" CDX N b a m s k r M S V g
example,shop)/p/1 20260101000000 {SITE}/p/1 text/html 200 AAAA - - 900 0 a.warc.gz
example,shop)/p/1?a=1 20260101000001 {SITE}/p/1?a=1 text/html 301 BBBB /p/1 - 400 900 a.warc.gz
example,shop)/p/1 20260102 {SITE}/p/1 warc/revisit - AAAA - - 400 1300 a.warc.gz
example,shop)/p/2 2026 {SITE}/p/2 text/html 200 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - - 400 1300 a.warc.gz
example,shop)/robots.txt 20260101000000 {SITE}/robots.txt text/plain 200 CCCC - - 400 1300 a.warc.gz
nonsense
"""
LINES = [
    {"url": f"{SITE}/p/1", "mime": "text/html", "status": "200", "digest": "sha1:AAAA", "languages": "eng"},
    {"url": f"{SITE}/p/2", "status": "301", "digest": "B", "redirect": f"{SITE}/p/3", "languages": "eng,deu"},
    {"url": f"{SITE}/p/3", "status": "200", "digest": "C", "truncated": "length"},
    {"url": "dns:shop.example", "digest": "D"},
]


@pytest.mark.parametrize("name", ["a.cdx", "a.cdx.gz", "index"])
def test_an_index_tells_digest_status_time_redirect_and_revisits(tmp_path, name):
    data = INDEX.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    rows = read(str(tmp_path / name))
    one, moved, again, empty = list(rows)
    assert one == Observation(f"{SITE}/p/1", "AAAA", 1767225600.0, 200)
    assert (moved.status, moved.redirect) == (301, f"{SITE}/p/1")
    assert (again.fingerprint, again.status, again.time) == ("AAAA", 200, 1767312000.0)
    assert (empty.fingerprint, empty.time) == (None, 1767225600.0)
    assert (rows.bad, rows.first) == (1, f"{tmp_path / name}:7: no line of an index")


def test_an_index_of_json_tells_language_and_truncation_too(tmp_path):
    path = tmp_path / "a.cdxj"
    path.write_text("".join(f"key)/ 20260101000000 {json.dumps(line)}\n" for line in LINES))
    one, moved, cut = from_cdx(str(path))
    assert (one.fingerprint, one.language, one.truncated) == ("AAAA", "eng", False)
    assert (moved.redirect, moved.language, cut.truncated) == (f"{SITE}/p/3", None, True)


def test_rules_are_learned_from_an_index(tmp_path):
    lines = [
        f"example,shop)/p/{n}{tail} 20260101000000 {SITE}/p/{n}{tail} text/html 200 DIGEST{n} 900\n"
        for n in range(60)
        for tail in ("", "?color=red", "?color=blue")
    ]
    (tmp_path / "crawl.cdx").write_text(" CDX N b a m s k S\n" + "".join(lines))
    run = urlkey("learn", "crawl.cdx", "-o", "rules.toml", "--budget", "0.01", cwd=tmp_path)
    assert b"180 observations of 1 host: 1 rule, merging 120 of 180 keys" in run.stderr
