"""SURT keys: the package `surt` beside ours (a test-only dependency, only run), and what is promised of
any bytes."""

import gc
import gzip
import inspect
import random
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import suites
import urlkey
from urlkey.systems import archive

package = pytest.importorskip("surt", reason="the package surt is not installed: pip install '.[test]'").surt

# Each switched from its default.
OPTIONS = [
    {},
    *({name: True} for name in ("with_scheme", "trailing_comma", "path_strip_empty")),
    *(
        {name: False}
        for name in (
            *("reverse_ipaddr", "surt", "host_massage", "port_strip_default", "path_lowercase"),
            *("path_strip_session_id", "path_strip_trailing_slash_unless_empty", "query_lowercase"),
            *("query_strip_session_id", "query_alpha_reorder", "query_strip_empty"),
            *("host_lowercase", "auth_strip_user", "auth_strip_pass", "hash_strip", "public_suffix"),
        )
    ),
    {"auth_strip_user": False, "auth_strip_pass": False, "hash_strip": False, "with_scheme": True},
]

PIECES = [
    *(b"http://", b"https://", b"HTTP://", b"ftp://", b"x:", b"http:", b"//", b"/", b"a", b"B", b"www.", b"www2."),
    *(b".", b"..", b"/../", b"/./", b"%2e", b"%2F", b"%25", b"%", b"2", b"5", b"%41", b"%c3%bc", b"%ff", b"?", b"&"),
    *(b"\xc3\xbc", b"\xff", b"\xe2\x98\x83", b"=", b"#", b":", b"80", b"443", b"@", b"[", b"]", b" ", b"\t", b"\n"),
    *(b"\x00", b"\x7f", b";", b"sid=", b"jsessionid=", b"0123456789abcdef0123456789ABCDEF", b"cfid=1", b"&cftoken=2"),
    *(b"aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX", b"(S(4hqa0555fwsecu455xqckv45))/", b".aspx", b"1.2.3.4"),
    *(b"(4hqa0555fwsecu455xqckv45)", b"017", b"08", b"256", b".com", b"\\", b"-", b",", b"(", b")", b"\x0b"),
    *(b"\xc2\xa0", b"\xe3\x80\x82", b"\xcc\x81", b"\xd7\x90", b"&a=1", b"&a", b"&a-=1", b"&A=0", b"phpsessid"),
]


def theirs(url, **options):
    """Its key; None where it raises: of a port that is no number or too large, and of spaces alone."""
    try:
        return package(url, **options)
    except (ValueError, AttributeError):
        return None


def generated(seed, count):
    source = random.Random(seed)
    for _ in range(count):
        if source.random() < 0.3:
            yield source.choice([b"", b"http://"]) + source.randbytes(source.randrange(30))
        else:
            start = source.choice([b"", b"http://", b"http://a/", b"http://a/?", b"http://www.a.com", b"x://a"])
            yield start + b"".join(source.choices(PIECES, k=source.randrange(1, 14)))


def with_userinfo(source, url):
    """The URL with a userinfo and a fragment, each in half of the cases."""
    scheme, slashes, rest = url.partition(b"://")
    if slashes and source.random() < 0.5:
        url = scheme + slashes + source.choice([b"u@", b"u:p@", b"%41:b%2f@", b"u:@", b":p@", b"a@b@"]) + rest
    return url + (source.choice([b"#", b"#f", b"#a#b", b"#%41?x"]) if source.random() < 0.5 else b"")


def test_keys_of_generated_bytes_are_those_of_the_package():
    raised = 0
    for i, url in enumerate(generated(1, 8000)):
        options = OPTIONS[i % len(OPTIONS)]
        key = theirs(url, **options)
        raised += key is None
        assert key in (None, archive.surt(url, **options)), (url, options)
    assert raised < 800


def test_keys_of_real_urls_are_those_of_the_package():
    path = suites.beside("../corpora/bench/messy.txt.gz")
    with gzip.open(path) as file:
        for line in islice(file, 20_000):
            url = line.rstrip(b"\n")
            assert theirs(url) in (None, archive.surt(url)), url


@pytest.mark.parametrize("options", OPTIONS[1:], ids=lambda options: "-".join(options))
def test_keys_of_real_urls_under_each_option_are_those_of_the_package(options):
    source = random.Random(2)
    with gzip.open(suites.beside("../corpora/bench/messy.txt.gz")) as file:
        urls = [with_userinfo(source, line.rstrip(b"\n")) for line in islice(file, 1000)]
    ours = archive.surts(urls, **options)
    assert [(url, theirs(url, **options)) for url in urls] == [
        (url, key if theirs(url) is not None else None) for url, key in zip(urls, ours, strict=True)
    ]


