"""What is done with a model: report, audit, update, names for any host; fingerprints and probes."""

import json
import random
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

import urlkey
from urlkey.learn import (
    AuditError,
    Observation,
    as_html,
    as_text,
    audited,
    everywhere,
    everywhere_file,
    learn,
    pairs,
    rule_file,
    upper,
)
from urlkey.learn.fingerprint import distance, fingerprint, fingerprint_of_text, simhash
from urlkey.learn.probe import Fetched, acts, probe


def rows_of(host, pages=300, tails=("", "?color=red", "?color=blue"), content=lambda page, tail: page):
    return [
        Observation(f"http://{host}/p/{page}{tail}", str(content(page, tail)), time=page)
        for page in range(pages)
        for tail in tails
    ]


ROWS = rows_of("shop.example")
MODEL = learn(ROWS, budget=0.001, date="2026-11-30")


def results(found, **more):
    return [
        {"model": pair.model, "a": pair.a, "b": pair.b, "fingerprint_a": number, "fingerprint_b": number, **more}
        for number, pair in enumerate(found)
    ]


def test_an_audit_draws_from_all_merges_whatever_their_order():
    every = pairs(MODEL, ROWS, size=10_000)
    assert len(every) == sum(rule.merges for rule in MODEL.rules) == 600
    policy = urlkey.Policy("crawl")
    assert all(policy.key(pair.a) != policy.key(pair.b) for pair in every)
    some = pairs(MODEL, random.Random(1).sample(ROWS, len(ROWS)), size=50)
    assert some == pairs(MODEL, ROWS, size=50) != pairs(MODEL, ROWS, size=50, seed=1)
    assert set(some) <= set(every)
    # By default as many as it takes.
    assert len(pairs(replace(MODEL, budget=0.01), ROWS)) == 299


def test_an_audit_certifies_what_its_pairs_say():
    found = pairs(MODEL, ROWS, size=300)
    done = audited(MODEL, results(found))
    assert (done.judged, done.wrong, done.upper, done.worst) == (300, 0, upper(0, 300), upper(0, 300))
    assert done.holds(0.01)
    assert not done.holds(0.001)
    told = results(found)
    told[0]["fingerprint_b"] = "other"
    told[1] |= {"fingerprint_b": "other 1", "again_b": "other 2"}
    told[2]["fingerprint_a"] = None
    done = audited(MODEL, told)
    assert (done.judged, done.wrong, done.noisy, done.unknown) == (298, 1, 1, 1)
    assert done.failures == ((found[0].a, found[0].b),)
    assert done.upper == upper(1, 298) < done.worst == upper(3, 300)


def test_a_login_form_certifies_nothing():
    done = audited(MODEL, results(pairs(MODEL, ROWS, size=300), fingerprint_a="form", fingerprint_b="form"))
    assert (done.judged, done.walled, done.upper) == (0, 300, 1.0)


def test_results_of_another_model_or_twice_are_refused():
    told = results(pairs(MODEL, ROWS, size=3))
    with pytest.raises(AuditError, match="model"):
        audited(MODEL, [told[0] | {"model": "x"}])
    with pytest.raises(AuditError, match="before"):
        audited(MODEL, [told[0], told[0]])
    with pytest.raises(AuditError, match="policy id"):
        pairs(MODEL, ROWS, policy="safe")


def test_names_for_any_host_need_several_owners_and_nobody_against(tmp_path):
    def model_of(*hosts, against=()):
        rows = [row for host in hosts for row in rows_of(host, pages=60)]
        rows += [row for host in against for row in rows_of(host, pages=60, content=lambda page, tail: (page, tail))]
        return learn(rows, budget=0.01, date="2026-11-30")

    five = [f"shop{number}.example" for number in range(5)]
    (rule,) = everywhere(model_of(*five))
    assert (rule.name, len(rule.domains), rule.failures) == ("color", 5, 0)
    assert everywhere(model_of(*five[:4])) == []
    assert everywhere(model_of(*(f"{host}.one.example" for host in "abcdefgh"))) == []
    assert everywhere(model_of(*five, against=["other.example"])) == []
    path = tmp_path / "everywhere.toml"
    path.write_text(everywhere_file(model_of(*five), [rule]), encoding="utf-8")
    assert urlkey.Policy.load("crawl", rules=[path]).key("http://new.example/?color=1") == "http://new.example/"
    # Rules for hosts do not hold them.
    assert 'host = "*"' not in rule_file(model_of(*five))


