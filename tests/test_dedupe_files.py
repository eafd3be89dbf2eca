"""The files that `urlkey dedupe` reads: csv, tsv, JSON lines, gzip, Zstandard; whole or broken."""

import gzip
import json
import signal
import subprocess
import sys
import time

import pytest

from command import started, urlkey
from urlkey.readers import ReadError, format_of
from urlkey.readers.blocks import SIZE, Blocks
from urlkey.readers.delimited import Delimited
from urlkey.readers.jsonl import JsonLines

CSV = (
    b'id,url,note\r\n1,http://a.example/?b&a,"two\nlines, one cell"\r\n'
    b'2,"http://a.example/?a&b",\r\n3,http://b.example/,"""quoted"""\r\n'
)
KEPT = b'id,url,note\r\n1,http://a.example/?b&a,"two\nlines, one cell"\r\n3,http://b.example/,"""quoted"""\r\n'


def written(directory, name, content):
    path = directory / name
    path.write_bytes(content)
    return path


def test_the_name_of_a_file_promises_its_format():
    promised = {
        "a.txt": "txt",
        "a": "txt",
        "a.csv": "csv",
        "a.TSV.gz": "tsv",
        "a.jsonl.zst": "jsonl",
        "a.ndjson": "jsonl",
    }
    assert {name: format_of(name) for name in promised} == promised


# --- csv and tsv


@pytest.mark.parametrize("column", ["url", "URL", "2", None])
def test_rows_of_csv_stay_byte_for_byte_and_the_header_too(tmp_path, column):
    file = written(tmp_path, "a.csv", CSV)
    chosen = [] if column is None else ["--column", column]
    run = urlkey("dedupe", file, *chosen)
    assert (run.stdout, run.returncode) == (KEPT, 0)


def test_the_best_row_is_printed_at_the_place_of_the_first(tmp_path):
    file = written(tmp_path, "a.csv", b"url,n\nhttp://a.example/?,1\nhttp://b.example/,2\nhttp://a.example,3\n")
    assert urlkey("dedupe", file, "--keep", "shortest").stdout == b"url,n\nhttp://a.example,3\nhttp://b.example/,2\n"


def test_a_byte_order_mark_stays_with_the_header(tmp_path):
    file = written(tmp_path, "a.csv", b"\xef\xbb\xbfurl\nhttp://a.example/\nhttp://A.example/\n")
    assert urlkey("dedupe", file).stdout == b"\xef\xbb\xbfurl\nhttp://a.example/\n"


def test_the_first_row_is_data_where_it_holds_a_url_or_on_demand(tmp_path):
    rows = b"1;http://a.example/\n2;HTTP://a.example\n"
    file = written(tmp_path, "a.csv", rows)
    assert urlkey("dedupe", file, "--delimiter", ";", "--column", "2").stdout == b"1;http://a.example/\n"
    file = written(tmp_path, "b.csv", b"/a,1\n/a#x,2\n")
    run = urlkey("dedupe", file, "--no-header", "--column", "1", "--base", "http://a.example/")
    assert run.stdout == b"/a,1\n"


def test_tsv_is_divided_by_tabs(tmp_path):
    file = written(tmp_path, "a.tsv", b"a,b\tlink\n1,2\thttp://a.example/\n3,4\thttp://a.example\n")
    assert urlkey("dedupe", file).stdout == b"a,b\tlink\n1,2\thttp://a.example/\n"


def test_a_line_that_says_what_stands_between_cells_stays_above_the_header(tmp_path):
    one = written(tmp_path, "a.csv", b"\xef\xbb\xbfsep=;\r\nurl;n\r\nhttp://a.example/;1\r\nhttp://A.example;2\r\n")
    two = written(tmp_path, "b.csv", b"sep=;\nurl;n\nhttp://a.example/#x;3\nhttp://b.example/;4\nhttp://a:x/;5\n")
    run = urlkey("dedupe", one, two, "--rejects", tmp_path / "r")
    assert run.stdout == b"\xef\xbb\xbfsep=;\r\nurl;n\r\nhttp://a.example/;1\r\nhttp://b.example/;4\n"
    # The line counts as one of the file.
    assert (tmp_path / "r").read_bytes().split(b"\t")[0].endswith(b"b.csv:5")
    headless = written(tmp_path, "c.csv", b"sep=|\n1|/a\n2|/a#x\n")
    run = urlkey("dedupe", headless, headless, "--no-header", "--column", "2", "--base", "http://a.example/")
    assert run.stdout == b"sep=|\n1|/a\n"


