"""A URL shortener over HTTP: create or find, redirect, list. `python examples/shortener/serve.py --help`."""

import argparse
import json
import signal
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from store import Store

from urlkey.systems import shortener

LONGEST_BODY = 4 * shortener.LONGEST
MOST_LINKS = 1000


class Server(ThreadingHTTPServer):
    """The links of one file, under one public address."""

    daemon_threads = False  # what is being answered is answered before the end
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], path: str, public: str | None) -> None:
        super().__init__(address, Handler)
        host, port = self.server_address[:2]
        self.address = f"http://{host}:{port}"
        self.public = (public or self.address).rstrip("/")
        self.own_hosts = [urlsplit(self.public).netloc]
        self.links = Store(path, shortener.dedupe_policy(), shortener.dedupe_key)


class Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = 10  # seconds that a reader or writer may keep a thread waiting

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/links":
            return self._list(parse_qs(query))
        href = self.server.links.href(path[1:])
        if href is None:
            return self._answer(HTTPStatus.NOT_FOUND, {"error": "no such code"})
        # 302: browsers keep a 301 for good, and a link may have to be taken down.
        return self._answer(HTTPStatus.FOUND, {"href": href}, Location=href)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if self.path != "/links":
            return self._answer(HTTPStatus.NOT_FOUND, {"error": "POST /links"})
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            return self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"at most {LONGEST_BODY} bytes"})
        try:
            url = json.loads(self.rfile.read(int(length)))["url"]
            if not isinstance(url, str):  # null is no link; `check` would refuse it as one
                raise TypeError(url)
            verdict = shortener.check(url, self.server.own_hosts)
        except (ValueError, TypeError, KeyError, RecursionError):
            return self._answer(HTTPStatus.BAD_REQUEST, {"error": 'the body is {"url": "https://..."}'})
        if not verdict.accepted or verdict.href is None or verdict.key is None:
            reasons = [{"code": reason.code, "text": reason.text} for reason in verdict.reasons]
            return self._answer(HTTPStatus.UNPROCESSABLE_ENTITY, {"refused": reasons})
        code, created = self.server.links.find_or_create(verdict.key, verdict.href)
        # A link that was there keeps the href it was made with.
        body = {"code": code, "short": f"{self.server.public}/{code}", "href": self.server.links.href(code)}
        return self._answer(HTTPStatus.CREATED if created else HTTPStatus.OK, body)

    def _list(self, query: dict[str, list[str]]) -> None:
        after, limit = (query.get(name, [default])[0] for name, default in (("after", "0"), ("limit", "100")))
        if not (after.isascii() and after.isdecimal() and limit.isascii() and limit.isdecimal()):
            return self._answer(HTTPStatus.BAD_REQUEST, {"error": "after and limit are numbers"})
        links, following = self.server.links.links(
            min(int(after[:19]), 2**63 - 1), max(1, min(int(limit[:9]), MOST_LINKS))
        )
        return self._answer(HTTPStatus.OK, {"links": [link._asdict() for link in links], "after": following})

    def _answer(self, status: HTTPStatus, body: dict[str, Any], **headers: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def main() -> None:
    parser = argparse.ArgumentParser(description="A URL shortener: POST /links, GET /CODE, GET /links.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0 for any that is free")
    parser.add_argument(
        "--db", default="links.db", metavar="FILE", help="the SQLite file; several servers may share it"
    )
    parser.add_argument("--public", metavar="URL", help="where readers find the short links: https://go.example")
    args = parser.parse_args()
    server = Server((args.host, args.port), args.db, args.public)
    for number in (signal.SIGINT, signal.SIGTERM):
        # From a thread: shutdown waits for the loop, which this handler interrupts.
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"serving {server.address} as {server.public} from {args.db}", flush=True)
    with server:
        server.serve_forever()


if __name__ == "__main__":
    main()
