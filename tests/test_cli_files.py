"""The commands that read files of every format: `key`, `dedupe`, `seo`, `store add`."""

import gzip
import io
import json

import pytest

import made
from command import urlkey
from made import URLS, WHOLE

KEYS = b"http://a.example/?a=2&b=1\nhttp://a.example/?a=2&b=1\nhttps://b.example/caf%C3%A9\nhttp://c.example/\n"
KEPT = b"".join(f"{URLS[n]}\n".encode() for n in (0, 2, 3))
# Formats whose rows come out as they came in.
ROWS = ("csv", "tsv", "jsonl")


def spelled(name, text):
    """robots.txt ends a URL at `#`."""
    return text.replace(b"#", b"%23") if name == "robots" else text


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "robots"])
def test_every_format_is_read_by_name_and_from_a_pipe(name, tmp_path):
    form, extension, make = WHOLE[name]
    file = tmp_path / f"file{extension}"
    file.write_bytes(make())
    sniffed = name in ("crawl", "sitemap", "bookmarks", "html", "log")
    said = f"urlkey: {file}: read as {form}, by its content\n".encode() if sniffed else b""

    run = urlkey("key", "--format", form, stdin=make())
    assert (run.stdout, run.returncode, run.stderr) == (KEYS, 0, b"")

    run = urlkey("dedupe", file)
    assert (run.returncode, run.stderr) == (0, said)
    if form not in ROWS:
        assert run.stdout == KEPT
    else:
        assert set(run.stdout.splitlines()) < set(make().splitlines())


@pytest.mark.parametrize("name", ["txt", "jsonl", "sitemap", "har", "warc.gz", "parquet"])
def test_stores_and_reports_are_made_of_files_too(name, tmp_path):
    form, extension, make = WHOLE[name]
    file = tmp_path / f"file{extension}"
    file.write_bytes(make())
    run = urlkey("store", "add", tmp_path / "s.db", "-f", file, "-q")
    assert (run.stdout, run.returncode, run.stderr) == (KEPT, 0, b"")
    run = urlkey("seo", "--format", "json", *(["--input", form] if form == "txt" else []), file, "-q")
    assert (run.returncode, json.loads(run.stdout)["totals"]["rows"]) == (0, 4)


def test_robots_txt_is_known_by_its_name(tmp_path):
    file = tmp_path / "robots.txt"
    file.write_bytes(made.robots())
    assert urlkey("dedupe", file).stdout.count(b"\n") == 4


def test_formats_may_be_mixed_where_urls_come_out(tmp_path):
    names = ("txt", "sitemap", "rss", "har", "warc", "log")
    files = []
    for name in names:
        files.append(tmp_path / f"{name}{WHOLE[name][1]}")
        files[-1].write_bytes(WHOLE[name][2]())
    run = urlkey("dedupe", *files, "--groups", tmp_path / "g.jsonl", "--rejects", tmp_path / "r")
    assert (run.stdout, run.returncode) == (KEPT, 0)
    groups = [json.loads(line) for line in (tmp_path / "g.jsonl").read_bytes().splitlines()]
    assert [group["lines"] for group in groups] == [12, 6, 6]
    assert {spelling["file"] for spelling in groups[0]["spellings"]} == set(map(str, files))
    table = tmp_path / "a.csv"
    table.write_bytes(made.csv())
    run = urlkey("dedupe", table, *files)
    assert (run.returncode, b"files of one format at a time" in run.stderr) == (2, True)


def test_every_record_is_kept_merged_or_rejected(tmp_path):
    lines = [made.log_line(target, method) for n in range(3_000) for target, method in CASES[n % len(CASES)](n)]
    file = tmp_path / "access.log"
    file.write_bytes(b"".join(lines) + b"nonsense\n")
    run = urlkey(
        "dedupe", file, "--host", "a.example", "--groups", tmp_path / "g", "--rejects", tmp_path / "r", "--strict"
    )
    grouped = (tmp_path / "g").read_bytes().splitlines()
    rejects = (tmp_path / "r").read_bytes().splitlines()
    assert len(grouped) + len(rejects) == len(lines) + 1
    numbers = [int(line.split(b"\t")[1]) for line in grouped] + [int(line.split(b"\t")[0]) for line in rejects]
    assert sorted(numbers) == list(range(1, len(lines) + 2))
    assert {line.split(b"\t")[1] for line in rejects} == {b"not-a-page", b"port-invalid", b"bad-row"}
    assert (run.returncode, len(run.stdout.splitlines())) == (1, len({line.split(b"\t")[0] for line in grouped}))


