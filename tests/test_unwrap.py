"""What links hold inside: the chain, the rungs that follow it, the command."""

import json
import pickle
from pathlib import Path
from urllib.parse import quote

import pytest

import command
import suites
import urlkey
import verdicts
from verdicts import Row, differ

VECTORS = suites.rows(Path(__file__).parents[1] / "crates" / "urlkey" / "tests" / "vectors" / "unwrap.jsonl")
GOOGLE = "https://www.google.com/url?q="
FACEBOOK = "https://l.facebook.com/l.php?h=AT0&u="
# Whatever there is to unwrap.
ALL = {
    "kinds": ["redirector", "affiliate", "shield", "mail", "share", "copy", "translation"],
    "unverified": True,
}
EVERYTHING = urlkey.Policy("safe").with_(unwrap_redirector=ALL, unwrap_amp=True)


def escaped(url: str) -> str:
    return quote(url, safe="")


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["input"][:60])
def test_the_chain_is_the_vectors(row):
    hops = urlkey.unwrap(row["input"], unverified=row.get("unverified", False))
    assert [[hop.rule, hop.url] for hop in hops] == row["chain"]


def test_kinds_say_what_a_link_was():
    kinds = {
        row["chain"][0][0]: urlkey.unwrap(row["input"], unverified=True)[0].kind for row in VECTORS if row["chain"]
    }
    assert (kinds["google-url"], kinds["awin"], kinds["ms-safelinks"]) == ("redirector", "affiliate", "shield")
    assert (kinds["aws-ses-track"], kinds["youtube-attribution"], kinds["ampproject"]) == ("mail", "share", "amp")
    assert (kinds["wayback"], kinds["google-translate"]) == ("copy", "translation")


def leads_where_the_rule_says(row: Row):
    """Every example, by the call and by the rung, under the rule's own id and its word on affiliates."""
    hops = urlkey.unwrap(row["input"], unverified=True)
    target = row["target"]
    if target.startswith("/"):
        target = urlkey.join(row["input"], target)
    ours = [(hop.url, hop.rule, hop.kind == "affiliate") for hop in hops]
    if ours != [(target, row["rule"], row["affiliate"])]:
        return ours, target
    if row["verified_rule"]:
        assert urlkey.unwrap(row["input"]) == hops
    return differ(EVERYTHING.key(row["input"]), EVERYTHING.key(target))


def test_every_example_of_the_shared_rules():
    rules = suites.shared_list("domains/redirectors.json", "rules")
    rows = [
        {**example, "rule": rule["id"], "affiliate": rule["affiliate"], "verified_rule": rule["verified"]}
        for rule in rules
        for example in rule["examples"]
    ]
    rows = [{**row, "id": f"examples-{i:04}"} for i, row in enumerate(rows, 1)]
    assert len(rules) == 56
    verdicts.hold("domains/redirectors", rows, leads_where_the_rule_says)
    assert all(urlkey.unwrap(f"https://{host}/s/x") == [] for host in ("protect-us.mimecast.com", "t.co", "lnkd.in"))


def test_targets_of_other_suites():
    rows = [
        row
        for row in suites.shared("tracking/url_sanitize_conformance.jsonl")
        if row["expected"]["kind"] == "redirected" and not row["expected"]["viaProvider"].startswith("brave-debounce")
    ]
    assert len(rows) >= 8
    for row in rows:
        assert urlkey.unwrap(row["input"])[-1].url == row["expected"]["url"]


def test_explain_has_a_step_for_each_layer():
    url = GOOGLE + "https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttp%253A%252F%252Fa.example%252F"
    steps = urlkey.explain(url, policy="feed").steps
    assert [step.name for step in steps] == ["unwrap_redirector", "unwrap_redirector"]
    assert all(step.rule.startswith("rules/redirectors.toml:") for step in steps)
    assert steps[0].rule != steps[1].rule
    assert steps[1].after == "http://a.example/"


def test_more_layers_than_five_stay():
    url = "http://a.example/"
    for layers in range(1, 8):
        url = GOOGLE + escaped(url)
        assert len(urlkey.unwrap(url)) == (layers if layers < 6 else 0)
        assert urlkey.key(url, policy="feed") == ("http://a.example/" if layers < 6 else url)


def test_a_policy_names_redirectors_of_its_own():
    policy = urlkey.Policy("feed").with_(unwrap_redirector={"also": ["*.shop.example/out/*?to"]})
    assert policy.key("http://www.shop.example/out/7?to=http%3A%2F%2Fa.example%2F") == "http://a.example/"
    assert policy.key("http://www.shop.example/in/7?to=http%3A%2F%2Fa.example%2F") != "http://a.example/"
    assert urlkey.Policy.from_text(policy.text).id == policy.id != urlkey.Policy("feed").id
    assert policy.explain("http://shop.example/out/7?to=http://a.example").steps[0].rule is None


@pytest.mark.parametrize("own", ["shop.example", "shop.example/out", "/out?x", "a b/x?y", "shop.example/o?a=1", ""])
def test_what_is_no_redirector_is_refused(own):
    with pytest.raises(urlkey.UrlKeyError) as failure:
        urlkey.Policy("feed").with_(unwrap_redirector={"also": [own]})
    assert failure.value.code == "bad-policy"


