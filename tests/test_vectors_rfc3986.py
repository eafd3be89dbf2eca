"""RFC 3986 under the profile that follows it, `safe`: references resolved, equivalent spellings brought together, and
spellings that it does not call equivalent kept apart."""

import pytest

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row

SAFE = urlkey.Policy("safe")


def resolves(row: Row):
    # Appendix: "for backward compatibility", and as the URL Standard does. Section 6.2.3: an empty path equals /.
    theirs = SAFE.key(row.get("expected_backward_compatible", row["expected"]))
    for ours in (SAFE.join(row["base"], row["input"]), SAFE.key(row["input"], urlkey.Base(row["base"]))):
        if ours != theirs:
            return ours, theirs
    return None


def test_references_resolve():
    verdicts.hold("rfc3986/resolution", suites.shared("rfc3986/resolution.jsonl"), resolves)


def around(escape: str) -> list[str]:
    """URLs that hold an escape where the scan reads: in a segment, in a name and in a value."""
    return [f"http://a.example/x{escape}y", f"http://a.example/?x{escape}y", f"http://a.example/?z=x{escape}y"]


def normalizes(row: Row):
    text, theirs = row["input"], row["expected"]
    match row["op"].split()[0]:
        case "normalize":
            pairs = [(SAFE.key(text), theirs)]
        case "remove_dot_segments":
            # Of a path without a slash in front, what is behind the base's slash.
            path = urlkey.Url(SAFE.key(text, "http://a.example/")).path
            pairs = [(path.removeprefix("/" * (not theirs.startswith("/"))), theirs)]
        case "normalize_escape":
            pairs = [(SAFE.key(a), b) for a, b in zip(around(text), around(theirs), strict=True)]
        case "not_equivalent":
            same = SAFE.key(text) == SAFE.key(theirs)
            pairs = [("equivalent" if same else "not equivalent", "not equivalent")]
        case op:
            raise NotApplicable(op)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def test_equivalent_spellings_meet_and_others_do_not():
    verdicts.hold("rfc3986/normalization", suites.shared("rfc3986/normalization.jsonl"), normalizes)


@pytest.mark.parametrize("reserved", ":/?#[]@!$&'()*+,;=")
def test_a_reserved_escape_and_its_character_stay_apart(reserved):
    """Section 2.2: URIs that differ in the replacement of a reserved character are not equivalent."""
    for raw, escaped in zip(around(reserved), around(f"%{ord(reserved):02x}"), strict=True):
        # The URL Standard's parser escapes ' in the query of a special URL: the special-query percent-encode set.
        assert (SAFE.key(raw) == SAFE.key(escaped)) is (reserved == "'" and "?" in raw)
