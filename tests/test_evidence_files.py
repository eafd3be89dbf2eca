"""Sitemaps, feeds, robots.txt, and the headers that have a grammar of their own."""

import gzip
import http.client
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlkey
from urlkey import evidence
from urlkey.evidence.structured import BadField, Other, Token, dictionary

A = "http://a.example"
SITEMAP = f"{A}/sitemap.xml"


def told(found: evidence.Findings) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    return [(one.kind, one.to) for one in found.evidence], [(one.kind, one.reason) for one in found.refusals]


# --- sitemaps


def urlset(*entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        + "".join(f"<url>{entry}</url>" for entry in entries)
        + "</urlset>"
    )


def test_a_sitemap_lists_its_pages():
    text = urlset(f"<loc>{A}/x?a=1&amp;b=2</loc><lastmod>2026-11-30</lastmod>", f"<loc>\n {A}/y </loc>")
    expected = ([("sitemap", f"{A}/x?a=1&b=2"), ("sitemap", f"{A}/y")], [])
    for body in (text, text.encode(), b"\xef\xbb\xbf" + text.encode(), gzip.compress(text.encode())):
        assert told(evidence.from_sitemap(SITEMAP, body)) == expected
    utf16 = text.replace("UTF-8", "UTF-16").encode("utf-16")
    assert told(evidence.from_sitemap(SITEMAP, utf16)) == expected
    halves = gzip.compress(text.encode()[:200]) + gzip.compress(text.encode()[200:])
    assert told(evidence.from_sitemap(SITEMAP, halves)) == expected


def test_a_sitemap_without_a_namespace_or_markup_is_read_alike():
    assert told(evidence.from_sitemap(SITEMAP, f"<urlset><url><loc>{A}/x</loc></url></urlset>"))[0] == [
        ("sitemap", f"{A}/x")
    ]
    assert told(evidence.from_sitemap(SITEMAP, f"\ufeff{A}/x\r\n\r\n{A}/y\n".encode()))[0] == [
        ("sitemap", f"{A}/x"),
        ("sitemap", f"{A}/y"),
    ]


def test_images_and_indexes_list_no_pages():
    image = f"<loc>{A}/x</loc><image:image><image:loc>{A}/i.png</image:loc></image:image>"
    assert told(evidence.from_sitemap(SITEMAP, urlset(image)))[0] == [("sitemap", f"{A}/x")]
    index = f"<sitemapindex><sitemap><loc>{A}/one.xml</loc></sitemap></sitemapindex>"
    assert told(evidence.from_sitemap(SITEMAP, index)) == ([], [])


def test_a_sitemap_lists_no_pages_of_other_sites():
    body = urlset("<loc>http://b.example/</loc>", "<loc>http://www.a.example/x</loc>", "<loc>mailto:x@a.example</loc>")
    assert told(evidence.from_sitemap(SITEMAP, body)) == (
        [("sitemap", "http://www.a.example/x")],
        [("sitemap", "not-listed-here"), ("sitemap", "not-http")],
    )


def test_languages_of_a_sitemap_keep_versions_apart():
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{A}/{path}"/>'
        for code, path in (("en", "en"), ("de", "de"), ("x-default", ""))
    )
    found = evidence.from_sitemap(SITEMAP, urlset(f"<loc>{A}/en</loc>{links}", f"<loc>{A}/de</loc>{links}"))
    assert [(one.kind, one.from_, one.to) for one in found.evidence] == [
        ("sitemap", f"{A}/en", f"{A}/en"),
        ("hreflang", f"{A}/en", f"{A}/de"),
        ("sitemap", f"{A}/de", f"{A}/de"),
        ("hreflang", f"{A}/de", f"{A}/en"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        urlset(f"<loc>{A}/x</loc>").encode()[:-9],
        urlset(f"<loc>{A}/x</loc>") + "&",
        gzip.compress(urlset(f"<loc>{A}/x</loc>").encode() + b"<")[:-3] + b"zzz",
    ],
    ids=["cut", "broken", "damaged"],
)
def test_what_stands_before_a_fault_is_kept_or_refused_whole(body):
    found, refused = told(evidence.from_sitemap(SITEMAP, body))
    assert refused[-1] == ("sitemap", "bad-syntax")
    assert found in ([("sitemap", f"{A}/x")], [])


