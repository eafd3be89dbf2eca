"""Site rules that cut paths, and the rung for AMP hosts, through Python and the commands."""

import urlkey
from command import urlkey as run

RULES = """schema = 1
[[site]]
host = "*.shop.example"
drop_path = ["^/(?:en|amp)/", ";visit=[^/;]*"]
on = ["fold_amp_host"]
"""


def policy(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(RULES, encoding="utf-8")
    return urlkey.Policy.load("crawl", rules=[path])


def test_a_rule_cuts_paths_and_drops_the_label_of_amp(tmp_path):
    cutting = policy(tmp_path)
    for text in ("http://shop.example/en/item/7;visit=1a2b?id=3", "http://amp.shop.example/amp/en/item/7?id=3"):
        assert cutting.key(text) == "http://shop.example/item/7?id=3"
    assert cutting.key("http://amp.other.example/en/7") == "http://amp.other.example/en/7"
    assert cutting.key("http://shop.example/7?x=/en/;visit=1") == "http://shop.example/7?x=/en/;visit=1"


def test_explain_names_the_rule_and_why_a_cut_is_refused(tmp_path):
    cut, *_ = policy(tmp_path).explain("http://shop.example/en/7").steps
    assert (cut.name, cut.rule and cut.rule.endswith("mine.toml:2"), cut.refused) == ("site_rules", True, None)
    refused, *_ = policy(tmp_path).explain("http://shop.example/a/..;visit=1").steps
    assert (refused.name, refused.refused) == ("site_rules", "what is left is no path, or has a dot segment")


def test_rules_check_show_and_diff_know_the_key(tmp_path):
    path, urls = tmp_path / "mine.toml", tmp_path / "urls.txt"
    path.write_text(RULES, encoding="utf-8")
    urls.write_text("http://shop.example/en/7\nhttp://shop.example/7\n", encoding="utf-8")
    checked = run("rules", "check", str(path))
    assert checked.returncode == 0
    assert b"drop_path" in checked.stdout + checked.stderr
    assert b"drop_path" in run("rules", "show", "--rules", str(path), "shop.example").stdout
    assert b"1 key merges, 0 split" in run("rules", "diff", "crawl", str(path), str(urls)).stdout
    path.write_text(RULES.replace("^/", "("), encoding="utf-8")
    bad = run("rules", "check", str(path))
    assert bad.returncode == 1
    assert b"mine.toml:4" in bad.stdout + bad.stderr
