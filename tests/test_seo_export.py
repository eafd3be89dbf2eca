"""Crawl exports as tools write them: encodings, delimiters, names of columns, broken rows."""

import gzip

import pytest

from urlkey.readers import ReadError
from urlkey.systems import seo
from urlkey.systems.seo.pages import FACTS

HEADER = (
    '"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Title 1","H1-1",'
    '"Canonical Link Element 1","Canonical Link Element 2","rel=""next"" 1","rel=""prev"" 1",'
    '"HTML hreflang 1","HTML hreflang 1 URL","HTML hreflang 2","HTML hreflang 2 URL",'
    '"Redirect URL","Redirect Type","Hash"\n'
)
ROW = (
    '"https://a.example/é","text/html","200","OK","Non-Indexable","noindex","Tea, ""green""","Tea",'
    '"https://a.example/x","https://a.example/y","/next","/prev","en","/en","de-AT","/de","","","abc"\n'
)
PAGE = seo.Page(
    url="https://a.example/é",
    status=200,
    canonicals=("https://a.example/x", "https://a.example/y"),
    type="text/html",
    indexability="Non-Indexable, noindex",
    title='Tea, "green"',
    h1="Tea",
    hash="abc",
    next="/next",
    prev="/prev",
    hreflang=(("en", "/en"), ("de-at", "/de")),
)