def test_entities_are_refused_and_bombs_do_not_unpack():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + urlset("<loc>&b;</loc>").partition("?>")[2]
    assert told(evidence.from_sitemap(SITEMAP, bomb)) == ([], [("sitemap", "bad-syntax")])
    packed = gzip.compress(b"\0" * 60_000_000)
    found, refused = told(evidence.from_sitemap(SITEMAP, packed))
    assert (found, refused[-1]) == ([], ("sitemap", "too-many"))
    # What is packed twice is no sitemap.
    found, refused = told(evidence.from_sitemap(SITEMAP, gzip.compress(packed)))
    assert found == []
    assert set(refused) == {("sitemap", "invalid")}


def test_fifty_thousand_entries_are_read():
    body = urlset(*(f"<loc>{A}/{number}</loc>" for number in range(50_000)))
    assert len(evidence.from_sitemap(SITEMAP, body).evidence) == 50_000


# --- feeds


def rss(*items: str) -> str:
    entries = "".join(f"<item>{item}</item>" for item in items)
    return f"<rss version='2.0'><channel><link>{A}</link>{entries}</channel></rss>"


def test_a_link_leads_to_the_permanent_link_of_its_entry():
    body = rss(f"<link>{A}/x?from=feed</link><guid>{A}/x</guid>", f"<guid>{A}/y</guid><link>{A}/y</link>")
    found = evidence.from_feeds([(f"{A}/feed", body)])
    assert [(one.kind, one.from_, one.to, one.weight) for one in found.evidence] == [
        ("guid", f"{A}/x?from=feed", f"{A}/x", 4.0)
    ]
    assert found.refusals == ()


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (f"<link>{A}/x</link><guid>7</guid>", "not-a-url"),
        (f"<link>{A}/x</link><guid>{A}/</guid>", "home-page"),
        (f"<link>{A}/x</link><guid>http://b.example/x</guid>", "cross-site"),
        ("<link>http://a.example:x/</link><guid>7</guid>", "invalid"),
    ],
)
def test_a_guid_may_be_no_link(item, reason):
    assert told(evidence.from_feeds([(f"{A}/feed", rss(item))])) == ([], [("guid", reason)])


def test_one_guid_in_two_feeds_is_one_entry():
    feeds = [
        (f"{A}/all", rss(f"<link>{A}/2026/x</link><guid isPermaLink='false'>7</guid>")),
        (f"{A}/news", rss(f"<link>{A}/x</link><guid isPermaLink='false'>7</guid>")),
        ("http://b.example/feed", rss("<link>http://b.example/x</link><guid isPermaLink='false'>7</guid>")),
    ]
    expected = [("guid", f"{A}/2026/x", f"{A}/x")]
    for order in (feeds, feeds[::-1]):
        found = evidence.from_feeds(order)
        assert [(one.kind, one.from_, one.to) for one in found.evidence] == expected
        assert found.refusals == ()


def test_one_guid_for_many_entries_is_none():
    body = rss(*(f"<link>{A}/{number}</link><guid isPermaLink='false'>x</guid>" for number in range(3)))
    assert told(evidence.from_feeds([(f"{A}/feed", body)])) == ([], [("guid", "shared-guid")] * 3)


def test_atom_and_rdf_are_feeds():
    atom = (
        f"<feed xmlns='http://www.w3.org/2005/Atom' xml:base='{A}/blog/'><id>f</id><entry><id>tag:a,2026:1</id>"
        "<link rel='self' href='/self'/><link href='x'/><link rel='alternate' href='/other'/></entry></feed>"
    )
    rdf = f"<RDF xmlns:r='r'><item r:about='tag:a,2026:1'><link>{A}/y</link></item></RDF>"
    found = evidence.from_feeds([(f"{A}/feed", atom), (f"{A}/rdf", rdf)])
    assert [(one.from_, one.to) for one in found.evidence] == [(f"{A}/blog/x", f"{A}/y")]


