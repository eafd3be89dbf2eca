"""Wayback and Memento URLs, requests with a body, index files."""

import base64
import gzip
import json
import random
import re
import signal
import time

import pytest

import suites
from command import started
from command import urlkey as run
from urlkey.readers import ReadError, read
from urlkey.systems import archive


def test_a_known_archive_is_seen_before_the_timestamp():
    found = archive.parse_wayback("https://web.archive.org/web/20101112030201if_/http://example.com/?a#b")
    assert (found.prefix, found.timestamp, found.modifier) == ("https://web.archive.org/web/", "20101112030201", "if_")
    assert found.url == "http://example.com/?a#b"
    found = archive.parse_wayback("http://archive.example/all/2010/http://a/", prefix="http://archive.example/all/")
    assert (found.prefix, found.type, found.url) == ("http://archive.example/all/", "replay", "http://a/")


@pytest.mark.parametrize("row", suites.own("wayback.jsonl"), ids=lambda row: row["input"])
def test_wayback_urls_are_read_as_pywb_s_tests_have_them_and_written_back(row):
    found = archive.parse_wayback(row["input"])
    parts = ("type", "timestamp", "modifier", "url")
    assert [getattr(found, part) for part in parts] == [row[part] for part in parts]
    assert str(found) == row["str"]
    # A range is written with a star, so it is the written form that is read back.
    assert archive.parse_wayback(str(found)) == found


def test_no_text_is_no_wayback_url():
    with pytest.raises(ValueError, match="nothing stands behind"):
        archive.parse_wayback("https://web.archive.org/web/")


def test_dates_of_memento_go_both_ways():
    for timestamp in ("20101112030201", "19960101000000", "20240229235959"):
        assert archive.timestamp_of(archive.http_date(timestamp)) == timestamp
    assert archive.http_date("20101") == archive.http_date("201010")
    assert archive.http_date("20100") == archive.http_date("201001")
    for bad in ("", "20", "20101301", "2010a", "201011120302011", "20230229"):
        with pytest.raises(ValueError):  # noqa: PT011, of several makers
            archive.http_date(bad)


def test_the_link_header_of_a_memento_is_read_back():
    made = archive.memento("http://a.example/x,y", "20101112030201", "http://archive.example/")
    links = archive.parse_links(made.link_header())
    assert [link.relations for link in links] == [("original",), ("timegate",), ("timemap",), ("memento",)]
    assert [link.url for link in links] == [made.original, made.timegate, made.timemap, made.memento]
    assert links[-1].timestamp == "20101112030201"
    with pytest.raises(ValueError, match="no link at character 5"):
        archive.parse_links("<a>, b")


# RFC 3986: what a URI reference is made of, and RFC 8288, 3: nothing else stands between the angle brackets.
REFERENCE = re.compile(
    r"(?:https?://(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?\[[0-9A-Fa-f:.]+\])?"
    r"(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?",
    re.ASCII,
)
ODD = [
    *("http://a.example/\r\nSet-Cookie: x=1", 'http://a/>; rel="x', "http://a/\0\x7f\t\x85\u2028"),
    "http://b\xfccher/\ud800",
    *(
        "http://a/%zz%4%41%",
        "http://[::1]:80/a[]=1#x#y",
        "http://u%40:p@[::1]/",
        "http://u<@[::1]/",
        "[>",
        'a|\\^`{}"<',
    ),
]


@pytest.mark.parametrize("url", ODD)
@pytest.mark.parametrize("place", ["url", "prefix"])
def test_a_link_header_holds_nothing_that_a_url_brings_along(url, place):
    made = archive.memento(url, "2010", "https://x/") if place == "url" else archive.memento("http://a/", "2010", url)
    header = made.link_header()
    assert all(" " <= each <= "~" for each in header)
    links = archive.parse_links(header)
    assert [link.relations for link in links] == [("original",), ("timegate",), ("timemap",), ("memento",)]
    assert all(REFERENCE.fullmatch(link.url) for link in links)
    assert [set(link.parameters) for link in links] == [set(), set(), {"type"}, {"datetime"}]


