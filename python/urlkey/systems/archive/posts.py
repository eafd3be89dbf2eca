"""Requests with a body as URLs, so that a capture of a POST has a key: pywb's way."""

import base64
import json
import re
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import quote_plus, unquote_plus

_LONGEST = 4096
_FORM = "application/x-www-form-urlencoded"

__all__ = ["post_append"]


def post_append(url: str, method: str, content_type: str = "", body: bytes = b"") -> str:
    """The URL with method and body appended to its query; of GET, and of no method, the URL itself.

    The key of the result is the key of the capture. POST and PUT have their body appended: a form decoded once,
    JSON as `name=value` pairs (nested values under their own name, a repeated name as `name.2_`), text as JSON if
    it is, the fields of a multipart form, anything else as `__wb_post_data=` and Base64. Of other methods only the
    name. What is appended of a body ends at 4096 characters. A body that is not what `content_type` says gives what
    could be read of it.

    >>> from urlkey.systems import archive
    >>> archive.post_append("http://example.com/", "POST", "application/json", b'{"a": 1, "b": {"a": true}}')
    'http://example.com/?__wb_method=POST&a=1&a.2_=true'
    """
    method = method.upper()
    if method in ("", "GET"):
        return url
    query = f"__wb_method={method}"
    if method in ("POST", "PUT"):
        appended = _query(content_type, body)[:_LONGEST]
        query += f"&{appended}" if appended else ""
    return f"{url}{'&' if '?' in url else '?'}{query}"


def _query(content_type: str, body: bytes) -> str:
    if not body:
        return ""
    if content_type.startswith(_FORM):
        try:
            return unquote_plus(body.decode())
        except UnicodeDecodeError:
            return _encoded(body)
    if content_type.startswith("application/json"):
        return _of_json(body) or ""
    if content_type.startswith("text/plain"):
        found = _of_json(body)
        return _encoded(body) if found is None else found
    boundary = re.match(r"multipart/form-data\b.*\bboundary=", content_type, re.IGNORECASE | re.DOTALL)
    return _multipart(content_type, body) if boundary else _encoded(body)


def _encoded(body: bytes) -> str:
    # As much as is kept, and no more, is encoded.
    return "__wb_post_data=" + base64.b64encode(body[:_LONGEST]).decode()


def _of_json(body: bytes) -> str | None:
    """The pairs of a JSON value; None: it is none."""
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        return None
    names: dict[str, int] = {}
    pairs: dict[str, str] = {}
    try:
        for name, text in _leaves(value):
            names[name] = count = names.get(name, 0) + 1
            pairs[name if count == 1 else f"{name}.{count}_"] = text
        return "&".join(f"{quote_plus(name)}={quote_plus(text)}" for name, text in pairs.items())
    except UnicodeEncodeError:
        return ""


def _leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Names and texts in order; without recursion, because JSON may be deep."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += reversed(list(value.items()))
        elif isinstance(value, list):
            waiting += ((name, item) for item in reversed(value))
        elif name:
            yield name, _text(value)


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _multipart(content_type: str, body: bytes) -> str:
    head = f"Content-Type: {content_type}\r\n\r\n".encode("utf-8", "surrogateescape")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    pairs = []
    for part in message.walk():
        name = part.get_param("name", header="content-disposition")
        if part.is_multipart() or name is None:
            continue
        payload = part.get_payload(decode=True)
        text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
        pairs.append(f"{quote_plus(str(name))}={quote_plus(text)}")
    return "&".join(pairs)
