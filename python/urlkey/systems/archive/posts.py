"""Requests with a body as URLs, so that a capture of a POST has a key: pywb's way."""

import base64
import json
import math
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from urlkey.systems.archive.forms import NoForm, fields

_LONGEST = 4096
_FORM = "application/x-www-form-urlencoded"

__all__ = ["post_append"]


def post_append(url: str, method: str, content_type: str = "", body: bytes = b"") -> str:
    """The URL with method and body appended to its query; of GET, and of no method, the URL itself.

    The key of the result is the key of the capture. POST and PUT have their body appended: a form decoded once,
    JSON as `name=value` pairs (nested values under their own name, a repeated name as `name.2_`), text as JSON if
    it is, the fields of a multipart form, anything else, AMF too, as `__wb_post_data=` and Base64. Of other methods
    only the name. What is appended of a body ends at 4096 characters. A form that cannot be read is appended as
    Base64, JSON that cannot be read not at all.

    >>> from urlkey.systems import archive
    >>> archive.post_append("http://example.com/", "POST", "application/json", b'{"a": 1, "b": {"a": true}}')
    'http://example.com/?__wb_method=POST&a=1&a.2_=true'
    """
    if not isinstance(method, str):
        raise TypeError(f"method must be str, not {type(method).__name__}")
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
    if content_type.startswith("multipart/"):
        try:
            return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields(content_type, body))
        except NoForm:
            return _encoded(body)
    return _encoded(body)


def _encoded(body: bytes) -> str:
    # As much as is kept, and no more, is encoded.
    return "__wb_post_data=" + base64.b64encode(body[:_LONGEST]).decode()


def _of_json(body: bytes) -> str | None:
    """The pairs of a JSON value; None: it is none, or one that has no text."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    counts: dict[str, int] = {}
    pairs: dict[str, str] = {}
    try:
        for name, text in _leaves(value):
            taken = name
            if name in pairs:
                counts[name] = count = counts.get(name, 1) + 1
                taken = f"{name}.{count}_"
            pairs[taken] = text
        return "&".join(f"{quote_plus(name)}={quote_plus(text)}" for name, text in pairs.items())
    except (UnicodeEncodeError, OverflowError):
        # A lone surrogate; a number beyond those of 64 bits.
        return None


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
    if isinstance(value, float) and (value.is_integer() or math.isinf(value)):
        return str(int(value))
    return str(value)
