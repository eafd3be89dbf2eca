"""Multipart bodies as names and values: RFC 2046, section 5.1, and RFC 7578. Must not know what is made of them."""

import re
from collections.abc import Iterator

# RFC 2046, 5.1.1, and what of ASCII clients write beside it.
_BOUNDARY = re.compile(r"[ -~]{0,200}[!-~]")
_PARAMETER = re.compile(r';\s*([^\s;=]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)', re.DOTALL)
_FOLD = re.compile(rb"\r?\n(?=[ \t])")
_HEAD = re.compile(rb"(?:\A|\r?\n)\r?\n")

__all__ = ["NoForm", "fields"]


class NoForm(ValueError):
    """A body whose fields cannot be told."""


def fields(content_type: str, body: bytes) -> list[tuple[str, str | bytes]]:
    """Name and value of each part of a multipart body: bytes of a file, else text, read as UTF-8.

    A part without a name is called `None`, as pywb calls it. A line of the body ends with or without CR; the last
    delimiter may be missing. Raises NoForm where `content_type` has no boundary, where it delimits nothing, and where
    a part has parts itself, whose names and values one pair cannot hold. Cost: linear.

    >>> part = b'--X\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n'
    >>> fields("multipart/form-data; boundary=X", part + b"--X--")
    [('a', '1')]
    """
    boundary = _parameters(content_type).get("boundary", "")
    if not _BOUNDARY.fullmatch(boundary):
        raise NoForm("no boundary")
    found = [_field(part) for part in _parts(body, boundary.encode())]
    if not found:
        raise NoForm("the boundary delimits nothing")
    return found


def _parts(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """What stands between delimiters, without the line end before the second."""
    delimiter = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    begun: int | None = None
    for found in delimiter.finditer(body):
        if begun is not None:
            yield _without_end(body[begun : found.start()])
            if found[1]:
                return
        if not found[1]:
            begun = found.end()
    if begun is not None and begun < len(body):
        yield _without_end(body[begun:])


def _without_end(text: bytes) -> bytes:
    return text[:-2] if text.endswith(b"\r\n") else text.removesuffix(b"\n")


def _field(part: bytes) -> tuple[str, str | bytes]:
    blank = _HEAD.search(part)
    head, value = (part[: blank.start()], part[blank.end() :]) if blank else (part, b"")
    headers = _headers(head)
    if headers.get("content-type", "").lower().startswith("multipart/"):
        raise NoForm("a part that has parts")
    parameters = _parameters(headers.get("content-disposition", ""))
    name = parameters.get("name", "None")
    return name, value if "filename" in parameters else value.decode("utf-8", "replace")


def _headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in _FOLD.sub(b"", head).decode("utf-8", "replace").split("\n"):
        name, colon, value = line.partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return headers


def _parameters(value: str) -> dict[str, str]:
    """The parameters of a header, the last of a name; of backslashes, those before a quote or another one go."""
    found: dict[str, str] = {}
    for name, text in _PARAMETER.findall(value):
        text = text.strip()
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1].replace("\\\\", "\\").replace('\\"', '"')
        found[name.lower()] = text
    return found
