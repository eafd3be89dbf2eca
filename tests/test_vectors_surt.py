"""The suites of web archives: webarchive-commons, OpenWayback, urlcanon's SURT rows, and our own list of what keys,
Wayback URLs, POST captures and ranges are."""

import base64

import pytest

import suites
import verdicts
from urlkey.systems import archive
from verdicts import NotApplicable, Row, differ, given

CANONICALIZERS = {
    "AggressiveIAURLCanonicalizer.canonicalize": "aggressive",
    "IAURLCanonicalizer(AggressiveIACanonicalizerRules).canonicalize": "aggressive",
    "OrdinaryIAURLCanonicalizer.canonicalize": "ordinary",
    "BasicURLCanonicalizer.canonicalize": "basic",
}


def host_of(host):
    """What a key makes of a host."""
    return archive.canonical(f"http://{host}/").removeprefix("http://").removesuffix("/")


def commons(row: Row):
    operation, text, expected = row["op"], row["input"], row["expected"]
    if text is None and operation != "WaybackURLKeyMaker.makeKey":
        raise NotApplicable("null, which Java passes through")
    match operation:
        case "WaybackURLKeyMaker.makeKey":
            return differ(archive.surt(text, "java"), expected)
        case operation if operation in CANONICALIZERS:
            return differ(archive.canonical(text, CANONICALIZERS[operation], "java"), expected)
        case "BasicURLCanonicalizer.decode" | "BasicURLCanonicalizer.unescapeRepeatedly":
            # Seen through a query, where what is decoded is escaped again as it must be.
            expected = expected.replace("\n", "%0A").replace("\t", "%09")
            ours, theirs = (archive.canonical(f"http://a/?{each}", "basic", "java") for each in (text, expected))
            return differ(ours, theirs)
        case "BasicURLCanonicalizer.attemptIPFormats":
            return differ(host_of(text), expected or host_of(text))
        case "IAURLCanonicalizer.massageHost":
            return differ(host_of(text), expected)
        case "IAURLCanonicalizer.alphaReorderQuery":
            return differ(archive.surt(f"http://a/?{text}", "java"), f"a)/?{expected}".removesuffix("?"))
        case "URLRegexTransformer.stripPathSessionID":
            return differ(
                archive.canonical(f"http://a{text}", flavor="java"), f"http://a{expected}".rstrip("/").lower()
            )
        case "URLRegexTransformer.stripQuerySessionID":
            stripped = archive.surt(f"http://a/{text}", "java", query_alpha_reorder=False)
            return differ(stripped, archive.surt(f"http://a/{expected}", "java", query_alpha_reorder=False))
        case "URLRegexTransformer.hostToSURT":
            return differ(archive.surt(f"http://{text}/", "java", host_massage=False), f"{expected})/")
        case "URLParser.addDefaultSchemeIfNeeded":
            return differ(archive.surt(text or "http://", "java"), archive.surt(expected, "java"))
    raise NotApplicable("an inner function that has no counterpart")


def test_keys_and_urls_of_webarchive_commons():
    verdicts.hold("surt/webarchive_commons", suites.shared("surt/webarchive_commons.jsonl"), commons)


def openwayback(row: Row):
    if row["op"] != "SURTTokenizer.nextSearch (sequence)":
        raise NotApplicable("OpenWayback's older canonicalizer, whose keys no index of today holds")
    exact, *coarser = row["expected"]
    ours = list(archive.prefixes(row["input"]))
    return differ([f"{ours[0]}\t", *ours], [exact, *coarser])


def test_surt_prefixes_of_openwayback():
    verdicts.hold("surt/openwayback", suites.shared("surt/openwayback.jsonl"), openwayback)


PLAIN = {"surt", "surtWithoutScheme", "surtWithoutTrailingComma"}


def urlcanon_forms(row: Row):
    operation, text, expected = row["op"], row["input"], row["expected"]
    if operation == "ssurt":
        return differ(archive.ssurt(text), expected)
    if operation in ("ssurtHost", "reverseHost") and text:
        return differ(archive.ssurt(f"http://{text}").partition("//")[0], expected)
    if operation in PLAIN:
        ours = next(archive.ancestry(text))
        ours = ours.partition("(")[2] if operation == "surtWithoutScheme" else ours
        ours = ours.replace(",)", ")").replace(",:", ":") if operation == "surtWithoutTrailingComma" else ours
        return differ(ours, expected)
    raise NotApplicable("an inner function on an empty host")