def test_a_feed_that_is_none_is_told():
    found = told(evidence.from_feeds([(f"{A}/feed", "<html><p>"), (f"{A}/feed", ""), (f"{A}/feed", "<rss/>")]))
    assert found == ([], [("guid", "bad-syntax")] * 2)


# --- robots.txt

ROBOTS = f"{A}/robots.txt"


@pytest.mark.parametrize("row", [
    ("Clean-param: ref /dir/get.pl", "/dir/get.pl?ref=1&id=2", "/dir/get.pl?id=2"),
    ("clean-PARAM : ref&sid /dir", "/dir/x?sid=1&ref=2", "/dir/x"),
    ("Clean-param: ref /dir", "/other?ref=1", None),
    ("Clean-param: ref /dir", "/DIR/x?ref=1", None),
    ("Clean-param: Ref /dir", "/dir?ref=1", None),
    ("Clean-param: ref", "/any/where?x=1&ref=2", "/any/where?x=1"),
    ("Clean-param: ref # comment", "/x?ref=2", "/x"),
    ("Clean-param: s /forum*/show", "/forum/a/b/show.php?s=1&t=2", "/forum/a/b/show.php?t=2"),
    ("Clean-param: s *.php", "/x.php?s=1", "/x.php"),
    ("Clean-param: s *.php", "/x.html?s=1", None),
    ("Clean-param: a\nDisallow: /\nClean-param: b", "/x?a=1&b=2&c=3", "/x?c=3"),
    ("Clean-param: f[a]", "/x?f%5Ba%5D=1&y=2", "/x?y=2"),
    ("Clean-param: ref dir/", "/dir/x?ref=1", "/dir/x"),
    ("Clean-param: ref", "/x", None),
])  # fmt: skip
def test_clean_param(row):
    body, page, cleaned = row
    found = evidence.from_robots(ROBOTS, body, pages=[A + page])
    assert [one.to for one in found.evidence] == ([] if cleaned is None else [A + cleaned])
    assert found.refusals == ()


@pytest.mark.parametrize(
    "value", ["", "a=b /x", "a /x /y", "a /é", "a /x$", "&", "a" * 501, "a /" + "b" * 500], ids=lambda text: text[:8]
)
def test_clean_param_that_cannot_be_read_is_told(value):
    found = evidence.from_robots(ROBOTS, f"Clean-param: {value}".encode(), pages=[f"{A}/x?a=1"])
    assert told(found) == ([], [("clean-param", "bad-syntax")])
    assert found.rules == ()


def test_clean_param_is_of_one_host_and_of_half_a_megabyte():
    directive = "Clean-param: a"
    assert evidence.from_robots(ROBOTS, directive, pages=["http://b.example/?a=1"]).evidence == ()
    assert evidence.from_robots(ROBOTS, "#" * 512_000 + f"\n{directive}").rules == ()


def test_many_stars_are_matched_in_one_pass():
    found = evidence.from_robots(ROBOTS, "Clean-param: a /" + "*a" * 240, pages=[f"{A}/{'a' * 60_000}?a=1"])
    assert len(found.evidence) == 1
    found = evidence.from_robots(ROBOTS, "Clean-param: a /" + "*a" * 240 + "b", pages=[f"{A}/{'a' * 60_000}?a=1"])
    assert found.evidence == ()


def policy_of(rules, tmp_path) -> urlkey.Policy:
    path = tmp_path / "site.toml"
    path.write_text("schema = 1\n\n" + "\n".join(rule.toml() for rule in rules), encoding="utf-8")
    return urlkey.Policy.load("crawl", rules=[path])


NAMES = ["a", "A", "b c", "é", "x*", "a[]", "c/d", "50%", "x.y", "-", '"', "\\", "+", "naïve name"]


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_that_a_site_suggests_drops_what_the_site_says(name, tmp_path):
    """As evidence and as rule alike, however the URL spells the name."""
    from urllib.parse import quote, quote_plus

    for spelled in {quote(name, safe=""), quote_plus(name), quote(name, safe="[]*/").replace("%20", "+")}:
        page = f"{A}/p(1)?{spelled}=1&other=2"
        header = f'params=("{quote_plus(name)}")'
        found = evidence.from_response(page, 200, {"No-Vary-Search": header})
        assert [one.to for one in found.evidence] == [f"{A}/p(1)?other=2"]
        policy = policy_of(found.rules, tmp_path)
        assert policy.key(page) == f"{A}/p(1)?other=2"
        assert policy.key(page.replace("/p(1)", "/P(1)")) == urlkey.key(page.replace("/p(1)", "/P(1)"))