def test_a_url_that_a_header_can_hold_stands_there_as_it_is():
    url = "http://u:p@[::1]:80/a;b,c'(d)/%7E%c3?q=1&r=$!*+@#f?/"
    assert archive.parse_links(archive.memento(url, "2010", "https://x/").link_header())[0].url == url
    # What is escaped there has the key that it had.
    odd = "http://a.example/?q=[1]|^"
    escaped = archive.parse_links(archive.memento(odd, "2010", "/").link_header())[0].url
    assert escaped != odd
    assert archive.surt(escaped) == archive.surt(odd)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('<a>; rel="original"; rel="memento"', [("a", ("original",), {})]),
        ('<a>; REL=Original; title=x; title="y"', [("a", ("original",), {"title": "x"})]),
        ('<a>; rel="x",,<b>;rel="y"', [("a", ("x",), {}), ("b", ("y",), {})]),
        (' , ,<a>; rel="x" , \t,\r\n <b>,', [("a", ("x",), {}), ("b", (), {})]),
        ('<b,c>; title="<d>, \\"e\\""', [("b,c", (), {"title": '<d>, "e"'})]),
        ("", []),
        (",", []),
    ],
)
def test_links_are_read_by_rfc_8288(text, links):
    assert [(link.url, link.relations, link.parameters) for link in archive.parse_links(text)] == links


@pytest.mark.parametrize(
    ("url", "prefix", "timestamp", "target"),
    [
        ("HTTPS://WEB.ARCHIVE.ORG/web/2010/http://a/", "HTTPS://WEB.ARCHIVE.ORG/web/", "2010", "http://a/"),
        ("https://web.archive.org:443/web/2010/http://a/", "https://web.archive.org:443/web/", "2010", "http://a/"),
        ("http://web.archive.org:80/web/2010/http://a/", "http://web.archive.org:80/web/", "2010", "http://a/"),
        ("//Web.Archive.org/web/2010/http://a/", "//Web.Archive.org/web/", "2010", "http://a/"),
        ("https://arquivo.pt/noFrame/replay/2010/http://a/", "https://arquivo.pt/noFrame/replay/", "2010", "http://a/"),
        ("https://Arquivo.PT/wayback/2010/http://a/", "https://Arquivo.PT/wayback/", "2010", "http://a/"),
        ("https://web.archive.org:80/web/2010/a", "", "", "https://web.archive.org:80/web/2010/a"),
        ("https://web.archive.org/WEB/2010/a", "", "", "https://web.archive.org/WEB/2010/a"),
        ("https://xweb.archive.org/web/2010/a", "", "", "https://xweb.archive.org/web/2010/a"),
        ("https://web.archive.org:x/web/2010/a", "", "", "https://web.archive.org:x/web/2010/a"),
    ],
)
def test_a_known_archive_is_known_by_its_origin(url, prefix, timestamp, target):
    found = archive.parse_wayback(url)
    assert (found.prefix, found.timestamp, found.url) == (prefix, timestamp, target)


def test_a_given_prefix_is_known_by_its_origin():
    found = archive.parse_wayback("HTTP://Archive.example:80/all/2010/http://a/", "http://archive.example/all/")
    assert (found.prefix, found.url) == ("HTTP://Archive.example:80/all/", "http://a/")
    for other in ("https://archive.example/all/2010/a", "http://archive.example/other/2010/a"):
        assert archive.parse_wayback(other, "http://archive.example/all/").prefix == ""


def test_a_timemap_is_known_and_written_back():
    made = archive.memento("http://a.example/", "2010", "https://web.archive.org/web/")
    found = archive.parse_wayback(made.timemap)
    assert (found.type, found.format, found.url) == ("timemap", "link", "http://a.example/")
    assert str(found) == made.timemap
    found = archive.parse_wayback("timemap/cdxj/http:/a.example/?b*")
    assert (found.type, found.format, found.url) == ("timemap", "cdxj", "http://a.example/?b*")
    assert archive.parse_wayback("http://timemap/link/http://a/").type == "latest_replay"


@pytest.mark.parametrize("text", ["201011120302011/http://a/", "201011120302010000id_/a", "*201011120302010000/a"])
def test_a_timestamp_of_more_than_14_digits_is_none(text):
    with pytest.raises(ValueError, match="14 digits at most"):
        archive.parse_wayback(text)


