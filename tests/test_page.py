"""Pages: the encoding as browsers find it, and hostile pages."""

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from urlkey.page import Head, Page, page_encoding, refresh


@pytest.mark.parametrize(
    ("html", "content_type", "encoding", "name", "source"),
    [
        # The byte order mark wins, then the caller, the header, the page.
        (b"\xef\xbb\xbf<meta charset=sjis>", "text/html; charset=koi8-r", "big5", "UTF-8", "bom"),
        (b"\xff\xfe<\0", None, None, "UTF-16LE", "bom"),
        (b"\xfe\xff\0<", "text/html; charset=utf-8", None, "UTF-16BE", "bom"),
        (b"<meta charset=sjis>", "text/html; charset=koi8-r", "big5", "Big5", "caller"),
        (b"<meta charset=sjis>", "text/html; charset=koi8-r", None, "KOI8-R", "header"),
        (b"<meta charset=sjis>", 'text/html;CHARSET = "koi8-r" ', None, "KOI8-R", "header"),
        (b"<meta charset=sjis>", "text/html; charset=utf-16le", None, "UTF-16LE", "header"),
        # What is no label says nothing.
        (b"<meta charset=sjis>", "text/html; charset=klingon", None, "Shift_JIS", "meta"),
        (b"<meta charset=sjis>", 'text/html; charset="koi8-r', None, "Shift_JIS", "meta"),
        (b"<meta charset=klingon><meta charset=sjis>", "text/html", None, "Shift_JIS", "meta"),
        # The scan of the first 1024 bytes.
        (b"<META CharSet = 'euc-jp' />", None, None, "EUC-JP", "meta"),
        (b'<meta content="text/html; charset=gb2312" http-equiv=Content-Type>', None, None, "GBK", "meta"),
        (b'<meta content="text/html; charset=gb2312">', None, None, "UTF-8", "utf-8"),
        (b'<meta http-equiv=refresh content="charset=gb2312">', None, None, "UTF-8", "utf-8"),
        (b"<meta charset=utf-16>", None, None, "UTF-8", "meta"),
        (b"<meta charset=x-user-defined>", None, None, "windows-1252", "meta"),
        (b"<!-- <meta charset=sjis> --><meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b"<!--><meta charset=koi8-r>-->", None, None, "KOI8-R", "meta"),
        (b"<!-- <meta charset=koi8-r>", None, None, "UTF-8", "utf-8"),
        (b"<!doctype html><?x <meta charset=sjis>?><meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b'<p title="<meta charset=sjis>"><meta charset=koi8-r>', None, None, "KOI8-R", "meta"),
        (b"<p title=<meta charset=sjis><meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b"</meta charset=sjis><meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b"<metadata charset=sjis><meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b"<meta charset=koi8-r charset=sjis>", None, None, "KOI8-R", "meta"),
        (b" " * 1000 + b"<meta charset=koi8-r>", None, None, "KOI8-R", "meta"),
        (b" " * 1024 + b"<meta charset=koi8-r>", None, None, "UTF-8", "utf-8"),
        (b'<?xml version="1.0" encoding="koi8-r"?><html>', None, None, "KOI8-R", "xml"),
        (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=sjis>', None, None, "Shift_JIS", "meta"),
        (b"<\0?\0x\0m\0l\0", None, None, "UTF-16LE", "xml"),
        # Nothing said.
        ("<p>é".encode(), None, None, "UTF-8", "utf-8"),
        (b"<p>\xe9", None, None, "windows-1252", "default"),
        (b"", None, None, "UTF-8", "utf-8"),
    ],
)
def test_the_encoding_of_a_page(html, content_type, encoding, name, source):
    assert page_encoding(html, content_type, encoding) == (name, source)


def test_a_label_of_the_caller_has_to_be_one():
    with pytest.raises(LookupError):
        page_encoding(b"", None, "klingon")


def test_a_str_is_written_as_it_says():
    assert Page("<meta charset=euc-jp>").encoding.name == "EUC-JP"
    assert Page("x", encoding="sjis").encoding.name == "Shift_JIS"
    assert Page("é").encoding.name == "UTF-8"
    assert [anchor.href for anchor in Page('<a href="\ud800">').anchors] == ["\ufffd"]


@pytest.mark.parametrize(
    ("content", "href"),
    [
        ("0; url=/x", "/x"),
        ("5;URL = '/x y'z", "/x y"),
        ("0;/x", "/x"),
        ("0.5 , url=/x", "/x"),
        ('1;url="/x', "/x"),
        ("5", None),
        ("5;", None),
        ("x; url=/x", None),
        ("url=/x", None),
    ],
)
def test_refreshes_lead_on(content, href):
    quote = '"' if "'" in content else "'"
    page = Page(f"<meta http-equiv=refresh content={quote}{content}{quote}>")
    assert [anchor.href for anchor in page.anchors] == ([] if href is None else [href])


def test_canonical_links_are_all_there():
    page = Page("<link rel='Canonical' href=/a><link rel=stylesheet href=/b><link rel='alternate canonical' href=''>")
    assert page.canonicals == ["/a", ""]


def test_a_tag_with_very_many_attributes():
    # Without care each attribute is compared with all before it: 45 thousand million pairs.
    html = "<a href=x " + " ".join(f"a{i}=1" for i in range(300_000)) + ">t</a><a href=y>"
    assert [anchor.href for anchor in Page(html).anchors] == ["x", "y"]


def test_a_link_behind_very_many_attributes_is_kept():
    many = " ".join(f"a{i}=1" for i in range(3_000))
    [anchor] = Page(f"<a {many} HREF='/m' rel=nofollow href=/n>x</a>").anchors
    assert (anchor.href, anchor.rel) == ("/m", {"nofollow"})


@pytest.mark.parametrize("unit", ["<div>", "<i title='<div>'>", "<b x=1>"])
def test_a_deep_page_has_its_links(unit):
    inner = """<a title="<b>" href="?a<b>c&amp;d" rel=nofollow>one <b>two</b></a><base href=/x/>
    <script>"<a href=no>"</script>"""
    [deep] = Page(unit * 20_000 + inner).anchors
    [flat] = Page(inner).anchors
    assert (deep.href, deep.rel, deep.text.split()) == (flat.href, flat.rel, flat.text.split())
    assert Page(unit * 20_000 + inner).base == "/x/"


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200) | st.text(st.sampled_from("<>/!-?='\" \tmetacharsx;"), max_size=120).map(str.encode))
def test_any_bytes_have_an_encoding(html):
    assert page_encoding(html).name


def test_without_the_parser_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    with pytest.raises(ImportError, match=r"pip install 'urlkey\[page\]'"):
        Page("<a href=x>")


# --- the head

HEAD_PIECES = [
    *("<head>", "</head>", "<body>", "<html lang=de>", "text", " ", "<!-- ", "-->", "<div>", "</div>", "</br>", "</p>"),
    *("<noscript>", "</noscript>", "<img src=x>", "<template>", "</template>", "<script>", "</script>", "<title>"),
    *("</title>", "<svg>", "</svg>", "<style>", "</style>", "<iframe>", "</iframe>", "<base href=/b/>", "<p>"),
    *("<meta name=a content=b>", "<meta property=og:url content=c>", "<link rel=next>"),
]


def of_head(html):
    head = Head(html)
    return (
        [link.href for link in head.links],
        [link.href for link in head.misplaced_links],
        [(meta.name, meta.content) for meta in head.metas],
        [(meta.name, meta.content) for meta in head.misplaced_metas],
        head.base,
        head.language,
    )


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(HEAD_PIECES) | st.integers(0, 9), max_size=12))
@example(["<svg>", "</p>", "<style>", 0, "</style>"])
@example(["<p>", "<svg>", "<div>", "<style>", 0, "</style>"])
def test_a_head_ends_where_it_ends_however_deep_the_page(pieces):
    """A page that is made harmless for the parser has the head, and the body, that it had."""
    html = "".join(f"<link rel=canonical href=/{piece}>" if isinstance(piece, int) else piece for piece in pieces)
    assert of_head(html + "<b>" * 300 + "x" * 20_000) == of_head(html)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(HEAD_PIECES) | st.integers(0, 9), max_size=12))
