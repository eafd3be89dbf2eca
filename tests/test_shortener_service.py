"""examples/shortener as it is run: real servers on loopback, one SQLite file, many writers at once."""

import http.client
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

import urlkey
from command import clean_environment

EXAMPLE = Path(__file__).parents[1] / "examples" / "shortener"

TEN_SPELLINGS = [
    "https://shop.example/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "HTTPS://shop.example/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://SHOP.Example/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example:443/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/x/../cart/./~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart/%7Eann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart/%7eann?utm%5Fsource=mail&size=a%20b#/pay",
    "  https://shop.example/cart/~ann?utm_source=mail&size=a b#/pay ",
    "https:\\\\shop.example\\cart\\~ann?utm_source=mail&size=a%20b#/pay",
    "https://sh%6Fp.example/car\tt/~ann?utm_source=mail&size=a%20b#/pay",
]

# Each is another page, at least on some site.
OTHER_PAGES = [
    "http://shop.example/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://www.shop.example/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example./cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example:8443/cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart/~Ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart/~ann/?utm_source=mail&size=a%20b#/pay",
    "https://shop.example//cart/~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart%2F~ann?utm_source=mail&size=a%20b#/pay",
    "https://shop.example/cart/~ann?size=a%20b&utm_source=mail#/pay",
    "https://shop.example/cart/~ann?size=a%20b#/pay",
    "https://shop.example/cart/~ann?utm_source=mail&size=a+b#/pay",
    "https://shop.example/cart/~ann?utm_source=mail&size=a%20b#/",
    "https://shop.example/cart/~ann?utm_source=mail&size=a%20b",
]

SIGNED = [
    "https://examplebucket.s3.amazonaws.com/a%20b//c~d%7e.txt?response-content-disposition=attachment%3b%20x&X-Amz-"
    "Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
    + "f504d53808cb8f0af696018baa5a31e2e26192a816aa631240d5def9ebb51171",
    "https://d111111abcdef8.cloudfront.net/image%20a.jpg?size=medium&color=red%2fblue&Expires=1893456000&Signature=Diz~Q"
    "wY_&Key-Pair-Id=K2JCJMDEHXQW5F",
    "https://acct.blob.core.windows.net/cont/dir//a%20b.txt?st=2024-01-01T00%3a00%3A00Z&sp=r&sv=2026-10-06&sr=b&sig=k1u"
    "Lx/5J%2b4/A%3D",
]


@contextmanager
def serving(path: Path, *options: str):
    """The address of a server on this file, stopped as a person would stop it."""
    command = [sys.executable, EXAMPLE / "serve.py", "--port", "0", "--db", path, *options]
    server = subprocess.Popen(
        list(map(os.fspath, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    )
    try:
        line = server.stdout.readline().decode()
        yield re.search(r"http://127\.0\.0\.1:\d+", line)[0]
    finally:
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=30)
    assert server.returncode == 0, errors.decode()
    assert b"Traceback" not in errors, errors.decode()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))


def answer(request) -> tuple[int, dict, dict]:
    try:
        with OPENER.open(request, timeout=60) as response:
            return response.status, json.loads(response.read()), dict(response.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read()), dict(error.headers)


def post(address: str, body: bytes) -> tuple[int, dict]:
    return answer(urllib.request.Request(f"{address}/links", data=body))[:2]


def shorten(address: str, url: str) -> tuple[int, dict]:
    return post(address, json.dumps({"url": url}).encode())


def followed(address: str, code: str) -> tuple[int, str | None]:
    status, _, headers = answer(f"{address}/{code}")
    return status, headers.get("Location")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "links.db"


@pytest.fixture
def address(path):
    with serving(path) as address:
        yield address


def test_ten_spellings_have_one_code_and_no_two_pages_share_one(address):
    made = [shorten(address, url) for url in TEN_SPELLINGS]
    assert [status for status, _ in made] == [201] + [200] * 9
    assert len({body["code"] for _, body in made}) == 1
    others = [shorten(address, url) for url in OTHER_PAGES]
    assert [status for status, _ in others] == [201] * len(OTHER_PAGES)
    codes = {body["code"] for _, body in others} | {made[0][1]["code"]}
    assert len(codes) == len(OTHER_PAGES) + 1
    for url, (_, body) in zip(OTHER_PAGES, others, strict=True):
        assert followed(address, body["code"]) == (302, urlkey.href(url))


def test_signed_urls_come_back_byte_for_byte(address):
    for url in SIGNED:
        assert urlkey.is_signed(url)
        _, body = shorten(address, url)
        assert followed(address, body["code"]) == (302, url)
        # An escape in the other case is equivalent by specification, and breaks signatures.
        other = re.sub(r"%[0-9a-f]{2}", lambda escape: escape[0].upper(), url)
        assert other != url
        _, again = shorten(address, other)
        assert again["code"] != body["code"]
        assert followed(address, again["code"]) == (302, other)


REFUSED = {
    "http://127.0.0.1/": "private-address",
    "http://2130706433/": "private-address",
    "http://0251.0376.0251.0376/latest/meta-data": "private-address",
    "http://[::ffff:10.0.0.1]/": "private-address",
    "http://\u2460\u2461\u2466.1/": "private-address",
    "http://LOCALHOST./": "private-name",
    "http://metadata.google.internal/": "private-name",
    "http://wiki/": "single-label",
    "https://go.example/abc": "own-host",
    "https://GO.example.:8443/abc": "own-host",
    "https://www.google.com/url?q=https%3A%2F%2Fgo.example%2Fabc": "own-host",
    "https://bit.ly/3xYz": "shortener",
    "https://l.facebook.com/l.php?u=https%3A%2F%2Ft.co%2Fabc": "shortener",
    "javascript:alert(1)": "script-scheme",
    "data:text/html,<script>": "script-scheme",
    "ftp://a.example/": "scheme",
    "https://www.bank.example@evil.example/": "userinfo",
    "shop.example": "no-url",
    "https://a.example/" + "x" * 8000: "too-long",
    "\ud800": "no-url",
}