def test_a_second_url_of_a_record_is_a_reject_that_shows_no_other_url(tmp_path):
    record = b"<url><loc>http://a.example/1</loc><loc>http://u:pw@a.example/2</loc></url>"
    file = written(tmp_path, "a.xml", b"<urlset>" + record + b"</urlset>")
    run = urlkey("dedupe", file, "--rejects", tmp_path / "r")
    assert run.stdout == b"http://a.example/1\n"
    assert (tmp_path / "r").read_bytes().split(b"\t")[:2] == [b"1", b"two-urls"]
    assert b"two-urls" in run.stderr
    assert b"http://" not in run.stderr.partition(b"two-urls")[2]


def test_several_files_have_one_header(tmp_path):
    one = written(tmp_path, "a.csv", b"url,n\nhttp://a.example/,1")
    two = written(tmp_path, "b.csv", b"url,n\r\nhttp://a.example,2\r\nhttp://b.example,3\r\n")
    assert urlkey("dedupe", one, two).stdout == b"url,n\nhttp://a.example/,1\nhttp://b.example,3\r\n"
    other = written(tmp_path, "c.csv", b"n,url\n1,http://a.example/\n")
    assert urlkey("dedupe", one, other).returncode == 2


def test_a_missing_column_is_a_usage_error_that_lists_the_columns(tmp_path):
    file = written(tmp_path, "a.csv", CSV.replace(b"url", b"page url"))
    for chosen in ([], ["--column", "nope"], ["--column", "9"], ["--column", "0"]):
        run = urlkey("dedupe", file, *chosen)
        assert (run.returncode, run.stdout) == (2, b"")
    assert b"'page url'" in urlkey("dedupe", file, "--column", "nope").stderr


def test_rows_that_cannot_be_read_are_rejects_with_their_line(tmp_path):
    file = written(
        tmp_path, "a.csv", b'n,url\n1,"http://a.example/\n\n"\n2\n\n3,a\rb\n4,http://a:b/\n5,http://b.example/\xff\n'
    )
    run = urlkey("dedupe", file, "--rejects", tmp_path / "r", "--strict")
    assert run.stdout == b'n,url\n1,"http://a.example/\n\n"\n5,http://b.example/\xff\n'
    assert (tmp_path / "r").read_bytes() == (
        b"5\tmissing-column\t2\n6\tmissing-column\t\n7\tbad-row\t3,a\\rb\n8\tport-invalid\t4,http://a:b/\n"
    )
    assert run.returncode == 1


def test_every_row_of_csv_is_kept_merged_or_rejected(tmp_path):
    rows = [b"n,url\n"]
    for i in range(10_000):
        rows.append([b"%d,http://a.example/%d\n", b'%d,"http://a:%d"\n', b"%d-%d\n"][i % 3] % (i, i % 70))
    file = written(tmp_path, "a.csv", b"".join(rows))
    run = urlkey("dedupe", file, "--rejects", tmp_path / "r", "--groups", tmp_path / "g")
    rejects = len((tmp_path / "r").read_bytes().splitlines())
    grouped = len((tmp_path / "g").read_bytes().splitlines())
    assert rejects + grouped == 10_000
    assert len(run.stdout.splitlines()) == 1 + 70 + 70


def test_a_quote_that_is_never_closed_does_not_swallow_the_file():
    rows = [b'1,"http://a.example/\n'] + [b"%d,http://b.example/%d\n" % (i, i) for i in range(900_000)]
    read = list(Delimited([b"n,url\n", *rows], name="a.csv"))
    assert b"".join(row for _, row, _, _ in read) == b"".join(rows)
    assert [number for number, _, _, problem in read if problem] == [2]
    assert len(read) == 900_001


