"""`urlkey.readers`: the URLs of files of every format; named, sniffed, compressed, empty, cut, in other encodings."""

import gzip
import io
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import made
from made import URLS, WHOLE
from urlkey.readers import FORMATS, PROBLEMS, Limits, ReadError, Row, Rows, read, sniff

# What a format cannot say of a file: robots.txt ends a URL at `#`.
SPELLED = {"robots": tuple(url.replace("#", "%23") for url in URLS)}


def rows(content, *args, **options):
    return list(read(io.BytesIO(content), *args, **options))


def urls(content, *args, **options):
    return tuple(row.url for row in rows(content, *args, **options))


def good(content, *args, **options):
    """The rows before the error, and the error."""
    found = []
    reading = read(io.BytesIO(content), *args, **options)
    with pytest.raises(ReadError) as caught:
        found.extend(reading)
    return found, caught.value


def test_every_format_is_made_by_these_tests():
    assert {form for form, _, _ in WHOLE.values()} == set(FORMATS)


def test_the_documentation_has_every_format_problem_and_limit():
    text = (Path(__file__).parents[1] / "docs" / "files.md").read_text(encoding="utf-8")
    table = text.partition("\n| format |")[2].partition("\n\n")[0]
    rows = {cells[1]: cells for line in table.splitlines() if (cells := [cell.strip() for cell in line.split("|")])}
    for form in FORMATS.values():
        _, _, extensions, what, numbers, carries, extra, _ = rows[f"`{form.name}`"]
        assert re.findall("`([^`]+)`", extensions) == list(form.extensions)
        assert (what, numbers, extra.strip("`") or None) == (form.what, form.numbers, form.extra)
        assert form.carries == () or [name.strip("`") for name in carries.split(", ")] == list(form.carries)
    assert {problem for problem in PROBLEMS if f"`{problem}`" not in text} == set()
    assert {name for name in Limits._fields if f"`{name}`" not in text} == set()