def test_rules_of_robots_can_be_loaded(tmp_path):
    found = evidence.from_robots(ROBOTS, "Clean-param: s&f[a] /forum*/show.php\nClean-param: ref\nClean-param: x /a_b/")
    policy = policy_of(found.rules, tmp_path)
    assert policy.key(f"{A}/forum/x/show.php?s=1&f%5Ba%5D=2&S=3&ref=4") == f"{A}/forum/x/show.php?S=3"
    assert policy.key(f"{A}/a_b/c?x=1&s=2") == f"{A}/a_b/c?s=2"


# --- structured fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("a", {"a": True}),
        ("a=?0, b=?1", {"a": False, "b": True}),
        ('a="x\\"y\\\\"', {"a": 'x"y\\'}),
        ('a=("x"  "y" ) ', {"a": ("x", "y")}),
        ("a=()", {"a": ()}),
        ("a=(b ?1 2);x, c", {"a": (Token("b"), True, Other("2")), "c": True}),
        ("a;x=1;y, b", {"a": True, "b": True}),
        ("a=1, b=2, a=3", {"b": Other("2"), "a": Other("3")}),
        ("a=-1.5, b=@123", {"a": Other("-1.5"), "b": Other("@123")}),
        ('a=:aGk=:, b=%"%c3%a9"', {"a": Other(":aGk=:"), "b": Other('%"%c3%a9"')}),
        ("*a=b/c:d", {"*a": Token("b/c:d")}),
        ("a ,\tb", {"a": True, "b": True}),
    ],
)  # fmt: skip
def test_dictionaries_of_structured_fields(text, expected):
    found = dictionary([text])
    assert found == expected
    assert list(found) == list(expected)


@pytest.mark.parametrize(
    "text",
    ["a,", ",a", "a b", "A", "a=", 'a="', 'a="\x7f"', "a=?2", "a=(1", "a=(1,2)", 'a=("x""y")', "a=1.", "a=1.2345",
     "a=1234567890123456", "a=1234567890123.1", "a=-", "a=:x", "a=é", "a;B", "a=@1.5", "\ta"],
)  # fmt: skip
def test_what_is_no_dictionary_is_none(text):
    with pytest.raises(BadField):
        dictionary([text])


@given(st.text(alphabet='ab=?01,;()" \t\\%:@-.A*', max_size=30))
def test_dictionaries_are_read_or_refused(text):
    try:
        dictionary([text])
    except BadField as error:
        assert str(error)


# --- No-Vary-Search


@pytest.mark.parametrize(
    ("value", "drops", "keeps"),
    [
        ("params", None, set()),
        ("params=?1", None, set()),
        ('params=("a")', {"a"}, set()),
        ('params, except=("x")', None, {"x"}),
        ('params, key-order, except=("x")', None, {"x"}),
    ],
)
def test_search_variance(value, drops, keeps):
    variance = evidence.search_variance([value])
    assert variance.drops_all is (drops is None)
    assert (variance.drops, variance.keeps) == (drops or set(), keeps)
    assert variance.key_order is ("key-order" not in value)


@pytest.mark.parametrize(
    "value",
    ["unknown-key", 'key-order="not a boolean"', 'params="not a boolean or inner list"', "params=(not-a-string)",
     'params=("a"), except=("x")', "params=(), except=()", 'params=?0, except=("x")', "params, except=(not-a-string)",
     'params, except="not an inner list"', "params, except=?1", 'except=("x")', "except=()", "params=?0", "params=()",
     "key-order=?0", "", "params="],
)  # fmt: skip
def test_what_is_not_understood_varies(value):
    assert evidence.search_variance([value]).is_default()


