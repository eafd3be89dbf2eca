"""`urlkey rules`: files checked, shown and compared, and made of public lists."""

import gzip
import json

import pytest

from command import urlkey

LIST = """! Title: My list
$removeparam=campaign_ref
||shop.example^$removeparam=/^aff_/
@@||api.shop.example^$removeparam=campaign_ref
||shop.example^$removeparam=tag,third-party
"""
URLS = [
    "https://www.shop.example/?aff_id=7&id=1",
    "https://www.shop.example/?aff_id=8&id=1",
    "https://api.shop.example/?campaign_ref=x",
    "http://a.example/",
    "http://a:b/",
]


@pytest.fixture
def here(tmp_path):
    (tmp_path / "list.txt").write_text(LIST)
    (tmp_path / "urls.txt").write_text("".join(f"{url}\n" for url in URLS))
    run = urlkey("rules", "import", "list.txt", "-o", "list.toml", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    return tmp_path


def test_import_says_the_format_and_what_is_not_taken(here):
    run = urlkey("rules", "import", "list.txt", "-o", "again.toml", "--report", "report.tsv", cwd=here)
    lines = run.stderr.decode().splitlines()
    assert lines[0] == "urlkey: list.txt: read as adguard: 3 items in 3 rules"
    assert lines[1].startswith("urlkey: 1 not taken: third-party: depends on the page that asks; the first: line 5")
    assert (here / "report.tsv").read_text().startswith("line 5\tthird-party: depends on the page that asks\t||shop")
    assert (here / "again.toml").read_text() == (here / "list.toml").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["import", "brave", "list.txt"], "not of the format brave"),
        (["import", "nonsense", "list.txt"], "no format 'nonsense'; there are: clearurls, adguard, brave, firefox"),
        (["import", "none.txt"], "none.txt: No such file"),
        (["check"], "rules check: see"),
        (["diff", "crawl"], "rules diff: see"),
        (["show", "a b"], "domain-invalid-code-point"),
    ],
)
def test_what_cannot_be_done_is_said(here, arguments, message):
    run = urlkey("rules", *arguments, cwd=here)
    assert run.returncode == 2
    assert message in run.stderr.decode() or message.split("-")[0] in run.stderr.decode()


def test_check_finds_every_fault_and_what_reads_oddly(here):
    (here / "bad.toml").write_text(
        'schema = 1\n[[site]]\nhost = "a b"\ndrop = ["x"]\n'
        '[[site]]\nhost = "a.example"\ndrop = ["(", "/(/", "utm_*", "utm_id"]\n'
        '[[site]]\nhost = "*"\ndrop = ["utm_*", "utm_id"]\n'
    )
    run = urlkey("rules", "check", "bad.toml", cwd=here)
    out = run.stdout.decode()
    assert run.returncode == 1
    assert "bad.toml:3: fault: host pattern" in out
    assert "bad.toml:7: fault: regular expression" in out
    assert 'bad.toml:8: redundant: drop "utm_id" is in "utm_*" already' in out
    value = json.loads(urlkey("rules", "check", "--json", "bad.toml", cwd=here).stdout)[0]
    assert [fault["line"] for fault in value["faults"]] == [3, 7]
    good = urlkey("rules", "check", "list.toml", cwd=here)
    assert good.returncode == 0
    assert good.stdout.decode() == "list.toml: 3 rules (2 drop, 1 keep), 0 faults, 0 notes\n"


def test_notes_count_as_faults_if_strict(here):
    (here / "odd.toml").write_text('schema = 1\n[[site]]\nhost = "*"\ndrop = ["utm_*", "utm_id"]\n')
    assert urlkey("rules", "check", "odd.toml", cwd=here).returncode == 0
    assert urlkey("rules", "check", "--strict", "odd.toml", cwd=here).returncode == 1


def test_show_names_the_rules_and_who_overrules_whom(here):
    url = "https://api.shop.example/?campaign_ref=x&aff_id=1&utm_id=2&id=3"
    value = json.loads(urlkey("rules", "show", "--rules", "list.toml", "--json", url, cwd=here).stdout)
    hosts = [rule["host"] for rule in value["rules"] if rule["source"] == "imported"]
    assert hosts.index("*.api.shop.example") < hosts.index("*.shop.example") < hosts.index("*")
    fates = {param["param"]: (param["says"], len(param["overruled"])) for param in value["params"]}
    assert fates == {
        "campaign_ref=x": ("keep", 1),
        "aff_id=1": ("drop", 0),
        "utm_id=2": ("drop", 0),
        "id=3": (None, 0),
    }
    text = urlkey("rules", "show", "--rules", "list.toml", url, cwd=here).stdout.decode()
    assert "campaign_ref=x: kept by list.toml:" in text
    shown = urlkey("rules", "show", "--rules", "list.toml", "shop.example", cwd=here).stdout.decode()
    assert "*.shop.example" in shown
    assert "campaign_ref" not in shown
    assert (
        "campaign_ref"
        in urlkey("rules", "show", "--all", "--rules", "list.toml", "shop.example", cwd=here).stdout.decode()
    )


PAIR = ("crawl", "list.toml")


def test_diff_counts_what_merges_and_names_the_rules(here):
    value = json.loads(urlkey("rules", "diff", "crawl", "list.toml", "urls.txt", "--json", cwd=here).stdout)
    counted = {key: value[key] for key in ("urls", "rejected", "changed", "keys_a", "keys_b", "merged", "split")}
    assert counted == {
        "urls": 5,
        "rejected": 1,
        "changed": 2,
        "keys_a": 4,
        "keys_b": 3,
        "merged": 1,
        "split": 0,
    }
    (sample,) = value["samples"]
    assert (sample["kind"], sample["key"]) == ("merged", "https://www.shop.example/?id=1")
    assert sample["why"][0].startswith("site_rules list.toml:")
    back = json.loads(urlkey("rules", "diff", "list.toml", "crawl", "urls.txt", "--json", cwd=here).stdout)
    assert (back["merged"], back["split"]) == (0, 1)
    told = [urlkey("rules", "diff", *of, "urls.txt", cwd=here).stdout.decode() for of in (PAIR, PAIR[::-1])]
    assert "1 key merges, 0 split" in told[0]
    assert "0 keys merge, 1 split" in told[1]


def test_diff_reads_what_people_have(here):
    (here / "urls.csv").write_text("id,url\n" + "".join(f"{i},{url}\n" for i, url in enumerate(URLS)))
    (here / "urls.txt.gz").write_bytes(gzip.compress("\n".join(URLS).encode()))
    for name in ("urls.csv", "urls.txt.gz"):
        value = json.loads(urlkey("rules", "diff", "crawl", "list.toml", name, "--json", cwd=here).stdout)
        assert (value["urls"], value["merged"]) == (5, 1)
    piped = urlkey("rules", "diff", "safe", "crawl", "--strict", stdin=b"http://a.example/?utm_id=1\nhttp://a:b/\n")
    assert piped.returncode == 1


def test_rules_act_and_explain_names_them(here):
    run = urlkey("explain", "--rules", "list.toml", URLS[0], cwd=here)
    assert "rule list.toml:" in run.stdout.decode()
    (here / "off.toml").write_text(
        'schema = 1\n[[site]]\nhost = "a.example"\noff = ["sort_query"]\non = ["drop_www"]\n'
    )
    run = urlkey("explain", "--rules", "off.toml", "http://a.example/?b&a", cwd=here)
    assert "rule    off.toml:2: off sort_query" in run.stdout.decode()