@pytest.mark.parametrize("name", WHOLE)
class TestEveryFormat:
    def test_all_urls_come_in_order(self, name):
        form, _, make = WHOLE[name]
        found = rows(make(), form)
        assert tuple(row.url for row in found) == SPELLED.get(name, URLS)
        assert all(isinstance(row, Row) and row.problem is None for row in found)
        assert sorted(row.number for row in found) == [row.number for row in found]

    def test_it_is_recognized_by_its_content(self, name):
        form, _, make = WHOLE[name]
        reading = read(io.BytesIO(make()))
        assert (reading.format, reading.sniffed) == (form, True)
        assert len(list(reading)) == len(URLS)

    def test_it_is_read_by_its_name(self, name, tmp_path):
        form, extension, make = WHOLE[name]
        file = tmp_path / ("robots.txt" if name == "robots" else f"file{extension}")
        file.write_bytes(make())
        with read(file) as reading:
            assert reading.format == form
            assert tuple(row.url for row in reading) == SPELLED.get(name, URLS)
            assert reading.size == file.stat().st_size

    def test_fields_are_left_out_on_demand(self, name):
        form, _, make = WHOLE[name]
        assert [dict(row.fields) for row in rows(make(), form, fields=False)] == [{}] * len(URLS)

    def test_the_fields_are_those_that_the_list_names(self, name):
        form, _, make = WHOLE[name]
        carries = FORMATS[form].carries
        if carries and not carries[0].startswith("the "):
            known = {*carries, "original"} if form == "cdx" else set(carries)
            assert {key for row in rows(make(), form) for key in row.fields} <= known | {"url"}

    def test_an_empty_file_has_no_rows(self, name):
        form, _, _ = WHOLE[name]
        try:
            assert rows(b"", form) == []
        except ReadError as error:
            assert error.code == "broken"

    def test_a_file_that_is_cut_anywhere_gives_what_was_good(self, name):
        form, _, make = WHOLE[name]
        whole = make()
        spelled = SPELLED.get(name, URLS)
        for end in range(0, len(whole), max(len(whole) // 60, 1)):
            found = []
            try:
                found += read(io.BytesIO(whole[:end]), form)
            except ReadError as error:
                assert error.code in ("broken", "unreadable"), error
                assert str(error).startswith("<file>: ")
            told = [row.url for row in found if row.url is not None]
            # The last of lines may be cut without a sign; all before it are whole.
            assert told[:-1] == list(spelled[: len(told)][:-1])
            assert all(row.problem in PROBLEMS for row in found if row.url is None)

    def test_noise_is_never_a_crash(self, name):
        form, _, make = WHOLE[name]
        whole = bytearray(make())
        for at in range(0, len(whole), max(len(whole) // 80, 1)):
            noisy = bytes(whole[:at] + bytes([whole[at] ^ 0xA5]) + whole[at + 1 :])
            try:
                for row in read(io.BytesIO(noisy), form):
                    assert (row.url is None) == (row.problem is not None)
            except ReadError:
                pass

    @pytest.mark.parametrize(
        "content", [b"\0" * 5_000, b"<" * 5_000, b"{" * 5_000, b'"' * 5_000, bytes(range(256)) * 20]
    )
    def test_another_file_is_an_error_or_rows_without_urls_not_a_crash(self, name, content):
        form, _, _ = WHOLE[name]
        try:
            for row in read(io.BytesIO(content), form, column="1"):
                assert (row.url is None) == (row.problem is not None)
        except ReadError as error:
            assert error.code


@pytest.mark.parametrize("name", [name for name in WHOLE if name not in ("parquet", "feather", "arrow", "warc.gz")])
@pytest.mark.parametrize("members", [1, 2])
def test_gzip_of_every_format_is_undone_whatever_its_members(name, members):
    form, _, make = WHOLE[name]
    whole = make()
    half = len(whole) // members
    packed = b"".join(gzip.compress(whole[start : start + half + 1]) for start in range(0, len(whole), half + 1))
    reading = read(io.BytesIO(packed))
    assert (reading.format, tuple(row.url for row in reading)) == (form, SPELLED.get(name, URLS))


def test_zstandard_is_undone():
    zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    assert urls(zstd.compress(made.sitemap())) == URLS
    assert urls(zstd.compress(made.warc())) == URLS


def test_zstandard_with_a_dictionary_in_front_is_undone_as_archives_have_it(tmp_path):
    zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    records = made.warc_records([f"http://a.example/{n}" for n in range(500)])
    shared = zstd.train_dict(records, 4096)
    frames = b"".join(zstd.compress(record, zstd_dict=shared) for record in records)
    for held in (shared.dict_content, zstd.compress(shared.dict_content)):
        packed = b"\x5d\x2a\x4d\x18" + len(held).to_bytes(4, "little") + held + frames
        reading = read(io.BytesIO(packed))
        assert (reading.format, len(list(reading))) == ("warc", 500)
        file = tmp_path / "a.warc.zst"
        file.write_bytes(packed)
        found = list(read(file))
        assert packed[found[7].fields["offset"] :].startswith(zstd.compress(records[8], zstd_dict=shared)[:20])
    _, error = good(b"\x5d\x2a\x4d\x18\x05\0\0\0nope!" + frames, "warc")
    assert "no Zstandard dictionary" in str(error)


def test_a_zip_archive_of_one_file_is_undone_and_others_are_refused(tmp_path):
    assert urls(made.zipped(made.csv(), "top.csv")) == URLS
    file = tmp_path / "top.csv.zip"
    file.write_bytes(made.zipped(made.csv()))
    assert tuple(row.url for row in read(file)) == URLS
    _, error = good(made.zipped(made.csv(), "a", "b"))
    assert str(error) == "<file>: a zip archive of 2 files, not of one: unpack it first"
    packed = bytearray(made.zipped(made.txt([f"http://a.example/{n * 7919}" for n in range(5_000)])))
    packed[len(packed) // 2] ^= 0xFF
    found, error = good(bytes(packed))
    assert error.code == "broken"
    assert found[0].url == "http://a.example/0"


def test_a_zip_archive_whose_places_lead_nowhere_is_broken(tmp_path):
    packed = made.zipped(made.csv())
    file = tmp_path / "top.zip"
    file.write_bytes(packed[:40] + packed[50:])
    _, error = good(file.read_bytes())
    assert error.code == "broken"
    with pytest.raises(ReadError, match="zip data broken"):
        list(read(file))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_broken_data_of_every_codec_of_zip_are_broken(method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("a", made.txt())
    start = 30 + len("a") + 12
    broken = packed.getvalue()[:start] + b"\xff" * 40 + packed.getvalue()[start + 40 :]
    _, error = good(broken)
    assert error.code == "broken"


@pytest.mark.parametrize(
    "name", ["txt", "csv", "tsv", "crawl", "jsonl", "sitemap", "rss", "opml", "bookmarks", "har", "log"]
)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_byte_order_marks_and_utf16_are_read(name, encoding):
    form, _, make = WHOLE[name]
    text = make().decode("utf-8-sig").replace('encoding="UTF-8"', "")
    reading = read(io.BytesIO(text.encode(encoding)))
    assert (reading.format, tuple(row.url for row in reading)) == (form, URLS)


def test_bytes_that_are_no_utf8_go_on_as_themselves():
    latin = "http://a.example/é".encode("latin-1")
    for content in (latin + b"\n", b"url,n\n" + latin + b",1\n", b'{"url": "' + latin + b'"}\n'):
        assert urls(content) == (latin,)
    assert urls(b" CDX N b a\nkey) 2020 " + latin + b"\n") == (latin,)
    assert urls(made.log_line("http://a.example/x").replace(b"/x", b"/\xe9")) == (latin,)
    assert urls(b'<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="' + latin + b'">t</A>') == (latin,)


def test_line_ends_may_be_mixed():
    assert urls(b"http://a/\r\nhttp://b/\nhttp://c/\rhttp://d/\r\n\r\nhttp://e/") == tuple(
        f"http://{x}/" for x in "abcde"
    )


def test_the_name_says_more_than_the_content(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(made.sitemap(URLS[:1]))
    assert read(file).format == "txt"
    assert read(file, "sitemap").format == "sitemap"


def test_what_a_name_leaves_open_the_content_says(tmp_path):
    for name in ("sitemap", "rss", "opml"):
        file = tmp_path / f"{name}.xml.gz"
        file.write_bytes(gzip.compress(WHOLE[name][2]()))
        with read(file) as reading:
            assert (reading.format, reading.sniffed) == (WHOLE[name][0], True)
    file = tmp_path / "page.xml"
    file.write_bytes(b"<html><body/></html>")
    with pytest.raises(ReadError, match="its root is 'html'"):
        list(read(file))


def test_a_file_of_lines_may_be_called_a_log(tmp_path):
    file = tmp_path / "urls.log"
    file.write_bytes(made.txt())
    assert read(file).format == "txt"
    file.write_bytes(b"of a line\n" + made.log())
    with read(file) as reading:
        assert [(row.url or row.problem) for row in reading] == ["bad-row", *URLS]


def test_plain_lines_are_never_taken_for_something_else():
    for line in (
        b"http://a.example/",
        b"a.example,b.example",
        b"/path?url=x,y",
        b"url",
        b"",
        b"{",
        b"example.com, page",
        b"#",
    ):
        assert sniff(line + b"\nhttp://b.example/\n") == "txt", line


def test_a_format_that_is_not_there_is_a_lookup_error_and_a_missing_file_an_os_error(tmp_path):
    with pytest.raises(LookupError, match="there are: warc"):
        read(io.BytesIO(b""), "docx")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")
    with pytest.raises(ReadError, match="must give bytes"):
        list(read(io.StringIO("http://a.example/")))


def test_files_are_closed_at_the_end_and_left_open_where_they_were_given(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(made.txt())
    with file.open("rb") as opened:
        assert len(list(read(opened))) == 4
        assert not opened.closed
    reading = read(file)
    assert isinstance(reading, Rows)
    next(reading)
    reading.close()
    assert list(reading) == []


def test_a_pipe_is_read_in_every_format():
    for name, (form, _, make) in WHOLE.items():
        code = "import sys; from urlkey.readers import read; r = read('-'); print(r.format, len(list(r)))"
        run = subprocess.run([sys.executable, "-c", code], input=make(), capture_output=True, check=True)
        assert run.stdout.decode().split() == [form, str(len(URLS))], name