@pytest.mark.parametrize(
    ("rows", "bad"),
    [
        ([b'1,"x\n', b"2,x\n", b'3,"x"\n', b"4,x\n"], [0]),
        ([b'1,"x\n', b"2,x\n", b'3,"a\nb"\n', b"4,x\n"], [0]),
        ([b"1,x\n", b'2,"x\n', b'3,"x\n', b"4,x\n"], [1, 2]),
        ([b"1,x\n", b'2,"x\n'], [1]),
        ([b"1,x\n", b'2,"x'], [1]),
        ([b'1,"a\nb","c\n', b"2,x\n"], [0]),
        ([b'1,"a" b\n', b'2,a "b" c\n', b'3,"a""b"\n'], []),
    ],
)
def test_a_quote_that_is_never_closed_spoils_its_own_row(rows, bad):
    read = list(Delimited([b"n,url\n", *rows], name="a.csv"))
    assert b"".join(row for _, row, _, _ in read) == b"".join(rows)
    spoilt = b"".join(row for _, row, _, problem in read if problem)
    assert spoilt == b"".join(rows[index] for index in bad)
    assert all(problem in (None, "bad-row", "missing-column") for _, _, _, problem in read)
    numbers = [number for number, _, _, _ in read]
    assert numbers == sorted(set(numbers))


def test_quotes_that_are_never_closed_take_linear_time():
    rows = [b'x","%d\n' % i for i in range(100_000)]
    read = list(Delimited([b'n,url\n1,"\n', *rows], name="a.csv"))
    assert b"".join(row for _, row, _, _ in read) == b'1,"\n' + b"".join(rows)
    assert len(read) > 90_000


def test_line_ends_of_cr_alone_are_named(tmp_path):
    run = urlkey("dedupe", written(tmp_path, "a.csv", b"url\rhttp://a.example/\r"))
    assert run.returncode == 2
    assert b"line 1 is no row: its lines end with CR alone" in run.stderr


@pytest.mark.parametrize("delimiter", ['"', "\n", "\r", "", ";;"])
def test_a_delimiter_is_one_character_that_means_nothing_else(tmp_path, delimiter):
    run = urlkey("dedupe", written(tmp_path, "a.csv", CSV), "--delimiter", delimiter)
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"--delimiter takes one character" in run.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"id,url\n1,http://u:hunter2@h:x/\n"),
        ("a.csv", b'id,url\n1,"http://u:hunter2@h/\n'),
        ("a.jsonl", b'{"id": 1, "url": "http://u:hunter2@h:x/"}\n'),
        ("a.jsonl", b'{"id": 1, "url": "http://u:hunter2@h/"\n'),
        ("a.txt", b"http://u:hunter2@h:x/\n"),
    ],
)
def test_secrets_of_a_rejected_row_are_shown_only_when_asked_for(tmp_path, name, content):
    file = written(tmp_path, name, content)
    hidden = urlkey("dedupe", file)
    assert b"have no key" in hidden.stderr
    assert b"hunter2" not in hidden.stdout + hidden.stderr
    assert b"hunter2" in urlkey("dedupe", file, "--show-secrets").stderr


def test_tab_separated_texts_tell_a_line_end_from_its_escape(tmp_path):
    file = written(tmp_path, "a.csv", b'url\n"a\\nb"\n"a\nb"\n')
    urlkey("dedupe", file, "--rejects", tmp_path / "r", "--no-header", "--column", "1")
    texts = [line.split(b"\t")[2] for line in (tmp_path / "r").read_bytes().splitlines()]
    assert texts[1:] == [b'"a\\\\nb"', b'"a\\nb"']


# --- what must not be written over


@pytest.mark.parametrize("option", ["--rejects", "--groups", "--report-file", "--report"])
@pytest.mark.parametrize("alias", ["same", "dotted", "link", "hard link"])
def test_a_file_that_is_read_is_written_over_by_the_output_alone(tmp_path, option, alias):
    text = b"http://a.example\nhttp://a.example/\n"
    file = written(tmp_path, "a.txt", text)
    target = {"same": file, "dotted": f"{tmp_path}/./a.txt"}.get(alias, tmp_path / "b.txt")
    if alias == "link":
        target.symlink_to(file)
    if alias == "hard link":
        target.hardlink_to(file)
    run = urlkey("dedupe", file, "-o", tmp_path / "out", f"{option}={target}")
    assert (run.returncode, file.read_bytes()) == (2, text)
    assert b"must not be written over" in run.stderr
    assert urlkey("dedupe", file, "-o", file).returncode == 0
    assert file.read_bytes() == b"http://a.example\n"