def test_a_timestamp_has_digits_of_ascii_alone():
    for digits in ("\u0662\u0660\u0661\u0660", "\uff12\uff10\uff11\uff10"):
        for text in (f"{digits}/http://a/", f"{digits}*/http://a/", f"*{digits}/http://a/"):
            found = archive.parse_wayback(text)
            assert (found.timestamp, found.end_timestamp) == ("", "")


def test_a_memento_has_its_slash_and_a_modifier_that_is_one():
    assert archive.memento("http://a/", "2010", "https://x/web", "id_").memento == "https://x/web/2010id_/http://a/"
    assert archive.memento("http://a/", "2010", "https://x/web/").timegate == "https://x/web/http://a/"
    assert archive.memento("http://a/", "2010", "", "$br:a").memento == "2010$br:a/http://a/"
    for modifier in ("zz", "ID_", "id_/", "id_\n", "1", "_"):
        with pytest.raises(ValueError, match="modifier"):
            archive.memento("http://a/", "2010", "https://x/", modifier)


def test_years_of_four_digits_are_read_as_they_stand():
    for timestamp in ("00010101000000", "00680229000000", "00991231235959", "99991231235959"):
        assert archive.timestamp_of(archive.http_date(timestamp)) == timestamp
    assert archive.timestamp_of("Sunday, 06-Nov-94 08:49:37 GMT") == "19941106084937"
    assert archive.timestamp_of("Sun Nov  6 08:49:37 1994") == "19941106084937"


@pytest.mark.parametrize(
    "date", ["Mon, 01 Jan 0001 00:00:00 +0100", "Fri, 31 Dec 9999 23:59:59 -0100", "Sat, 01 Jan 0000 00:00:00 GMT",
             f"Fri, 12 Nov {'9' * 30} 00:00:00 GMT", "soon"],
)  # fmt: skip
def test_a_date_outside_the_calendar_is_none(date):
    with pytest.raises(ValueError):  # noqa: PT011, of several makers
        archive.timestamp_of(date)
    assert archive.Link("a", (), {"datetime": date}).timestamp is None


FORM = "multipart/form-data; boundary=X"
BINARY = "&__wb_post_data="


def part(head, value=b"v"):
    return b"--X\r\n" + head + b"\r\n\r\n" + value + b"\r\n"


NAMED = b'Content-Disposition: form-data; name="a"'
NESTED = part(NAMED + b"\r\nContent-Type: multipart/mixed; boundary=Z")


@pytest.mark.parametrize(
    ("content_type", "body", "appended"),
    [
        *((FORM, body, BINARY + base64.b64encode(body).decode()) for body in
          (b"--Y\r\n\r\n1\r\n--Y--", b"1", b"--X--", b"--X", b"--XY\r\n\r\n1", b"x--X\r\n\r\n1")),
        ("multipart/form-data", part(NAMED), BINARY + base64.b64encode(part(NAMED)).decode()),
        ("multipart/form-data; boundary=", b"--\r\n\r\n1", BINARY + "LS0NCg0KMQ=="),
        # Any multipart type is read as a form; a part without a name is called None.
        ("multipart/mixed; boundary=X", part(NAMED) + b"--X--", "&a=v"),
        ('multipart/related; charset=utf-8; boundary="X"', part(b"Content-Type: text/plain") + b"--X--", "&None=v"),
        (FORM, part(b"content-disposition: form-data;\r\n name=a", b"1\r\n2"), "&a=1%0D%0A2"),
        (FORM, b"--X\n" + NAMED + b"\n\n1\n--X--\nepilogue", "&a=1"),
        (FORM, b"preamble\r\n" + part(NAMED) + part(NAMED) + b"--X--", "&a=v&a=v"),
        (FORM, part(NAMED + b"; filename=f", b"\xff") + part(NAMED, b"\xff"), "&a=%FF&a=%EF%BF%BD"),
        (FORM, part(NAMED + b"\r\nContent-Transfer-Encoding: base64", b"dg=="), "&a=dg%3D%3D"),
        (FORM, part(b'Content-Disposition: form-data; name="a\\"b;c\\\\d"'), "&a%22b%3Bc%5Cd=v"),
        (FORM, part(NAMED, b"a" * 5000), "&a=" + "a" * 4094),
        # A part with parts: one name and one value cannot hold it.
        (FORM, part(NAMED) + NESTED, BINARY + base64.b64encode(part(NAMED) + NESTED).decode()),
        ("application/x-amf", b"\0\3\0\0", BINARY + "AAMAAA=="),
        # Numbers as Python writes them, not as JavaScript does.
        ("application/json", b'{"a":1e21,"b":1e-7,"c":12345678901234567890,"d":-0.0}',
         "&a=1000000000000000000000&b=1e-07&c=12345678901234567890&d=0"),
        ("application/json", b'{"a":1e999}', ""),
        ("text/plain", b'{"a":1e999}', BINARY + "eyJhIjoxZTk5OX0="),
        ("text/plain", b'{"a":"\\ud800"}', BINARY + "eyJhIjoiXHVkODAwIn0="),
        ("application/json", b'\xef\xbb\xbf{"a":1}', "&a=1"),
        ("application/json", '{"a":1}'.encode("utf-16"), "&a=1"),
        ("application/json", b'{"a":1,"b":{"a":2},"a.2_":3}', "&a=1&a.2_=2&a.2_.2_=3"),
    ],
)  # fmt: skip
def test_bodies_that_are_no_form_or_an_odd_one(content_type, body, appended):
    assert archive.post_append("http://e/", "POST", content_type, body) == "http://e/?__wb_method=POST" + appended