def test_loops_private_targets_and_scripts_are_refused(path):
    with serving(path, "--public", "https://go.example") as address:
        for url, code in REFUSED.items():
            status, body = shorten(address, url)
            assert (status, [reason["code"] for reason in body["refused"]]) == (422, [code]), ascii(url)
        status, body, _ = answer(f"{address}/links")
        assert (status, body["links"]) == (200, [])
        status, body = shorten(address, "https://a.example/")
        assert body["short"] == f"https://go.example/{body['code']}"


def test_bad_requests_are_answered_and_nothing_is_stored(address):
    for body in (b"", b"{", b"[]", b'"x"', b"{}", b'{"url": 5}', b'{"url": null}', b"\xff", b"[" * 5000):
        assert post(address, body)[0] == 400, body[:20]
    assert post(address, b" " * 100_000)[0] == 413
    for wrong in ("/nosuchcode", "/", "/links/x", "/%00", "/'"):
        assert answer(address + wrong)[0] == 404, wrong
    for query in ("after=x", "limit=-1", "after=" + "%D9%A1"):
        assert answer(f"{address}/links?{query}")[0] == 400, query
    assert answer(f"{address}/links?after={'9' * 40}&limit={'9' * 40}")[1] == {"links": [], "after": None}
    assert answer(f"{address}/links")[1]["links"] == []


def spellings_of(page: int) -> list[str]:
    return [
        f"https://shop.example/p/{page}?a=1",
        f"HTTPS://SHOP.example:443/p/{page}?a=1",
        f"https://shop.example/q/../p/{page}?a=1",
        f"https://shop.example/%70/{page}?%61=1",
    ]


def test_eight_writers_at_once_lose_nothing_and_make_nothing_twice(path):
    pages = range(40)
    work = [(page, url) for page in pages for url in spellings_of(page)]
    with ExitStack() as stack:
        addresses = [stack.enter_context(serving(path)) for _ in range(4)]

        def write(writer: int) -> list[tuple[int, int, str]]:
            # Each writer sends all spellings, from another place in the list.
            start = writer * len(work) // 8
            mine = work[start:] + work[:start]
            sent = [(page, shorten(addresses[writer % 4], url)) for page, url in mine]
            return [(page, status, body["code"]) for page, (status, body) in sent]

        with ThreadPoolExecutor(8) as pool:
            answers = [each for found in pool.map(write, range(8)) for each in found]
        assert len(answers) == 8 * len(work)
        codes = {page: {code for other, _, code in answers if other == page} for page in pages}
        assert all(len(found) == 1 for found in codes.values()), "a page has two codes"
        assert len(set.union(*codes.values())) == len(pages), "two pages share a code"
        assert Counter(status for _, status, _ in answers) == {201: len(pages), 200: len(answers) - len(pages)}
        for page, found in codes.items():
            assert followed(addresses[page % 4], *found)[1].startswith(f"https://shop.example/p/{page}?")
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT count(*), count(DISTINCT key), count(DISTINCT policy) FROM links").fetchone()
    assert rows == (len(pages), len(pages), 1)


def test_codes_outlive_the_server(path):
    urls = [spellings_of(page)[0] for page in range(5)]
    with serving(path) as address:
        codes = [shorten(address, url)[1]["code"] for url in urls]
    with serving(path) as address:
        assert [shorten(address, url) for url in urls] == [
            (200, {"code": code, "short": f"{address}/{code}", "href": url})
            for code, url in zip(codes, urls, strict=True)
        ]
        assert [followed(address, code) for code in codes] == [(302, url) for url in urls]
        pages = [answer(f"{address}/links?limit=2")[1]]
        while pages[-1]["after"]:
            pages.append(answer(f"{address}/links?limit=2&after={pages[-1]['after']}")[1])
        assert [link["code"] for page in pages for link in page["links"]] == codes


def test_keys_of_another_policy_are_made_anew_and_codes_stay(path):
    with serving(path) as address:
        old = shorten(address, "https://shop.example/~ann")[1]["code"]
    with closing(sqlite3.connect(path)) as db, db:
        # As an older policy would have left it: two codes for what is one page now.
        db.execute("UPDATE links SET policy = 'old', key = 'https://shop.example/%7Eann'")
        db.execute(
            "INSERT INTO links (code, href, key, policy) VALUES ('younger', 'https://shop.example/%7Eann', 'x', 'old')"
        )
    with serving(path) as address:
        assert shorten(address, "https://shop.example/%7eann")[1]["code"] == old
        assert followed(address, "younger") == (302, "https://shop.example/%7Eann")
        assert followed(address, old) == (302, "https://shop.example/~ann")


def test_a_killed_server_has_kept_what_it_acknowledged(path):
    command = [sys.executable, EXAMPLE / "serve.py", "--port", "0", "--db", path]
    server = subprocess.Popen(list(map(os.fspath, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline().decode())[0]
    acknowledged: dict[str, str] = {}

    def write(writer: int) -> None:
        for number in range(10_000):
            url = f"https://shop.example/{writer}/{number}"
            try:
                acknowledged[url] = shorten(address, url)[1]["code"]
            except (OSError, ValueError, http.client.HTTPException):
                return

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(write, writer) for writer in range(4)]
        time.sleep(1)
        server.kill()
        for each in done:
            each.result()
    server.communicate()
    assert acknowledged
    with serving(path) as again:
        for url, code in list(acknowledged.items())[-50:]:
            assert followed(again, code) == (302, url)
