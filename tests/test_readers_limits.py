"""What `urlkey.readers` refuses: bombs, entities, depth, lines without an end. By name, with a place, in bounded memory
and time, and after what was good."""

import gzip
import io
import subprocess
import sys
import tracemalloc
import zlib
from collections import Counter
from functools import cache

import pytest

import made
from test_readers import good, rows, urls
from urlkey.readers import LimitError, Limits, ReadError, read
from urlkey.readers.limits import NO_LIMITS
from urlkey.readers.warc import captures

SMALL = Limits(ratio=20, dense_after=100_000, line=20_000, document=200_000, page=200_000, depth=50)


def refused(content, *args, **options):
    """The rows before the refusal, and its code."""
    found, error = good(content, *args, **options)
    assert isinstance(error, LimitError), error
    assert error.at is not None
    return found, error.code


@cache
def zeros():
    """More zeros in gzip than a file may have of them, made without holding them."""
    packer = zlib.compressobj(wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(80)) + packer.flush()


def peak(content, *args, **options):
    """The most memory that reading takes, and the counts of what came of it."""
    seen = Counter()
    stream = io.BytesIO(content)
    tracemalloc.start()
    try:
        for row in read(stream, *args, **options):
            seen["rows" if row.url is not None else row.problem] += 1
    except ReadError as error:
        seen[error.code] += 1
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most, seen


@pytest.mark.parametrize("form", ["txt", "csv", "jsonl", "sitemap", "har", "log", "cdx", "html", "bookmarks", "robots"])
def test_a_gzip_bomb_is_refused_in_every_format(form):
    most, seen = peak(zeros(), form, column="1", host="a.example")
    # XML and JSON are no such thing from the first byte; a page is refused when it is whole.
    assert seen["too-dense"] + seen["too-large"] + seen["broken"] + seen["unreadable"] == 1
    assert most < 300 << 20


def test_zstandard_and_zip_bombs_are_refused():
    zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    assert refused(zstd.compress(bytes(80 << 20)), "txt")[1] == "too-dense"
    assert refused(made.zipped(bytes(80 << 20)), "txt")[1] == "too-dense"


def test_a_bomb_in_many_members_is_refused():
    assert refused(gzip.compress(bytes(1_000_000)) * 80, "txt")[1] == "too-dense"


def test_what_was_good_before_a_bomb_is_kept():
    packed = gzip.compress(made.txt()) + zeros()
    found, code = refused(packed, "txt")
    assert ([row.url for row in found[:3]], code) == (list(made.URLS[:3]), "too-dense")


def test_a_ratio_is_not_looked_at_in_small_files_and_may_be_raised():
    same = b"http://a.example/\n" * 200_000
    assert len(rows(gzip.compress(same))) == 200_000
    assert refused(gzip.compress(same), limits=SMALL)[1] == "too-dense"
    assert len(rows(gzip.compress(same), limits=NO_LIMITS)) == 200_000
    assert refused(gzip.compress(same), limits=Limits(unpacked=1_000_000))[1] == "too-large"


# --- lines


@pytest.mark.parametrize("form", ["txt", "log", "jsonl", "cdx", "robots"])
def test_a_line_that_is_too_long_is_a_reject_and_the_next_are_read(form):
    line = made.WHOLE[form][2](made.URLS[3:])
    limits = Limits(line=1_000) if form != "jsonl" else Limits()
    size = 2_000 if form != "jsonl" else (64 << 20) + 1
    content = b"Sitemap:" + b"x" * size + b"\n" + line
    found = rows(content, form, limits=limits)
    assert (found[0].problem, found[0].number) == ("long-line", 1)
    assert found[-1].url == made.URLS[3]
    assert len(found[0].text) <= 1 << 16 or form == "jsonl"


def test_a_row_of_csv_that_is_too_long_is_a_reject_and_the_next_are_read():
    content = b"n,url\n1," + b"x" * (17 << 20) + b"\n2,http://a.example/\n"
    found = rows(content, "csv")
    assert [row.url for row in found] == [None, "http://a.example/"]
    assert found[0].problem == "bad-row"


def test_a_line_without_an_end_is_not_held():
    packer = zlib.compressobj(wbits=31)
    noise = b"".join(packer.compress(bytes([n + 32]) * (1 << 20)) for n in range(40)) + packer.flush()
    limits = Limits(ratio=None, line=1 << 20)
    most, seen = peak(noise, "txt", limits=limits)
    assert seen == {"long-line": 1}
    assert most < 30 << 20


# --- XML


LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n + 1} "{f"&lol{n or str()};" * 10}">' for n in range(9))
    + "]>"
)


@pytest.mark.parametrize(
    ("head", "code"),
    [
        (LAUGHS, "doctype"),
        ('<!DOCTYPE x [<!ENTITY a "' + "x" * 100_000 + '">]>', "doctype"),
        ('<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>', "doctype"),
        ('<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>', "doctype"),
        ('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">', "doctype"),
        ("<!DOCTYPE x>", "doctype"),
        ('<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "x" [<!ENTITY a "b">]>', "doctype"),
        ('<!DOCTYPE rss PUBLIC "-//Other//DTD RSS 0.91//EN" "x">', "doctype"),
    ],
)
@pytest.mark.parametrize("name", ["sitemap", "rss", "atom", "opml"])
def test_document_types_and_entities_are_refused(name, head, code):
    form, _, make = made.WHOLE[name]
    whole = make().decode().removeprefix('<?xml version="1.0" encoding="UTF-8"?>\n')
    for encoding in ("utf-8", "utf-16"):
        found, told = refused((head + whole.replace("</", "&lol9;</", 1)).encode(encoding), form)
        assert (found, told) == ([], code)