@pytest.mark.parametrize(
    "body",
    [b"--X\r\n" * 50_000, part(b"Content-Disposition: form-data; name=\"" + b"\\" * 200_000), part(b";a=\"" * 50_000),
     part(b"\r" * 200_000), b"--X" + b" " * 200_000 + b"y", part(b"C" + b"; " * 100_000)],
    ids=["delimiters", "backslashes", "quotes", "returns", "spaces", "semicolons"],
)  # fmt: skip
def test_long_forms_end(body):
    assert len(archive.post_append("http://e/", "POST", FORM, body)) <= len("http://e/?__wb_method=POST&") + 4096


@pytest.mark.parametrize(
    ("content_type", "body", "appended"),
    [
        ("application/json", b'{"a":1,"b":{"a":2,"c":{"a":3}}}', "&a=1&a.2_=2&a.3_=3"),
        ("application/json", b'{"a":[1,[2,{"b":null}]]}', "&a=1&a.2_=2&b=null"),
        ("application/json", b'{"a b":"c d","\xc3\xbc":"x/y&z"}', "&a+b=c+d&%C3%BC=x%2Fy%26z"),
        ("application/json", b'{"a":1000.0,"b":0.1}', "&a=1000&b=0.1"),
        ("application/json", b"[1,2]", ""),
        ("application/json", b"{broken", ""),
        ("application/json", b"[" * 100_000, ""),
        ("text/plain", b"[" * 100_000, "&__wb_post_data=" + "W1tb" * 1020 + "W"),
        ("text/plain", b"hello", "&__wb_post_data=aGVsbG8="),
        ("application/x-www-form-urlencoded; charset=utf-8", b"a+b=c%20d", "&a b=c d"),
        ("application/x-www-form-urlencoded", b"a" * 5000, "&" + "a" * 4096),
        (
            'multipart/form-data; boundary="X"',
            b'--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1 2\r\n--X--',
            "&a=1+2",
        ),
        ("", b"x", "&__wb_post_data=eA=="),
        ("image/png", b"", ""),
    ],
)
def test_bodies_are_appended(content_type, body, appended):
    assert archive.post_append("http://e/", "post", content_type, body) == "http://e/?__wb_method=POST" + appended


def test_only_the_name_of_other_methods_is_appended():
    assert archive.post_append("http://e/?a", "HEAD", "", b"x") == "http://e/?a&__wb_method=HEAD"
    assert archive.post_append("http://e/?a", "get", "", b"x") == "http://e/?a"


