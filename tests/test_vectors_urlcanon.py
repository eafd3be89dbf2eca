"""urlcanon's suites, each under the rungs that its canonicalizer stands for."""

import pytest

import suites
import urlkey
import verdicts
from verdicts import NotApplicable, Row, differ, given, result

WHATWG = urlkey.Policy("whatwg")
PRECISE = urlkey.Policy("safe").with_(
    assume_scheme=True,
    drop_userinfo=True,
    drop_root_dot=True,
    collapse_slashes=True,
    sort_query=True,
    sort_values=True,
)
AGGRESSIVE = PRECISE.with_(
    fold_scheme=True,
    drop_www=True,
    drop_session=True,
    lower_path=True,
    drop_trailing_slash=True,
    drop_empty_params=True,
    drop_empty_query=True,
    drop_fragment=True,
)


def https(url):
    """urlcanon takes a text without a scheme for http and folds https into it; urlkey goes the other way."""
    return url.replace("http://", "https://", 1) if url.startswith("http://") else url


def canonical(policy, keeps_scheme):
    def judge(row: Row):
        ours, theirs = result(lambda: policy.key(given(row))), row["expected"]
        theirs = theirs if keeps_scheme(row) else https(theirs)
        if ours is not None and policy.key(ours) != ours:
            return policy.key(ours), ours
        return differ(ours, theirs)

    return judge


@pytest.mark.parametrize(
    ("name", "policy", "keeps_scheme"),
    [
        ("supplemental_whatwg", WHATWG, lambda row: True),
        ("semantic_precise", PRECISE, lambda row: ":" in row["input"]),
        ("aggressive", AGGRESSIVE, lambda row: False),
    ],
)
def test_urls_come_out_as_the_canonicalizer_says(name, policy, keeps_scheme):
    suite = f"urlcanon/{name}"
    verdicts.hold(suite, suites.shared(f"{suite}.jsonl"), canonical(policy, keeps_scheme))


def removes_dots(row: Row):
    text, theirs = row["input"], row["expected"]
    if row["op"] == "special":
        # A \\ separates as / does; the parser writes it as one, at another step of urlcanon's.
        return differ(urlkey.Url(f"http://a.example{text}").path, theirs.replace("\\", "/"))
    if not text.startswith("/"):
        raise NotApplicable("a path behind a host begins with /")
    return differ(urlkey.Url(f"sc://a.example{text}").path, theirs)


def test_dot_segments_are_removed():
    verdicts.hold("urlcanon/path_dots", suites.shared("urlcanon/path_dots.jsonl"), removes_dots)


def reads_ipv4(row: Row):
    ours = result(lambda: urlkey.Url(f"http://{row['input']}/").host)
    # No address: the host stays the name that it was, or it ends in a number and is an error.
    theirs = row["expected"] or (ours if ours in (None, row["input"]) else None)
    return differ(ours, theirs)


def test_odd_ipv4_addresses_are_read():
    verdicts.hold("urlcanon/funky_ipv4", suites.shared("urlcanon/funky_ipv4.jsonl"), reads_ipv4)


def is_kept(row: Row):
    """Lossless there is what is promised here: the spelling is kept beside the key, and the key is its own key."""
    text = given(row)
    for policy in map(urlkey.Policy, urlkey.PROFILES):
        key = result(lambda policy=policy: policy.key(text))
        if key is None:
            raise NotApplicable("no absolute URL")
        if policy.key(key) != key:
            return policy.key(key), key
        if policy.identify(text).original != text:
            return policy.identify(text).original, text
    return None


def test_the_spelling_is_kept_and_keys_are_their_own():
    verdicts.hold("urlcanon/idempotence", suites.shared("urlcanon/idempotence.jsonl"), is_kept)


def parts(row: Row):
    """What urlcanon splits the text into, under the names of Url."""
    return {
        "scheme": row["scheme"],
        "username": row["username"],
        "password": row["password"],
        "hostname": row["host"] or ("" if row["slashes"] == "//" else None),
        "port": int(row["port"]) if row["port"] else None,
        "path": row["path"],
        "query": row["query"] if row["question_mark"] else None,
        "fragment": row["fragment"] if row["hash_sign"] else None,
    }


def splits(row: Row):
    url = result(lambda: urlkey.Url(given(row)))
    if url is None:
        raise NotApplicable("no absolute URL")
    if url.href != row["input"]:
        raise NotApplicable("the parser writes the text otherwise; crates/urlkey/tests/split.rs splits it as it is")
    theirs = parts(row)
    ours = {name: getattr(url, name) for name in theirs}
    return differ(ours, theirs)


def test_urls_are_split_into_their_parts():
    verdicts.hold("urlcanon/parsing", suites.shared("urlcanon/parsing.jsonl"), splits)