def test_two_results_need_two_files(tmp_path):
    file = written(tmp_path, "a.txt", b"http://a.example/\n")
    run = urlkey("dedupe", file, "-o", tmp_path / "o", "--groups", f"{tmp_path}/./o")
    assert (run.returncode, run.stdout) == (2, b"")


def test_redirected_standard_input_and_output_are_files_too(tmp_path):
    text = b"http://a.example\nhttp://a.example/\n"
    file = written(tmp_path, "a.txt", text)
    for redirection, message in (("<a.txt", b"must not be written over"), ("<b.txt >a.txt", b"a file each")):
        written(tmp_path, "b.txt", text)
        run = subprocess.run(
            ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "urlkey", "dedupe", "--groups", "a.txt"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
        )
        assert run.returncode == 2
        assert message in run.stderr
    assert urlkey("dedupe", file, "--groups", "/dev/null").returncode == 0


def test_a_target_that_cannot_be_opened_is_named_as_it_was_given(tmp_path):
    target = tmp_path / "none" / "x"
    run = urlkey("dedupe", written(tmp_path, "a.txt", b"http://a.example/\n"), "-o", target)
    assert run.returncode == 2
    assert run.stderr.decode() == f"urlkey: {target}: No such file or directory\n"


def test_a_terminated_command_leaves_no_half_file(tmp_path):
    target = tmp_path / "o"
    with started("dedupe", "-o", target) as process:
        process.stdin.write(b"http://a.example/\n" * 100_000)
        process.stdin.flush()
        while process.poll() is None and not list(tmp_path.iterdir()):
            time.sleep(0.01)
        process.terminate()
        assert process.wait(20) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_options_that_say_nothing_about_a_format_are_refused(tmp_path):
    csv, text = written(tmp_path, "a.csv", CSV), written(tmp_path, "a.txt", b"http://a.example/\n")
    for arguments in ((text, "--column", "url"), (csv, "-0"), (text, "--no-header"), (csv, text)):
        assert urlkey("dedupe", *arguments).returncode == 2
    assert urlkey("dedupe", csv, text, "--format", "txt").returncode == 0


# --- JSON lines


@pytest.mark.parametrize("column", ["request.url", "urls.1", "u.r.l"])
def test_json_is_reached_by_key_or_path(tmp_path, column):
    def line(url, n):
        return json.dumps({"request": {"url": url}, "urls": [0, url], "u.r.l": url, "n": n}).encode() + b"\n"

    lines = [line("http://a.example/", 1), line("http://A.example", 2), line("http://b.example/", 3)]
    file = written(tmp_path, "a.jsonl", b"".join(lines))
    assert urlkey("dedupe", file, "--column", column).stdout == lines[0] + lines[2]


def test_lines_of_json_stay_byte_for_byte():
    lines = b'\xef\xbb\xbf{"url" : "http:\\/\\/a.example/"}\r\n{"url":"http://a.example"}\n"http://b.example/"'
    run = urlkey("dedupe", "--format", "jsonl", stdin=lines)
    assert run.stdout == b'{"url" : "http:\\/\\/a.example/"}\r\n"http://b.example/"\n'


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "bad-json"),
        (b"", "bad-json"),
        (b"[" * 100_000, "bad-json"),
        (b'{"n": ' + b"9" * 10_000 + b"}", "bad-json"),
        (b"{}", "missing-column"),
        (b"[1]", "missing-column"),
        (b'{"url": null}', "not-text"),
        (b'{"url": "http://a.example/\\ud800"}', "surrogate"),
        (b'{"url": "http://a.example/\\udc80"}', "surrogate"),
    ],
)
def test_a_line_of_json_without_a_url_says_why(line, problem):
    [(_, row, url, found)] = JsonLines([line + b"\n"])
    assert (row, url, found) == (line + b"\n", None, problem)


def test_bytes_in_json_that_are_not_utf8_go_on_as_themselves():
    [(_, _, url, problem)] = JsonLines([b'{"url": "http://a.example/\xff"}'])
    assert (url, problem) == (b"http://a.example/\xff", None)


# --- compressed files


TEXT = b"".join(b"http://a.example/%d\n" % (i * 7919) for i in range(100_000))


def unpacked(path):
    with Blocks(str(path)) as blocks:
        return b"".join(blocks), blocks.broken