URLS = [
    *(
        "http://www.Example.com/b?z=1&a=2",
        "http://example.com/a",
        "http://sub.example.com/",
        "https://example.com:8443/",
    ),
    *(
        "http://example.org/%41/",
        "http://example-a.com/",
        "http://example.com/a/b",
        "http://1.2.3.4/x",
        "dns:example.com",
    ),
]


def cdx_line(url, layout="NbamskrMSVg"):
    values = {"N": "old-key", "b": "20200101000000", "a": url, "m": "text/html", "s": "200", "k": "ABC", "S": "10"}
    return " ".join(values.get(letter, "-") for letter in layout)


def keys_of(lines):
    return [line.split(b" ", 1)[0] for line in lines]


@pytest.mark.parametrize("layout", ["NbamskS", "NbamskrVg", "NbamskrMVg", "NbamskrMSVg"])
@pytest.mark.parametrize("with_header", [True, False])
def test_cdx_gets_keys_of_its_urls_in_order(tmp_path, layout, with_header):
    header = [f" CDX {' '.join(layout)}"] if with_header else []
    path = tmp_path / "old.cdx"
    path.write_text("\n".join([*header, *(cdx_line(url, layout) for url in URLS)]) + "\n")
    counts = archive.Rekeyed()
    lines = list(archive.rekey([path], counts=counts))
    assert [line.decode() for line in lines[: len(header)]] == header
    lines = lines[len(header) :]
    assert keys_of(lines) == sorted(archive.surt(url).encode() for url in URLS)
    assert {line.split(b" ")[2].decode() for line in lines} == set(URLS)
    assert (counts.lines, counts.changed, counts.kept) == (len(URLS), len(URLS), 0)


@pytest.mark.parametrize("number", [9, 10, 11])
def test_pywb_s_fields_of_the_first_capture_stand_behind_a_line_and_stay(tmp_path, number):
    path = tmp_path / "resolved.cdx"
    behind = " ".join(["-"] * (number - 3))
    path.write_text(f"k 2010 http://www.a.com/B {behind} 1043 333 example.warc.gz\n")
    counts = archive.Rekeyed()
    [line] = archive.rekey([path], counts=counts)
    assert line.decode() == f"com,a)/b 2010 http://www.a.com/B {behind} 1043 333 example.warc.gz"
    assert (counts.changed, counts.kept) == (1, 0)
    [row] = read(path)
    named = {"orig.length": "1043", "orig.offset": "333", "orig.filename": "example.warc.gz"}
    assert {name: row.fields[name] for name in named} == named


@pytest.mark.parametrize("name", ["url", "original", "u"])
def test_the_url_of_a_line_has_one_of_three_names(tmp_path, name):
    path = tmp_path / "named.cdxj"
    path.write_text(f'k 2010 {{"{name}": "http://www.a.com/caf\u00e9"}}\n', encoding="utf-8")
    [line] = archive.rekey([path])
    assert line.decode() == f'com,a)/caf%c3%a9 2010 {{"{name}": "http://www.a.com/caf\u00e9"}}'


def test_cdxj_changes_in_nothing_but_its_keys(tmp_path):
    path = tmp_path / "old.cdxj.gz"
    rows = [f'x 2020 {{"url": {json.dumps(url)},  "odd" : [1,{{}}]}}' for url in URLS]
    path.write_bytes(gzip.compress("\n".join(["!OpenWayback-CDXJ 1.0", *rows]).encode()))
    head, *lines = archive.rekey([path], "java")
    assert head == b"!OpenWayback-CDXJ 1.0"
    assert sorted(line.split(b" ", 1)[1].decode() for line in lines) == sorted(row.split(" ", 1)[1] for row in rows)
    assert keys_of(lines) == sorted(archive.surt(url, "java").encode() for url in URLS)