@pytest.mark.parametrize(
    ("a", "b"),
    [("", "?"), ("?a=x", "?%61=%78"), ("?a=é", "?a=%C3%A9"), ("?a=%f6", "?a=%ef%bf%bd"), ("?a=x&&&&", "?a=x"),
     ("?a=", "?a"), ("?a=%20", "?a=+"), ("?a=1&b=2", "?b=2&a=1")],
)  # fmt: skip
def test_queries_that_are_equivalent_if_the_order_says_nothing(a, b):
    variance = evidence.search_variance(["key-order"])
    assert variance.equivalent(f"{A}/p{a}", f"{A}/p{b}")
    assert evidence.search_variance([""]).equivalent(f"{A}/p{a}", f"{A}/p{b}") is (a == b or a == "?a=é")
    assert not variance.equivalent(f"{A}/p{a}", f"{A}/q{b}")
    assert not variance.equivalent(f"{A}/p?a=1&a=2", f"{A}/p?a=2&a=1")


FIELDS = st.lists(st.sampled_from(["a=1", "a=2", "b=1", "b", "c=%20", "c=+", "&", "%61=1", "utm=x"]), max_size=6)


@given(FIELDS, FIELDS, st.sampled_from(["params", 'params=("a")', 'params, except=("b")', 'key-order, params=("utm")']))
def test_the_reduced_url_is_equivalent_and_stays(one, other, value):
    variance = evidence.search_variance([value])
    url, second = (f"{A}/p?{'&'.join(fields)}" for fields in (one, other))
    reduced = variance.reduced(url)
    assert variance.equivalent(url, reduced)
    assert variance.reduced(reduced) == reduced
    if reduced == variance.reduced(second):
        assert variance.equivalent(url, second)


# --- Link headers

TARGETS = st.text(alphabet="ab/,;= \"'", max_size=6).filter(lambda text: text == text.strip())
QUOTED = st.text(alphabet='ab,;<>=" \\', max_size=8)


@given(
    st.lists(
        st.tuples(TARGETS, st.lists(st.tuples(st.sampled_from(["rel", "title", "x"]), QUOTED), max_size=3)), max_size=4
    )
)
def test_links_that_were_written_are_read(given_links):
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    field = ", ".join(
        f"<{target}>" + "".join(f"; {name}={quoted(value)}" for name, value in parameters)
        for target, parameters in given_links
    )
    found, rest = evidence.links(field)
    assert rest is None
    assert [(link.target, list(link.parameters)) for link in found] == [
        (target, parameters) for target, parameters in given_links
    ]


@given(st.text(alphabet='<>,;="\\ rel\t', max_size=40))
def test_links_are_read_or_told(field):
    found, rest = evidence.links(field)
    assert rest is None or (rest and field.endswith(rest))
    assert all(link.target == link.target.strip() and ">" not in link.target for link in found)


LONG = 200_000


