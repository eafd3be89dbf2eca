"""The types: stubs agree with what is there, and say what a caller needs."""

import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = """
from typing import assert_type
import urlkey

assert_type(urlkey.key("http://example.com/"), str)
assert_type(urlkey.href(b"http://example.com/", urlkey.Base("http://example.com/")), str)
assert_type(urlkey.digest("http://example.com/", policy="fold"), bytes)
assert_type(urlkey.join("http://example.com/", "a"), str)
assert_type(urlkey.keys(["http://example.com/"]), list[str])
assert_type(urlkey.keys(["x"], on_error="null", threads=2), list[str | None])
assert_type(urlkey.keys(["x"], on_error="error"), list[str | urlkey.UrlKeyError])

policy = urlkey.Policy.load("crawl", rules=[]).with_(drop_www=True, drop_tracking={"kinds": ["campaign"]})
assert_type(policy, urlkey.Policy)
assert_type(policy.rungs, tuple[str, ...])
assert_type(policy.keys(["x"], on_error="null"), list[str | None])

url = urlkey.parse("http://example.com/")
assert_type(url.port, int | None)
assert_type(url.replace(port=8080, query=None), urlkey.Url)
assert_type(url.violations, tuple[urlkey.Violation, ...])
assert_type({url: 1}, dict[urlkey.Url, int])

told = urlkey.explain(b"http://example.com/", policy=policy)
assert_type(told.steps[0].rule, str | None)
seen = urlkey.compare("http://example.com/", "http://example.com")
assert_type(bool(seen), bool)
assert_type(urlkey.identify("http://example.com/").flags, tuple[str, ...])
assert_type(urlkey.identify("http://example.com/").original, str | bytes)
assert_type(urlkey.unwrap("http://example.com/"), list[urlkey.Hop])
assert_type([hop.url for hop in urlkey.unwrap(b"http://example.com/", unverified=True)], list[str])

from urlkey.systems import seo

assert_type(seo.compare("http://example.com/", "http://example.com").reasons, tuple[str, ...])
assert_type(seo.group(["http://example.com/"], "site")[0].members[0].count, int)
assert_type(seo.report([{"url": "http://example.com/"}]).totals.share, float)
seo.group([], "sure")  # type: ignore[arg-type]

import urlkey.arrow

class Column:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

assert_type(urlkey.arrow.keys(Column(), threads=2), urlkey.arrow.Array | urlkey.arrow.ChunkedArray)
urlkey.arrow.table(Column(), columns={"id": "digest"}, policy=policy)
urlkey.arrow.table(Column(), columns=["keys"])  # type: ignore[list-item]
urlkey.arrow.keys(["http://example.com/"])  # type: ignore[arg-type]
urlkey.arrow.keys(Column(), on_error="error")  # type: ignore[arg-type]

import urlkey.polars
import urlkey.sqlalchemy

urlkey.sqlalchemy.UrlKey(policy=3)  # type: ignore[arg-type]

from urlkey.store import Entry, Seen, Store

assert_type(Seen().add("http://example.com/"), bool)
assert_type(Seen().add_many(["x"]), list[bool | None])
assert_type(Seen().add_many(["x"], on_error="error"), list[bool | urlkey.UrlKeyError])

def stored(store: Store) -> None:
    assert_type(store.add_many(["x"]), list[bool | None])
    assert_type(store.get("http://example.com/"), Entry | None)
    assert_type([entry.count for entry in store], list[int])

try:
    pass
except urlkey.UrlKeyError as error:
    assert_type(error.code, str | None)
    assert_type(error.at, int | None)

urlkey.key(3)  # type: ignore[arg-type]
urlkey.key("http://example.com/", polcy="crawl")  # type: ignore[call-arg]
urlkey.keys(["x"], on_error="drop")  # type: ignore[call-overload]
url.replace(netloc="x")  # type: ignore[call-arg]
"""


def mypy(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A folder without any configuration: the installed package is what is checked."""
    return tmp_path_factory.mktemp("types")


def test_stubs_agree_with_what_is_there(empty):
    done = mypy("mypy.stubtest", "urlkey._native", cwd=empty)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_caller_is_checked_strictly(empty):
    (empty / "sample.py").write_text(SAMPLE, encoding="utf-8")
    done = mypy("mypy", "--strict", "--warn-unused-ignores", "sample.py", cwd=empty)
    assert done.returncode == 0, done.stdout + done.stderr