def test_a_capture_of_a_post_keeps_its_method_and_body(tmp_path):
    path = tmp_path / "posts.cdxj"
    body = "b=1&a=2"
    blocks = [
        {"url": "http://e.com/x", "method": "POST", "requestBody": query}
        for query in (body, *(f"{joint}__wb_method=POST&{body}" for joint in ("", "?", "&")))
    ]
    old = "com,e)/y?__wb_method=post&c=1 2020 "
    made = "".join(f"k 2020 {json.dumps(block)}\n" for block in blocks)
    path.write_text(f"{made}{old}{json.dumps({'url': 'http://e.com/y'})}\n")
    kept = []
    lines = list(archive.rekey([path], on_kept=kept.append))
    assert keys_of(lines) == [b"com,e)/x?__wb_method=post&a=2&b=1"] * 4 + [b"com,e)/y?__wb_method=post&c=1"]
    assert [(each.number, each.reason) for each in kept] == [
        (5, "method and body of the request stand in the old key alone")
    ]


def test_a_line_that_is_none_stays_and_is_told_of(tmp_path):
    path = tmp_path / "odd.cdxj"
    odd = [b"three words here", b"k 2020 {broken", b'k 2020 {"no": "url"}', cdx_line("-").encode(), b"\xff\xfe", b""]
    path.write_bytes(b"\n".join([*odd, b'k 2020 {"url": "http://a.com/"}']) + b"\n")
    kept = []
    lines = list(archive.rekey([path], on_kept=kept.append))
    assert sorted(lines) == lines
    assert set(lines) == {*odd, b'com,a)/ 2020 {"url": "http://a.com/"}'}
    assert [each.number for each in kept] == [1, 2, 3, 4, 5, 6]
    assert all(each.reason for each in kept)


def test_files_of_two_layouts_are_not_mixed(tmp_path):
    (tmp_path / "a").write_text(f" CDX N b a m s k r V g\n{cdx_line('http://a/', 'NbamskrVg')}\n")
    (tmp_path / "b").write_text(f" CDX N b a m s k r M S V g\n{cdx_line('http://a/')}\n")
    with pytest.raises(ReadError, match="another layout"):
        list(archive.rekey([tmp_path / "a", tmp_path / "b"]))


def random_lines(count):
    source = random.Random(3)
    alphabet = b"!),-./0a~\x01\t\x7f\xc3\xff "
    return [bytes(source.choices(alphabet, k=source.randrange(12))) for _ in range(count)]


