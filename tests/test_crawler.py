"""The crawler: links as browsers resolve them, nothing lost; robots; traps, and what is none."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import command
import urlkey
from urlkey.systems import crawler
from urlkey.systems.crawler import Link, links, robots_key, robots_url, traps

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"


def urls(html: bytes | str, url: str = "http://a.example/dir/page.html", **options) -> list[str | None]:
    return [link.url for link in links(html, url, **options)]


def test_a_link_has_what_to_request_and_what_to_compare():
    [link] = links(
        '<a href=" /x?utm_source=nav&amp;b=2&a=1#top\n" rel="UGC  noFollow">A <b>b</b>\n c</a>', "http://A.example"
    )
    assert link == Link(
        raw=" /x?utm_source=nav&b=2&a=1#top\n",
        url="http://a.example/x?utm_source=nav&b=2&a=1#top",
        key="http://a.example/x?a=1&b=2",
        element="a",
        text="A b c",
        rel=("nofollow", "ugc"),
        nofollow=True,
        reason=None,
    )


def test_every_element_that_leads_on_is_read_in_order():
    html = """<meta http-equiv=Refresh content="5; URL='next.html'"><a href=1>x</a><a name=y></a><a href></a>
    <map><area href=2 alt=" Two "></map><iframe src=3></iframe><a href=4><a href=5></a>
    <template><a href=hidden></a></template><script>"<a href=no>"</script><!-- <a href=no> -->
    <noscript><a href=6></a></noscript><svg><a xlink:href=7></a></svg><link rel=stylesheet href=no><img src=no>"""
    found = links(html, "http://a.example/d/")
    assert [(link.element, link.raw) for link in found] == [
        ("meta", "next.html"),
        ("a", "1"),
        ("a", ""),
        ("area", "2"),
        ("iframe", "3"),
        ("a", "4"),
        ("a", "5"),
        ("a", "6"),
        ("a", "7"),
    ]
    assert [found[2].url, found[3].text] == ["http://a.example/d/", "Two"]
    frames = links("<frameset><frame src=a><frame src=b></frameset>", "http://a.example/")
    assert [(link.element, link.url) for link in frames] == [
        ("frame", "http://a.example/a"),
        ("frame", "http://a.example/b"),
    ]


@pytest.mark.parametrize(
    ("bases", "expected"),
    [
        ("", "http://a.example/dir/x"),
        ("<base href=/b/c>", "http://a.example/b/x"),
        ("<base href=b/>", "http://a.example/dir/b/x"),
        ("<base href=//h.example/y/>", "http://h.example/y/x"),
        ("<base href='https://h.example'>", "https://h.example/x"),
        ("<base target=_top><base href=/first/><base href=/second/>", "http://a.example/first/x"),
        ("<base href=''>", "http://a.example/dir/x"),
        ("<base href>", "http://a.example/dir/x"),
        ("<base href='data:text/html,x'>", "http://a.example/dir/x"),
        ("<base href='javascript:0'><base href=/second/>", "http://a.example/dir/x"),
        ("<base href='http://x:y/'><base href=/second/>", "http://a.example/dir/x"),
        ("<base href='http://'>", "http://a.example/dir/x"),
        ("<base href='?q'>", "http://a.example/dir/x"),
        ("<base href='#f'>", "http://a.example/dir/x"),
        ("<base href='file:///etc/'>", "file:///etc/x"),
        # No URL is relative to it.
        ("<base href='mailto:a@b.example'>", None),
    ],
)
def test_the_first_base_with_a_href_counts(bases, expected):
    assert urls(f"<head>{bases}</head><a href=x>") == [expected]


def test_a_base_may_stand_behind_the_links():
    assert urls("<a href=x></a><p><base href=/b/>") == ["http://a.example/b/x"]


def test_a_base_is_resolved_against_the_page_alone():
    assert urls("<base href=../y/><a href=x>", "http://a.example/1/2/3") == ["http://a.example/1/y/x"]


@pytest.mark.parametrize(
    ("label", "text", "query"),
    [
        ("utf-8", "é", "%C3%A9"),
        ("windows-1252", "é€", "%E9%80"),
        ("iso-8859-1", "é", "%E9"),
        ("euc-jp", "日本", "%C6%FC%CB%DC"),
        ("shift_jis", "日本", "%93%FA%96{"),
        ("iso-2022-jp", "日本", "%1B$BF|K\\%1B(B"),
        ("gb18030", "中文", "%D6%D0%CE%C4"),
        ("gbk", "中文", "%D6%D0%CE%C4"),
        ("big5", "中文", "%A4%A4%A4%E5"),
        ("koi8-r", "Мир", "%ED%C9%D2"),
        ("windows-1251", "Мир", "%CC%E8%F0"),
        ("euc-kr", "한국", "%C7%D1%B1%B9"),
    ],
)
def test_queries_are_written_in_the_encoding_of_the_page(label, text, query):
    html = f"<meta charset={label}><a href='?q={text}'>{text}</a>"
    [link] = links(html.encode(label), "http://a.example/")
    assert (link.url, link.text) == (f"http://a.example/?q={query}", text)
    [link] = links(html.encode(label), "http://a.example/", headers={"content-Type": f"text/html;charset={label}"})
    assert link.url == f"http://a.example/?q={query}"
    # Paths are UTF-8, whatever the page.
    assert (
        links("<a href='/é'>".encode("cp1252"), "http://a.example/", encoding="cp1252")[0].url
        == "http://a.example/%C3%A9"
    )


@pytest.mark.parametrize("codec", ["utf-16", "utf-16le", "utf-16be"])
def test_pages_in_utf_16_write_queries_in_utf_8(codec):
    html = "<a href='?q=é'>é</a>".encode(codec)
    encoding = None if codec == "utf-16" else codec
    [link] = links(html, "http://a.example/", encoding=encoding)
    assert (link.url, link.text) == ("http://a.example/?q=%C3%A9", "é")


def test_what_cannot_be_followed_is_kept_with_the_reason():
    html = """<a href="mailto:a@b.example">m</a><a href="javascript:go()">j</a><a href="tel:+1">t</a>
    <a href="data:,x">d</a><a href="ftp://f.example/">f</a><a href="http://x:y/">p</a><a href="http://[::1">6</a>
    <a href="//">h</a><a href="http://a b/">s</a>"""
    assert [(link.raw, link.url, link.key, link.reason) for link in links(html, "http://a.example/")] == [
        ("mailto:a@b.example", "mailto:a@b.example", None, "not-http"),
        ("javascript:go()", "javascript:go()", None, "not-http"),
        ("tel:+1", "tel:+1", None, "not-http"),
        ("data:,x", "data:,x", None, "not-http"),
        ("ftp://f.example/", "ftp://f.example/", None, "not-http"),
        ("http://x:y/", None, None, "port-invalid"),
        ("http://[::1", None, None, "IPv6-unclosed"),
        ("//", None, None, "host-missing"),
        ("http://a b/", None, None, "domain-invalid-code-point"),
    ]


@pytest.mark.parametrize(
    ("html", "headers", "expected"),
    [
        ("<a href=x>", {}, False),
        ("<a href=x rel='noopener NOFOLLOW'>", {}, True),
        ("<a href=x rel='ugc sponsored'>", {}, False),
        ("<a href=x rel=no-follow>", {}, False),
        ("<meta name=Robots content='noindex, NoFollow'><a href=x>", {}, True),
        ("<meta name=robots content=none><a href=x>", {}, True),
        ("<meta name=robots content='index,follow'><a href=x>", {}, False),
        ("<meta name=somebot content=nofollow><a href=x>", {}, False),
        ("<a href=x>", {"X-Robots-Tag": "noindex, nofollow"}, True),
        ("<a href=x>", {"x-robots-tag": "unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow"}, True),
        ("<a href=x>", {"x-robots-tag": "somebot: noindex, nofollow"}, False),
        ("<a href=x>", [("X-Robots-Tag", "somebot: nofollow"), ("X-Robots-Tag", "none")], True),
    ],
)
def test_nofollow_of_link_page_and_headers(html, headers, expected):
    assert [link.nofollow for link in links(html, "http://a.example/", headers=headers)] == [expected]


def test_the_policy_makes_the_keys():
    html = "<a href='http://www.a.example/x/'>"
    assert links(html, "http://a.example/", policy="aggressive")[0].key == "http://a.example/x"
    policy = urlkey.Policy("crawl").with_(drop_www=True)
    assert links(html, urlkey.Base("http://a.example/"), policy=policy)[0].key == "http://a.example/x/"


def test_the_url_of_the_page_has_to_be_one():
    with pytest.raises(urlkey.UrlKeyError):
        links("<a href=x>", "dir/page.html")
    with pytest.raises(LookupError):
        links(b"<a href=x>", "http://a.example/", encoding="klingon")


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=300), st.lists(st.text(max_size=20), max_size=5))
def test_any_bytes_are_a_page_and_no_link_is_lost(junk, hrefs):
    quoted = [href.replace("&", "&amp;").replace('"', "&quot;") for href in hrefs]
    page = "".join(f'<a href="{href}">x</a>' for href in quoted).encode("utf-8", "replace")
    assert len(links(page, "http://a.example/", encoding="utf-8")) == len(hrefs)
    links(page + junk + page, "http://a.example/")
    links(junk, "http://a.example/")


def test_robots_keys_are_origins():
    assert robots_key("HTTP://User:p@A.Example:80/x?y#z") == "http://a.example"
    assert robots_key("http://a.example:8080/") == "http://a.example:8080"
    assert robots_key("https://bücher.example/") == "https://xn--bcher-kva.example"
    assert robots_key("http://[::1]:81/") == "http://[::1]:81"
    assert (
        len(
            {
                robots_key(f"{scheme}://{host}/")
                for scheme in ("http", "https")
                for host in ("a.example", "www.a.example")
            }
        )
        == 4
    )
    assert robots_key("mailto:a@b.example") is None
    assert robots_url("data:,x") is None
    assert robots_url(b"https://a.example/b/robots.txt") == "https://a.example/robots.txt"
    with pytest.raises(urlkey.UrlKeyError):
        robots_key("a.example/x")


def codes(url: str, **limits) -> list[str]:
    return [trap.code for trap in traps(url, **{"this_year": 2026, **limits})]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/" + "x" * 2100, ["length"]),
        ("http://a.example/" + "/".join(map(str, range(21))), ["depth"]),
        ("http://a.example/a/a/a", ["repeated-segments"]),
        ("http://a.example/x/a/b/a/b/a/b/y", ["repeated-segments"]),
        ("http://a.example/a/b/c/a/b/c/a/b/c", ["repeated-segments"]),
        ("http://a.example/0/0/0/0/0", ["repeated-segments"]),
        ("http://a.example/index.php/news/index.php/x", ["page-in-page"]),
        ("http://a.example/about.html/about.html", ["page-in-page"]),
        ("http://a.example/?" + "&".join(f"p{i}=1" for i in range(31)), ["many-parameters"]),
        ("http://a.example/?f=1&f=2&f=3&f=4&f=5&f=6", ["repeated-parameter"]),
        ("http://a.example/?a=1&a=1&a=1", ["repeated-parameter"]),
        ("http://a.example/x;jsessionid=0123456789ABCDEF0123456789ABCDEF", ["session-id"]),
        ("http://a.example/?PHPSESSID=0123456789abcdef0123456789abcdef", ["session-id"]),
        ("http://a.example/calendar/2031/05/", ["calendar"]),
        ("http://a.example/events/month/2031-05", ["calendar"]),
        ("http://a.example/news/2031/05/01/", ["calendar"]),
        ("http://a.example/calendar?year=1901&month=2", ["calendar"]),
        ("http://a.example/cal.php?date=2026-11-30", ["calendar"]),
        ("http://a.example/events/2026-11-30/", ["calendar"]),
        ("http://a.example/?x=http%3A%2F%2Fb/?y=http%253A%252F%252Fc/?z=http%25253A%25252F%25252Fd", ["nested"]),
        ("http://a.example/?x=%25252541", ["nested"]),
    ],
)
def test_signs_of_traps(url, expected):
    assert codes(url) == expected
    assert set(expected) <= set(crawler.TRAPS)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "http://a.example/a/a/",
        "http://a.example/a/b/a/b/c",
        "http://a.example/en/docs/en/docs",
        "http://a.example/000/000/123/x.jpg",
        "http://a.example/system/images/000/000/000/000/x.jpg",
        "http://a.example/index.php/news/2026/01/x.html",
        "http://a.example/jquery.js/jquery.js",
        "http://a.example/?f[]=1&f[]=2&f[]=3&f[]=4",
        "http://a.example/?a=1&a=1",
        "http://a.example/2026/11/30/title.html",
        "http://a.example/events/2026/11/30/concert",
        "http://a.example/lccn/sn83030214/1865-04-15/ed-1/",
        "http://a.example/calendar/2026/11/",
        "http://a.example/doc/en_US.ISO8859-1/books",
        "http://a.example/t/solidifying/2306/1",
        "http://a.example/media/2403-2b5a6a8e-327e-594d.jpg",
        "http://a.example/bitstream/11419/6261/2/x.pdf",
        "http://a.example/calendar/9999/01",
        "http://a.example/login?next=http%3A%2F%2Fa.example%2Fsearch%3Fq%3D100%2525",
        "http://a.example/web/2020/http://b.example/http://c.example/",
        "http://a.example/?sid=7",
        "mailto:a@b.example",
    ],
)
def test_what_is_no_trap(url):
    assert codes(url) == []


def test_limits_are_the_callers():
    assert codes("http://a.example/a/b/c", max_depth=2) == ["depth"]
    assert codes("http://a.example/a/b/c", max_length=10) == ["length"]
    assert codes("http://a.example/a/a", max_repeats=1) == ["repeated-segments"]
    assert codes("http://a.example/?a&b", max_parameters=1) == ["many-parameters"]
    assert codes("http://a.example/?a&a=1", max_same_parameter=1) == ["repeated-parameter"]
    assert codes("http://a.example/?x=http://b.example", max_layers=0) == ["nested"]
    assert codes("http://a.example/calendar/2031/05/", years_ahead=5) == []
    assert codes("http://a.example/calendar/1960/05/", first_year=1900) == []


def test_a_sign_says_what_it_saw():
    [trap] = traps("http://a.example/x/a/b/a/b/a/b/a/b/y")
    assert trap == crawler.Trap("repeated-segments", "a/b stands 4 times in a row", "path")


def test_few_real_urls_look_like_traps():
    if not CORPORA.exists():
        pytest.skip("../shared/corpora is not there: the corpora are no part of the project")
    for name in ("debian-homepages", "feeds-opml-smallweb", "this-week-in-rust", "wiki-external-links"):
        lines = gzip.decompress((CORPORA / "urls" / f"{name}.txt.gz").read_bytes()).splitlines()[:3000]
        found = [line for line in lines if any(trap.code != "session-id" for trap in lenient(line))]
        assert len(found) <= len(lines) / 1000, found


def lenient(url: bytes) -> list[crawler.Trap]:
    try:
        return traps(url, this_year=2026)
    except urlkey.UrlKeyError:
        return []


@settings(deadline=None)
@given(st.text(st.sampled_from("/ab?&=%25.-2031http:;"), max_size=80))
def test_any_url_can_be_asked_for_traps(text):
    assert {trap.code for trap in traps(f"http://a.example/{text}")} <= set(crawler.TRAPS)


PAGE = b"""<base href="/shop/"><meta name=robots content=noindex><a href="?b=2&a=1" rel=nofollow>x</a>
<a href="mailto:a@b.example">m</a><a href="http://x:y/">p</a><a href="/a/a/a/">t</a>"""


def test_the_command_writes_a_line_for_each_link(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    expected = (
        "http://a.example/shop/?a=1&b=2\thttp://a.example/shop/?b=2&a=1\tnofollow\n"
        "\tmailto:a@b.example\tnot-http\n\t\tport-invalid\nhttp://a.example/a/a/a/\thttp://a.example/a/a/a/\t\n"
    )
    for arguments, stdin in (([str(path)], b""), ([], PAGE), (["-"], PAGE)):
        done = command.urlkey("links", *arguments, "--url", "http://a.example/", stdin=stdin)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected.encode(), b"")


def test_the_command_writes_json_headers_traps_and_policies():
    options = [
        "--json",
        "--traps",
        "-H",
        "X-Robots-Tag: nofollow",
        "--policy",
        "aggressive",
        "--url",
        "http://www.a.example/",
    ]
    done = command.urlkey("links", *options, stdin=PAGE)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["nofollow"] for row in rows] == [True] * 4
    assert rows[3]["key"] == "http://a.example/a/a/a"
    assert [trap["code"] for trap in rows[3]["traps"]] == ["repeated-segments"]
    assert rows[1] == {
        "key": None,
        "url": "mailto:a@b.example",
        "nofollow": True,
        "reason": "not-http",
        "raw": "mailto:a@b.example",
        "element": "a",
        "rel": [],
        "text": "m",
        "traps": [],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "x"], b"--url: missing-scheme-non-relative-URL"),
        (["--url", "http://a.example/", "-H", "nofollow"], b"--header takes a name and a value"),
        (["--url", "http://a.example/", "--encoding", "klingon"], b"no label of the Encoding Standard"),
        (["no-such-file", "--url", "http://a.example/"], b"No such file"),
        ([], b"--url"),
    ],
)
def test_the_command_says_what_is_wrong(arguments, message):
    done = command.urlkey("links", *arguments, stdin=PAGE)
    assert done.returncode == 2
    assert message in done.stderr
