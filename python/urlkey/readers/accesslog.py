"""Access logs, common and combined: the URLs that clients asked for. The log has paths alone, unless each line begins
with the host it was asked of; the rest a caller says. Must not know what a request was answered with, or why.

Source: https://httpd.apache.org/docs/2.4/mod/mod_log_config.html
"""

import re
from collections.abc import Iterator
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import ReadError
from urlkey.readers.formats import LOG_LINE
from urlkey.readers.how import How
from urlkey.readers.lines import numbered
from urlkey.readers.rows import Row, text

# Apache writes C escapes, nginx `\xHH` alone.
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|(.))", re.S)
_CONTROLS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"v": b"\v", b"f": b"\f"}
_ABSOLUTE = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://")
_NAMES = ("client", "user", "time", "status", "size", "referrer", "agent")

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The request of each line; those to a proxy are whole, `*` and hosts to tunnel to are no pages."""
    origin = _origin(how)
    match = LOG_LINE.compiled().match
    for number, line, problem in numbered(blocks, how.limits.line):
        if not line or line.startswith(b"#"):
            continue
        found = match(line) if problem is None else None
        if found is None:
            yield Row(None, number, how.name, problem=problem or "bad-row", text=line)
            continue
        url, why, method = _url(found, origin, how.scheme.encode())
        fields = _fields(found, method) if how.fields else {}
        if url is None:
            yield Row(None, number, how.name, fields, why, line)
        else:
            yield Row(text(url), number, how.name, fields)


def _origin(how: How) -> bytes | None:
    """`scheme://host` of the paths."""
    if how.host is None:
        return None
    host = how.host.rstrip("/")
    whole = host if "://" in host else f"{how.scheme}://{host}"
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s\\@]+", whole) is None:
        raise ReadError(f"{how.host!r} is no host of a log: give HOST, HOST:PORT or SCHEME://HOST")
    return whole.encode("utf-8", "surrogateescape")


def _url(found: re.Match[bytes], origin: bytes | None, scheme: bytes) -> tuple[bytes | None, str | None, bytes]:
    """URL or None, why there is none, method."""
    # A target may hold spaces, as clients that escape nothing send them: the first and the last part.
    method, _, rest = _plain(found["request"]).strip(b" ").partition(b" ")
    rest = rest.lstrip(b" ")
    target, space, protocol = rest.rpartition(b" ")
    if not space or not protocol.startswith(b"HTTP/"):
        target = rest
    target = target.rstrip(b" ")
    if _ABSOLUTE.match(target):
        return target, None, method
    if not target.startswith(b"/"):
        return None, "not-a-page" if target else "bad-row", method
    if found["vhost"] is not None:
        host = found["vhost"].removesuffix(b":443").removesuffix(b":80")
        named = b"https" if found["vhost"].endswith(b":443") else b"http" if found["vhost"].endswith(b":80") else scheme
        return named + b"://" + host + target, None, method
    return (None, "no-host", method) if origin is None else (origin + target, None, method)


def _plain(quoted: bytes) -> bytes:
    """What stood there before it was escaped."""
    if b"\\" not in quoted:
        return quoted
    return _ESCAPE.sub(
        lambda found: bytes([int(found[1], 16)]) if found[1] else _CONTROLS.get(found[2], found[2]), quoted
    )


def _fields(found: re.Match[bytes], method: bytes) -> dict[str, Any]:
    told: dict[str, Any] = {"method": text(method)}
    for name in _NAMES:
        value = found[name]
        if value is not None and value != b"-":
            told[name] = int(value) if name in ("status", "size") else text(_plain(value))
    if found["vhost"] is not None:
        told["host"] = text(found["vhost"])
    return told
