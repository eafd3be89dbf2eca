"""The suites of url-normalize, purell and courlan, each option under the rung that it stands for."""

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row, differ, given, result

WHATWG = urlkey.Policy("whatwg")


def parsed(url):
    """A text as the parser writes it. The parser cannot be switched off, so that what a foreign tool leaves as it is
    (a missing /, a default port, a host in capitals) is no difference."""
    return result(lambda: WHATWG.key(url)) or url


# purell: what the Go parser does before any flag, and then a rung for each flag; None: always, since parse does it.
GO = {"upper_percent": True, "decode_unreserved": True, "encode_unsafe": True}
FLAGS = {
    "FlagLowercaseScheme": None,
    "FlagLowercaseHost": None,
    "FlagUppercaseEscapes": None,
    "FlagDecodeUnnecessaryEscapes": None,
    "FlagEncodeNecessaryEscapes": None,
    "FlagRemoveDefaultPort": None,
    "FlagRemoveDotSegments": None,
    "FlagDecodeDWORDHost": None,
    "FlagDecodeOctalHost": None,
    "FlagDecodeHexHost": None,
    "FlagRemoveEmptyPortSeparator": None,
    "FlagRemoveEmptyQuerySeparator": ("drop_empty_query",),
    "FlagRemoveTrailingSlash": ("drop_trailing_slash",),
    "FlagRemoveDirectoryIndex": ("drop_index",),
    "FlagRemoveFragment": ("drop_fragment",),
    "FlagRemoveDuplicateSlashes": ("collapse_slashes",),
    "FlagRemoveWWW": ("drop_www",),
    "FlagRemoveUnnecessaryHostDots": ("drop_root_dot",),
    "FlagSortQuery": ("sort_query", "sort_values"),
}


def purell(row: Row):
    unknown = sorted(set(row["flags_expanded"]) - FLAGS.keys())
    if unknown:
        raise NotApplicable(f"no rung adds or writes http: {', '.join(unknown)}")
    rungs = {rung: True for flag in row["flags_expanded"] for rung in FLAGS[flag] or ()}
    policy = WHATWG.with_(**GO, **rungs)
    return differ(result(lambda: policy.key(given(row))), parsed(row["expected"]))


def test_purell():
    verdicts.hold("purell/purell", suites.shared("purell/purell.jsonl"), purell)


# url-normalize 3 drops empty fields of the query, and takes https for a text without a scheme.
NORMALIZE = urlkey.Policy("safe").with_(
    assume_scheme=True,
    drop_root_dot=True,
    collapse_slashes=True,
    drop_empty_params=True,
    drop_empty_query=True,
)
HOST = "http://a.example"


def url_normalize(row: Row):
    text, options, theirs = row["input"], row.get("options", {}), row["expected"]
    if options.get("filter_params"):
        raise NotApplicable("a list of the parameters to keep")
    domain, scheme = options.get("default_domain", "a.example"), options.get("default_scheme", "https")
    base = f"{scheme}://{domain}/" if options or (text.startswith("/") and not text.startswith("//")) else None
    if not text and not base:
        raise NotApplicable("no URL: the empty text")
    ours = result(lambda: NORMALIZE.key(text, base))
    if base and ours and "default_domain" not in options and not text.startswith("//"):
        ours = ours.removeprefix(base.removesuffix("/"))
    return differ(ours, theirs)


def path_of(text):
    return NORMALIZE.parse(NORMALIZE.key(HOST + text)).path


def parts_of(text):
    url = WHATWG.parse(text)
    user = ":".join(filter(None, [url.username, url.password]))
    port = "" if url.port is None else str(url.port)
    user = f"{user}@" if user else ""
    return [url.scheme, user, url.hostname, port, url.path, url.query or "", url.fragment or ""]


# What makes of the input what the function makes of it.
PARTS = {
    "normalize_scheme": lambda text: NORMALIZE.parse(f"{text}://a.example/").scheme,
    "normalize_userinfo": lambda text: NORMALIZE.key(f"http://{text}a.example/")[7:].removesuffix("a.example/"),
    "normalize_host": lambda text: NORMALIZE.parse(NORMALIZE.key(f"http://{text}/")).hostname,
    "normalize_path": path_of,
    "normalize_query": lambda text: NORMALIZE.parse(NORMALIZE.key(f"{HOST}/?{text}")).query or "",
    "normalize_fragment": lambda text: NORMALIZE.parse(NORMALIZE.key(f"{HOST}/#{text}")).fragment or "",
}


def normalizes(row: Row):
    op, text, options = row["op"], row["input"], row.get("options", {})
    if op == "url_normalize" or (op.startswith("provide_url_") and text):
        return url_normalize(row)
    if op == "deconstruct_url":
        ours, theirs = parts_of(text), row["expected"]
        theirs[4] = theirs[4] or "/"
        return differ(ours, theirs)
    if op == "normalize_port":
        scheme = row["args"][0]
        port = result(lambda: WHATWG.parse(f"{scheme}://a.example:{text}/").port)
        return differ("" if port is None else str(port), row["expected"])
    if op not in PARTS:
        raise NotApplicable(f"another operation: {op}")
    assert not options
    return differ(result(lambda: PARTS[op](text)), row["expected"])


def test_url_normalize():
    suite = "url_normalize/url_normalize"
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), normalizes)


# courlan cleans links found in pages: markup and entities first (scrub), then the URL (normalize).
TRACKING = {"also": ["fb_ref", "this_affiliate"]}
SCRUB = WHATWG.with_(trim_wrapping=True, unescape_html=True, drop_trailing_slash=True, unwrap_redirector=True)
COURLAN = urlkey.Policy("crawl").with_(
    drop_anchor=False, collapse_slashes=True, drop_tracking=TRACKING, sort_values=True
)
CLEAN = COURLAN.with_(trim_wrapping=True, unescape_html=True, drop_trailing_slash=True)


def courlan_key(policy):
    def judge(row: Row):
        options = row.get("options", {})
        if "language" in options:
            raise NotApplicable("a filter by language")
        strict = policy.with_(drop_fragment=True) if options.get("strict") else policy
        return differ(result(lambda: strict.key(row["input"])), parsed(row["expected"]))

    return judge


def relative(row: Row):
    return differ(result(lambda: WHATWG.join(row["input"], row["args"][0])), parsed(row["expected"]))


def domain(row: Row):
    return differ(result(lambda: urlkey.Url(row["input"]).registrable_domain), row["expected"])


def host_info(row: Row):
    url = urlkey.Url(row["input"])
    return differ([url.registrable_domain, url.origin], row["expected"])


def host_and_path(row: Row):
    url = urlkey.Url(row["input"])
    return differ([url.origin, url.path], row["expected"])


COURLAN_OPS = {
    "normalize_url": courlan_key(COURLAN),
    "clean_url": courlan_key(CLEAN),
    "scrub_url": courlan_key(SCRUB),
    "fix_relative_urls": relative,
    "extract_domain": domain,
    "get_base_url": lambda row: differ(urlkey.Url(row["input"]).origin, row["expected"]),
    "get_hostinfo": host_info,
    "get_host_and_path": host_and_path,
}


def courlan(row: Row):
    if row["op"] not in COURLAN_OPS:
        raise NotApplicable(f"another operation: {row['op']}")
    return COURLAN_OPS[row["op"]](row)


def test_courlan():
    verdicts.hold("courlan/courlan", suites.shared("courlan/courlan.jsonl"), courlan)