CASES = (
    lambda n: [(f"/page/{n % 50}", "GET")],
    lambda n: [("*", "OPTIONS")],
    lambda n: [(f"http://b.example:x/{n}", "GET"), (f"/page/{n % 50}?utm_source=x", "GET")],
)


def test_a_log_without_a_host_says_what_is_missing():
    run = urlkey("dedupe", stdin=made.log_line("/x"))
    assert (run.stdout, run.returncode) == (b"", 0)
    assert b"standard input: read as log, by its content" in run.stderr
    assert b"no-host: the log has no host; --host says it" in run.stderr
    run = urlkey("key", "--host", "a.example", "--scheme", "http", stdin=made.log_line("/x"))
    assert run.stdout == b"http://a.example/x\n"
    run = urlkey("key", "--host", "a b", stdin=made.log_line("/x"))
    assert (run.returncode, b"is no host of a log" in run.stderr) == (2, True)


def test_relative_links_are_resolved_against_the_base():
    page = b'<!doctype html><a href="x?b&a">t</a><a href="http://[/">t</a>'
    run = urlkey("key", "--base", "http://a.example/y/", stdin=page)
    assert run.stdout == b"http://a.example/y/x?a&b\n\n"
    assert b"standard input:2: bad-base: " in run.stderr


@pytest.mark.parametrize("name", ["sitemap", "warc", "warc.gz", "har", "arrow"])
def test_what_was_good_of_a_broken_file_is_kept(name, tmp_path):
    form, extension, make = WHOLE[name]
    file = tmp_path / f"file{extension}"
    file.write_bytes(make()[:-40])
    found = [url.encode() for url in URLS]
    for arguments in (("dedupe", file), ("key", "-f", file), ("store", "add", tmp_path / "s.db", "-f", file)):
        run = urlkey(*arguments)
        assert run.returncode == 2
        assert f"urlkey: {file}: ".encode() in run.stderr
        assert b"broken" in run.stderr
        assert run.stdout.startswith(found[0] if arguments[0] != "key" else KEYS[:25])
    run = urlkey("seo", file, "--input", form)
    assert (run.returncode, b"broken" in run.stderr) == (2, True)


def test_a_file_that_is_no_such_thing_writes_nothing(tmp_path):
    target = tmp_path / "out.txt"
    for form in ("warc", "sitemap", "feed", "opml"):
        run = urlkey("dedupe", "--format", form, "-o", target, stdin=b"<html><p>hello</p></html>")
        assert (run.returncode, target.exists()) == (2, False)
        assert b"standard input: no " in run.stderr


def test_a_bomb_ends_a_command_with_what_was_good(tmp_path):
    bomb = gzip.compress(made.txt() + bytes(200 << 20))
    run = urlkey("dedupe", "-o", tmp_path / "out", stdin=bomb)
    assert (run.returncode, b"more than 200 bytes unpacked from each" in run.stderr) == (2, True)
    assert (tmp_path / "out").read_bytes() == KEPT
    entities = b'<!DOCTYPE x [<!ENTITY a "b">]><urlset/>'
    run = urlkey("dedupe", "--format", "sitemap", stdin=entities)
    assert (run.returncode, b"a document type (DTD), at line 1" in run.stderr) == (2, True)


def test_a_url_with_a_line_end_in_it_stays_one_line(tmp_path):
    lines = json.dumps({"log": {"entries": [{"request": {"url": "http://a.exa\nmple/\r\n"}}]}}).encode()
    assert urlkey("dedupe", "--format", "har", stdin=lines).stdout == b"http://a.example/\n"
    assert urlkey("dedupe", "--format", "har", "-0", stdin=lines).stdout == b"http://a.exa\nmple/\r\n\0"
    assert (
        urlkey("store", "add", tmp_path / "s.db", "--format", "har", "-q", stdin=lines).stdout == b"http://a.example/\n"
    )


def test_utf16_text_is_deduplicated_in_utf8():
    text = "http://a.example/é\r\nhttp://A.example/é\r\n"
    run = urlkey("dedupe", "--format", "txt", stdin=text.encode("utf-16"))
    assert run.stdout.decode() == "http://a.example/é\r\n"
    run = urlkey("dedupe", "--format", "csv", stdin=f"n,url\r\n1,{text}".encode("utf-16"))
    assert run.stdout.decode() == "n,url\r\n1,http://a.example/é\r\n"
    assert urlkey("key", stdin=text.encode("utf-16")).stdout == b"http://a.example/%C3%A9\n" * 2


