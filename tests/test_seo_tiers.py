"""Tiers and reasons of the SEO platform, and groups of spellings."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlkey
from urlkey.systems import seo
from urlkey.systems.seo.tiers import SITE_RUNGS, TIER_OF, Tiers

SESSION = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

# Word, tier, and two spellings that differ in nothing else.
PAIRS = [
    ("scheme", "site", "http://a.example/x", "https://a.example/x"),
    ("userinfo", "usual", "http://me:pw@a.example/x", "http://a.example/x"),
    ("idn-form", "standard", "http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("case-host", "standard", "http://A.Example/x", "http://a.example/x"),
    ("ip-form", "standard", "http://0x7f.1/x", "http://127.0.0.1/x"),
    ("root-dot", "usual", "http://a.example./x", "http://a.example/x"),
    ("www", "site", "http://www.a.example/x", "http://a.example/x"),
    ("www", "site", "http://m.a.example/x", "http://a.example/x"),
    ("default-port", "standard", "http://a.example:80/x", "http://a.example/x"),
    ("dot-segment", "standard", "http://a.example/b/../x", "http://a.example/x"),
    ("dup-slash", "site", "http://a.example//x", "http://a.example/x"),
    ("index-file", "site", "http://a.example/x/index.php", "http://a.example/x/"),
    ("trailing-slash", "site", "http://a.example/x/", "http://a.example/x"),
    ("trailing-slash", "standard", "http://a.example", "http://a.example/"),
    ("case-path", "site", "http://a.example/X", "http://a.example/x"),
    ("encoding", "standard", "http://a.example/%7Ex", "http://a.example/~x"),
    ("encoding", "standard", "http://a.example/é", "http://a.example/%C3%A9"),
    ("hex-case", "standard", "http://a.example/a%2fb", "http://a.example/a%2Fb"),
    ("session", "usual", f"http://a.example/x?PHPSESSID={SESSION}", "http://a.example/x"),
    ("session", "usual", f"http://a.example/x;jsessionid={SESSION}", "http://a.example/x"),
    ("tracking", "usual", "http://a.example/x?utm_source=y", "http://a.example/x"),
    ("tracking", "usual", "http://a.example/x?gclid=y&a=1", "http://a.example/x?a=1"),
    ("param-order", "usual", "http://a.example/?b=1&a=2", "http://a.example/?a=2&b=1"),
    ("param-order", "site", "http://a.example/?a=1&a=2", "http://a.example/?a=2&a=1"),
    ("param-dup", "usual", "http://a.example/?a=1&a=1", "http://a.example/?a=1"),
    ("empty-query", "usual", "http://a.example/?", "http://a.example/"),
    ("empty-query", "usual", "http://a.example/?a=1&&b=2", "http://a.example/?a=1&b=2"),
    ("fragment", "usual", "http://a.example/x#top", "http://a.example/x"),
    ("fragment", "usual", "http://a.example/#/route", "http://a.example/"),
]

DIFFERENT = [
    ("http://a.example/x", "http://a.example/y"),
    ("http://a.example/?page=1", "http://a.example/?page=2"),
    ("http://a.example/?A=1", "http://a.example/?a=1"),
    ("http://a.example/a%2Fb", "http://a.example/a/b"),
    ("http://a.example:8080/", "http://a.example/"),
    ("http://a.example/?a=1&amp;b=2", "http://a.example/?a=1&b=2"),
    ("http://a.example/?a", "http://a.example/?a="),
    ("http://a.example/", "http://b.example/"),
]

# fmt: off
WORDS = {
    "scheme", "www", "case-host", "case-path", "trailing-slash", "index-file",
    "default-port", "dup-slash", "dot-segment", "encoding", "hex-case", "param-order",
    "param-dup", "empty-query", "tracking", "session", "fragment", "idn-form",
}
# fmt: on


@pytest.mark.parametrize(("word", "tier", "a", "b"), PAIRS)
def test_a_difference_has_its_word_and_tier(word, tier, a, b):
    for found in (seo.compare(a, b), seo.compare(b, a)):
        assert (found.tier, found.reasons, found.part) == (tier, (word,), None)
        assert found
        assert found.title == seo.TITLES[tier]


def test_every_word_of_the_vocabulary_has_a_pair():
    shown = {word for word, *_ in PAIRS}
    assert shown == set(seo.REASONS) - {"site-rule"}
    assert shown >= WORDS


def test_the_tier_of_a_word_is_that_of_a_pair():
    for word, tier in TIER_OF.items():
        if word not in ("site-rule", "userinfo"):
            assert (word, tier) in {(word, tier) for word, tier, *_ in PAIRS}


def test_every_reason_of_the_core_that_can_unite_pages_is_known():
    """What a tier may use, no reason without words."""
    on = {rung for policy in vars(Tiers()).values() for rung in policy.rungs}
    reasons = {row["reason"] for row in urlkey._native.ladder() if row["name"] in on or row["loss"] == "none"}
    assert reasons - {"site-rule"} <= set(seo.REASONS)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_pages_have_no_reason_but_a_part(a, b):
    found = seo.compare(a, b)
    assert (found.tier, found.title, found.reasons) == ("different", "different", ())
    assert found.part is not None
    assert not found


def test_several_reasons_stand_from_left_to_right():
    a, b = "http://www.a.example:80//X/index.html?utm_source=x&b=1&a=2#f", "https://a.example/x/?a=2&b=1"
    found = seo.compare(a, b)
    assert found.tier == "site"
    words = "scheme www default-port dup-slash index-file case-path tracking param-order fragment"
    assert found.reasons == tuple(words.split())


def test_a_spelling_without_a_key_raises():
    with pytest.raises(urlkey.UrlKeyError) as told:
        seo.compare("http://a.example/", "http://a.example:x/")
    assert told.value.code == "port-invalid"


def test_the_policy_says_what_is_usually_same(tmp_path):
    rules = tmp_path / "shop.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "a.example"\ndrop = ["color"]\nkeep = ["utm_source"]\n')
    policy = urlkey.Policy.load("seo", rules=[rules])
    found = seo.compare("http://a.example/?color=red", "http://a.example/", policy=policy)
    assert (found.tier, found.reasons) == ("usual", ("site-rule",))
    assert seo.compare("http://a.example/?utm_source=x", "http://a.example/", policy=policy).tier == "different"
    assert seo.compare("https://www.a.example/?color=red", "http://a.example/", policy=policy).tier == "site"


def test_a_route_is_another_page_where_the_policy_keeps_routes():
    assert seo.compare("http://a.example/#/x", "http://a.example/", policy="crawl").tier == "site"


def test_the_seo_profile_is_crawl_for_search_engines():
    crawl, profile = urlkey.Policy("crawl"), urlkey.Policy("seo")
    assert set(profile.rungs) - set(crawl.rungs) == {"drop_userinfo", "drop_fragment"}
    assert profile.key("http://u:p@a.example/?awc=1_2#/route") == "http://a.example/"
    for kept in ("http://www.a.example/", "http://a.example/index.html", "http://a.example/X", "http://a.example/x/"):
        assert profile.key(kept) == kept


def test_tiers_add_the_rungs_they_say():
    tiers = Tiers("crawl")
    assert set(tiers.standard.rungs) == set(urlkey.Policy("safe").rungs)
    assert set(tiers.usual.rungs) == set(urlkey.Policy("crawl").rungs)
    assert set(tiers.site.rungs) == (set(tiers.usual.rungs) | set(SITE_RUNGS)) - {"drop_anchor"}


def test_limits_and_repairs_of_the_policy_hold_in_every_tier():
    policy = urlkey.Policy("seo").with_(input_bytes=1 << 18, trim_wrapping=True)
    long = "http://a.example/" + "x" * (1 << 17)
    assert seo.compare(f"<{long}>", long, policy=policy)
    with pytest.raises(urlkey.UrlKeyError):
        seo.compare(long, long)


def test_a_key_may_be_longer_than_a_spelling():
    """https for http is one byte more than the limit: no row is lost for it."""
    long = "http://a.example/" + "x" * (65536 - 17)
    assert [group.key for group in seo.group([long], "site")] == [long.replace("http:", "https:")]
    assert seo.compare(long, long).tier == "standard"
    assert [error.code for _, error in seo.group([long + "x"]).errors] == ["too-long"]


# Groups.


def spellings():
    hosts = st.sampled_from(["a.example", "www.a.example", "A.example", "a.example:80", "b.example"])
    paths = st.sampled_from(["", "/", "/x", "/X", "/x/", "//x", "/y/../x", "/%7Ex", "/index.html"])
    queries = st.sampled_from(["", "?", "?a=1&b=2", "?b=2&a=1", "?utm_source=x", "?a=1&a=1", "#f"])
    parts = st.tuples(st.sampled_from(["http://", "https://", "//", ""]), hosts, paths, queries)
    return st.lists(parts.map("".join), max_size=30)


@settings(deadline=None)
@given(urls=spellings(), tier=st.sampled_from(seo.TIERS))
def test_groups_are_a_partition(urls, tier):
    found = seo.group(urls, tier)
    counted = {m.url: m.count for group in found for m in group.members}
    refused = [url for url, _ in found.errors]
    assert sum(len(group.members) for group in found) == len(counted)
    assert sorted([url for url, n in counted.items() for _ in range(n)] + refused) == sorted(urls)
    assert len({group.key for group in found}) == len(found)


@settings(deadline=None)
@given(urls=spellings(), tier=st.sampled_from(seo.TIERS), seed=st.integers(0, 1000))
def test_the_order_of_urls_decides_nothing_but_the_order(urls, tier, seed):
    mixed = list(urls)
    random.Random(seed).shuffle(mixed)

    def told(groups):
        return sorted((g.key, g.representative, sorted(map(repr, g.members)), g.reasons, g.tier) for g in groups)

    assert told(seo.group(urls, tier)) == told(seo.group(mixed, tier))


@settings(deadline=None)
@given(urls=spellings())
def test_a_wider_tier_only_joins(urls):
    before = None
    for tier in seo.TIERS:
        groups = [frozenset(m.url for m in group.members) for group in seo.group(urls, tier)]
        if before is not None:
            assert all(any(small <= large for large in groups) for small in before)
        before = groups


@settings(deadline=None)
@given(urls=spellings())
def test_a_member_is_its_representative_in_its_tier(urls):
    for group in seo.group(urls, "site"):
        for member in group.members:
            found = seo.compare(group.representative, member.url)
            assert found.tier == member.tier
            assert member.url == group.representative or found.reasons == member.reasons
        assert group.tier in {member.tier for member in group.members}
        assert set(group.reasons) == {reason for member in group.members for reason in member.reasons}


def test_members_keep_their_order_and_counts():
    urls = ["http://a.example/x#b", "http://a.example/x", "http://a.example/x#b", "http://b.example/", "//"]
    found = seo.group(urls)
    assert [(m.url, m.count) for m in found[0].members] == [("http://a.example/x#b", 2), ("http://a.example/x", 1)]
    assert found[0].count == 3
    assert found[0].representative == "http://a.example/x"
    assert [group.key for group in found.duplicates] == ["http://a.example/x"]
    assert [(url, error.code) for url, error in found.errors] == [("//", "missing-scheme-non-relative-URL")]
    assert [group.key for group in found[:2]] == [group.key for group in found]


def test_the_representative_is_https_then_short_then_first():
    urls = ["http://a.example/", "https://www.a.example/", "https://A.example/", "https://a.example/"]
    assert seo.group(urls, "site")[0].representative == "https://A.example/"


def test_a_tier_that_is_none_is_refused():
    with pytest.raises(ValueError, match="there are: standard, usual, site"):
        seo.group([], "sure")
    with pytest.raises(ValueError, match="there are: standard, usual, site"):
        seo.report([], tier="sure")


def test_members_are_compared_with_their_representative_alone(monkeypatch):
    compared = 0
    real = Tiers.reasons

    def counting(self, a, b):
        nonlocal compared
        compared += 1
        return real(self, a, b)

    monkeypatch.setattr(Tiers, "reasons", counting)
    urls = [f"http://a.example/x?utm_source={number}" for number in range(2000)]
    (group,) = seo.group(urls)
    assert len(group.members) == 2000
    assert compared == 1999
