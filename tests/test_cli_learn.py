"""`urlkey learn`: observations in, a rule file out, which `urlkey key` takes."""

import json

import pytest

from command import urlkey


@pytest.fixture
def here(tmp_path):
    rows = [
        {"url": f"http://a.example/p/{page}{tail}", "fingerprint": page}
        for page in range(300)
        for tail in ("", "?color=red", "?color=blue")
    ]
    (tmp_path / "o.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_rules_are_written_and_taken(here):
    run = urlkey("learn", "o.jsonl", "-o", "r.toml", "--budget", "0.001", "--model", "m.json", cwd=here)
    assert run.returncode == 0, run.stderr
    assert run.stdout == b""
    assert b"900 observations of 1 host: 1 rule, merging 600 of 900 keys" in run.stderr
    assert b"(estimated, not certified)" in run.stderr
    run = urlkey("key", "--rules", "r.toml", "http://a.example/p/5?color=x", cwd=here)
    assert run.stdout == b"http://a.example/p/5\n"
    assert urlkey("rules", "check", "--strict", "r.toml", cwd=here).returncode == 0
    assert json.loads((here / "m.json").read_text())["findings"][0]["trials"] == 600


def test_what_does_not_fit_into_the_budget_is_told(here):
    run = urlkey("learn", "o.jsonl", "--budget", "1e-6", cwd=here)
    assert b"[[site]]" not in run.stdout
    assert b"1 more do not fit into the budget of 0.0001 %; --budget 1e-05 takes more" in run.stderr


def test_standard_input_is_read_and_odd_rows_are_counted(here):
    stdin = (here / "o.jsonl").read_bytes() + b'\nx\n{"url": "http://a.example:x/"}\n'
    run = urlkey("learn", "--budget", "0.001", "--date", "2026-11-30", "--strict", stdin=stdin)
    assert run.returncode == 1
    assert b"date = 2026-11-30\n" in run.stdout
    assert b"1 rows are no observations; the first: -:901: " in run.stderr
    assert b"1 rows have no key" in run.stderr
    quiet = urlkey("learn", "-q", "--budget", "0.001", "--date", "2026-11-30", stdin=stdin)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, run.stdout, b"")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("o.jsonl", "--budget", "2"), b"a budget of 2.0; allowed"),
        (("o.jsonl", "--date", "yesterday"), b"allowed: a date like"),
        (("o.jsonl", "-o", "o.jsonl"), b"must not be written over"),
        (("none.jsonl",), b"No such file"),
        (("o.jsonl", "--format", "parquet"), b"o.jsonl: "),
    ],
)
def test_what_cannot_be_done_is_said(here, arguments, words):
    run = urlkey("learn", *arguments, cwd=here)
    assert run.returncode == 2
    assert words in run.stderr
    assert b"Traceback" not in run.stderr


@pytest.fixture
def learned(here):
    run = urlkey("learn", "-q", "o.jsonl", "-o", "r.toml", "--budget", "0.02", "--model", "m.json", cwd=here)
    assert run.returncode == 0
    return here


def test_a_model_is_reported_as_text_and_as_a_page(learned):
    run = urlkey("learn", "report", "m.json", cwd=learned)
    assert b"a.example: 600 of 900 keys (67 %) merged\n  /p/{int}  drop color: 600 trials" in run.stdout
    run = urlkey("learn", "report", "m.json", "-o", "page.html", cwd=learned)
    assert (run.returncode, run.stdout) == (0, b"")
    page = (learned / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "m.json" in page


def test_an_audit_asks_for_pairs_and_certifies_them(learned):
    run = urlkey("learn", "audit", "m.json", "o.jsonl", "-o", "pairs.jsonl", cwd=learned)
    assert run.returncode == 0, run.stderr
    found = [json.loads(line) for line in (learned / "pairs.jsonl").read_text().splitlines()]
    assert len(found) == 149
    for number, pair in enumerate(found):
        pair["fingerprint_a"] = pair["fingerprint_b"] = number
    (learned / "done.jsonl").write_text("\n".join(map(json.dumps, found)))
    run = urlkey("learn", "audit", "m.json", "--results", "done.jsonl", "-o", "certified.toml", cwd=learned)
    assert run.returncode == 0, run.stderr
    assert b"149 of 149 pairs judged, 0 wrong: certified at most 2 % (95 %), within the budget of 2 %" in run.stdout
    assert "# Certified by an audit of 149 pairs: at most 2 % (95 %)." in (learned / "certified.toml").read_text()
    found[0]["fingerprint_b"] = "x"
    (learned / "done.jsonl").write_text("\n".join(map(json.dumps, found)))
    run = urlkey("learn", "audit", "m.json", "--results", "done.jsonl", cwd=learned)
    assert (run.returncode, b"above the budget" in run.stdout) == (1, True)
    assert b"wrong: http://a.example/p/" in run.stderr


def test_an_update_suspends_what_fails_and_refuses_what_turns_over(learned):
    rows = [
        {"url": f"http://a.example/p/{page}{tail}", "fingerprint": f"{page}{tail}"}
        for page in range(300)
        for tail in ("", "?color=red")
    ]
    (learned / "later.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = urlkey("learn", "update", "m.json", "later.jsonl", "-o", "new.toml", "--model", "new.json", cwd=learned)
    assert run.returncode == 0, run.stderr
    assert b"1 suspended" in run.stderr
    assert "[[site]]" not in (learned / "new.toml").read_text()
    urlkey("learn", "-q", "later.jsonl", "--budget", "0.02", "--model", "content.json", cwd=learned)
    run = urlkey("learn", "update", "content.json", "o.jsonl", "-o", "y.toml", cwd=learned)
    assert (run.returncode, b"were content before" in run.stderr) == (1, True), run.stderr
    assert not (learned / "y.toml").exists()


def test_a_probe_asks_through_the_function_that_is_named(here):
    (here / "fetcher.py").write_text(
        "def fetch(url):\n"
        "    if 'none' in url or 'robots' in url:\n"
        "        return 404, b'', None\n"
        "    return 200, '<main>' + ' '.join(f'word{n}' for n in range(60)), None\n"
    )
    run = urlkey("learn", "probe", "http://shop.com/p/1?a=1&b=2", "--fetch", "fetcher:fetch", cwd=here)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["verdicts"] == {"a": "none", "b": "none"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("report",),
        ("report", "r.toml"),
        ("report", "m.json", "o.jsonl"),
        ("audit", "m.json"),
        ("audit", "m.json", "--results", "o.jsonl"),
        ("audit", "m.json", "--results", "r.toml"),
        ("audit", "m.json", "o.jsonl", "-p", "safe"),
        ("update", "m.json"),
        ("probe",),
        ("probe", "http://a.example/?a=1"),
        ("probe", "http://a.example/?a=1", "--fetch", "nowhere:fetch"),
    ],
)
def test_what_cannot_be_done_with_a_model_is_said(learned, arguments):
    run = urlkey("learn", *arguments, cwd=learned)
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr
    assert run.stderr.startswith(b"urlkey: ")