def read(tmp_path, content, name="crawl.csv", **options):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return seo.read(str(file), **options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom"])
def test_an_export_of_screaming_frog_is_read_whole(tmp_path, encoding):
    text = HEADER + ROW
    if encoding.endswith("-bom"):
        content = ("\ufeff" + text).encode(encoding.removesuffix("-bom"))
    else:
        content = text.encode(encoding)
    found = read(tmp_path, content)
    assert (found.pages, found.rejects, found.broken) == ([PAGE], [], None)
    assert found.known == frozenset(FACTS)


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_what_the_header_has(tmp_path, delimiter):
    text = HEADER.replace(",", delimiter) + ROW.replace('","', f'"{delimiter}"')
    assert read(tmp_path, text).pages == [PAGE]
    assert read(tmp_path, text, delimiter=delimiter).pages == [PAGE]


def test_a_line_with_the_name_of_the_tab_is_passed_over(tmp_path):
    found = read(tmp_path, '"Internal - HTML"\n' + HEADER + ROW + '"broken\n')
    assert found.pages == [PAGE]
    assert [(one.line, one.code) for one in found.rejects] == [(4, "bad-row")]


@pytest.mark.parametrize("delimiter", [None, ";"])
def test_a_line_that_says_what_stands_between_cells_is_passed_over(tmp_path, delimiter):
    text = "Address;Title 1,a,b,c,d\nhttp://a.example/;T\n\n;x\n"
    found = read(tmp_path, "sep=;\n" + text, delimiter=delimiter)
    assert [page.url for page in found.pages] == ["http://a.example/"]
    assert [reject.line for reject in found.rejects] == [5]


def test_a_compressed_export_is_read(tmp_path):
    assert read(tmp_path, gzip.compress((HEADER + ROW).encode()), "crawl.csv.gz").pages == [PAGE]
    cut = gzip.compress((HEADER + ROW * 3000).encode())[:-200]
    found = read(tmp_path, cut, "crawl.csv.gz")
    assert found.broken is not None
    assert found.pages[0] == PAGE


@pytest.mark.parametrize(
    "name",
    ["Address", "URL", "url", "Page URL", "Adresse", "Dirección", " address "],
)
def test_the_column_of_urls_is_found_by_its_usual_names(tmp_path, name):
    assert [one.url for one in read(tmp_path, f"x,{name}\n1,https://a.example/\n").pages] == ["https://a.example/"]


@pytest.mark.parametrize(
    ("header", "fact"),
    [
        ("HTTP Status Code", "status"),
        ("Canonical URL", "canonicals"),
        ("canonical_link_element_1", "canonicals"),
        ("HTTP Canonical 1", "canonicals"),
        ("Redirect URI", "redirect"),
        ("redirected_to_url", "redirect"),
        ("Content", "type"),
        ("Content Hash", "hash"),
        ("digest", "hash"),
        ('HTTP rel="next" 1', "next"),
    ],
)
def test_other_tools_and_versions_name_columns_otherwise(tmp_path, header, fact):
    value = "301" if fact == "status" else "https://a.example/x"
    quoted = '"' + header.replace('"', '""') + '"'
    (found,) = read(tmp_path, f"URL,{quoted}\nhttps://a.example/,{value}\n").pages
    told = getattr(found, fact)
    assert told in (301, value, (value,))


def test_columns_of_another_language_are_named(tmp_path):
    text = "Seite;Antwort;Ziel\nhttps://a.example/;301;https://b.example/\n"
    with pytest.raises(ReadError, match="which column holds the URLs"):
        read(tmp_path, text)
    found = read(tmp_path, text, columns={"url": "Seite", "status": "antwort", "redirect": "Ziel"})
    assert found.pages == [seo.Page("https://a.example/", 301, redirect="https://b.example/")]
    with pytest.raises(LookupError, match="no fact 'code'"):
        read(tmp_path, text, columns={"url": "Seite", "code": "Antwort"})
    with pytest.raises(LookupError, match="no column 'Code'"):
        read(tmp_path, text, columns={"url": "Seite", "status": "Code"})


def test_a_file_that_is_no_export_is_refused(tmp_path):
    with pytest.raises(ReadError, match="no header"):
        read(tmp_path, "https://a.example/,200\n")
    with pytest.raises(ReadError):
        read(tmp_path, "")


def test_rows_that_tell_of_no_url_are_rejects(tmp_path):
    found = read(tmp_path, 'Status Code,Address\n200,https://a.example/\n404\n"x\n,\n200,\n\n200,https://b.example/\n')
    assert [one.url for one in found.pages] == ["https://a.example/", "https://b.example/"]
    assert [(one.line, one.code) for one in found.rejects] == [
        (3, "missing-column"),
        (4, "bad-row"),
        (6, "missing-column"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        '{"url": "https://a.example/", "status": 301, "redirect": "/x", "canonical": ["/y"]}',
        '{"Address": "https://a.example/", "Status Code": "301", "Redirect URL": "/x", '
        '"Canonical Link Element 1": "/y"}',
        '{"url": "https://a.example/", "http_status_code": 301, "redirect_url": "/x", '
        '"canonical_url": "/y", "depth": 3}',
    ],
)
def test_json_lines_tell_the_same_facts(tmp_path, line):
    found = read(tmp_path, line + "\n", "crawl.jsonl")
    assert found.pages == [seo.Page("https://a.example/", 301, ("/y",), "/x")]
    assert found.known == {"url", "status", "canonical", "redirect"}
    assert read(tmp_path, line + "\n", "crawl.txt").pages == found.pages


@pytest.mark.parametrize(
    "told",
    ['{"de": "/de", "en": "/en"}', '[["de", "/de"], ["EN", "/en"]]', '["de: /de", "en: /en"]'],
)
def test_json_lines_tell_languages_in_several_ways(tmp_path, told):
    (found,) = read(tmp_path, f'{{"url": "https://a.example/", "hreflang": {told}}}\n', "x.jsonl").pages
    assert found.hreflang == (("de", "/de"), ("en", "/en"))


def test_json_lines_that_tell_of_no_url_are_rejects(tmp_path):
    text = '{"url": "https://a.example/"}\n\n{"url": 3}\n[1]\n{"url"\n{"depth": "x"}\n'
    found = read(tmp_path, text, "x.jsonl")
    assert len(found.pages) == 1
    assert [(one.line, one.code) for one in found.rejects] == [
        (3, "missing-column"),
        (4, "missing-column"),
        (5, "bad-json"),
        (6, "missing-column"),
    ]


def test_keys_of_json_lines_are_named(tmp_path):
    text = '{"loc2": "https://a.example/", "url": "no", "code": 404}\n'
    found = read(tmp_path, text, "x.jsonl", columns={"url": "loc2", "status": "code"})
    assert found.pages == [seo.Page("https://a.example/", 404)]
    with pytest.raises(LookupError, match="no fact"):
        read(tmp_path, text, "x.jsonl", columns={"x": "y"})


def test_bytes_that_are_no_utf_8_are_kept(tmp_path):
    found = read(tmp_path, b"url\nhttps://a.example/\xff\n")
    report = seo.report(found.pages)
    assert report.rows[0].key == "https://a.example/%FF"
    assert report.rows[0].url.encode("utf-8", "surrogateescape") == b"https://a.example/\xff"


def test_a_lone_surrogate_in_utf_16_is_not_altered(tmp_path):
    text = "url\nhttps://a.example/\ud800\nhttps://b.example/\n"
    found = read(tmp_path, b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass"))
    assert [row.key for row in seo.report(found.pages).rows] == ["https://a.example/%ED%A0%80", "https://b.example/"]


def test_progress_is_told(tmp_path):
    calls, sizes = [], []
    read(
        tmp_path,
        "url\n" + "https://a.example/\n" * 5000,
        progress=lambda position, rows: calls.append((position, rows)),
        size=sizes.append,
    )
    assert [rows for _, rows in calls] == [2048, 4096]
    assert sizes == [5000 * 19 + 4]


def test_a_row_of_the_api_needs_a_url():
    with pytest.raises(LookupError, match="no text under url"):
        seo.report([{"status": 200}])


def test_a_path_that_is_not_there_raises():
    with pytest.raises(FileNotFoundError):
        seo.read("/no/such/file.csv")
