"""`urlkey reputation`, `refang` and `defang`: a line out for each line in."""

import json

import pytest

from command import urlkey
from urlkey.systems import reputation

URL = "http://m.evil.example:80/a/../login%2541?id=7#top"


def test_forms_come_a_line_for_each_line():
    run = urlkey("reputation", "canonical", URL, "evil.example")
    assert run.stdout.decode() == f"{reputation.canonical(URL)}\nhttp://evil.example/\n"
    assert (run.returncode, run.stderr) == (0, b"")
    run = urlkey("reputation", "expressions", stdin=f"{URL}\r\n\nhttp://b.co.uk/".encode())
    assert run.stdout.decode() == "\t".join(reputation.expressions(URL)) + "\n\nb.co.uk/\n"
    assert run.stderr.startswith(b"urlkey: line 2: host-missing: ")
    run = urlkey("reputation", "hashes", "--prefix", "4", "--api", "v4", "http://b.co.uk/")
    assert run.stdout.decode() == "\t".join(hash.hex() for hash in reputation.hashes("http://b.co.uk/", 4, "v4")) + "\n"


def test_bytes_that_are_no_utf8_have_a_form():
    assert urlkey("reputation", "canonical", b"http://\x01\x80.com/").stdout == b"http://%01%80.com/\n"


def test_forms_come_as_json():
    run = urlkey("reputation", "expressions", "--json", "http://a.example/x", "mailto:x")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert rows == [
        {"input": "http://a.example/x", "expressions": ["a.example/x", "a.example/"]},
        {"input": "mailto:x", "error": "host-missing"},
    ]


def test_strict_makes_a_line_without_a_host_exit_status_1():
    assert urlkey("reputation", "canonical", "mailto:x").returncode == 0
    assert urlkey("reputation", "canonical", "--strict", "mailto:x").returncode == 1
    assert urlkey("reputation", "canonical", "--strict", "a.example").returncode == 0


@pytest.fixture
def feed(tmp_path):
    file = tmp_path / "feed.txt"
    file.write_text("# feed\nevil.example\nhxxp://bad[.]example/a?token=secret1234\nno entry\n")
    return file


def test_lookup_says_what_is_listed_and_where(feed):
    wrapped = "https://www.google.com/url?q=http%3A%2F%2Fevil.example%2F"
    run = urlkey("reputation", "lookup", "--list", feed, "http://a.evil.example/x", "http://good.example/", wrapped)
    assert run.stdout.decode().splitlines() == [
        f"evil.example/\t{feed}:2",
        "",
        f"evil.example/\t{feed}:2\thttp://evil.example/",
    ]
    assert run.stderr.decode().splitlines() == [
        f"urlkey: {feed}: text, 2 entries, 1 defanged",
        f"urlkey: lines that are no entries: 1; the first: {feed}:4: domain-invalid-code-point: no entry",
    ]
    run = urlkey("reputation", "lookup", "--json", "--list", feed, stdin=b"http://evil.example/\nhttp://b.example/\n")
    rows = [json.loads(line)["match"] for line in run.stdout.splitlines()]
    assert rows[1] is None
    assert rows[0] == {
        **{"expression": "evil.example/", "line": 2, "prefix": None, "exact": True},
        **{"layer": 0, "url": None, "rule": None},
    }


def test_lookup_says_what_hashes_a_list_holds(tmp_path):
    file = tmp_path / "hashes"
    file.write_text(reputation.hashes("evil.example", 4)[0].hex() + "\n")
    run = urlkey("reputation", "lookup", "--list", file, "http://www.evil.example/")
    assert run.stdout.decode() == f"evil.example/\t{file}:1\n"
    assert run.stderr.decode() == f"urlkey: {file}: hashes (hex, 4 bytes), 1 entries\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lookup", "http://a.example"], "lookup needs --list FILE"),
        (["hashes", "--prefix", "3", "http://a.example"], "--prefix is 4 to 32, not 3"),
        (["lookup", "--list", "absent", "http://a.example"], "absent: No such file or directory"),
    ],
)
def test_what_a_person_can_set_right_is_a_message(arguments, message):
    run = urlkey("reputation", *arguments)
    assert (run.returncode, run.stdout, run.stderr.decode()) == (2, b"", f"urlkey: {message}\n")


def test_defang_and_refang_undo_each_other():
    lines = b"http://evil.example/a.b\nuser@evil.example\n\tb.example\t\nplain words\n\n"
    broken = urlkey("defang", stdin=lines).stdout
    assert broken.startswith(b"hxxp[://]evil[.]example/a.b\nuser[@]evil[.]example\n\tb[.]example\t\n")
    assert urlkey("refang", stdin=broken).stdout == lines


def test_refang_says_what_was_broken():
    run = urlkey("refang", "--json", "hxxp://a[.]example/?u=hxxp://b[.]example", "http://a.example", "--nested")
    assert [json.loads(line) for line in run.stdout.splitlines()] == [
        {
            "input": "hxxp://a[.]example/?u=hxxp://b[.]example",
            "url": "http://a.example/?u=http://b.example",
            "defanged": True,
        },
        {"input": "http://a.example", "url": "http://a.example", "defanged": False},
    ]


def test_lines_that_are_no_utf8_come_out_as_they_are():
    assert urlkey("refang", stdin=b"hxxp://a\xff\nhxxp://b\n").stdout == b"hxxp://a\xff\nhttp://b\n"
    assert json.loads(urlkey("defang", "--json", stdin=b"\xff").stdout)["error"] == "not-utf8"
