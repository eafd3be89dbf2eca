"""The report as text, CSV, JSON and HTML, and `urlkey seo`."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command import started, urlkey
from urlkey.systems import seo
from urlkey.systems.seo.advice import headline, number, percent
from urlkey.systems.seo.differences import marked
from urlkey.systems.seo.tables import COLUMNS, as_csv, as_json
from urlkey.systems.seo.terminal import as_text
from urlkey.systems.seo.web import as_html

ROOT = Path(__file__).parents[1]
CRAWL = ROOT / "examples" / "seo" / "crawl.csv"
EVIL = "https://a.example/<script>alert(1)</script>?x=\"onload='y'&utm_source=<b>"


@pytest.fixture(scope="module")
def report():
    export = seo.read(str(CRAWL))
    return seo.report(export.pages, rejects=export.rejects, known=export.known)


def test_the_example_shows_every_kind_but_few(report):
    rare = {"canonical-chain", "canonical-invalid", "canonical-insecure", "canonical-fragment", "redirect-no-target"}
    assert set(seo.KINDS) - set(report.totals.findings) == rare
    assert set(seo.REASONS) - set(report.totals.by_reason) == {
        "userinfo",
        "ip-form",
        "root-dot",
        "fragment",
        "site-rule",
    }
    assert {place for place, count in report.totals.places.items() if not count} == {"repeat", "no-key"}
    assert all(report.totals.by_tier.values())


def test_the_page_of_docs_shows_what_the_command_prints():
    text = (ROOT / "docs" / "seo.md").read_text(encoding="utf-8")
    shown = re.search(r"^```console\n\$ urlkey seo examples/seo/crawl.csv\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    printed = urlkey("seo", "examples/seo/crawl.csv", cwd=ROOT).stdout.decode()
    pattern = (
        re.escape(shown[1]).replace(re.escape("\n...\n"), "\n(.*\n)*").replace(re.escape("..., joined"), ".*, joined")
    )
    assert re.fullmatch(pattern, printed)


def test_the_page_of_docs_lists_the_kinds():
    text = (ROOT / "docs" / "seo.md").read_text(encoding="utf-8")
    for name, kind in seo.KINDS.items():
        assert f"| `{name}` | {kind.severity} | {kind.title}. {kind.todo}" in text


# Text.


def test_text_says_the_numbers_first(report):
    lines = as_text(report).splitlines()
    assert lines[0] == headline(report) == "21 of 52 page fetches (40 %) went to URLs that repeat another page."
    for part in ("Crawl budget", "Why", "Not duplicates", "What to do next"):
        assert part in lines


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_text_keeps_to_its_width(report, width):
    for line in as_text(report, width=width).splitlines():
        if "https://" in line or "http://" in line:
            assert len(line) <= width


def test_colours_change_no_text(report):
    plain, painted = (as_text(report, colour=colour) for colour in (False, True))
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9]+m", "", painted) == plain


def test_text_of_nothing_is_a_sentence():
    assert as_text(seo.report([])).startswith("No HTML page in this export answered 200.\n")
    assert as_text(seo.report([{"url": "https://a.example/"}])).startswith("All 1 page of this crawl")


def test_hashes_that_never_agree_are_said_to_say_little():
    pages = [{"url": f"https://a.example/x?gclid={number}", "hash": str(number)} for number in range(9)]
    assert "hashes say little" in as_text(seo.report(pages))
    assert "hashes say little" not in as_text(seo.report([*pages, {"url": "https://a.example/y", "hash": "0"}]))
    assert "contradict 1" in as_text(seo.report(pages[:2]))


def test_controls_are_made_visible():
    made = seo.report([{"url": "https://a.example/x"}, {"url": "https://a.example/x?utm_source=\x1b[31m\u202e"}])
    for view in (as_text, as_csv, as_json, as_html):
        assert not re.search("[\x1b\u202e]", view(made))


def test_numbers_are_said_as_they_are():
    assert [percent(share) for share in (0, 0.001, 0.4, 0.999, 1)] == ["0 %", "under 1 %", "40 %", "over 99 %", "100 %"]
    assert [number(n, "page") for n in (0, 1, 2, 1200)] == ["0 pages", "1 page", "2 pages", "1,200 pages"]


# What differs.


@pytest.mark.parametrize(
    ("url", "other", "differs"),
    [
        ("http://a.example/x", "https://a.example/x", ["http:"]),
        ("https://www.a.example/x", "https://a.example/x", ["www."]),
        ("https://a.example/X/y", "https://a.example/x/y", ["X"]),
        ("https://a.example//x", "https://a.example/x", ["/"]),
        ("https://a.example/x?b=1&utm_source=2", "https://a.example/x?b=1", ["&utm_source=2"]),
        ("https://a.example/x?b=1&b=1", "https://a.example/x?b=1", ["&b=1"]),
        ("https://a.example/x?b=1&a=2", "https://a.example/x?a=2&b=1", ["?b=1&a=2"]),
        ("https://a.example/x?", "https://a.example/x", ["?"]),
        ("https://a.example/x#top", "https://a.example/x", ["#top"]),
        ("https://a.example/x", "https://a.example/x", []),
    ],
)
def test_what_differs_is_marked(url, other, differs):
    pieces = marked(url, other)
    assert "".join(text for text, _ in pieces) == url
    assert [text for text, differs in pieces if differs] == differs


# CSV and JSON.


def test_csv_has_each_row_once(report):
    rows = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == report.totals.rows == 67
    with CRAWL.open(encoding="utf-8-sig") as file:
        given = [row["Address"] for row in csv.DictReader(file)]
    kept = [url for url in given if "SESSID" not in url and "jsessionid" not in url]
    assert set(kept) <= {row["Address"] for row in rows}
    (slash,) = (row for row in rows if row["Address"] == "https://shop.example/Tea/")
    assert (slash["Place"], slash["Tier"], slash["Reasons"]) == ("duplicate", "site", "case-path")
    assert slash["Representative"] == "https://shop.example/tea/"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " ="])
def test_csv_begins_no_formula(start):
    made = seo.report(
        [{"url": f"{start}cmd|' /C calc'!A0"}],
        rejects=[seo.Reject(1, "bad-row", f"{start}1+1"), seo.Reject(2, "x", "ok")],
    )
    for row in csv.reader(io.StringIO(as_csv(made))):
        assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") for cell in row)


def test_json_has_all_of_it(report):
    told = json.loads(as_json(report))
    assert [*told][:4] == ["schema", "policy", "tier", "totals"]
    assert [*told][4:] == ["groups", "parameters", "findings", "redirects", "rows", "rejects"]
    assert len(told["rows"]) == told["totals"]["rows"] == 67
    assert told["totals"]["share"] == 0.4038
    assert sum(len(group["duplicates"]) for group in told["groups"]) == told["totals"]["duplicates"]
    assert {one["kind"] for one in told["findings"]} == set(told["totals"]["findings"])
    assert {one["severity"] for one in told["findings"]} == {"error", "warning", "note"}


def test_secrets_are_out_unless_asked():
    token = "https://a.example/x?token=sesame"
    pages = [
        {"url": token, "canonical": token},
        {"url": f"{token}&utm_source=y", "canonical": [token, "https://b.example/"]},
    ]
    pages.append({"url": f"{token}&z=1", "status": 301, "redirect": f"{token}&z=2"})
    made = seo.report(pages, rejects=[seo.Reject(1, "bad-row", token)])
    for view in (as_text, as_csv, as_json, as_html):
        assert "sesame" not in view(made)
        assert "sesame" in view(made, secrets=True)


# HTML.


class Reader(HTMLParser):
    """Notes elements, and where they would load from."""

    VOID = frozenset({"meta", "link", "rect", "input"})

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.loads, self.ids = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.seen.append((tag, given))
        self.ids += [given["id"]] if "id" in given else []
        self.loads += [given[name] for name in ("src", "srcset", "data", "action") if name in given]
        self.loads += [given["href"]] if tag == "link" else []
        assert not any(name.startswith("on") for name in given)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_whole_and_loads_nothing(report):
    read = Reader(as_html(report, title="crawl.csv"))
    assert read.open == []
    assert read.loads == ["data:,"]
    assert len(read.ids) == len(set(read.ids))
    links = [given["href"] for tag, given in read.seen if tag == "a"]
    assert {link[1:] for link in links if link.startswith("#")} <= set(read.ids)
    assert all(link.startswith(("#", "http://", "https://")) for link in links)
    assert {"http-equiv": "Content-Security-Policy"}.items() <= read.seen[4][1].items()


def test_html_says_what_the_report_says(report):
    text = as_html(report)
    assert headline(report) in text
    assert text.count('<details class="group"') == len(report.groups)
    assert text.count('<details class="kind"') == len(report.totals.findings)
    assert "https://shop.example/<mark>T</mark>ea/" in text
    assert "<mark>?gclid=EAIaIQobChMI</mark>" in text


def test_html_escapes_what_the_crawl_says():
    title = "</title><script>alert(1)</script>"
    pages = [{"url": url, "canonical": f"{EVIL}2"} for url in (EVIL, f"{EVIL}&gclid=1", "https://a.example/?<u>=1")]
    pages += [{"url": "https://a.example/?<u>=2"}, {"url": "https://a.example/r", "status": 301, "redirect": EVIL}]
    pages += [{"url": "javascript:alert(1)"}, {"url": "https://a.example/z", "canonical": "javascript:alert(1)"}]
    text = as_html(seo.report(pages), title=title)
    tags = [tag for tag, _ in Reader(text).seen]
    assert tags.count("script") == 1
    assert {"b", "u"} & set(tags) <= {"b"}
    assert "<script>alert" not in text
    assert 'href="javascript' not in text


def test_a_redacted_url_is_no_link():
    made = seo.report([{"url": "https://a.example/?token=sesame"}, {"url": "https://a.example/?token=sesame&gclid=1"}])
    links = [given["href"] for tag, given in Reader(as_html(made)).seen if tag == "a"]
    assert all(link.startswith("#") for link in links)


def test_html_of_nothing_is_a_page():
    text = as_html(seo.report([]))
    assert Reader(text).open == []
    assert "No HTML page in this export answered 200." in text


def test_html_of_a_large_report_stays_a_page():
    pages = [{"url": f"https://a.example/{n}?{tail}"} for n in range(1000) for tail in ("", "gclid=1")]
    pages += [{"url": f"https://a.example/x?gclid={n}"} for n in range(1000)]
    text = as_html(seo.report(pages))
    assert text.count('<details class="group"') == 400
    assert "And 601 groups more, all in the CSV form of this report." in text
    assert "And 959 duplicates more" in text
    assert len(text) < 2_000_000


# The command.


@pytest.mark.parametrize(("name", "begins"), [("r.html", b"<!doctype html>"), ("r.csv", b"Address,"), ("r.json", b"{")])
def test_the_name_of_the_output_says_its_form(tmp_path, name, begins):
    run = urlkey("seo", CRAWL, "-o", tmp_path / name)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    assert (tmp_path / name).read_bytes().startswith(begins)
    form = name.partition(".")[2]
    assert urlkey("seo", "--format", form, stdin=CRAWL.read_bytes()).stdout.startswith(begins)


def test_text_goes_to_standard_output_without_colours():
    run = urlkey("seo", CRAWL)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.startswith(b"21 of 52 page fetches")
    assert b"\x1b[" not in run.stdout
    assert b"\x1b[" in urlkey("seo", CRAWL, FORCE_COLOR="1").stdout
    assert b"\x1b[" not in urlkey("seo", CRAWL, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_tier_policy_and_rules_reach_the_report(tmp_path):
    def totals(*options):
        run = urlkey("seo", CRAWL, "--format", "json", *options)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    assert totals()["policy"].startswith("seo-")
    assert totals("--tier", "standard")["totals"]["duplicates"] == 4
    assert totals("-p", "whatwg", "--tier", "usual")["policy"].startswith("whatwg-")
    rules = tmp_path / "shop.toml"
    rules.write_text('schema = 1\n[[site]]\nhost = "shop.example"\ndrop = ["list"]\n')
    assert totals("--rules", rules)["totals"]["duplicates"] == totals()["totals"]["duplicates"] + 3


def test_several_exports_make_one_report(tmp_path):
    (tmp_path / "a.csv").write_text("url\nhttps://a.example/\n")
    (tmp_path / "b.jsonl").write_text('{"url": "https://a.example/?gclid=1"}\n')
    run = urlkey("seo", tmp_path / "a.csv", tmp_path / "b.jsonl", "--format", "json")
    assert json.loads(run.stdout)["totals"]["duplicates"] == 1


def test_columns_and_delimiter_are_options():
    table = "Seite/Code\nhttps://a.example/x/404\n".replace("https://a.example/x", '"https://a.example/x"').encode()
    run = urlkey("seo", "-c", "Seite", "-c", "status=Code", "--delimiter", "/", "--format", "json", stdin=table)
    assert json.loads(run.stdout)["totals"]["places"]["error"] == 1


def test_rows_without_a_url_are_told_and_strict_counts_them():
    table = b"url,status\nhttps://a.example/,200\n//,200\n"
    run = urlkey("seo", stdin=table)
    assert run.returncode == 0
    assert b"urlkey: 1 of 2 rows have no URL" in run.stderr
    assert b"missing-scheme-non-relative-URL" in run.stderr
    assert urlkey("seo", "--strict", stdin=table).returncode == 1
    assert urlkey("seo", "-q", stdin=table).stderr == b""
    broken = urlkey("seo", stdin=b'url\n"x\n')
    assert b"line 2: bad-row" in broken.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["/no/such/file.csv"], b"No such file"),
        ([CRAWL, "--delimiter", ",,"], b"one character"),
        ([CRAWL, "-c", "urls=x"], b"no fact"),
        ([CRAWL, "-c", "url=x"], b"no column"),
        ([CRAWL, "-o", CRAWL], b"over the export"),
        ([CRAWL, "--format", "pdf"], b"invalid choice"),
        ([CRAWL, "-p", "seo2"], b"seo2"),
    ],
)
def test_what_cannot_be_done_ends_with_status_2(options, message):
    before = CRAWL.read_bytes()
    run = urlkey("seo", *options)
    assert (run.returncode, run.stdout) == (2, b"")
    assert message in run.stderr
    assert CRAWL.read_bytes() == before


def test_a_reader_that_leaves_ends_the_command_quietly():
    run = started("seo", "--format", "json", CRAWL)
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stdin.close()
    run.stderr.close()
    assert run.wait(timeout=60) == 141