def test_surts_of_urlcanon_which_canonicalize_nothing():
    verdicts.hold("urlcanon/ssurt", suites.shared("urlcanon/ssurt.jsonl"), urlcanon_forms)


def urlcanon_keys(row: Row):
    text = given(row)
    expected = row["expected"].encode() if isinstance(text, bytes) else row["expected"]
    match row["op"]:
        case "google" | "googleSupplementalFromSurt":
            return differ(archive.canonical(text, "basic"), expected)
        case "Canonicalizer.DefaultIA" | "Canonicalizer.IA":
            return differ(archive.canonical(text), expected)
        case "defaultIASurt":
            return differ(archive.surt(text), expected)
        case "alphaRorderQuery":
            return differ(archive.surt(f"http://a/?{text}"), f"a)/?{expected}".removesuffix("?"))
        case "massageHost":
            return differ(host_of(text), expected)
        case "unescapeRepeatedly":
            ours, theirs = (archive.canonical(f"http://a/?{each}", "basic") for each in (text, expected))
            return differ(ours, theirs)
        case "stripPathSessionId":
            return differ(archive.canonical(f"http://a{text}"), f"http://a{expected}".rstrip("/").lower())
    raise NotApplicable("an inner function that has no counterpart")


def test_keys_that_urlcanon_copied_from_the_package():
    verdicts.hold("urlcanon/surt", suites.shared("urlcanon/surt.jsonl"), urlcanon_keys)


def ancestors(row: Row):
    if not row["surt_ancestry"]:
        raise NotApplicable("upstream gives no ancestors")
    return differ(list(archive.ancestry(given(row))), row["surt_ancestry"])


def test_ancestors_of_urlcanon():
    verdicts.hold("urlcanon/ancestry", suites.shared("urlcanon/parsing.jsonl"), ancestors)


COLUMNS = [
    ("py_surt_0.3.1", "python", {}),
    ("py_with_scheme", "python", {"with_scheme": True}),
    ("py_trailing_comma", "python", {"trailing_comma": True}),
    ("py_no_ip_reverse", "python", {"reverse_ipaddr": False}),
    ("java_WaybackURLKeyMaker", "java", {}),
]


@pytest.mark.parametrize(("column", "flavor", "options"), COLUMNS)
@pytest.mark.parametrize("part", ["vectors", "java_vs_python_differences"])
def test_keys_as_they_were_measured(part, column, flavor, options):
    rows = [row for row in suites.shared_list("domains/surt.json", part) if row.get(column) is not None]
    for row in rows:
        key = archive.surt(row["url"], flavor, **options)
        # Where the original raises there is a key all the same.
        assert row[column].startswith("!ERR") or key == row[column], row["url"]
    assert rows or part != "vectors"


@pytest.mark.parametrize(
    ("column", "rules"), [("java_aggressive_url", "aggressive"), ("java_ordinary_url", "ordinary")]
)
def test_canonical_urls_as_they_were_measured(column, rules):
    for row in suites.shared_list("domains/surt.json", "vectors"):
        if row[column].startswith("!ERR") or row["url"].startswith(("dns:", "filedesc", "mailto:")):
            continue  # opaque, or userinfo, which `ordinary` keeps
        assert archive.canonical(row["url"], rules, "java") == row[column], row["url"]


def domain_list(*path):
    import json

    found = json.loads(suites.beside("domains/surt.json").read_text(encoding="utf-8"))
    for name in path:
        found = found[name]
    assert found
    return found


def test_wayback_urls_are_read_and_written_as_pywb_does():
    for row in domain_list("wayback_url", "vectors"):
        found = archive.parse_wayback(row["wburl"])
        ours = [found.type, found.timestamp, found.end_timestamp, found.modifier, found.url, str(found)]
        assert ours == [row[name] for name in ("type", "timestamp", "end_timestamp", "modifier", "url", "str")]
    assert list(archive.MODIFIERS) == list(domain_list("wayback_url", "modifiers"))


def test_requests_with_a_body_are_appended_as_pywb_does():
    for row in domain_list("post_append_pywb", "vectors"):
        body = base64.b64decode(row["body_base64"])
        appended = archive.post_append(row["url"], row["method"], row["content_type"], body)
        assert (appended, archive.surt(appended)) == (row["appended"], row["surt_key"])


def test_ranges_of_an_index():
    for row in domain_list("cdx", "search_ranges"):
        assert archive.cdx_range(row["url"], row["matchType"]) == (row["start_inclusive"], row["end_exclusive"])
