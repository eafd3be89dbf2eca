"""What responses, chains, sitemaps, feeds and robots.txt say, and what is not believed."""

from typing import Any

import pytest

import suites
import urlkey
from urlkey import evidence

RESPONSES = suites.own("evidence.jsonl")


def body_of(row: dict[str, Any]) -> bytes | str | None:
    return row["body_latin1"].encode("latin-1") if "body_latin1" in row else row.get("body")


@pytest.mark.parametrize("row", RESPONSES, ids=lambda row: row["id"])
def test_response(row):
    found = evidence.from_response(row["url"], row["status"], row.get("headers", {}), body_of(row))
    assert [[piece.kind, piece.to] for piece in found.evidence] == row["evidence"]
    assert [[refusal.kind, refusal.reason] for refusal in found.refusals] == row["refusals"]
    for piece in found.evidence:
        assert piece.weight == evidence.kinds()[piece.kind].weight
        assert urlkey.href(piece.from_) == piece.from_
        assert urlkey.href(piece.to) == piece.to
        assert piece.reason
    for refusal in found.refusals:
        assert refusal.text.startswith(evidence.REFUSALS[refusal.reason])


# --- bugs of other tools: the canonical that a page ends up with

BUGS = [row for row in suites.own("bugs/bug_cases.jsonl") if row["context"].startswith("rel=canonical")]


@pytest.mark.parametrize("row", BUGS, ids=lambda row: f"{row['source']} {row['context']}")
def test_bug_of_another_tool_with_canonical_links_is_not_ours(row):
    found = evidence.from_response(row["input"], 200, {"Content-Type": "text/html"}, f"<link {row['context']}>")
    targets = [piece.to for piece in found.evidence] or [row["input"]]
    assert [urlkey.key(target) for target in targets] == [urlkey.key(row["expected"])]


def test_the_bugs_that_need_pages_are_here():
    assert len(BUGS) == 2


# --- chains

A = "http://a.example"


def kinds_of(found: evidence.Findings) -> list[str]:
    return [piece.kind for piece in found.evidence]


def reasons_of(found: evidence.Findings) -> list[str]:
    return [refusal.reason for refusal in found.refusals]


@pytest.mark.parametrize("row", suites.own("evidence_redirects.jsonl"), ids=lambda row: row["id"])
def test_chain(row):
    found = evidence.from_redirects(row["chain"])
    assert [[piece.kind, piece.from_, piece.to] for piece in found.evidence] == row["evidence"]
    assert [[refusal.kind, refusal.reason] for refusal in found.refusals] == row["refusals"]