def test_what_no_option_can_change_is_taken_and_what_has_no_key_is_not():
    for name in ("auth_strip_user", "auth_strip_pass", "hash_strip"):
        for on in (True, False):
            assert archive.surt("http://u:p@a.com/#f", **{name: on}) == "com,a)/"
        assert archive.surt("http://u:p@a.com/#f", "java", **{name: True}) == "com,a)/"
        with pytest.raises(TypeError, match=f'no option "{name}"'):
            archive.surt("http://u:p@a.com/#f", "java", **{name: False})
    for surt in (package, archive.surt):
        assert surt("http://a.com/", public_suffix=False) == "com,a)/"
        with pytest.raises(TypeError):
            surt("http://a.com/", public_suffix=True)
        with pytest.raises(TypeError):
            surt("http://a.com/", canonicalizer=1)


@pytest.mark.parametrize("url", ["http://a:b/", "http://a:99999/x", "http://a:80:90/", "http://::1/", " ", "a_b:c/d"])
def test_what_the_package_raises_at_has_a_key(url):
    with pytest.raises((ValueError, AttributeError)):
        package(url)
    assert archive.surt(url)


def test_a_port_that_is_no_number_stays_in_the_key():
    assert archive.surt("http://a.com:8X0/y") == "com,a:8x0)/y"
    assert archive.surt("http://a.com:8Y0/y") == "com,a:8y0)/y"
    assert archive.surt("  ") == archive.surt("") == archive.surt(None) == "-"


@given(st.binary(max_size=60))
def test_any_bytes_have_a_key_in_every_flavor(url):
    for flavor in ("python", "java", "heritrix"):
        assert isinstance(archive.surt(url, flavor), bytes)
    assert archive.surts([url]) == [archive.surt(url)]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_str_and_bytes_have_one_key(url):
    for flavor in ("python", "java", "heritrix"):
        assert archive.surt(url, flavor).encode() == archive.surt(url.encode(), flavor)


def test_keys_of_webarchive_commons_differ_where_its_rules_do():
    assert archive.surt("http://www2.www.archive.org/", "java") == "org,archive)/"
    assert archive.surt("dns:archive.org", "java") == "org,archive)"
    assert archive.surt("http://10.0.258/", "java") == "258,0,10)/"
    assert (
        archive.surt("http://a.com/?sijsessionid=" + "0" * 32 + "&d=" + "0" * 32, "java") == "com,a)/?sid=" + "0" * 32
    )
    assert archive.surt("http://a.com/?sijsessionid=" + "0" * 32 + "&d=" + "0" * 32) == "com,a)/"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.archive.org/Foo?Bar#Baz", "http://(org,archive,www,)/foo?bar#baz"),
        ("http://127.2.34.163:8080/foo", "http://(127.2.34.163:8080)/foo"),
        ("http://u:p@www.example.com:8080", "http://(com,example,www,:8080@u:p)"),
        # Heritrix, SURTTest: what it has besides these.
        ("http://www.archive.org", "http://(org,archive,www,)"),
        ("http://user:pass@www.archive.org/movies/a.php", "http://(org,archive,www,@user:pass)/movies/a.php"),
        ("http://www.archive.org/movies/a.php#top", "http://(org,archive,www,)/movies/a.php#top"),
        ("http://www.example.com/foo@bar", "http://(com,example,www,)/foo@bar"),
        ("http://127.2.34.5/foo", "http://(127.2.34.5)/foo"),
        ("mailto:Gojomo@archive.org", "mailto:Gojomo@archive.org"),
        ("http://a b.com/", "http://a b.com/"),
        ("archive.org", "archive.org"),
        ("", ""),
    ],
)
def test_the_form_of_heritrix(url, key):
    assert archive.surt(url, "heritrix") == key


def test_case_stays_in_heritrix_form_where_it_is_asked_for():
    assert archive.surt("HTTP://Archive.ORG/Foo", "heritrix", preserve_case=True) == "HTTP://(ORG,Archive,)/Foo"


def test_options_and_flavors_that_do_not_exist_are_refused():
    with pytest.raises(TypeError, match='no option "nosuch"'):
        archive.surt("a", nosuch=True)
    with pytest.raises(ValueError, match="flavor must be one of 'python', 'java', 'heritrix'"):
        archive.surt("a", "ruby")
    with pytest.raises(TypeError, match="url must be str or bytes"):
        archive.surt(1)


def test_surt_reads_like_any_built_in_function():
    assert str(inspect.signature(archive.surt)) == "(url, flavor='python', **options)"
    assert (archive.surt.__name__, archive.surt.__module__) == ("surt", archive.surts.__module__)
    assert archive.surt(url="http://a.com/B", flavor="python", path_lowercase=False) == "com,a)/B"
    for wrong in (lambda: archive.surt(), lambda: archive.surt("a", "java", 1), lambda: archive.surt("a", url="b")):
        with pytest.raises(TypeError, match="surt\\(\\)"):
            wrong()