@pytest.mark.parametrize("memory", [1, 300, 5000, 1 << 30])
def test_lines_are_sorted_by_their_bytes_whatever_the_memory(tmp_path, memory):
    lines = random_lines(400)
    assert list(archive.sort_lines(lines, memory=memory, directory=str(tmp_path))) == sorted(lines)
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_go_when_the_work_is_broken_off(tmp_path):
    rows = archive.sort_lines(random_lines(400), memory=500, directory=str(tmp_path))
    next(rows)
    assert len(list(tmp_path.iterdir())) == 1
    rows.close()
    assert list(tmp_path.iterdir()) == []

    def broken():
        yield from random_lines(100)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(archive.sort_lines(broken(), memory=500, directory=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """A sorted index of some thousand lines, plain and packed."""
    folder = tmp_path_factory.mktemp("index")
    source = random.Random(4)
    names = ["example.com", "a.example.com", "example-a.com", "example.org", "z.com", "com", "1.2.3.4"]
    urls = [f"http://{source.choice(names)}/{source.choice('abc')}/{source.randrange(300)}" for _ in range(3000)]
    lines = sorted(f'{archive.surt(url)} 2020 {{"url": "{url}"}}'.encode() for url in urls)
    data = b"".join(line + b"\n" for line in lines)
    (folder / "index.cdxj").write_bytes(data)
    (folder / "index.cdxj.gz").write_bytes(gzip.compress(data))
    return folder / "index.cdxj", lines


@pytest.mark.parametrize("match_type", ["exact", "prefix", "host", "domain"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_query_finds_what_a_scan_finds(index, match_type, packed):
    path, lines = index
    path = path.with_name(path.name + ".gz") if packed else path
    for url in [
        "http://example.com/a/1",
        "example.com",
        "com",
        "http://a.example.com/b/",
        "http://0/",
        "http://zzz.zz/",
    ]:
        start, end = archive.cdx_range(url.encode(), match_type)
        expected = [line for line in lines if start <= line < end]
        assert list(archive.lookup(path, url, match_type)) == expected
    for line in lines[:5] + lines[-5:]:
        url = json.loads(line.split(b" ", 2)[2])["url"]
        assert line in list(archive.lookup(path, url))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n\r\n"])
def test_empty_lines_and_a_byte_order_mark_hide_no_capture(tmp_path, start, packed):
    lines = [b'com,a,%02d)/ 2026 {"url": "http://%02d.a.com/"}' % (number, number) for number in range(20)]
    path = tmp_path / "index.cdxj"
    for ends in (b"\n", b"\n\n", b"\r\n\r\n"):
        content = start + ends.join(lines) + ends * 3
        path.write_bytes(gzip.compress(content) if packed else content)
        assert list(archive.lookup(path, "a.com", "domain")) == lines
        for number in range(20):
            assert list(archive.lookup(path, f"{number:02}.a.com")) == [lines[number]]


def test_a_file_out_of_order_is_no_index(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"com,a)/ 2 {}\ncom,a)/ 1 {}\n")
    with pytest.raises(ReadError, match="order of bytes"):
        list(archive.lookup(path, "a.com"))
    path.write_bytes(b"")
    assert list(archive.lookup(path, "a.com")) == []


def test_the_command_rekeys_sorts_and_looks_up(tmp_path):
    old, new = tmp_path / "old.cdx", tmp_path / "new.cdx.gz"
    old.write_text("\n".join(map(cdx_line, URLS)) + "\n")
    done = run("cdx", "rekey", old, "-o", new, "--memory", "1K", "--temporary", tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"urlkey: 9 lines, 9 with a new key, 0 that keep theirs\n"
    assert keys_of(gzip.decompress(new.read_bytes()).splitlines()) == sorted(archive.surt(url).encode() for url in URLS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.cdx.gz", "old.cdx"]
    found = run("cdx", "lookup", new, "example.com", "--match", "domain")
    assert found.returncode == 0
    # A port is no part of the range, in pywb as here: `:` comes after `-`.
    assert len(found.stdout.splitlines()) == 4
    again = run("cdx", "sort", "-", stdin=b"b\na\n CDX N b a\n")
    assert again.stdout == b" CDX N b a\na\nb\n"


def test_the_command_tells_of_lines_that_keep_their_key(tmp_path):
    done = run("cdx", "rekey", "--strict", stdin=b"a b\n" + cdx_line("http://a.com/").encode() + b"\n")
    assert done.returncode == 1
    assert b"line 1 keeps its key: 2 fields: neither CDXJ nor CDX" in done.stderr
    assert done.stdout.splitlines()[0] == b"a b"


def test_the_command_says_what_it_needs(tmp_path):
    assert run("cdx", "lookup", "x").stderr == b"urlkey: lookup takes an index file and a URL or more\n"
    assert b"'much' is no amount of memory; such are 512M" in run("cdx", "sort", "--memory", "much").stderr
    assert run("cdx", "rekey", tmp_path / "none").returncode == 2


def test_surt_writes_a_key_for_each_line():
    done = run("surt", stdin=b"http://www.a.com/B\n\nhttp://\xff.com/\xff\n")
    assert done.stdout == b"com,a)/b\n-\ncom,%ff)/%ff\n".replace(b"com,%ff)", archive.surt(b"http://\xff.com/")[:-1])
    assert run("surt", "--flavor", "heritrix", "http://a.com/").stdout == b"http://(com,a,)/\n"
    assert run("surt", "--undo", "com,a)/b").stdout == b"a.com/b\n"
    assert json.loads(run("surt", "--json", "a.com").stdout) == {"input": "a.com", "surt": "com,a)/"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_leaves_nothing_behind(tmp_path, number):
    new, temporary = tmp_path / "new.cdx", tmp_path / "temporary"
    temporary.mkdir()
    new.write_text("what was there\n")
    process = started("cdx", "rekey", "-", "-o", new, "--memory", "1K", "--temporary", temporary)
    with process:
        assert process.stdin is not None
        lines = "".join(f"{cdx_line(f'http://example.com/{i}')}\n" for i in range(20_000))
        process.stdin.write(lines.encode())
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(temporary.glob("*/*")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode in (130, 143)
    assert list(temporary.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir() if path != temporary] == ["new.cdx"]
    assert new.read_text() == "what was there\n"
