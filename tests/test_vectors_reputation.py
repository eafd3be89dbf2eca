"""Reputation: the suites of Safe Browsing's documents and clients, each row for the version that it describes, and the
defanged indicators beside the project."""

import base64
import json

import pytest

import suites
import verdicts
from urlkey.systems import reputation
from verdicts import NotApplicable, Row, differ, given, result

VERSIONS = ("v4", "v5")


def split(canonical):
    """Host, path and query of a canonical URL."""
    rest = canonical.partition("://")[2]
    head, question, query = rest.partition("?")
    host, slash, path = head.partition("/")
    return host, slash + path, question + query


def part(url, version, index):
    canonical = result(lambda: reputation.canonical(url, version))
    return None if canonical is None else split(canonical)[index]


def canonical_of(version):
    return lambda url: result(lambda: reputation.canonical(url, version))


def in_order(version):
    return lambda url: result(lambda: reputation.expressions(url, version))


def test_the_documents_examples():
    def judge(row: Row):
        if row["op"] == "canonicalize_host_v5":
            return differ(part(f"http://{row['input']}/", "v5", 0), row["expected"])
        operation = {"canonicalize": canonical_of, "expressions": in_order}[row["op"]]
        ours = [operation(version)(given(row)) for version in VERSIONS]
        return differ(ours, [row["expected"]] * 2)

    verdicts.hold("gsb/google_docs_examples", suites.shared("gsb/google_docs_examples.jsonl"), judge)


def hosts_of(url):
    """The hosts of the expressions with the root, once each."""
    found = in_order("v4")(url)
    return found and list(dict.fromkeys(expression.partition("/")[0] for expression in found))


def paths_of(url):
    found = in_order("v4")(url)
    first = found and found[0].partition("/")[0]
    return found and sorted(text.removeprefix(first) for text in found if text.startswith(first + "/"))


def go(row: Row):
    url = given(row)
    if row["op"] == "canonicalURL":
        theirs = row["expected"]
        ours = canonical_of("v4")(url)
        return differ(ours and ours.partition("?")[0], theirs)
    if row["op"] == "parseIPAddress":
        ours = part(f"http://{url}/", "v4", 0)
        is_address = ours is not None and ours.replace(".", "").isdigit() and ours.count(".") == 3
        return differ(ours if is_address else "", row["expected"])
    if row["op"] == "generateLookupHosts":
        return differ(hosts_of(url), row["expected"])
    if row["op"] == "generateLookupPaths":
        return differ(paths_of(url), row["expected"] and sorted(row["expected"]))
    if row["op"] == "generatePatterns":
        ours = in_order("v4")(url)
        return differ(ours and sorted(ours), row["expected"] and sorted(row["expected"]))
    return differ(part(url, "v4", {"canonicalHost": 0, "canonicalPath": 1}[row["op"]]), row["expected"])


def test_googles_client_in_go():
    verdicts.hold("gsb/google_safebrowsing_go", suites.shared("gsb/google_safebrowsing_go.jsonl"), go)


def test_gglsbl():
    def judge(row: Row):
        operation = {"canonicalize": canonical_of, "expressions": in_order}[row["op"]]
        return differ(operation("v4")(given(row)), row["expected"])

    verdicts.hold("gsb/gglsbl", suites.shared("gsb/gglsbl.jsonl"), judge)


def test_googles_examples_as_urlcanon_has_them():
    def judge(row: Row):
        if row["op"] not in ("google", "googleSupplementalFromSurt"):
            raise NotApplicable("another form: SURT")
        return differ(canonical_of("v4")(given(row)), row["expected"])

    verdicts.hold("urlcanon/surt.google", suites.shared("urlcanon/surt.jsonl"), judge)


def test_googles_examples_as_webarchive_commons_has_them():
    def judge(row: Row):
        if row["op"] == "BasicURLCanonicalizer.unescapeRepeatedly":
            # Seen through a query, where nothing else acts but the escaping at the end.
            ours = canonical_of("v4")(f"http://a.example/?{row['input']}")
            theirs = row["expected"].encode("latin-1")
            theirs = "".join(chr(c) if 0x20 < c < 0x7F and c not in b"#%" else f"%{c:02X}" for c in theirs)
            return differ(ours.partition("?")[2], theirs)
        if row["group"] not in ("testGoogleExamples", "testHostDots", "testUnicodeEscaping"):
            raise NotApplicable("another form")
        return differ(canonical_of("v4")(given(row)), row["expected"])

    verdicts.hold("surt/webarchive_commons.google", suites.shared("surt/webarchive_commons.jsonl"), judge)


