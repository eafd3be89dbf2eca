"""Public lists made into rule files: the grammar of each format, what goes and what stays under the rules that
come out, and what is said not to be in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlkey
from urlkey._native import check_rules, expression_fault
from urlkey.importers import NotAList, convert, sniff
from urlkey.importers.patterns import filter_pattern, hosts_of_expression, match_pattern
from urlkey.importers.regexes import Unsupported, from_js

WHATWG = urlkey.Policy("whatwg")


def rules_of(made, tmp_path, base="whatwg"):
    """The policy with the rules that came out; every file that comes out can be loaded."""
    assert check_rules(made.text, "made.toml")["faults"] == []
    path = tmp_path / "made.toml"
    path.write_text(made.text, encoding="utf-8")
    return urlkey.Policy.load(base, rules=[path])


def keys(text, tmp_path, *urls, format=None, **options):
    policy = rules_of(convert(text, format, **options), tmp_path)
    return [policy.key(url) for url in urls]


def why(text, format=None, **options):
    return [problem.why for problem in convert(text, format, **options).problems]


def provider(pattern=".*", **more):
    return json.dumps({"providers": {"p": {"urlPattern": pattern, "rules": [], **more}}})


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ('{"providers": {}}', "clearurls"),
        ("[Adblock Plus 2.0]\n! x\n||a.example^$removeparam=x", "adguard"),
        ("$queryprune=x", "adguard"),
        ('[{"include": ["*://*/*"], "params": ["x"]}]', "brave"),
        ('[{"include": ["*://*/*"], "action": "redirect", "param": "u"}]', "brave"),
        ('{"igshid": ["instagram.com"]}', "brave"),
        ('{"data": [{"stripList": ["x"]}]}', "firefox"),
        ('{"global": {"queryParams": ["x"], "topLevelSites": ["*"]}}', "firefox"),
        ('[{"id": "1", "allowList": []}]', "firefox"),
    ],
)
def test_the_format_is_told_by_the_text(text, format):
    assert sniff(text) == format
    assert convert(text).format == format


@pytest.mark.parametrize("text", ["", "hello", "{}x", "3", '{"a": 1}', "||a.example^\n"])
def test_what_is_no_list_is_refused(text):
    with pytest.raises(NotAList):
        convert(text)


@pytest.mark.parametrize("text", ['{"providers": [1]}', "[]", "nul"])
def test_a_list_of_another_shape_is_refused(text):
    with pytest.raises(NotAList):
        convert(text, "clearurls")


def test_clearurls_matches_names_whole_and_without_case(tmp_path):
    text = provider(rules=["utm_[a-z]+", "(?:%3F)?ref_?", "x"])
    urls = [
        "http://a.example/?UTM_Source=1&utm_1=2&xutm_a=3",
        "http://a.example/?ref=1&ref_=2&refx=3&%3Fref=4",
        "http://a.example/?x&y",
    ]
    assert keys(text, tmp_path, *urls) == [
        "http://a.example/?utm_1=2&xutm_a=3",
        "http://a.example/?refx=3",
        "http://a.example/?y",
    ]


def test_clearurls_hosts_are_matched_by_label(tmp_path):
    text = provider(r"^https?:\/\/(?:[a-z0-9-]+\.)*?shop\.example", rules=["x"])
    urls = [
        "http://shop.example/?x=1",
        "http://a.b.shop.example/?x=1",
        "http://notshop.example/?x=1",
        "http://shop.example.evil.test/?x=1",
    ]
    assert keys(text, tmp_path, *urls) == ["http://shop.example/", "http://a.b.shop.example/", *urls[2:]]


def test_clearurls_names_before_any_suffix(tmp_path):
    text = provider(r"^https?:\/\/(?:[a-z0-9-]+\.)*?amazon(?:\.[a-z]{2,}){1,}", rules=["x"])
    urls = ["http://www.amazon.co.uk/?x=1", "http://amazon.de/?x=1", "http://amazon.evil.test/?x=1"]
    assert keys(text, tmp_path, *urls) == ["http://www.amazon.co.uk/", "http://amazon.de/", urls[2]]


def test_clearurls_exceptions_spare_only_what_they_match(tmp_path):
    text = provider(
        rules=["x"], exceptions=[r"^https?:\/\/a\.example\/api\/", r"^https?:\/\/(?:[a-z0-9-]+\.)*?b\.example"]
    )
    urls = ["http://a.example/api/?x=1", "http://w.b.example/?x=1", "http://a.example/?x=1"]
    assert keys(text, tmp_path, *urls) == [*urls[:2], "http://a.example/"]


def test_clearurls_raw_rules_cut_the_text(tmp_path):
    text = provider(r"^https?:\/\/(?:[a-z0-9-]+\.)*?amazon\.com", rawRules=[r"\/ref=[^\/\?]*"])
    url = "https://www.amazon.com/dp/B0/ref=sr_1?keep=1"
    assert keys(text, tmp_path, url) == ["https://www.amazon.com/dp/B0?keep=1"]


def test_clearurls_raw_rules_never_lead_to_another_host(tmp_path):
    text = provider(r"^https?:\/\/a\.example", rawRules=[r"a\.example\/", r"https?:\/\/"])
    url = "http://a.example/b.example/"
    policy = rules_of(convert(text), tmp_path)
    assert policy.key(url) == url
    assert [step.refused is not None for step in policy.explain(url).steps] == [True]


def test_clearurls_referral_marketing_waits_for_the_policy(tmp_path):
    made = convert(provider(referralMarketing=["tag"]))
    crawl = rules_of(made, tmp_path, "crawl")
    paid = crawl.with_(drop_tracking={"kinds": ["campaign", "click-id", "affiliate"]})
    url = "http://a.example/?tag=1"
    assert (crawl.key(url), paid.key(url)) == (url, "http://a.example/")


def test_clearurls_drops_from_fragments_too(tmp_path):
    text = provider(rules=["utm_[a-z]+"])
    assert keys(
        text, tmp_path, "http://a.example/#utm_a=1&b=2", "http://a.example/#utm_a=1", "http://a.example/#top"
    ) == [
        "http://a.example/#b=2",
        "http://a.example/",
        "http://a.example/#top",
    ]


def test_clearurls_says_what_it_leaves_out():
    text = json.dumps(
        {
            "providers": {
                "block": {"urlPattern": "^https?://b.example", "completeProvider": True, "rules": ["x"]},
                "look": {
                    "urlPattern": ".*",
                    "rules": ["a(?=b)", r"(a)\1"],
                    "redirections": ["^https?://r.example/(.*)"],
                },
                "blind": {"urlPattern": ".*", "rules": ["x"], "exceptions": ["(?!a)"]},
            }
        }
    )
    made = convert(text)
    assert {problem.where for problem in made.problems} == {"provider block", "provider look", "provider blind"}
    assert len(made.problems) == 6
    assert made.rows == 0


@pytest.mark.parametrize(
    ("pattern", "hosts", "only"),
    [
        (r"^https?:\/\/(?:[a-z0-9-]+\.)*?youtube\.com", ["*.youtube.com"], True),
        (r"^https?:\/\/(?:[a-z0-9-]+\.)*?(?:a\.com|b\.org)\/x", ["*.a.com", "*.b.org"], False),
        (r"^https?:\/\/(?:[a-z0-9-]+\.)*?google(?:\.[a-z]{2,}){1,}", ["google.<suffix>"], True),
        (r"^https?:\/\/www\.tinkoff\.ru", ["www.tinkoff.ru"], True),
        (r"^https?:\/\/(?:[a-z0-9-]+\.)*?contentpass\.(?:net|de)", ["*.contentpass.net", "*.contentpass.de"], True),
        (r"https?:\/\/([a-z0-9-.]*\.)shutterstock\.com", ["*.shutterstock.com"], True),
        (r"^https?:\/\/(?:docs|accounts)\.google(?:\.[a-z]{2,}){1,}", None, None),
        (r"^https?:\/\/git(lab)?\.[^/]*\/", None, None),
        (r"^https?:\/\/[^/]+/x", None, None),
        (".*", None, None),
    ],
)
def test_expressions_that_begin_with_a_host(pattern, hosts, only):
    found = hosts_of_expression(pattern)
    if hosts is None:
        assert found is None or not found[1]
    else:
        assert found == (hosts, only)


@pytest.mark.parametrize(
    ("line", "gone", "kept"),
    [
        ("||a.example^$removeparam=x", ["http://a.example/?x=1", "http://w.a.example/p?x"], ["http://b.example/?x=1"]),
        ("$removeparam=x", ["http://any.test/?x=1"], ["http://any.test/?xy=1"]),
        ("*$removeparam=x", ["http://any.test/?x=1"], []),
        (
            "$removeparam=x,domain=a.example|b.example",
            ["http://w.a.example/?x=1", "http://b.example/?x"],
            ["http://c.example/?x"],
        ),
        ("$removeparam=x,domain=~a.example", ["http://b.example/?x=1"], ["http://w.a.example/?x=1"]),
        ("$removeparam=x,domain=a.example|~w.a.example", ["http://a.example/?x"], ["http://w.a.example/?x"]),
        ("$removeparam=x,domain=google.*", ["http://www.google.co.uk/?x"], ["http://google.evil.test/?x"]),
        (
            "||a.example^$removeparam=/^utm_/",
            ["http://a.example/?utm_s=1"],
            ["http://a.example/?xutm_=1", "http://a.example/?UTM_S=1"],
        ),
        ("||a.example^$removeparam=/^utm_/i", ["http://a.example/?UTM_S=1"], ["http://a.example/?a=utm_"]),
        (r"||a.example^$removeparam=/^(?:a|b)=\d{2\,3}$/", ["http://a.example/?a=12"], ["http://a.example/?a=1234"]),
        ("||a.example^$removeparam", ["http://a.example/?x=1&y=2"], ["http://b.example/?x=1"]),
        ("||a.example/shop/$removeparam=x", ["http://w.a.example/shop/1?x=1"], ["http://a.example/?x=1"]),
        ("||a.example^*/p?$removeparam=x", ["http://a.example/q/p?x=1"], ["http://a.example/q?x=1"]),
        (
            "|https://a.example/$removeparam=x",
            ["https://a.example/?x"],
            ["http://a.example/?x", "https://w.a.example/?x"],
        ),
        ("/track/*$removeparam=x", ["http://any.test/track/?x"], ["http://any.test/?x"]),
        (r"/^https?:\/\/a\.example\/[0-9]+/$removeparam=x", ["http://a.example/7?x"], ["http://a.example/a?x"]),
        ("||a.example^$removeparam=x,document", ["http://a.example/?x"], []),
        ("||a.example^$doc,removeparam=x,important", ["http://a.example/?x"], []),
        ("||a.example^$removeparam=x,to=w.a.example", ["http://w.a.example/?x"], ["http://a.example/?x"]),
        (
            "$removeparam=x,domain=a.example|b.example,to=w.a.example|c.example",
            ["http://w.a.example/?x"],
            ["http://a.example/?x", "http://b.example/?x", "http://c.example/?x"],
        ),
        (r"/\/Abc/$removeparam=x,match-case", ["http://a.example/Abc?x"], ["http://a.example/abc?x"]),
        ("||bücher.example^$removeparam=x", ["http://w.xn--bcher-kva.example/?x"], ["http://a.example/?x"]),
        ("||a.ex*ple^$removeparam=x", ["http://a.example/?x"], ["http://b.example/?x"]),
        ("$removeparam=x,denyallow=a.example", ["http://b.example/?x"], ["http://a.example/?x"]),
        ("||a.example^$removeparam=x*", ["http://a.example/?x*=1"], ["http://a.example/?xy=1"]),
        ("||a.example^$queryprune=x", ["http://a.example/?x=1"], []),
        ("||a.example^$removeparam=~x", ["http://a.example/?y=1"], ["http://a.example/?x=1"]),
        ("$removeparam=x", [], ["http://a.example/?X=1"]),
        ("$removeparam=p1|p2", ["http://a.example/?p1=1&p2=2"], ["http://a.example/?p3=1"]),
        ("$removeparam=p1|/^q/i", ["http://a.example/?p1=1&QX=2"], ["http://a.example/?P1=1"]),
        ("$removeparam=/^(?:p1|p2)=/", ["http://a.example/?p1=1&p2=2"], []),
        ("||a.example^$queryprune=|utm", ["http://a.example/?utm_s=1"], ["http://a.example/?xutm=1"]),
        ("||a.example^$removeparam=~/^x/", ["http://a.example/?y=1"], ["http://a.example/?xy=1"]),
        ("||192.168.0.1^$removeparam=x", ["http://192.168.0.1/?x"], []),
    ],
)
def test_adguard_lines(line, gone, kept, tmp_path):
    policy = rules_of(convert(line), tmp_path)
    for url in gone:
        assert policy.key(url) == url.partition("?")[0]
    for url in kept:
        assert policy.key(url) == url


@pytest.mark.parametrize(
    ("exception", "kept"),
    [
        ("@@||a.example^$removeparam=x", ["http://a.example/?x=1"]),
        ("@@||a.example^$removeparam", ["http://a.example/?x=1", "http://a.example/?y=1"]),
        ("@@||a.example^$removeparam=/^x/", ["http://a.example/?x=1"]),
        ("@@||a.example/api/$removeparam=x", ["http://a.example/api/?x=1"]),
        ("@@||a.example^$removeparam=x,third-party", ["http://a.example/?x=1"]),
        ("@@$removeparam=x,domain=a.example", ["http://a.example/?x=1"]),
        ("@@$removeparam=x,domain=c.example,to=a.example", ["http://a.example/?x=1"]),
        ("@@||a.ex*ple^$removeparam=x", ["http://a.example/?x=1"]),
        ("@@||a.example^$document", ["http://a.example/?x=1", "http://a.example/?y=1"]),
        ("@@||a.example^$urlblock,elemhide", ["http://a.example/?x=1", "http://a.example/?y=1"]),
    ],
)
def test_adguard_exceptions_keep_what_they_name_and_no_more(exception, kept, tmp_path):
    policy = rules_of(convert(f"$removeparam=x\n$removeparam=y\n{exception}"), tmp_path)
    for url in kept:
        assert policy.key(url) == url
    assert policy.key("http://b.example/?x=1&y=2") == "http://b.example/"
    if "?y=1" not in kept[-1]:
        assert policy.key("http://a.example/api/?y=2") == "http://a.example/api/"


def test_adguard_badfilter_switches_a_line_off(tmp_path):
    text = "||a.example^$removeparam=x\n||a.example^$removeparam=x,badfilter\n||a.example^$removeparam=y\n"
    assert keys(text, tmp_path, "http://a.example/?x=1&y=2") == ["http://a.example/?x=1"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("$removeparam=x,third-party", "third-party: depends on the page that asks"),
        ("$removeparam=x,~third-party", "third-party: depends on the page that asks"),
        ("$removeparam=x,app=com.example", "app: depends on the program that asks"),
        ("$removeparam=x,script", "request type: rules are for URLs, whatever asks for them"),
        ("$removeparam=x,method=post", "method: depends on the request"),
        ("||a.example^$removeparam=x,domain=b.example", "domain: depends on the page that asks"),
        ("||a.example^$removeparam=/a(?=b)/", "an expression that looks around, which takes more than linear time"),
        ("*$removeparam", "drops every parameter of every URL"),
        ("$removeparam=~x", "drops all parameters but one of every URL"),
        ("$removeparam=x,to=b.example,domain=a.example", "domain: depends on the page that asks"),
        ("||a.example^", "another kind of rule than removeparam"),
        ("@@||a.example^", "another kind of rule than removeparam"),
        ("@@||a.example^$~document", "another kind of rule than removeparam"),
        ("a.example##.ad", "another kind of rule than removeparam"),
        ("||a.example^$removeparam=x,unheardof=1", "a line that cannot be taken apart"),
        ("!#include other.txt", "another file; import it by itself"),
    ],
)
def test_adguard_says_what_a_url_cannot_tell(line, reason):
    made = convert(f"! removeparam\n{line}", "adguard")
    assert [(problem.where, problem.why) for problem in made.problems] == [("line 2", reason)]
    assert made.rows == 0


def test_adguard_comments_are_no_rules():
    assert convert("! a $removeparam=x\n# b\n[Adblock Plus]\n\n", "adguard").problems == ()


def brave(**rule):
    return json.dumps([{"include": ["*://*/*"], "exclude": [], **rule}])


def test_brave_query_filter(tmp_path):
    text = json.dumps(
        [
            {"include": ["*://*/*"], "exclude": ["https://d.example/v3/*"], "params": ["gclid"]},
            {
                "include": ["*://*.x.example/*", "*://y.example/p/*"],
                "exclude": ["*://x.example/i/*"],
                "params": ["s", "t"],
            },
        ]
    )
    urls = [
        "http://any.test/?gclid=1&s=2&GCLID=3",
        "https://d.example/v3/?gclid=1",
        "http://w.x.example/?s=1&t=2&u=3",
        "http://x.example/i/?s=1",
        "http://y.example/p/q?t=1",
        "http://w.y.example/p/q?t=1",
    ]
    assert keys(text, tmp_path, *urls) == [
        "http://any.test/?s=2&GCLID=3",
        urls[1],
        "http://w.x.example/?u=3",
        urls[3],
        "http://y.example/p/q",
        urls[5],
    ]


def test_brave_scoped_parameters(tmp_path):
    text = json.dumps({"igshid": ["instagram.com"], "evil": ["*://*.f.example/*", "", " "]})
    urls = ["http://www.instagram.com/?igshid=1", "http://f.example/?evil=1"]
    assert keys(text, tmp_path, *urls) == ["http://www.instagram.com/", urls[1]]
    assert why(text) == ["not a site"] * 3


def test_brave_rules_go_with_an_exception_that_cannot_be_read(tmp_path):
    text = brave(exclude=["http//a.example/*"], params=["x"])
    assert keys(text, tmp_path, "http://a.example/?x=1") == ["http://a.example/?x=1"]
    assert why(text) == ["an exception that is not a match pattern"]
    text = brave(exclude=["ftp://a.example/*"], params=["x"])
    assert keys(text, tmp_path, "http://a.example/?x=1") == ["http://a.example/"]


def test_brave_says_what_it_leaves_out():
    text = json.dumps(
        [
            {"include": ["://*.a.example/*", "*://.b.example/*"], "params": ["x"]},
            {"include": ["*://c.example/*"]},
            {"include": ["*://c.example/*"], "action": "explode", "param": "u"},
            {"include": ["*://c.example/*"], "action": "regex-path", "param": "())"},
            {"params": ["x"]},
            "x",
        ]
    )
    assert len(why(text)) == 7


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*://*/*", "http://a.example/", "ftp://a.example/"),
        ("<all_urls>", "https://a.example:8080/x", "ftp://a.example/"),
        ("*://*.a.example/*", "https://w.a.example/x?y", "https://nota.example/"),
        ("https://a.example/x/*", "https://a.example/x/y", "http://a.example/x/y"),
        ("*://a.example/*?url=*", "http://a.example/p?url=1", "http://a.example/p?uri=1"),
        ("*://a.example/x", "http://a.example/x", "http://a.example/xy"),
        ("*://a.example:8080/*", "http://a.example:8080/", "http://a.example/"),
    ],
)
def test_match_patterns(pattern, yes, no, tmp_path):
    where = match_pattern(pattern)
    path = tmp_path / "made.toml"
    url = "" if where.url is None else f"url = '{where.url}'\n"
    path.write_text(
        f'schema = 1\n[[site]]\nhost = "{where.host}"\n{url}fragment = true\ndrop_pairs = ["^z"]\nraw = ["z=1"]\n'
    )
    policy = urlkey.Policy.load("whatwg", rules=[path])
    assert policy.key(f"{yes}#z=1") != f"{yes}#z=1"
    assert policy.key(f"{no}#z=1") == f"{no}#z=1"


def test_redirections_are_taken_only_if_asked_for(tmp_path):
    text = provider(r"^https?:\/\/r\.example", redirections=[r"^https?:\/\/r\.example\/\?u=([^&]*)"])
    assert why(text) == ["a redirection: it can lead to any host, so it is taken only if asked for"]
    made = convert(text, redirections=True)
    policy = rules_of(made, tmp_path).with_(unwrap_redirector=True)
    assert policy.key("http://r.example/?u=https%3A%2F%2Fa.example%2Fx&v=1") == "https://a.example/x"
    step = policy.explain("http://r.example/?u=https%3A%2F%2Fa.example%2Fx").steps[0]
    assert step.name == "unwrap_redirector"
    assert step.rule.endswith("made.toml:4")
    assert rules_of(made, tmp_path).key("http://r.example/?u=x") == "http://r.example/?u=x"


def test_a_policy_with_redirects_is_read_back_from_its_text(tmp_path):
    made = convert(
        provider(r"^https?:\/\/r\.example", redirections=[r"^https?:\/\/r\.example\/(.*)"]), redirections=True
    )
    policy = rules_of(made, tmp_path).with_(unwrap_redirector=True)
    assert urlkey.Policy.from_text(policy.text) == policy
    assert policy.id != WHATWG.with_(unwrap_redirector=True).id


@pytest.mark.parametrize(
    "text",
    [
        '{"providers": {"a": {"urlPattern": 5, "rules": ["x"]}}}',
        '{"providers": {"a": {"urlPattern": "x", "rules": [5]}}}',
        '[{"include": [5], "params": ["a"]}]',
        '[{"include": ["*://a.example/*"], "params": [5]}]',
        '{"data": [{"stripList": 5}]}',
        "[" * 200_000,
    ],
)
def test_what_is_of_another_shape_is_no_list(text):
    with pytest.raises(NotAList, match=r"another type|too deep"):
        convert(text)


def test_a_provider_that_is_none_leaves_the_others(tmp_path):
    text = '{"providers": {"a": 5, "b": {"urlPattern": ".*", "rules": ["x"]}}}'
    assert keys(text, tmp_path, "http://a.example/?x=1&y=2") == ["http://a.example/?y=2"]
    assert why(text) == ["not a provider"]


def test_a_rule_for_every_parameter_of_every_url_is_not_taken(tmp_path):
    text = '{"providers": {"a": {"urlPattern": ".*", "rules": [".*", "x"]}}}'
    assert keys(text, tmp_path, "http://a.example/?x=1&y=2") == ["http://a.example/?y=2"]
    assert why(text) == ["drops every parameter of every URL"]


def test_firefox_records(tmp_path):
    text = json.dumps(
        {
            "data": [
                {
                    "id": "1",
                    "schema": 3,
                    "stripList": ["oly_enc_id", "__s"],
                    "allowList": ["keep.example", "*.spared.example", "not a site"],
                },
                {"id": "2", "stripList": ["mc_eid"]},
            ]
        }
    )
    spared = [f"http://{host}/?mc_eid=1" for host in ("w.keep.example", "spared.example", "w.spared.example")]
    urls = ["http://a.example/?OLY_ENC_ID=1&__s=2&mc_eid=3&d=4", "http://notspared.example/?mc_eid=1", *spared]
    assert keys(text, tmp_path, *urls) == ["http://a.example/?d=4", "http://notspared.example/", *spared]
    assert why(text) == ["not a site"]


def test_firefox_strip_on_share(tmp_path):
    text = json.dumps(
        {
            "global": {"queryParams": ["utm_ad"], "topLevelSites": ["*"]},
            "youtube": {"queryParams": ["si", "feature"], "topLevelSites": ["www.youtube.com", "youtu.be"]},
        }
    )
    urls = ["http://a.example/?utm_ad=1&si=2", "https://youtu.be/x?si=1", "https://music.youtube.com/?si=1"]
    assert keys(text, tmp_path, *urls) == ["http://a.example/?si=2", "https://youtu.be/x", urls[2]]


@pytest.mark.parametrize(
    ("js", "ours"),
    [
        (r"a\/b\_c", "a/b_c"),
        ("[[]", r"[\[]"),
        ("[a&&b]", r"[a\&&b]"),
        (r"\<x\>", "<x>"),
        (r"a{x}", r"a\{x\}"),
        (r"a{2,3}", "a{2,3}"),
        (r"\u0041", r"\x{0041}"),
        ("a]", r"a\]"),
    ],
)
def test_expressions_of_javascript(js, ours):
    assert from_js(js) == ours
    assert expression_fault(from_js(js)) is None


@pytest.mark.parametrize("js", ["(?=a)", "(?!a)", "(?<=a)b", r"(a)\1", "[]", "[^]", "a\\", r"\p{L}"])
def test_expressions_that_no_linear_engine_takes(js):
    with pytest.raises(Unsupported):
        from_js(js)


@given(st.text(st.sampled_from("|*^$/=,.~\\abx_:?#@!-()[]{}+0 é"), max_size=24))
def test_any_line_comes_out_as_rules_or_as_a_problem(line):
    text = f"||a.example^$removeparam={line}"
    made = convert(text, "adguard")
    assert made.rows or made.problems or line.strip().startswith(("!", "#", "["))
    assert check_rules(made.text, "made.toml")["faults"] == []
    made = convert(f"{line}$removeparam=x", "adguard")
    assert check_rules(made.text, "made.toml")["faults"] == []


@given(st.text(st.sampled_from("|*^$/=,.~\\abx_:?#@!-()[]{}+0 é"), max_size=24))
def test_any_expression_comes_out_as_rules_or_as_a_problem(text):
    made = convert(
        provider(text, rules=[text], exceptions=[text], rawRules=[text], redirections=[text]), redirections=True
    )
    assert check_rules(made.text, "made.toml")["faults"] == []


def test_filter_patterns_are_narrowed_to_hosts():
    assert filter_pattern("||google.*/search").host == "google.<suffix>"
    assert filter_pattern("://www.a.example/x").host == "www.a.example"
    assert filter_pattern("||a.example^").url is None
    assert filter_pattern("example").host == "*"
