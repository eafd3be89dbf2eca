"""What kinds of systems need, as far as rungs of this release describe it: tracking and session parameters, signed
URLs, odd spellings of hosts, registrable domains, defanged links."""

import re
from urllib.parse import quote

import pytest

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row, differ, result

WHATWG = urlkey.Policy("whatwg")
CRAWL = urlkey.Policy("crawl")


def hosts_of(pattern: str) -> list[str]:
    """Hosts that a pattern of the list means: a name, `google.*` under any public suffix, `*.pxf.io` below."""
    if pattern == "*":
        return ["site.example"]
    if pattern.endswith(".*"):
        return [f"{pattern[:-1]}com", f"www.{pattern[:-1]}co.uk"]
    return [pattern.replace("*", "shop"), f"www.{pattern.removeprefix('*.')}"]


def names_of(row: Row) -> list[str]:
    """Spellings of the parameter's name: as listed, in capitals, all that may be escaped, and what need not be."""
    name = row["name"] + "x" * (row["match"] == "prefix")
    return [name, name.upper(), quote(name, safe=""), f"{name[:-1]}%{ord(name[-1]):02x}"]


def is_tracking(row: Row) -> bool:
    """Whether crawl drops it: verified, without risk, campaign or click id."""
    return row["verified"] and "risk" not in row and row["kind"] in ("campaign", "click-id")


def covers(other: Row, name: str) -> bool:
    stem, name = other["name"].lower(), name.lower()
    return name.startswith(stem) if other["match"] == "prefix" else name == stem


def dropped(host: str, name: str) -> bool:
    """Whether crawl drops the parameter on this host; it must leave the others."""
    key = CRAWL.key(f"http://{host}/p?a=1&{name}=v1&zz=2")
    if key == f"http://{host}/p?a=1&zz=2":
        return True
    assert all(part in key for part in ("a=1&", "zz=2", "v1"))
    return False


def tracking(rows):
    def judge(row: Row):
        if row["match"] == "path":
            raise NotApplicable("a segment of the path, no parameter")
        if not is_tracking(row) and any(covers(other, row["name"]) for other in rows if is_tracking(other)):
            raise NotApplicable("another row drops the name")
        theirs = is_tracking(row)
        for host in [host for pattern in row["hosts"] for host in hosts_of(pattern)]:
            ours = {name: dropped(host, name) for name in names_of(row)}
            if set(ours.values()) != {theirs}:
                return ours, theirs
        # A row of one site says nothing of a site whose name ends alike.
        elsewhere = "*" in row["hosts"] or any(covers(o, row["name"]) and "*" in o["hosts"] for o in rows)
        pattern = row["hosts"][0].removeprefix("*.").replace("*", "com")
        return None if elsewhere else differ(dropped(f"not{pattern}", row["name"]), False)

    return judge


def test_crawl_drops_the_tracking_parameters_that_are_verified_and_no_others():
    rows = suites.shared_list("domains/tracking_params.json", "params")
    verdicts.hold("domains/tracking_params", rows, tracking(rows))


EVERYTHING = CRAWL.with_(
    **{rung: True for rung in urlkey.RUNGS if rung not in ("drop_tracking", "drop_fragment")},
    drop_tracking={"kinds": ["campaign", "click-id", "affiliate", "session"], "risky": True},
)


def requested(policy, url):
    """Path and query of what a policy makes of a URL."""
    href = policy.parse(policy.key(url)).href
    return re.sub(r"^[a-z]+://[^/?#]*|#.*$", "", href)


def is_left_alone(row: Row):
    url = row.get("example", "")
    if not row.get("verified") or "://" not in url:
        raise NotApplicable("no whole example")
    if url.endswith("..."):
        raise NotApplicable("the example is cut off in front of a part that tells the scheme")
    ours = [policy.identify(url).flags[:1] for policy in (CRAWL, EVERYTHING)]
    ours += [requested(policy, url) for policy in (CRAWL, EVERYTHING)]
    return differ(ours, [("signed",)] * 2 + [requested(urlkey.Policy("safe"), url)] * 2)