def test_an_entity_that_nobody_declared_is_an_error_with_its_place():
    found, error = good(made.sitemap()[:-10] + b"&nope;</urlset>")
    assert [row.url for row in found] == list(made.URLS)
    assert (error.code, "line 11, column" in str(error)) == ("broken", True)


@pytest.mark.parametrize(("form", "opening"), [("sitemap", b"<urlset>"), ("feed", b"<rss>"), ("opml", b"<opml>")])
def test_elements_too_deep_in_each_other_are_refused(form, opening):
    assert refused(opening + b"<outline>" * 1_000_000, form) == ([], "too-deep")
    assert refused(opening + b"<x>" * 60, form, limits=SMALL)[1] == "too-deep"


@pytest.mark.parametrize(
    "content",
    [
        b'<urlset a="' + b"x" * 600_000,
        b"<urlset><!--" + b"x" * 600_000,
        b"<urlset><url><loc>" + b"x" * 600_000,
        b"<urlset><url><loc>" + b"x&amp;" * 600_000,
        b"<urlset><?x " + b"x" * 600_000,
        b"<urlset><url><loc>" + b"x<b/>" * 600_000,
    ],
)
def test_tags_comments_and_texts_without_an_end_are_refused(content):
    assert refused(content, "sitemap", limits=SMALL)[1] == "long-line"


def test_a_long_tag_takes_linear_time_and_little_memory():
    most, seen = peak(b'<urlset a="' + b"x" * (30 << 20), "sitemap")
    assert seen == {"long-line": 1}
    assert most < 40 << 20


def test_many_namespaces_take_linear_time():
    declared = b" ".join(b'xmlns:n%d="u"' % n for n in range(20_000))
    content = (
        b"<urlset " + declared + b">" + b'<url xmlns:m="v"><loc>http://a.example/</loc></url>' * 20_000 + b"</urlset>"
    )
    assert len(rows(content, "sitemap")) == 20_000


# --- what is held whole


def test_pages_recordings_and_pipes_have_a_size():
    assert refused(b"<p>" * 100_000, "html", limits=SMALL) == ([], "too-large")
    entry = b'{"log": {"entries": [{"request": {"url": "http://a.example/"}}, {"x": "' + b"y" * 300_000 + b'"}]}}'
    found, code = refused(entry, "har", limits=SMALL)
    assert ([row.url for row in found], code) == (["http://a.example/"], "too-large")
    assert refused(b'{"log": {"entries": [' + b"[" * 2_000_000, "har")[1] == "too-deep"


def test_bookmarks_in_too_many_folders_are_refused():
    assert refused(b"<DL><p>" * 100_000, "bookmarks")[1] == "too-deep"


def test_an_archive_that_unpacks_to_too_much_is_refused():
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n"
    packer = zlib.compressobj(wbits=31)
    content = packer.compress(head % (80 << 20))
    content += b"".join(packer.compress(bytes(1 << 20)) for _ in range(80)) + packer.flush()
    most, seen = peak(content, "warc")
    assert (seen["rows"], seen["too-dense"]) == (1, 1)
    assert most < 30 << 20


def test_the_body_of_a_capture_is_cut_at_a_limit_packed_or_not():
    packed = gzip.compress(bytes(1_000_000))
    records = made.warc_record("http://a.example/", packed, headers=b"Content-Encoding: gzip\r\n")
    records += made.warc_record("http://b.example/", b"x" * 300_000) + made.warc_record("http://c.example/", b"x")
    one, two, three = captures(io.BytesIO(records), limits=SMALL)
    assert (one.truncated, two.truncated, three.truncated) == ("limit", "limit", None)
    assert max(len(one.body), len(two.body)) <= SMALL.document


def test_text_that_many_rows_share_is_not_unfolded():
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    column = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 20_000, pyarrow.int32()), ["http://a/" + "x" * 500_000]
    )
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"url": column}), out)
    code = (
        "import io, resource, sys; from urlkey.readers import read\n"
        "n = sum(1 for _ in read(io.BytesIO(sys.stdin.buffer.read()), 'parquet', fields=False))\n"
        "print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    run = subprocess.run([sys.executable, "-c", code], input=out.getvalue(), capture_output=True, check=True)
    count, mebibytes = map(int, run.stdout.split())
    assert count == 20_000
    # Unfolded they are 10 GB; what the tests' own process takes is counted before the child begins.
    assert mebibytes < 4_000


# --- streaming


@pytest.mark.parametrize(
    "name", ["txt", "csv", "jsonl", "sitemap", "rss", "opml", "bookmarks", "har", "log", "cdx", "warc"]
)
def test_memory_does_not_grow_with_the_file(name):
    form, _, make = made.WHOLE[name]
    many = [f"http://a.example/{n}" for n in range(10_000)]
    content = make(many)
    assert len(content) > 200_000
    most, seen = peak(content, form)
    assert seen == {"rows": 10_000}
    assert most < 6 << 20


def test_bytes_that_break_the_rows_of_a_tag_do_not_make_it_quadratic():
    for piece in (b"<A " * 200_000, b'<A HREF="' * 100_000, b"<A x=" * 100_000, b"<DT><A HREF=x>" * 50_000):
        assert all(row.url for row in rows(piece, "bookmarks"))
    for piece in (b'"' * 500_000, b"[" * 500_000, b"\\" * 500_000, b"a " * 250_000, b'a - - [x] "' * 50_000):
        assert not any(row.url for row in rows(piece, "log", host="a.example"))
    assert urls(b"<!--" * 200_000, "txt")
    assert read(io.BytesIO(b"<!--" * 200_000)).format == "txt"
    assert read(io.BytesIO(b"<?" * 30_000 + b"<!DOCTYPE x [" * 9_000)).format == "txt"