def test_without_noscript_all_links_are_somewhere(pieces):
    """Where there is no noscript, head and body together have every link that the page has."""
    pieces = [piece for piece in pieces if "noscript" not in str(piece)]
    html = "".join(f"<link rel=canonical href=/{piece}>" if isinstance(piece, int) else piece for piece in pieces)
    links, misplaced, *_ = of_head(html)
    assert sorted([*links, *misplaced]) == sorted(Page(html).canonicals)


def test_a_head_has_links_metas_and_a_language():
    head = Head(
        "<html lang=en-GB><meta charset=utf-8><link rel='Canonical shortlink' href=/x hreflang=de>"
        "<META property='OG:url' content=/y><meta http-equiv=Refresh content='0;/z'><meta content=c><p><meta name=late>"
    )
    assert [(link.href, link.rel, link.attributes["hreflang"]) for link in head.links] == [
        ("/x", {"canonical", "shortlink"}, "de")
    ]
    assert [(meta.name, meta.content) for meta in head.metas if meta.name] == [("og:url", "/y"), ("refresh", "0;/z")]
    assert [meta.name for meta in head.misplaced_metas] == ["late"]
    assert (head.language, head.encoding.name) == ("en-GB", "UTF-8")


@pytest.mark.parametrize("mark", ["\ufeff", "", " \n"])
def test_a_byte_order_mark_that_was_decoded_is_no_text(mark):
    for html in (f"{mark}<link rel=canonical href=/x>", f"{mark}<link rel=canonical href=/x>".encode()):
        assert [link.href for link in Head(html).links] == ["/x"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0;url=/x", ("/x", 0)),
        ("5; URL = '/x'y", ("/x", 5)),
        (" 1.9 , /x", ("/x", 1)),
        (".5 /x", ("/x", 0)),
        ("0;url=\"/x", ("/x", 0)),
        ("999999999999;/x", ("/x", 999_999_999)),
        ("0", None),
        ("0;", None),
        ("0;url=", None),
        ("x;url=/x", None),
        ("0x;url=/x", None),
        ("", None),
    ],
)  # fmt: skip
def test_what_a_refresh_says(content, expected):
    assert refresh(content) == expected