def test_a_signed_url_keeps_path_and_query():
    rows = suites.shared_list("domains/signed_urls.json", "schemes")
    known = [dict(row["known_answer"], example=row["known_answer"]["url"]) for row in rows if "known_answer" in row]
    known = [{**row, "id": f"known-{i}", "verified": True} for i, row in enumerate(known)]
    verdicts.hold("domains/signed_urls", rows + known, is_left_alone)


SIGNED_PATHS = [
    "https://res.cloudinary.com/demo/image/upload/s--hg5zQ0Yq--/c_fill,w_100//v1/Folder/index.html/",
    "https://img.example/oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8/rs:fit:300:300/plain/https://A.example//B.jpg/",
    "https://img.example/k8AoZ2Pq3dW7bYcXl0mN1sTuVw4=/300x200//A.example/index.html",
    "https://v.example/exp=1893456000~acl=%2FAb%2F*~hmac=00ff00ff00ff//Clip/index.html",
]


@pytest.mark.parametrize("url", SIGNED_PATHS)
def test_a_signature_in_the_path_keeps_path_and_query(url):
    assert urlkey.is_signed(url)
    for tail in ("", "?utm_source=x&b=2&a=1"):
        for policy in (EVERYTHING, *map(urlkey.Policy, ("aggressive", "fold"))):
            assert requested(policy, url + tail) == requested(urlkey.Policy("safe"), url + tail)
            assert "signed" in policy.identify(url + tail).flags
    for name in urlkey.PROFILES:
        assert requested(urlkey.Policy(name), url) == requested(urlkey.Policy("safe"), url), name


HEX = "0123456789abcdef" * 4
# A query for each scheme, with all that `detect` asks for, and the host where it asks for one.
DETECTED = {
    "AWS SigV4 query (presigned)": f"http://b.example/?X-Amz-Signature={HEX}",
    "GCS V4 signed URL": f"http://b.example/?X-Goog-Signature={HEX * 8}",
    "CloudFront signed URL, canned policy": "http://b.example/?Expires=1893456000&Signature=Diz~Qw__&Key-Pair-Id=K2J",
    "CloudFront signed URL, custom policy": "http://b.example/?Policy=eyJ__&Signature=Diz~Qw__&Key-Pair-Id=K2J",
    "Azure Storage SAS": "http://b.example/?sv=2026-10-06&sr=b&sig=k1uLxhOG%2BoY%3D",
    "AWS SigV2 query": "http://b.example/?AWSAccessKeyId=AKIA&Expires=1893456000&Signature=k1uL%3D",
    "GCS V2 signed URL": "http://b.example/?GoogleAccessId=x%40y&Signature=k1uL%3D",
    "Laravel signed route": f"http://b.example/?signature={HEX}",
    "Google Maps static/street view": "http://maps.googleapis.com/maps/api/staticmap?signature=abcdefghijklmnopqrstuvwxy_A=",
    "imgix": f"http://a.imgix.net/x.png?s={HEX[:32]}",
    "Akamai token": f"http://b.example/?hdnts=exp=1893456000~acl=/*~hmac={HEX}",
    "Alibaba OSS": "http://b.example/?OSSAccessKeyId=x&Signature=k1uL%3D",
    "Tencent COS": f"http://b.example/?q-signature={HEX[:40]}",
    "Meta CDN (fbcdn, cdninstagram)": "http://scontent.x.fbcdn.net/v.jpg?oh=00_AfB1234567890abcdef&oe=65A0B1C2",
    "Cloudinary, Thumbor, imgproxy": "http://b.example/image/upload/s--hg5zQ0Yq--/w_100/a.jpg",
    "Slack, Discord attachments": f"http://cdn.discordapp.com/a.png?ex={HEX[:8]}&is={HEX[:8]}&hm={HEX}",
}


def is_signed(url: str) -> bool:
    return urlkey.is_signed(url) is not None