def zstd():
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd")
    return zstd


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt", "a"])
def test_gzip_is_undone_whatever_the_name(tmp_path, name):
    packed = gzip.compress(TEXT)
    assert unpacked(written(tmp_path, name, packed)) == (TEXT, None)
    assert unpacked(written(tmp_path, name, packed + packed)) == (TEXT + TEXT, None)
    assert unpacked(written(tmp_path, name, packed + b"\0" * 5_000)) == (TEXT, None)


def test_zstd_is_undone(tmp_path):
    packed = zstd().compress(TEXT)
    assert unpacked(written(tmp_path, "a.zst", packed)) == (TEXT, None)
    assert unpacked(written(tmp_path, "a", packed + packed)) == (TEXT + TEXT, None)


def test_compressed_standard_input_is_undone():
    run = urlkey("dedupe", stdin=gzip.compress(b"http://a.example\nhttp://a.example/\n"))
    assert run.stdout == b"http://a.example\n"


def test_a_bomb_comes_in_blocks(tmp_path):
    with Blocks(str(written(tmp_path, "a.gz", gzip.compress(bytes(50_000_000))))) as blocks:
        assert max(map(len, blocks)) <= SIZE


def test_a_line_that_is_too_long_is_a_reject_and_the_next_are_kept(tmp_path):
    long = b"http://a.example/" + b"x" * (65 << 20)
    run = urlkey("dedupe", "--rejects", tmp_path / "r", stdin=b"http://a.example/\n" + long + b"\nhttp://b.example/\n")
    assert (run.stdout, run.returncode) == (b"http://a.example/\nhttp://b.example/\n", 0)
    assert b"the first: standard input:2: long-line: " in run.stderr
    assert len(run.stderr) < 500
    [reject] = (tmp_path / "r").read_bytes().splitlines()
    assert reject.startswith(b"2\tlong-line\thttp://a.example/xxx")
    run = urlkey("dedupe", stdin=long + b"\n" + long)
    assert (run.stdout, b"2 of 2 lines have no key" in run.stderr) == (b"", True)


def test_what_was_good_of_a_cut_gzip_is_kept(tmp_path):
    packed = gzip.compress(TEXT)
    file = written(tmp_path, "a.txt.gz", packed[: len(packed) // 2])
    run = urlkey("dedupe", file, "--rejects", tmp_path / "r")
    assert run.returncode == 2
    assert f"at byte {len(packed) // 2}".encode() in run.stderr
    assert TEXT.startswith(run.stdout)
    assert len(run.stdout) > len(TEXT) // 4
    [cut] = (tmp_path / "r").read_bytes().splitlines()
    assert cut.split(b"\t")[1] == b"cut-off"
    assert TEXT[len(run.stdout) :].startswith(cut.split(b"\t")[2])


def test_what_was_good_of_a_damaged_gzip_is_kept(tmp_path):
    packed = bytearray(gzip.compress(TEXT) + gzip.compress(TEXT))
    packed[len(packed) // 2 : len(packed) // 2 + 4] = b"\0\0\0\0"
    text, broken = unpacked(written(tmp_path, "a.gz", packed))
    assert text.startswith(TEXT)
    assert "gzip data broken at byte" in broken


def test_what_was_good_of_a_broken_zstd_is_kept(tmp_path):
    packed = zstd().compress(TEXT + TEXT[::-1])
    text, broken = unpacked(written(tmp_path, "a.zst", packed[:-2_000]))
    assert (TEXT + TEXT[::-1]).startswith(text)
    assert text
    assert "at byte" in broken


def test_a_file_that_is_not_what_it_is_called_is_broken(tmp_path):
    run = urlkey("dedupe", written(tmp_path, "a.gz", b"http://a.example/\n"))
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"gzip data broken at byte" in run.stderr


def test_the_files_after_a_broken_one_are_read(tmp_path):
    broken = written(tmp_path, "a.gz", gzip.compress(TEXT)[:-100])
    run = urlkey("dedupe", broken, written(tmp_path, "b.txt", b"http://b.example/\n"))
    assert run.returncode == 2
    assert run.stdout.endswith(b"http://b.example/\n")


def test_columns_are_numbered_from_1():
    with pytest.raises(ReadError):
        Delimited([b"url\n"], name="a.csv", column="0")