@pytest.mark.parametrize(
    "field",
    ["<" * LONG, "<a>" * LONG, "<a>;" * LONG, "<a>; x" * LONG, '<a>; x="' + "\\" * LONG, '<a>; x="' * LONG, "," * LONG,
     "<a>; rel=canonical, " * (LONG // 20), "<a>" + "; rel=canonical" * (LONG // 15),
     "<a>" + " " * LONG + ";", "<a>;" + "=" * LONG],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_long_link_headers_end(field):
    evidence.from_response(f"{A}/x", 200, {"Link": field})


@pytest.mark.parametrize(
    "field",
    ["a=(" * LONG, "a=" + "(" * LONG, 'a="' + "\\" * LONG, "a, " * LONG, "a" * LONG, "a=(" + " " * LONG,
     "a" + ";b" * LONG],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_long_structured_fields_end(field):
    evidence.from_response(f"{A}/x?a=1", 200, {"No-Vary-Search": field})


def test_pages_of_many_tags_end():
    head = "".join(
        f'<link rel=canonical href="/{number}"><meta property="og:url" content="/{number}">' for number in range(20_000)
    )
    found = evidence.from_response(f"{A}/x", 200, {}, head)
    assert found.evidence == ()
    assert {one.reason for one in found.refusals} == {"several"}
    body = "<div>" * 100_000 + "<link rel=canonical href=/x>" * 20_000
    found = evidence.from_response(f"{A}/x", 200, {}, body)
    assert {one.reason for one in found.refusals} == {"not-in-head"}
    languages = "".join(f'<link rel=alternate hreflang="de" href="/{number}">' for number in range(20_000))
    assert len(evidence.from_response(f"{A}/x", 200, {}, languages).evidence) == 20_000


# --- headers as clients hand them over


@pytest.mark.parametrize(
    "headers",
    [
        {"Location": "/y"},
        {b"LOCATION": b"/y"},
        {b"Location": [b"/y"]},
        {"location": ["/y", "/y"]},
        [("Server", "x"), ("location", "/y")],
        [(b"location", b" /y\r\n")],
    ],
    ids=str,
)
def test_headers_come_in_many_shapes(headers):
    assert told(evidence.from_response(f"{A}/x", 301, headers)) == ([("redirect-permanent", f"{A}/y")], [])


def test_messages_of_the_standard_library_are_headers():
    message = http.client.parse_headers(io.BytesIO(b"Link: </y>; rel=canonical\r\nLink: </z>; rel=next\r\n\r\n"))
    assert [one.to for one in evidence.from_response(f"{A}/x", 200, message).evidence] == [f"{A}/z", f"{A}/y"]


def test_two_locations_that_differ_are_none():
    found = evidence.from_response(f"{A}/x", 301, [("Location", "/y"), ("Location", "/z")])
    assert told(found) == ([], [("redirect-permanent", "several-targets")])


def test_bad_arguments_raise():
    with pytest.raises(urlkey.UrlKeyError):
        evidence.from_response("http://a.example:x/", 200)
    with pytest.raises(ValueError, match="ftp"):
        evidence.from_response("ftp://a.example/", 200)
    with pytest.raises(TypeError, match="a hop is"):
        evidence.from_redirects([f"{A}/x"])
    with pytest.raises(TypeError, match="Location is"):
        evidence.from_redirects([(f"{A}/x", 301, 7)])
    with pytest.raises(urlkey.UrlKeyError):
        evidence.from_response(f"{A}/x", 200, policy="nonsense")


def test_a_response_is_of_the_url_without_its_fragment():
    found = evidence.from_response(f"{A}/#/route", 200, {"Link": "</>; rel=canonical"})
    assert [(one.from_, one.to) for one in found.evidence] == [(f"{A}/", f"{A}/")]


def test_the_policy_says_which_urls_differ():
    page = {"Link": f"<{A}/p?ref=1>; rel=canonical, <{A}/p>; rel=canonical"}
    assert told(evidence.from_response(f"{A}/x", 200, page))[1] == [("canonical-header", "several")] * 2
    policy = urlkey.Policy("crawl").with_(drop_tracking={"also": ["ref"]})
    assert told(evidence.from_response(f"{A}/x", 200, page, policy=policy))[1] == []


@given(
    st.sampled_from([200, 301, 404]),
    st.text(alphabet="<>/=\"' abelinkrocnhdsv&;#:.", max_size=120),
    st.text(alphabet="</>;=\"', relcanoi?#:.hx", max_size=60),
)
def test_nothing_crashes(status, body, header):
    headers = [("Location", header), ("Link", header), ("No-Vary-Search", header), ("Refresh", f"0;{header}")]
    found = evidence.from_response(f"{A}/x/y?z=1", status, headers, f"<link rel=canonical href={header}>{body}")
    for one in found.evidence:
        assert json.dumps([one.kind, one.from_, one.to, one.weight, one.reason])
        assert urlkey.href(one.to) == one.to


def test_findings_add_up():
    one = evidence.from_response(f"{A}/x", 301, {"Location": "/y"})
    both = one + evidence.from_response(f"{A}/y", 303, {"Location": "/z"})
    assert told(both) == ([("redirect-permanent", f"{A}/y")], [("redirect", "see-other")])


def test_every_kind_and_reason_is_used():
    """What the tables name is what the code says, and the other way round."""
    from pathlib import Path

    source = "".join(path.read_text("utf-8") for path in Path(evidence.__file__).parent.glob("*.py"))
    unused = [reason for reason in evidence.REFUSALS if source.count(f'"{reason}"') < 2]
    assert unused == []
    assert all(f'"{kind}"' in source for kind in evidence.kinds())