def test_kinds_and_unverified_rules_are_asked_for():
    copy = "https://web.archive.org/web/2017/http://a.example/"
    linkedin = "https://www.linkedin.com/safety/go?url=http%3A%2F%2Fa.example%2F"
    for url, asked in ((copy, {"kinds": ["copy"]}), (linkedin, {"unverified": True})):
        assert urlkey.key(url, policy="feed") == url
        policy = urlkey.Policy("feed").with_(unwrap_redirector=asked)
        assert policy.key(url) == "http://a.example/"
        assert policy.id != urlkey.Policy("feed").id
    with pytest.raises(urlkey.UrlKeyError, match="unwrap_amp"):
        urlkey.Policy("feed").with_(unwrap_redirector={"kinds": ["amp"]})


def test_a_site_rule_switches_unwrapping_off_for_its_host(tmp_path):
    rules = tmp_path / "mine.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "l.facebook.com"\noff = ["unwrap_redirector"]\n')
    policy = urlkey.Policy.load("feed", rules=[str(rules)])
    assert policy.key(FACEBOOK + "http%3A%2F%2Fa.example%2F").startswith("https://l.facebook.com/")
    assert policy.key(GOOGLE + "http%3A%2F%2Fa.example%2F") == "http://a.example/"
    # And on, for one host under a policy without it.
    rules.write_text('schema = 1\n[[site]]\nhost = "l.facebook.com"\non = ["unwrap_redirector"]\n')
    policy = urlkey.Policy.load("crawl", rules=[str(rules)])
    assert policy.key(FACEBOOK + "http%3A%2F%2Fa.example%2F") == "http://a.example/"
    assert policy.key(GOOGLE + "http%3A%2F%2Fa.example%2F").startswith("https://www.google.com/")


def test_hop_is_a_record():
    (hop,) = urlkey.unwrap(GOOGLE + "http%3A%2F%2Fa.example%2F%3Ftoken%3Dsecret")
    assert hop == urlkey.Hop("http://a.example/?token=secret", "google-url", "redirector")
    assert pickle.loads(pickle.dumps(hop)) == hop
    assert hash(hop) == hash(pickle.loads(pickle.dumps(hop)))
    assert "secret" not in repr(hop)


def test_what_is_no_url_is_an_error():
    for url in ("nothing", "http://", "http://a:b/"):
        with pytest.raises(urlkey.UrlKeyError):
            urlkey.unwrap(url)


# --- the command


def test_the_command_gives_one_line_out_for_each_line_in():
    lines = [GOOGLE + "http%3A%2F%2Fa.example%2F", "http://b.example/x", "", "no url", FACEBOOK + "http://c.example"]
    run = command.urlkey("unwrap", stdin="\r\n".join(lines).encode())
    assert run.stdout == b"http://a.example/\nhttp://b.example/x\n\n\nhttp://c.example\n"
    assert b"line 4: missing-scheme" in run.stderr
    assert run.returncode == 0
    assert command.urlkey("unwrap", "--strict", "no url").returncode == 1


def test_the_command_shows_every_layer():
    url = GOOGLE + escaped(FACEBOOK + escaped("http://a.example/\tx"))
    run = command.urlkey("unwrap", "--chain", url)
    assert run.stdout.decode().split("\t") == [
        url,
        FACEBOOK + escaped("http://a.example/\tx"),
        "http://a.example/x\n",
    ]
    told = json.loads(command.urlkey("unwrap", "--json", url).stdout)
    assert (told["input"], told["url"]) == (url, "http://a.example/x")
    assert [(hop["rule"], hop["kind"]) for hop in told["hops"]] == [
        ("google-url", "redirector"),
        ("facebook-l", "redirector"),
    ]


def test_the_command_takes_unverified_rules_if_asked():
    url = "https://www.linkedin.com/safety/go?url=http%3A%2F%2Fa.example%2F"
    assert command.urlkey("unwrap", url).stdout.decode() == f"{url}\n"
    assert command.urlkey("unwrap", "--unverified", url).stdout == b"http://a.example/\n"


def test_wrapped_recipients_are_not_shown_to_eyes():
    url = (
        "https://nam11.safelinks.protection.outlook.com:x/?url=http%3A%2F%2Fa.example&data=05%7C01%7Cme%40b.example%7C0"
    )
    run = command.urlkey("unwrap", url)
    assert b"me%40b.example" not in run.stderr
    assert b"data=***" in run.stderr
    whole = urlkey.unwrap(url.replace(":x", ""))
    assert "b.example" not in repr(whole)


def test_a_route_behind_the_link_stays_behind_the_target():
    link = "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fapp"
    assert urlkey.key(f"{link}#/cart", policy="feed") == "https://a.example/app#/cart"
    assert urlkey.key(f"{link}#top", policy="feed") == "https://a.example/app"
    assert urlkey.key(f"{link}%23%2Fpay#/cart", policy="feed") == "https://a.example/app#/pay"
    twice = f"https://www.google.com/url?q={quote(link, safe='')}#!/cart"
    assert urlkey.key(twice, policy="feed") == "https://a.example/app#!/cart"
    assert urlkey.explain(twice, policy="feed").key == urlkey.key(twice, policy="feed")