def documents(name: str):
    return suites.shared_list("domains/safebrowsing.json", name)


def test_the_official_pairs():
    def judge(row: Row):
        url = base64.b64decode(row["input_base64"]) if "input_base64" in row else row["input"]
        return differ([canonical_of(version)(url) for version in VERSIONS], [row["canonical"]] * 2)

    verdicts.hold("domains/safebrowsing.official", documents("canonicalize_official_33"), judge)


def test_what_the_go_client_adds():
    def judge(row: Row):
        return differ([canonical_of(version)(row["input"]) for version in VERSIONS], [row["canonical"]] * 2)

    verdicts.hold("domains/safebrowsing.go_extra", documents("canonicalize_go_extra"), judge)


def test_texts_without_a_host():
    def judge(row: Row):
        return differ([canonical_of(version)(row["input"]) for version in VERSIONS], [None] * 2)

    verdicts.hold("domains/safebrowsing.no_host", documents("no_host_error"), judge)


def test_ipv4_forms():
    def judge(row: Row):
        host = part(f"http://{row['host']}/", "v5", 0)
        return differ(host if host.replace(".", "").isdigit() and host.count(".") == 3 else None, row["canonical"])

    verdicts.hold("domains/safebrowsing.ipv4", documents("ipv4_forms"), judge)


def test_ipv6_forms():
    def judge(row: Row):
        go = canonical_of("v4")(row["input"])
        return differ([canonical_of("v5")(row["input"]), go.partition("?")[0]], [row["v5"], row["v4_go_reference"]])

    verdicts.hold("domains/safebrowsing.ipv6", documents("ipv6_v5"), judge)


def test_expressions():
    def judge(row: Row):
        ours = [sorted(in_order(version)(row["input"])) for version in VERSIONS]
        return differ(ours, [sorted(row["v4_rule"]), sorted(row["v5_rule"])])

    verdicts.hold("domains/safebrowsing.expressions", documents("expressions"), judge)


def test_expressions_come_in_the_documents_order():
    for row in documents("expressions"):
        if row["official"] is not None:
            version = row["official"]["page"]
            assert reputation.expressions(row["input"], version) == row["official"]["expressions"]


def test_hashes_of_expressions():
    rows = documents("expression_hashes")
    expressions = reputation.expressions(f"http://{rows[0]['expression']}")
    found = dict(zip(expressions, reputation.hashes(f"http://{rows[0]['expression']}"), strict=True))
    short = reputation.hashes(f"http://{rows[0]['expression']}", 4)
    for row in rows:
        assert found[row["expression"]].hex() == row["sha256"]
        assert short[expressions.index(row["expression"])].hex() == row["prefix4"]


def test_virustotal_ids():
    document = json.loads(suites.beside("domains/defang.json").read_text(encoding="utf-8"))
    for row in document["virustotal_ids"]:
        assert reputation.virustotal_id(row["url"]) == row["id_base64url_nopad"]
        assert reputation.virustotal_id(row["url"].encode()) == row["id_base64url_nopad"]


@pytest.mark.parametrize("nested", [False, True])
def test_indicators_come_alive(nested):
    def judge(row: Row):
        return differ(reputation.refang(row["defanged"], nested=nested), row["refanged"])

    suite = "domains/defang.nested" if nested else "domains/defang.refang"
    verdicts.hold(suite, suites.shared_list("domains/defang.json", "refang"), judge)


TOOLS = ("defang_0.5.3", "defang_0.5.3_all_dots", "defang_0.5.3_colon", "suggested")


def test_indicators_are_broken_as_suggested_and_alive_again():
    for row in suites.shared_list("domains/defang.json", "defang"):
        assert reputation.defang(row["live"]) == row["suggested"]
        assert [reputation.refang(row[tool]) for tool in TOOLS] == [row["live"]] * len(TOOLS)