def is_detected(row: Row):
    url = DETECTED.get(row["scheme"])
    if url is None:
        raise NotApplicable("told by the entropy of a value")
    address, _, query = url.partition("?")
    if not query:
        return differ([is_signed(u) for u in (url, f"{url}?a=1", url.replace("s--", "S--"))], [True, True, False])
    assert is_signed(url) == ("signed" in CRAWL.identify(url).flags)
    fields = query.split("&")
    lacking = [f"{address}?" + "&".join(fields[:i] + fields[i + 1 :]) for i in range(len(fields))]
    bare = [f"{address}?" + re.sub("=[^&]*", "=x" if len(fields) == 1 else "=", query)]
    elsewhere = [] if "//b.example/" in url else [f"http://b.example/?{query}"]
    ours = [is_signed(u) for u in (url, f"{url}&utm_source=x", *lacking, *bare, *elsewhere)]
    return differ(ours, [True, True] + [False] * len(lacking + bare + elsewhere))


def test_signed_urls_are_detected_by_all_that_tells_them():
    rows = suites.shared_list("domains/signed_urls.json", "schemes")
    verdicts.hold("domains/signed_urls.detect", rows, is_detected)


def host_is(spelling, column):
    def judge(row: Row):
        theirs = row.get("hosts", row.get("seen_as"))[column]
        theirs = None if theirs is None or theirs.startswith("!") else theirs
        return differ(result(lambda: urlkey.Url(spelling(row)).hostname) or None, theirs or None)

    return judge


@pytest.mark.parametrize("column", ["whatwg_can_ada", "rust_url"])
def test_addresses_that_hide_are_read_as_browsers_read_them(column):
    rows = suites.shared_list("domains/private_forms.json", "vectors")
    judge = host_is(lambda row: f"http://{row['host']}/", column)
    verdicts.hold(f"domains/private_forms.{column}", rows, judge)


@pytest.mark.parametrize("column", ["whatwg_ada_url", "whatwg_can_ada", "whatwg_rust_url", "whatwg_node_URL"])
def test_hosts_are_those_that_the_url_standard_dials(column):
    rows = suites.shared_list("domains/ssrf_differentials.json", "vectors")
    verdicts.hold(f"domains/ssrf_differentials.{column}", rows, host_is(lambda row: row["url"], column))


def is_punycode(row: Row):
    return differ(result(lambda: urlkey.Url(f"http://{row['label']}.example/").hostname), f"{row['punycode']}.example")


def test_homographs_are_written_in_punycode():
    rows = suites.shared_list("domains/ssrf_differentials.json", "homographs")
    verdicts.hold("domains/homographs", rows, is_punycode)


def is_registrable(row: Row):
    domains = [urlkey.Url(f"http://{host}/").registrable_domain for host in (row["host"], f"{row['host']}.")]
    domains = [domain and domain.removesuffix(".") for domain in domains]
    return differ(domains, [row["registrable_full"]] * 2)


def test_registrable_domains():
    rows = suites.shared_list("domains/domain_keys.json", "hosts")
    verdicts.hold("domains/domain_keys", rows, is_registrable)


REFANG = WHATWG.with_(trim_wrapping=True, refang=True, assume_scheme=True)


def is_live(row: Row):
    live = row["refanged"]
    theirs = result(lambda: REFANG.key(live))
    if theirs is None:
        raise NotApplicable("no URL: an address of mail, or a bare IPv6 address")
    return differ(result(lambda: REFANG.key(row["defanged"])), theirs)


def test_defanged_links_come_alive():
    verdicts.hold("domains/defang", suites.shared_list("domains/defang.json", "refang"), is_live)


def test_links_stay_as_they_are_where_they_are_alive():
    for row in suites.shared_list("domains/defang.json", "defang"):
        if "://" in row["live"]:
            assert REFANG.key(row["live"]) == WHATWG.key(row["live"])
            assert REFANG.key(row["suggested"]) == WHATWG.key(row["live"])