def test_secrets_of_records_are_shown_only_when_asked_for():
    for content in (made.har(["http://u:hunter2@h:x/"]), made.sitemap(["http://u:hunter2@h:x/"])):
        for arguments in (("dedupe",), ("key",)):
            hidden = urlkey(*arguments, stdin=content)
            assert b"port-invalid" in hidden.stderr
            assert b"hunter2" not in hidden.stdout + hidden.stderr
            assert b"hunter2" in urlkey(*arguments, "--show-secrets", stdin=content).stderr


# --- Parquet and Arrow in, the same out


def table(content):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    reader = parquet.read_table if content.startswith(b"PAR1") else feather.read_table
    return reader(pyarrow.BufferReader(content))


@pytest.mark.parametrize("extension", [".parquet", ".feather"])
@pytest.mark.parametrize(("keep", "first"), [("first", URLS[0]), ("shortest", URLS[0]), ("https", URLS[0])])
def test_rows_of_a_column_come_out_whole_where_the_output_is_named_so(tmp_path, extension, keep, first):
    make = made.parquet if extension == ".parquet" else made.feather
    files = [tmp_path / f"{n}{extension}" for n in range(2)]
    for file in files:
        file.write_bytes(make([*URLS, "http://a.example:x/"]))
    target = tmp_path / f"out{extension}"
    run = urlkey(
        "dedupe", *files, "-o", target, "--keep", keep, "--rejects", tmp_path / "r", "--groups", tmp_path / "g"
    )
    assert (run.stdout, run.returncode) == (b"", 0)
    found = table(target.read_bytes())
    assert found.schema.equals(table(files[0].read_bytes()).schema)
    assert found.to_pylist() == [{"n": n, "url": URLS[n]} for n in (0, 2, 3)]
    rejects = (tmp_path / "r").read_text().splitlines()
    assert rejects == [f"{file}:5\tport-invalid\thttp://a.example:x/" for file in files]
    assert (tmp_path / "g").read_text().splitlines()[1] == f"{KEYS.split()[0].decode()}\t{files[0]}:2\t{URLS[1]}"
    assert first == found.to_pylist()[0]["url"]


def test_a_better_row_of_a_column_stands_at_the_place_of_the_first(tmp_path):
    pytest.importorskip("pyarrow")
    long, short = "http://a.example/?#long", "http://a.example/"
    file = tmp_path / "a.parquet"
    file.write_bytes(made.parquet([long, "http://b.example/", short]))
    run = urlkey("dedupe", file, "-o", file, "--keep", "shortest")
    assert run.returncode == 0
    assert table(file.read_bytes()).to_pylist() == [{"n": 2, "url": short}, {"n": 1, "url": "http://b.example/"}]


def test_many_rows_of_a_column_are_written_as_they_came(tmp_path):
    pytest.importorskip("pyarrow")
    urls = [f"http://a.example/{n % 40_000}" for n in range(100_000)]
    file = tmp_path / "a.parquet"
    file.write_bytes(made.parquet(urls))
    run = urlkey("dedupe", file, "-o", tmp_path / "b.parquet")
    assert run.returncode == 0
    whole = table((tmp_path / "b.parquet").read_bytes())
    assert whole.column("n").to_pylist() == list(range(40_000))
    run = urlkey("dedupe", file, "-o", tmp_path / "c.parquet", "--memory", "50M")
    assert run.returncode == 0
    assert table((tmp_path / "c.parquet").read_bytes()).equals(whole)
    run = urlkey("dedupe", "-", "--format", "parquet", "-o", tmp_path / "d.parquet", "--memory", "50M", stdin=b"PAR1")
    assert (run.returncode, b"not standard input: it is read twice" in run.stderr) == (2, True)


def test_columns_that_differ_and_nulls_are_told(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"url": pyarrow.array(["http://a.example/", None])}), out)
    one.write_bytes(out.getvalue())
    two.write_bytes(made.parquet())
    run = urlkey("dedupe", one, two, "-o", tmp_path / "o.parquet")
    assert (run.returncode, b"the columns are others" in run.stderr) == (2, True)
    run = urlkey("dedupe", one, "-o", tmp_path / "o.parquet", "--rejects", tmp_path / "r")
    assert (tmp_path / "r").read_bytes() == b"2\tnull\t\n"
    assert table((tmp_path / "o.parquet").read_bytes()).to_pylist() == [{"url": "http://a.example/"}]
    assert urlkey("dedupe", one, two).returncode == 0
