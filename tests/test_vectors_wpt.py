"""The parser, its parts and its setters through the Python API: the web platform tests and ada's additions to them,
and the Unicode files that stand behind them."""

from urllib.parse import quote

import pytest

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row, differ, result

WHATWG = urlkey.Policy("whatwg")
SETTERS = {"protocol": "scheme", "pathname": "path", "search": "query", "hash": "fragment"}


def after(mark, part):
    return f"{mark}{part}" if part else ""


# The attributes of the URL API, from those of Url.
ATTRIBUTES = {
    "href": lambda url: url.href,
    "origin": lambda url: url.origin,
    "protocol": lambda url: f"{url.scheme}:",
    "username": lambda url: url.username,
    "password": lambda url: url.password,
    "host": lambda url: url.host or "",
    "hostname": lambda url: url.hostname or "",
    "port": lambda url: "" if url.port is None else str(url.port),
    "pathname": lambda url: url.path,
    "search": lambda url: after("?", url.query),
    "hash": lambda url: after("#", url.fragment),
}


def attributes(url, wanted):
    """The pair (ours, theirs) of attributes where they differ."""
    theirs = {name: value for name, value in wanted.items() if name in ATTRIBUTES}
    ours = {name: ATTRIBUTES[name](url) for name in theirs}
    return differ(ours, theirs)


def parses(row: Row):
    text, base = row["input"], row.get("base")
    url = result(lambda: WHATWG.parse(text, base))
    if row.get("failure"):
        return None if url is None else (url.href, None)
    if url is None:
        return None, row["href"]
    if WHATWG.key(text, base) != url.href or WHATWG.key(url.href) != url.href:
        return WHATWG.key(url.href), url.href
    return attributes(url, row)


@pytest.mark.parametrize("suite", ["wpt/urltestdata", "wpt/ada_extra_urltestdata"])
def test_urls_parse_as_the_standard_says(suite):
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), parses)


def sets(row: Row):
    url, name = urlkey.Url(row["href"]), SETTERS.get(row["attribute"], row["attribute"])
    changed = result(lambda: url.replace(**{name: row["new_value"]}))
    # A setter that changes nothing was ignored, unless it took away a part that was not there.
    if changed is not None and changed == url and row["new_value"]:
        return changed.href, None
    return attributes(changed or url, row["expected"])


@pytest.mark.parametrize("suite", ["wpt/setters_tests", "wpt/ada_extra_setters"])
def test_setters_set_as_the_standard_says_and_raise_where_it_ignores(suite):
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), sets)


@pytest.mark.parametrize(
    ("part", "value", "href"),
    [
        # https://url.spec.whatwg.org/#dom-url-search, #dom-url-hash: one ? or # is removed from the value as given,
        # and the parser drops tabs and line breaks afterwards. Found against ada 4.0.0.
        ("query", "\t?q", "http://a.example/x??q#f"),
        ("query", "?\tq", "http://a.example/x?q#f"),
        ("query", "\n", "http://a.example/x?#f"),
        ("fragment", "\n#g", "http://a.example/x?p##g"),
        ("fragment", "#\ng", "http://a.example/x?p#g"),
        ("fragment", "\t", "http://a.example/x?p#"),
    ],
)
def test_only_a_mark_that_stands_first_is_taken_off_a_value(part, value, href):
    assert urlkey.Url("http://a.example/x?p#f").replace(**{part: value}).href == href


DELIMITERS = set("/?#\\:@[]%\t\n\r")


def host_of(domain, quoted):
    """The host that the parser makes of a domain, None where it fails."""
    return result(lambda: urlkey.Url(f"https://{quote(domain, safe='') if quoted else domain}/x").host)


def to_ascii(domain, theirs):
    """The pair (ours, theirs) where the parser makes another host of the domain, escaped or as it stands."""
    spellings = [True] if DELIMITERS & set(domain) else [True, False]
    return next(((ours, theirs) for quoted in spellings if (ours := host_of(domain, quoted)) != theirs), None)