def test_surt_keeps_references():
    """A reference too many or too few would show 1000 times; None has other owners, whose garbage goes when it goes."""
    gc.collect()
    url, flavor, on = "".join(["http://www.a.com/", "B"]), "".join(["py", "thon"]), 3000
    before = [sys.getrefcount(each) for each in (url, flavor, on, None)]
    for _ in range(1000):
        archive.surt(url)
        archive.surt(url, flavor, path_lowercase=on)
        archive.surt(url.encode(), flavor=flavor)
        with pytest.raises(TypeError):
            archive.surt(url, flavor, nosuch=on)
    after = [sys.getrefcount(each) for each in (url, flavor, on, None)]
    assert all(abs(a - b) < 900 for a, b in zip(before, after, strict=True)), (before, after)


def test_a_lone_surrogate_is_the_one_str_without_a_key():
    with pytest.raises(urlkey.UrlKeyError) as caught:
        archive.surt("http://a/\ud800")
    assert caught.value.code == "surrogate"
    assert archive.surts(["http://a/\ud800", "a"], on_error="null") == [None, "a)/"]


@pytest.mark.parametrize(
    ("surt", "url"),
    [
        ("com,example)/", "example.com/"),
        ("com,example)", "com,example)"),
        ("suffix,domain,sub)/path/index.html?a=b?c=)/", "sub.domain.suffix/path/index.html?a=b?c=)/"),
        ("com,example:8080)/x", "example.com:8080/x"),
        ("com,example:8080,)/x", "example.com:8080/x"),
        ("http://(com,example,)/x", "http://example.com/x"),
        ("http://(com,example,:81@u:p)/x", "http://u:p@example.com:81/x"),
        ("4,3,2,1)/x", "1.2.3.4/x"),
        ("127.0.0.1)/x", "127.0.0.1/x"),
        ("2600:1f18::150a)/x", "2600:1f18::150a/x"),
        ("dns:example.com", "dns:example.com"),
        ("example.com/x", "example.com/x"),
        # SURT prefixes: what has a whole host is a URL, with `http://` or without it, as `prefixes` gives them.
        ("com,example)/a", "example.com/a"),
        ("http://(com,example,)", "http://example.com"),
        ("(org,archive,)/a", "archive.org/a"),
        ("(org,archive,:8080)/a?b", "archive.org:8080/a?b"),
        # What ends inside the host names all hosts that begin so, and no URL; pywb, too, leaves it as it is.
        ("com,example,", "com,example,"),
        ("com,example", "com,example"),
        ("http://(com,example,", "http://(com,example,"),
        ("http://(com,example", "http://(com,example"),
        ("(org,archive", "(org,archive"),
        ("(", "("),
    ],
)
def test_a_surt_is_turned_back(surt, url):
    assert archive.unsurt(surt) == url


@given(st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), min_size=1, max_size=5), st.integers(1, 65535))
def test_a_turned_key_has_the_same_key(labels, port):
    url = f"http://{'.'.join(labels)}:{port}/a?b"
    key = archive.surt(url)
    assert archive.surt("http://" + archive.unsurt(key), host_massage=False) == key


@given(st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), min_size=1, max_size=5))
def test_prefixes_with_a_whole_host_are_turned_back_and_others_left_alone(labels):
    host = ".".join(labels)
    for prefix in archive.prefixes(f"http://{host}/a/b?c"):
        turned = archive.unsurt(prefix)
        assert turned == (f"{host}{prefix.partition(')')[2]}" if ")" in prefix else prefix)


def test_canonical_urls_are_what_keys_are_made_of():
    url = "http://www.Example.com:80/a/../B/?b&a"
    assert archive.canonical(url) == "http://example.com/b?a&b"
    assert archive.canonical(url, "ordinary") == "http://www.example.com/B/?b&a"
    assert archive.canonical(url, "basic", "java") == "http://www.example.com:80/B/?b&a"


def test_a_query_covers_the_range_that_its_match_type_says():
    with pytest.raises(ValueError, match="match_type must be one of"):
        archive.cdx_range("a", "all")
    with pytest.raises(ValueError, match="without surt=True"):
        archive.cdx_range("a", "domain", surt=False)
    with pytest.raises(ValueError, match="heritrix"):
        archive.cdx_range("a", flavor="heritrix")
    assert archive.cdx_range("http://a.com/x", "host", surt=False) == ("a.com/", "a.com0")
    assert archive.cdx_range("http://a.com/x/?", "prefix") == ("com,a)/x?", "com,a)/x@")
    assert archive.cdx_range(b"com", "domain") == (b"com,", b"com-")