def test_the_report_says_every_rule_and_every_refusal():
    rows = [*ROWS, *rows_of("<b>.example", pages=9), *rows_of("z.example", content=lambda page, tail: (page, tail))]
    model = learn(rows, budget=0.001)
    text = as_text(model)
    assert "shop.example: 600 of 900 keys (67 %) merged" in text
    assert "/p/{int}  drop color: 600 trials, 0 differed" in text
    assert "content differs too often" in text
    html = as_html(model, title="<crawl>")
    assert "&lt;crawl&gt;" in html
    assert '<a href="http://shop.example/p/' in html
    assert "Not certified" in html
    assert "$" not in html.replace("$style", "")
    certified = as_html(model, audit=audited(model, []))
    assert "Certified by an audit of 0 pairs" in certified
    assert "Nothing was learned" in as_html(learn([]))


def test_the_report_needs_nothing_else_and_links_no_secrets():
    tails = ("?token=abcdef0123456789", "?color=a&token=abcdef0123456789", "?color=b&token=abcdef0123456789")
    html = as_html(learn(rows_of("a.example", tails=tails), budget=0.01))
    assert "abcdef0123456789" not in html
    assert "default-src 'none'" in html
    assert "src=" not in html.replace("default-src", "").replace("style-src", "").replace("script-src", "")
    odd = learn(rows_of("a.example", tails=("", "?%3Cscript%3E=1", "?%3Cscript%3E=2")), budget=0.01)
    assert "<script>=" not in as_html(odd)


WORDS = " ".join(f"word{number}" for number in range(80))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (f"<main>{WORDS}</main>", f"<nav>Menu</nav><main>{WORDS.upper()}\n</main><footer>1</footer>", True),
        (f"<body>{WORDS}</body>", f"<body><script>var a = 1</script>{WORDS}</body>", True),
        (f"<main>{WORDS} 7 euro</main>", f"<main>{WORDS} 8 euro</main>", False),
        (f"<title>A</title><p>{WORDS}", f"<title>B</title><p>{WORDS}", False),
        (f"<article>{WORDS}</article>", f"<article>{WORDS}</article><article>more</article>", False),
        (f"<main></main><body>{WORDS}", f"<body>{WORDS}", True),
        (f"<p>caf\u00e9 {WORDS}", f"<p>cafe\u0301 {WORDS}", True),
    ],
)
def test_fingerprints_are_those_of_the_main_text(a, b, same):
    assert fingerprint(a) is not None
    assert (fingerprint(a) == fingerprint(b)) is same


def test_a_page_with_little_text_has_no_fingerprint():
    for html in ("", "<p>Please log in</p>", b"\xff\xfe\x00", "<main>", f"<script>{WORDS}</script>"):
        assert fingerprint(html) is None
    assert fingerprint_of_text(WORDS) == fingerprint_of_text(f"  {WORDS}\n")


def test_the_simhash_is_near_for_near_texts():
    rng = random.Random(2)
    other = " ".join(f"other{rng.random()}" for _ in range(80))
    assert distance(simhash(WORDS), simhash(f"{WORDS} more")) < 12 < distance(simhash(WORDS), simhash(other))
    assert simhash("") == simhash("")


NO_ROBOTS = Fetched(404)


class Server:
    """Pages by their content: `content` takes path and parameters."""

    def __init__(self, content, robots=NO_ROBOTS):
        self.content, self.robots, self.asked = content, robots, []

    def __call__(self, url):
        self.asked.append(url)
        parts = urlsplit(url)
        if parts.path == "/robots.txt":
            return self.robots
        found = self.content(parts.path, dict(parse_qsl(parts.query)))
        return Fetched(404) if found is None else Fetched(200, f"<main>{WORDS} {found}</main>")


