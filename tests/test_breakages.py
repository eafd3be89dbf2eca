"""The pack of known breakages: it outranks lists and wider choices, a user's rule outranks it, and it changes
nothing for the usual policies."""

import re
import tomllib
from pathlib import Path

import pytest

import urlkey

PACK = Path(__file__).parents[1] / "crates" / "urlkey" / "data" / "rules" / "breakages.toml"
ROWS = tomllib.loads(PACK.read_text(encoding="utf-8"))["site"]
CRAWL = urlkey.Policy("crawl")

BROKEN = [
    "https://help.steampowered.com/redirects/kb_article.php?ref=4045-USHJ-3810",
    "https://eax-api.indeed.com/api/v1/advertiser/adsperf?from=2025-02-01&to=2025-02-16",
    "https://any.example/report?from=2025-02-01",
    "https://safebrowsing.clients.google.com/safebrowsing/diagnostic?site=example.org",
    "https://www.town.example/CivicAlerts.aspx?AID=611",
    "https://gitlab.example/group/project/-/refs/switch?ref=main",
    "https://files.example/?1a2b3c",
]


def rules(tmp_path, text, name="mine.toml"):
    path = tmp_path / name
    path.write_text(f"schema = 1\n{text}", encoding="utf-8")
    return path


def everything(tmp_path, source):
    names = sorted({"ref", "from", "to", "site", "AID", "1a2b3c"})
    return rules(tmp_path, f'[[site]]\nhost = "*"\ndrop = {names}\nsource = "{source}"\n', f"{source}.toml")


@pytest.mark.parametrize("url", BROKEN)
def test_the_pack_outranks_lists_and_is_outranked_by_users(url, tmp_path):
    for source in ("imported", "learned", "built-in"):
        assert CRAWL.load("crawl", rules=[everything(tmp_path, source)]).key(url) == url
    assert CRAWL.load("crawl", rules=[everything(tmp_path, "user")]).key(url) != url


def test_an_exception_for_one_parameter_does_not_spare_the_rest(tmp_path):
    policy = CRAWL.load("crawl", rules=[everything(tmp_path, "imported")])
    url = "https://help.steampowered.com/kb_article.php?ref=4045&utm_source=x&site=y"
    assert policy.key(url) == "https://help.steampowered.com/kb_article.php?ref=4045"


def test_wider_choices_of_tracking_spare_known_breakages():
    policy = CRAWL.with_(drop_tracking={"kinds": ["campaign", "affiliate"], "risky": True})
    assert policy.key("https://a.example/?ref=x") == "https://a.example/"
    assert policy.key(BROKEN[0]) == BROKEN[0]


def params_of(row):
    names = [name.replace("*", "x") for name in row.get("keep", ())]
    return [*names, *(["from=2025-01-01", "since=2025-01-01", "1a2b3c", "7"] if "keep_pairs" in row else [])]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['host']}{row.get('path', '')}")
def test_rules_for_one_site_change_nothing_on_others(row, tmp_path):
    """The pack is read where a policy has site rules; it must keep nothing that the policy drops without them."""
    other = rules(tmp_path, '[[site]]\nhost = "other.example"\ndrop = ["x"]\n')
    host = re.sub(r"^\*\.?", "a.", row["host"].replace("<suffix>", "com")).rstrip(".")
    host = "gitlab.example" if "gitlab" in row.get("url", "") else "a.example" if row["host"] == "*" else host
    path = "/CivicAlerts.aspx" if "Civic" in row.get("url", "") else row.get("path", "") + "/p"
    for name in ("crawl", "aggressive", "fold"):
        policy = urlkey.Policy(name)
        for param in params_of(row):
            url = f"https://{host}{path}?{param}&utm_source=x&b=1"
            assert urlkey.Policy.load(name, rules=[other]).key(url) == policy.key(url)


def test_policies_without_rules_do_not_read_the_pack():
    assert "rules/breakages.toml" not in CRAWL.text
    assert CRAWL.with_(drop_tracking={"risky": True}).id != CRAWL.id
