"""Servers on loopback that stand for the internet and for what must not be reached. Knows no client."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

PUBLIC = "127.0.0.2"
INTERNAL = "127.0.0.1"


class Server(ThreadingHTTPServer):
    """Keeps what it was asked for: the header Host of each request."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__(address, _Handler)
        self.hosts: list[str] = []
        self.names: list[str | None] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that refuse in the middle are what the tests are about."""


class _Handler(BaseHTTPRequestHandler):
    """Answers 302 to `/to?location`, the status that is named to `/303/to?location`, 200 to anything else."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.hosts.append(self.headers.get("Host", ""))
        path, asked, location = self.path.partition("/to?")
        status = int(path[1:] or 302) if asked else 200
        self.send_response(status)
        if asked:
            self.send_header("Location", unquote(location, encoding="latin-1"))
        body = b"" if status == 304 else f"at {self.server.server_address[0]}".encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def servers(tls: ssl.SSLContext | None = None) -> Iterator[tuple[Server, Server, int]]:
    """The public server, the internal one, and the port that both listen at."""
    with ExitStack() as stack:
        internal = stack.enter_context(Server((INTERNAL, 0)))
        port = internal.server_address[1]
        public = stack.enter_context(Server((PUBLIC, port)))
        if tls is not None:
            tls.sni_callback = lambda _, name, __: public.names.append(name)
            public.socket = tls.wrap_socket(public.socket, server_side=True)
        for server in (internal, public):
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            stack.callback(server.shutdown)
        yield public, internal, port
