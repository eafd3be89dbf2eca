"""However a request ends, the add-on asks for what Scrapy asks for, and its journal is empty afterwards."""

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import scrapy_worker
from urlkey.scrapy.journal import Journal

ADDON = {"ADDONS": {"urlkey.scrapy.Addon": 500}}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = Counter[tuple[str, str, str]]()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.server.asked[self.command, self.path, body] += 1
        times, location = self.server.asked[self.command, self.path, body], None
        status, text = 200, "<title>x</title>"
        match self.path.partition("?")[0]:
            case "/robots.txt":
                text = "User-agent: *\nDisallow: /private"
            case "/flaky":
                status = 503 if times < 3 else 200
            case "/error":
                status = 500
            case "/missing":
                status = 404
            case "/loop":
                status, location = 302, "/loop"
            case "/moved":
                status, location = 301, "/start"
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    do_POST = do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        yield made
        made.shutdown()


def crawl(spider: str, server: Server, out, **settings) -> dict[str, object]:
    """A crawl; returns Scrapy's statistics."""
    pairs = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    command = [sys.executable, scrapy_worker.__file__, spider, server.base, str(out), *pairs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text())


def asked(server: Server) -> Counter[tuple[str, str, str]]:
    """What the server was asked since the last time."""
    found = Counter(server.asked)
    server.asked.clear()
    return found


def test_the_same_is_requested_as_without_the_addon(server, tmp_path):
    settings = {"ROBOTSTXT_OBEY": True, "RETRY_TIMES": 3, "REDIRECT_MAX_TIMES": 3}
    plain = crawl("ends", server, tmp_path / "plain.json", **settings)
    expected = asked(server)
    assert expected["GET", "/flaky", ""] == 3
    assert expected["GET", "/poll", ""] == 3
    assert (expected["POST", "/post", "a"], expected["HEAD", "/head", ""]) == (1, 1)
    job = tmp_path / "job"
    ours = crawl("ends", server, tmp_path / "ours.json", **settings, **ADDON, JOBDIR=str(job))
    assert asked(server) == expected
    same = ("item_scraped_count", "spider_exceptions/RuntimeError", "robotstxt/forbidden", "retry/count")
    assert [ours.get(name) for name in same] == [plain.get(name) for name in same]
    assert ours["urlkey/unserializable"] == 1
    journal = Journal(job / "urlkey-requests.db")
    assert list(journal.pending()) == []
    assert list(journal.marks()) == []
    journal.close()


def test_robots_txt_is_read_before_many_requests_at_once(server, tmp_path):
    crawl("private", server, tmp_path / "out.json", ROBOTSTXT_OBEY=True, CONCURRENT_REQUESTS_PER_DOMAIN=16, **ADDON)
    assert set(asked(server)) == {("GET", "/robots.txt", ""), ("GET", "/start", "")}


def test_without_robotstxt_obey_nothing_waits(server, tmp_path):
    crawl("private", server, tmp_path / "out.json", ROBOTSTXT_OBEY=False, **ADDON)
    assert len(asked(server)) == 21


def test_with_the_store_for_a_seen_set_what_was_fetched_is_not_fetched_again(server, tmp_path):
    settings = {"URLKEY_STORE": str(tmp_path / "store.db"), "URLKEY_SEEN": "store", "RETRY_TIMES": 1}
    crawl("ends", server, tmp_path / "first.json", **settings, **ADDON)
    first = asked(server)
    stats = crawl("ends", server, tmp_path / "second.json", **settings, **ADDON)
    second = asked(server)
    pages, again = ({path for method, path, _ in told if method == "GET"} for told in (first, second))
    assert pages > {"/before", "/flaky", "/meta", "/moved", "/poll"}
    # The start, which is not filtered, and what has failed.
    assert again == {"/start", "/error", "/missing", "/loop", "/flaky"}
    assert stats["urlkey/filtered/fetched"] > 5
    assert "urlkey/instead" not in stats


def test_what_a_job_without_the_addon_has_left_is_done(server, tmp_path):
    crawl("ends", server, tmp_path / "whole.json")
    expected = {told[1] for told in asked(server)}
    job = str(tmp_path / "job")
    stats = crawl("ends", server, tmp_path / "plain.json", JOBDIR=job, CLOSESPIDER_PAGECOUNT=2, CONCURRENT_REQUESTS=1)
    before = {told[1] for told in asked(server)}
    assert stats["finish_reason"] == "closespider_pagecount"
    assert before < expected
    stats = crawl("ends", server, tmp_path / "ours.json", JOBDIR=job, **ADDON)
    assert stats["urlkey/resumed/request"] > 5
    # A callback that is no method of the spider is not kept by Scrapy either.
    assert before | {told[1] for told in asked(server)} | {"/lambda"} == expected
