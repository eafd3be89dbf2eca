"""`urlkey store`: URLs in, entries out, another policy."""

import json
import sqlite3

import pytest

from command import urlkey

URLS = b"http://www.a.example/?b=1&a=2\nHTTP://www.a.example/?a=2&b=1\nhttp://b.example/\nhttp://b.example:x/\n"


@pytest.fixture
def here(tmp_path):
    run = urlkey("store", "add", "my.db", stdin=URLS, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout == b"http://www.a.example/?b=1&a=2\nhttp://b.example/\n"
    assert b"urlkey: 4 lines, 2 with a new key, 1 without a key" in run.stderr
    assert b"port-invalid" in run.stderr
    return tmp_path


def test_add_writes_what_is_new(here):
    run = urlkey("store", "add", "my.db", "http://b.example/#x", "http://c.example/", "x", "--strict", cwd=here)
    assert (run.returncode, run.stdout) == (1, b"http://c.example/\n")
    run = urlkey("store", "add", "-q", "my.db", "http://c.example/", cwd=here)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_get_writes_a_line_for_each_url(here):
    run = urlkey("store", "get", "my.db", "http://www.a.example/?a=2&b=1", "http://none.example/", "x", cwd=here)
    first, second, third, end = run.stdout.decode().split("\n")
    key, count, begin, last, representative = first.split("\t")
    assert (key, count, representative) == ("http://www.a.example/?a=2&b=1", "2", "http://www.a.example/?a=2&b=1")
    assert begin <= last
    assert begin.endswith("Z")
    assert (run.returncode, second, third, end) == (0, "", "", "")
    run = urlkey("store", "get", "my.db", "http://b.example/", "http://none.example/", "--json", "--strict", cwd=here)
    entry, none = map(json.loads, run.stdout.splitlines())
    assert run.returncode == 1
    assert entry["spellings"][0]["url"] == "http://b.example/"
    assert none is None


def test_stats_counts(here):
    run = urlkey("store", "stats", "my.db", "--json", cwd=here)
    counts = json.loads(run.stdout)
    assert (counts["keys"], counts["spellings"], counts["rejects"], counts["policy"]) == (2, 3, 1, "crawl")
    assert urlkey("store", "stats", "my.db", cwd=here).stdout.splitlines()[0].split() == [b"keys", b"2"]


def test_rekey_tells_first_and_acts_when_asked(here):
    run = urlkey(
        "store", "add", "-q", "my.db", "http://a.example/?a=2&b=1&token=abcdef", "http://a.example/?a=2&b=1", cwd=here
    )
    told = urlkey("store", "rekey", "my.db", "--on", "drop_www", cwd=here).stdout.decode().splitlines()
    assert told[0].endswith("the store would have 3 keys, 4 before")
    assert told[1] == "0 new, 1 merges, 0 splits"
    assert told[2:] == [
        *(
            "merge",
            "  - http://www.a.example/?a=2&b=1",
            "  - http://a.example/?a=2&b=1",
            "  + http://a.example/?a=2&b=1",
        )
    ]
    assert json.loads(urlkey("store", "stats", "my.db", "--json", cwd=here).stdout)["keys"] == 4
    run = urlkey("store", "rekey", "my.db", "--on", "drop_www", "--apply", "--json", cwd=here)
    assert json.loads(run.stdout)["applied"] is True
    assert json.loads(urlkey("store", "stats", "my.db", "--json", cwd=here).stdout)["keys"] == 3
    run = urlkey("store", "add", "my.db", "http://d.example/", "--policy", "crawl", cwd=here)
    assert run.returncode == 2
    assert b"holds keys of the policy" in run.stderr
    run = urlkey("store", "rekey", "my.db", cwd=here)
    assert (run.returncode, b"needs --policy" in run.stderr) == (2, True)


def test_export_writes_entries(here):
    out = urlkey("store", "export", "my.db", cwd=here).stdout
    assert len(out.splitlines()) == 2
    run = urlkey("store", "export", "my.db", "-o", "out.jsonl", cwd=here)
    assert b"2 entries written to out.jsonl" in run.stderr
    assert (here / "out.jsonl").read_bytes() == out
    run = urlkey("store", "export", "my.db", "-o", "out.parquet", cwd=here)
    assert run.returncode == 0, run.stderr
    import pyarrow.parquet as pq

    table = pq.read_table(here / "out.parquet")
    assert {row["key"] for row in table.to_pylist()} == {json.loads(line)["key"] for line in out.splitlines()}
    assert len(table.schema.metadata[b"urlkey.policy_id"]) == 64


def test_check_says_whether_a_store_is_whole(here):
    assert urlkey("store", "check", "my.db", cwd=here).stdout == b"my.db is whole\n"
    with sqlite3.connect(here / "my.db") as db:
        db.execute("UPDATE entries SET count = count + 1")
    run = urlkey("store", "check", "my.db", cwd=here)
    assert (run.returncode, run.stderr) == (1, b"urlkey: my.db: the file is damaged: a row of the table entries\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["get", "none.db", "http://a.example/"], b"none.db: no such file"),
        (["stats", "my.db", "http://a.example/"], b"store stats takes no URLs"),
        (["export", "my.db", "--format", "parquet"], b"Parquet goes to a file"),
        (["stats", "mysql://x/y"], b"a store is a file or a postgresql:// URL"),
        (["stats", "text"], b"text: the file is damaged"),
    ],
)
def test_what_a_person_can_set_right_is_told(here, arguments, message):
    (here / "text").write_text("no database" * 100)
    run = urlkey("store", *arguments, cwd=here)
    assert run.returncode == 2
    assert message in run.stderr
    assert not (here / "none.db").exists()
