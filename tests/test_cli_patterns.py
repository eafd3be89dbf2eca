"""`urlkey patterns`: a line out for each line in, and what is wrong with a list."""

import json

import pytest

from command import urlkey


@pytest.fixture
def lists(tmp_path):
    block, allow = tmp_path / "block.txt", tmp_path / "allow.txt"
    block.write_text("# ours\nevil.example\n*.bad.example\n")
    allow.write_text("evil.example/help\n")
    return block, allow


def test_a_url_that_is_named_has_its_pattern_and_its_place(lists):
    block, allow = lists
    run = urlkey(
        *("patterns", block, "--dialect", "chrome", "--allow", allow, "http://www.evil.example/x"),
        *("http://good.example/", "https://evil.example/help/me", "https://cdn.ampproject.org/c/evil.example"),
    )
    assert run.stdout.decode().splitlines() == [
        f"block\t{block}:2\tevil.example\tthe host or one below",
        "",
        f"allow\t{allow}:1\tevil.example/help\tthe host or one below, its path",
        f"block\t{block}:2\tevil.example\tthe host or one below\thttp://evil.example/",
    ]
    assert run.stderr.decode() == (
        f"urlkey: {block}:3:1: bad-pattern: a * within a host stands for itself, and no host has one: *.bad.example\n"
    )
    assert run.returncode == 0


def test_lines_come_from_standard_input_and_as_json(lists):
    run = urlkey("patterns", lists[0], "--dialect", "chrome", "--json", stdin=b"evil.example\nhttp://[\r\nb.example")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert rows == [
        {
            "input": "evil.example",
            "match": {
                **{"pattern": "evil.example", "list": "block", "line": 2},
                **{"reason": "the host or one below", "embedded": None},
            },
        },
        {"input": "http://[", "error": "IPv6-unclosed"},
        {"input": "b.example", "match": None},
    ]
    assert b"line 2: IPv6-unclosed" in run.stderr


def test_strict_tells_what_was_not_asked_or_not_listed(lists):
    block, allow = lists
    assert urlkey("patterns", allow, "--dialect", "chrome", "--strict", "a.example").returncode == 0
    assert urlkey("patterns", allow, "--dialect", "chrome", "--strict", "http://[").returncode == 1
    assert urlkey("patterns", block, "--dialect", "chrome", "--strict", "a.example").returncode == 1


def test_what_a_person_can_set_right_is_a_message(lists):
    run = urlkey("patterns", "absent", "--dialect", "squid", "a.example")
    assert (run.returncode, run.stderr.decode()) == (2, "urlkey: absent: No such file or directory\n")
    assert urlkey("patterns", lists[0], "a.example").returncode == 2
    assert urlkey("patterns", lists[0], "--dialect", "edge", "a.example").returncode == 2
