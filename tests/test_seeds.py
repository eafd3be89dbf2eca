"""The project's own vectors: the seeds, and bugs of other tools that must not be ours."""

from typing import Any

import pytest

import suites
import urlkey

# What the words of a bug's context mean: the policy that has the bug's step on.
CONTEXTS: dict[str, tuple[str, dict[str, Any]]] = {
    "safe + drop fragment": ("safe", {"drop_fragment": True}),
    "safe: userinfo": ("safe", {}),
    "safe: IDN host with port": ("safe", {}),
    "fetch-safe encode set (RFC 3986 + RFC 2396)": ("safe", {}),
    "safe: stray percent": ("safe", {}),
    "safe: percent-encoded host": ("safe", {}),
    "safe: empty path": ("safe", {}),
    "RFC rung: empty query": ("safe", {"drop_empty_query": True}),
    "safe: reserved escapes in query": ("safe", {}),
    "safe: reserved escapes in path": ("safe", {}),
    "safe: non-UTF-8 escapes": ("safe", {}),
    "safe: no compatibility folding in path": ("safe", {}),
    "safe: encoded backslash": ("safe", {}),
    "safe: double encoding": ("safe", {}),
    "safe: encoded ampersand": ("safe", {}),
    "safe: unreserved escapes in query": ("safe", {}),
    "clean text-extracted link": ("safe", {"trim_wrapping": True}),
    "repair, default scheme https": ("safe", {"assume_scheme": True}),
    "RFC + trailing host dot + collapse slashes": (
        "safe",
        {"drop_root_dot": True, "collapse_slashes": True},
    ),
    "WHATWG parse": ("whatwg", {}),
    "strip subdomain prefixes": ("safe", {"drop_www": True, "fold_mobile_host": True}),
    "Safe Browsing": ("safe", {}),
    "Safe Browsing or WHATWG": ("whatwg", {}),
    "strip www": ("safe", {"drop_www": True}),
    "default profile": ("crawl", {}),
    "archive profile, per-host rule": ("crawl", {}),
    "strip index": ("safe", {"drop_index": True}),
    "strip trailing slash": ("safe", {"drop_trailing_slash": True}),
    "strip index + strip trailing slash": ("safe", {"drop_index": True, "drop_trailing_slash": True}),
    "sort query": ("safe", {"sort_query": True}),
    "sort query off": ("safe", {}),
    "key and fetch URL": ("safe", {"sort_query": True}),
    "safe rungs only": ("safe", {}),
    "strip tracking": ("safe", {"drop_tracking": True, "drop_empty_params": True, "drop_empty_query": True}),
    "strip tracking: ref": ("crawl", {"drop_tracking": {"also": ["ref"]}}),
    "strip tracking + strip root slash": (
        "crawl",
        {"drop_tracking": {"also": ["s_cid", "clickid"]}, "drop_trailing_slash": True},
    ),
    "strip tracking, per-host exception": ("crawl", {}),
    "strip utm_campaign, unwrap off": ("crawl", {}),
    "strip session ids": ("crawl", {}),
    "platform rules": ("social", {}),
    "unwrap redirectors": ("safe", {"unwrap_redirector": True}),
    # The row's redirector is of no known host: a policy names it.
    "unwrap redirectors + HTML entity repair": (
        "safe",
        {"unwrap_redirector": {"also": ["www.example.com/adredir.php?url"]}, "unescape_html": True},
    ),
    "unwrap AMP cache": ("safe", {"unwrap_amp": True}),
    "unwrap AMP viewer": ("safe", {"unwrap_amp": True}),
}

# Contexts whose step is not in this release, or cannot be asked for here.
ELSEWHERE = {
    "safe: IDN host, default-port rung off": "the URL Standard's parser always drops the default port",
    "strip account selector, per-host rule": "a site rule of the user, tested in test_policy.py",
}

SEEDS = suites.own("seeds.jsonl")
# Those about canonical links are of pages, and run in test_evidence.py.
BUGS = [row for row in suites.own("bugs/bug_cases.jsonl") if not row["context"].startswith("rel=canonical")]


def holds(policy: urlkey.Policy, row: dict[str, Any]) -> None:
    """The row's expectation: a key, or a dict of what is to be true."""
    url, base, expected = row["input"], row.get("base"), row["expected"]
    if expected == {"error": True}:
        with pytest.raises(urlkey.UrlKeyError):
            policy.key(url, base)
        return
    key = policy.key(url, base)
    assert policy.key(key) == key
    if isinstance(expected, str):
        assert key == expected
        return
    for claim, value in expected.items():
        match claim:
            case "idempotent":
                assert (policy.key(key) == key) is value
            case "same_as":
                assert key == policy.key(value)
            case "differs_from":
                assert key != policy.key(value)
            case "key":
                assert key == value
            case "fetch":
                assert policy.href(url, base) == value
            case _:
                raise AssertionError(f"unknown claim {claim}")


@pytest.mark.parametrize("row", SEEDS, ids=lambda row: row["id"])
def test_seed(row):
    holds(urlkey.Policy(row["policy"]).with_(**row.get("with", {})), row)


@pytest.mark.parametrize("row", BUGS, ids=lambda row: row["source"])
def test_bug_of_another_tool_is_not_ours(row):
    context = row["context"]
    if context in ELSEWHERE:
        pytest.skip(f"{context}: {ELSEWHERE[context]}")
    name, changes = CONTEXTS[context]
    holds(urlkey.Policy(name).with_(**changes), row)