def is_host(row: Row):
    if not row["input"]:
        raise NotApplicable("the empty host cannot be asked for in an https URL")
    return to_ascii(row["input"], row["output"])


@pytest.mark.parametrize("suite", ["wpt/idna_test_v2", "wpt/idna_test_v2_removed"])
def test_domains_become_ascii_as_the_standard_says(suite):
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), is_host)


def is_not_measured(row: Row):
    url = result(lambda: urlkey.Url(row["input"]))
    return None if url is not None else (None, row["input"])


def test_the_parser_does_not_verify_dns_lengths():
    """https://url.spec.whatwg.org/#concept-domain-to-ascii: VerifyDnsLength is beStrict, which the parser is not."""
    suite = "wpt/ada_verify_dns_length"
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), is_not_measured)


# What the URL Standard does not check: CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength are false.
UNCHECKED = {"V2", "V3", "U1", "A4_1", "A4_2"}
# https://url.spec.whatwg.org/#forbidden-domain-code-point
FORBIDDEN = {*map(chr, range(0x21)), *"#/:<>?@[\\]^|%\x7f"}


def standard_says(row: Row):
    """The host that the URL Standard makes of the row's source, told from the Unicode columns."""
    source = row["source"]
    if source.isascii():
        # concept-domain-to-ascii looks into no ASCII domain.
        ascii_domain = source.lower()
    elif set(row["to_ascii_n_status"]) - UNCHECKED:
        return None
    else:
        ascii_domain = row["to_ascii_n"]
    labels = ascii_domain.removesuffix(".").split(".")
    if labels[-1].isdigit():
        raise NotApplicable("the host ends in a number: an IPv4 address to the URL Standard")
    return None if FORBIDDEN & set(ascii_domain) or not ascii_domain else ascii_domain


def is_unicode_host(row: Row):
    if not row["source"]:
        raise NotApplicable("the empty host cannot be asked for in an https URL")
    return to_ascii(row["source"], standard_says(row))


@pytest.mark.parametrize("suite", ["unicode/idna_test_v2_unicode16", "unicode/idna_test_v2_unicode17"])
def test_domains_become_ascii_as_unicode_says_where_the_standard_follows(suite):
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), is_unicode_host)


def is_punycode(row: Row):
    decoded = row["decoded"]
    if not decoded or decoded.isascii():
        raise NotApplicable("an ASCII label takes no punycode in a host")
    if FORBIDDEN & set(decoded):
        raise NotApplicable("the label holds a forbidden domain code point")
    ours = host_of(f"{decoded}.example", quoted=True)
    # UTS #46 maps to lower case before it encodes, which leaves the digits of punycode as they are.
    theirs = f"xn--{row['encoded'].lower()}.example"
    return differ(ours, theirs)


def test_labels_are_written_in_punycode():
    verdicts.hold("unicode/punycode", suites.shared("unicode/punycode.jsonl"), is_punycode)


SURROGATES = [
    ("wpt/urltestdata_javascript_only", "input", ""),
    ("wpt/idna_test_v2.lone_surrogates", "input", "https://"),
    ("unicode/idna_test_v2_unicode16.lone_surrogates", "source", "https://"),
    ("unicode/idna_test_v2_unicode17.lone_surrogates", "source", "https://"),
]


@pytest.mark.parametrize(("suite", "field", "scheme"), SURROGATES)
def test_a_lone_surrogate_is_an_error_that_says_where(suite, field, scheme):
    for row in suites.shared(f"{suite}.jsonl"):
        text = scheme + row[field]
        first = next(i for i, c in enumerate(text) if "\ud800" <= c <= "\udfff")
        for call in (urlkey.Url, urlkey.key, urlkey.href, urlkey.digest, urlkey.explain, urlkey.identify):
            with pytest.raises(urlkey.UrlKeyError) as caught:
                call(text)
            assert (caught.value.code, caught.value.at) == ("surrogate", len(text[:first].encode()))