def shop(path, query):
    return f"{path} {query.get('v')}" if query.get("v", "1").isdigit() else None


def test_a_probe_settles_many_parameters_with_few_fetches():
    server = Server(lambda path, query: path if "none" not in path else None)
    found = probe("http://shop.com/p/1?a=1&b=2&c=3&d=4", server)
    assert set(found.verdicts.values()) == {"none"}
    assert len(server.asked) == 5
    server = Server(shop)
    found = probe("http://shop.com/p/1?a=1&v=2&c=3&d=4", server)
    assert found.verdicts == {"a": "none", "v": "content", "c": "none", "d": "none"}
    assert len(server.asked) <= 12
    assert all(one.status in (200, 404) for one in found.observations)
    assert learn(found.observations).rules == ()


def test_ids_of_which_either_would_do_are_not_both_without_content():
    def content(path, query):
        page = query.get("id") or query.get("slug", "").rpartition("-")[2]
        return page if page in map(str, range(10)) else None

    found = probe("http://shop.com/view?id=5&slug=x-5", Server(content))
    assert sorted(found.verdicts.values()) == ["content", "none"]


def test_a_wall_and_a_page_that_differs_from_itself_give_no_verdict():
    found = probe("http://shop.com/p?id=1&ref=2", Server(lambda path, query: "log in"))
    assert set(found.verdicts.values()) == {"unknown"}
    assert "cannot be there" in (found.reason or "")
    rng = random.Random(1)
    found = probe("http://shop.com/p?id=1", Server(lambda path, query: rng.random()))
    assert (found.verdicts, found.reason) == ({"id": "unknown"}, "the page differs from itself")


@pytest.mark.parametrize(
    ("robots", "reason"),
    [
        (Fetched(200, "User-agent: *\nDisallow: /p"), "the page could not be asked for, or has too little text"),
        (Fetched(503), "robots.txt answers 503"),
    ],
)
def test_robots_are_respected(robots, reason):
    server = Server(shop, robots)
    assert probe("http://shop.com/p/1?v=1", server).reason == reason
    assert server.asked == ["http://shop.com/robots.txt"]


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.com/logout?a=1",
        "http://shop.com/user/LogOut?a=1",
        "http://shop.com/p?action=delete&id=1",
        "http://shop.com/cart?add-to-cart=7",
        "http://shop.com/x?do=sign-out",
        "http://shop.com/unsubscribe/?u=1",
    ],
)
def test_what_reads_as_if_it_did_something_is_never_asked_for(url):
    server = Server(shop)
    found = probe(url, server)
    assert acts(url) is not None
    assert not [asked for asked in server.asked if not asked.endswith("/robots.txt")]
    assert found.refused


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/?a=1", "http://localhost/?a=1", "http://10.0.0.1/?a=1", "ftp://a.com/?a=1"]
)
def test_what_the_gateway_refuses_is_never_asked_for(url):
    server = Server(shop)
    probe(url, server)
    assert server.asked == []


def test_a_probe_keeps_to_its_budget_and_to_what_can_be_asked():
    for budget in range(6):
        server = Server(shop)
        probe("http://shop.com/p/1?a=1&v=2&c=3&d=4", server, budget=budget)
        assert len(server.asked) <= budget
    names = ("Algorithm=AWS4-HMAC-SHA256", f"Credential={'A' * 20}/20260101/us-east-1/s3/aws4_request")
    more = ("Date=20260101T000000Z", "Expires=60", "SignedHeaders=host", f"Signature={'a' * 64}")
    signed = "https://a.s3.amazonaws.com/k?" + "&".join(f"X-Amz-{name}" for name in (*names, *more))
    assert "signed" in (probe(signed, Server(shop)).reason or "")
    assert probe("http://shop.com/p/1", Server(shop)).reason == "the URL has no parameters"


def test_the_model_of_a_report_is_json_that_says_all():
    assert json.loads(MODEL.as_json())["id"] == MODEL.id
