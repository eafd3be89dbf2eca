"""What the fuzz targets of the Python package assert, each opening with its invariant. `target.py` hands them to
Atheris, `tests/test_fuzz_bodies.py` gives them inputs from a seed."""

import hashlib
import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow

import urlkey
import urlkey.arrow
from fuzz import ada
from urlkey import evidence
from urlkey._native import check_rules
from urlkey.importers import FORMATS, NotAList, convert
from urlkey.systems import archive, gateway

_WIDE = urlkey.Policy("fold").with_(unwrap_redirector=True, unwrap_amp=True, refang=True, assume_scheme=True)
POLICIES = [*map(urlkey.Policy, urlkey.PROFILES), _WIDE]
BASES = [None, None, "http://a.example/b/c?d#e", "file:///C:/x", "foo://h/x", "mailto:a@b"]


def _text(data: bytes) -> str | None:
    """The bytes as a str, lone surrogates included; None where they are none."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def _answer(call: Any, *given: Any, **options: Any) -> Any:
    """What a call gives, or the code, place and input of its error."""
    try:
        return call(*given, **options)
    except urlkey.UrlKeyError as error:
        assert error.code in urlkey.ERROR_CODES, error
        assert str(error)
        assert error.args
        return _told(error)


def _told(row: Any) -> Any:
    """A row of a batch: an error is what `_answer` says of it."""
    return ("error", row.code, row.at, row.input) if isinstance(row, urlkey.UrlKeyError) else row


def binding(data: bytes) -> None:
    """One text has one answer: as bytes and as str, alone and in a batch, in a column, watched, and after pickling; a
    key is its own key and the same object, an error has a known code at a byte of the input."""
    if not data:
        return
    head, raw = data[0], data[1:]
    policy, base = POLICIES[head % len(POLICIES)], BASES[head // len(POLICIES) % len(BASES)]
    _one(policy, base, raw)
    text = _text(raw)
    if text is not None:
        _one(policy, base, text)
        of_text, of_bytes = _answer(policy.key, text, base), _answer(policy.key, raw, base)
        if isinstance(of_text, str) or not any("\ud800" <= char <= "\udfff" for char in text):
            assert of_text == of_bytes or (of_text[1:3], of_text[0]) == (of_bytes[1:3], of_bytes[0])
    _systems(raw)


def _one(policy: urlkey.Policy, base: str | None, url: str | bytes) -> None:
    key = _answer(policy.key, url, base)
    for threads in (1, 2):
        rows = [_told(row) for row in policy.keys([url, url], base, on_error="error", threads=threads)]
        assert rows == [key, key]
    nulls = policy.keys([url], base, on_error="null")
    if not isinstance(key, str):
        _, _, at, given = key
        length = len(url if isinstance(url, bytes) else url.encode("utf-8", "surrogatepass"))
        assert given == url
        assert at is None or 0 <= at <= length
        assert nulls == [None]
        for call in (policy.href, policy.digest, policy.explain, policy.identify):
            assert isinstance(_answer(call, url, base), tuple)
        return
    assert nulls == [key]
    # Beside a base `a.b:80` has a scheme, alone it is a host.
    again = policy.key(key, base) if "assume_scheme" in policy.rungs else policy.key(key)
    assert again is key
    assert policy.digest(url, base) == hashlib.sha256(key.encode()).digest()[:16]
    told, facts = policy.explain(url, base), policy.identify(url, base)
    assert (
        (told.key, told.href, told.policy_id) == (facts.key, facts.href, facts.policy_id) == (key, told.href, policy.id)
    )
    assert policy.href(url, base) == told.href
    assert policy.compare(url, key, base)
    assert pickle.loads(pickle.dumps(told)) == told
    assert pickle.loads(pickle.dumps(facts)) == facts
    _column(policy, base, url, key)
    parsed = urlkey.parse(key)
    assert parsed.href == key
    assert pickle.loads(pickle.dumps(parsed)) == parsed


def _column(policy: urlkey.Policy, base: str | None, url: str | bytes, key: str) -> None:
    column = pyarrow.array([url, None, url])
    for threads in (1, 2):
        made = urlkey.arrow.keys(column, base, policy=policy, threads=threads)
        assert made.to_pylist() == [key, None, key]
    pyarrow.array(made).validate(full=True)


def _systems(raw: bytes) -> None:
    verdict = gateway.check(raw)
    assert gateway.check_many([raw, raw]) == [verdict, verdict]
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert bool(verdict) == (verdict.href is not None)
    assert archive.surts([raw], on_error="error") == [archive.surt(raw)]
    for listed in _lists():
        found = _answer(listed.match, raw)
        assert [_told(row) for row in listed.match_many([raw, raw], on_error="error")] == [found, found]


@cache
def _lists() -> list[gateway.PatternSet]:
    lines = {
        "chrome": ["example.com", "https://*:8080/x", "a.example/b?c=d", "file://*"],
        "squid": ["dstdomain .example.com", "url_regex -i ^https?://[^/]*a"],
        "pan-os": ["*.example.com", "a.*.example/b"],
    }
    return [gateway.PatternSet(dialect, block, allow=block[:1]) for dialect, block in lines.items()]


def pattern_sets(data: bytes) -> None:
    """Any lines make a set and errors at bytes of their lines; it is the same as str and as bytes, and answers a URL
    alone as in a batch."""
    if not data:
        return
    dialect = gateway.DIALECTS[data[0] % len(gateway.DIALECTS)]
    block, _, urls = data[1:].partition(b"\n\n")
    lines = block.split(b"\n")
    listed = gateway.PatternSet(dialect, lines, lines[:1])
    for error in listed.errors:
        assert error.code in urlkey.ERROR_CODES
        assert 0 <= error.at <= len(error.text)
        assert error.text == lines[error.line - 1].removesuffix(b"\r")
    for url in urls.split(b"\n")[:4]:
        found = _answer(listed.match, url)
        assert [_told(row) for row in listed.match_many([url, url], on_error="error")] == [found, found]
    texts = list(map(_text, lines))
    if None not in texts:
        assert gateway.PatternSet(dialect, texts, texts[:1]).errors == listed.errors  # type: ignore[arg-type]


def importers(data: bytes) -> None:
    """Any text is a rule file without a fault that loads, or `NotAList`; converting it again gives the same, and under
    the rules a key is its own key."""
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    format = [None, *FORMATS][data[0] % (len(FORMATS) + 1)]
    options = {"redirections": data[0] & 32 > 0, "keep_lines": data[0] & 64 > 0}
    try:
        made = convert(text, format, name="list\n#", **options)
    except NotAList as refused:
        assert str(refused)
        return
    assert made == convert(text, made.format, name="list\n#", **options)
    assert check_rules(made.text, "made.toml")["faults"] == [], made.text
    policy = _under(made.text)
    for url in (
        "http://www.shop.example/a/b?utm_source=1&x=2&ref=3#y=4",
        "https://a.example/?u=http%3A%2F%2Fb.example%2F",
    ):
        key = policy.key(url)
        assert policy.key(key) == key == policy.explain(url).key


def _under(rules: str) -> urlkey.Policy:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.toml")
        path.write_text(rules, encoding="utf-8", newline="")
        return urlkey.Policy.load("feed", rules=[path])


def responses(data: bytes) -> None:
    """Any response gives findings, the same again: URLs that are hrefs, refusals in known words, rules that load; and a
    graph of the pieces has the same leaders from either end."""
    if not data:
        return
    status = [200, 200, 200, 301, 302, 303, 404][data[0] % 7]
    block, _, body = data[1:].partition(b"\n\n")
    headers = [(name, value) for name, _, value in (line.partition(b":") for line in block.split(b"\n"))]
    for url in ("http://a.example/dir/page?id=7", "https://www.a.example/"):
        found = evidence.from_response(url, status, headers, body)
        assert evidence.from_response(url, status, headers, body) == found
        for piece in found.evidence:
            assert piece.weight == evidence.kinds()[piece.kind].weight
            assert (urlkey.href(piece.from_), urlkey.href(piece.to)) == (piece.from_, piece.to)
            assert piece.to.startswith(("http:", "https:"))
        for refusal in found.refusals:
            assert refusal.text.startswith(evidence.REFUSALS[refusal.reason])
        if found.rules:
            _under("schema = 1\n" + "\n".join(rule.toml() for rule in found.rules))
        graphs = evidence.Graph(), evidence.Graph()
        graphs[0].add(found.evidence)
        graphs[1].add(found.evidence[::-1])
        for piece in found.evidence:
            assert graphs[0].resolve(piece.from_) == graphs[1].resolve(piece.from_)
        evidence.from_sitemap(url, body)
        evidence.from_feeds([(url, body)])
        evidence.from_robots(url, body, pages=[url])


def browsers(data: bytes) -> None:
    """urlkey and two builds of Ada read a text alike, but for the differences listed in `ada_differences.jsonl`."""
    text = _text(data[1:])
    if not data or text is None or any("\ud800" <= char <= "\udfff" for char in text):
        return
    found = ada.differences(text, BASES[data[0] % len(BASES)])
    assert all(difference.name for difference in found), found


TARGETS = {
    "binding": binding,
    "pattern_sets": pattern_sets,
    "importers": importers,
    "responses": responses,
    "browsers": browsers,
}
