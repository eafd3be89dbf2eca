"""The encoding of a page's bytes, found as browsers find it: byte order mark, header, `<meta>` of the first 1024 bytes.
Must not know HTML beyond that scan.

Source: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding"""

import re
from typing import NamedTuple

from urlkey._native import decode

__all__ = ["PageEncoding", "page_encoding"]

_SCANNED = 1024
_BOMS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE"))
_XML = ((b"<\0?\0x\0", "UTF-16LE"), (b"\0<\0?\0x", "UTF-16BE"))
_SPACE = b"\t\n\x0c\r "
# Of the meta element UTF-16 cannot be true, and x-user-defined is a way to say windows-1252.
_INSTEAD = {"UTF-16LE": "UTF-8", "UTF-16BE": "UTF-8", "x-user-defined": "windows-1252"}

# One attribute: its name, and its value with quotes or without. No part of it can match a text in two ways.
_ATTRIBUTE = re.compile(
    rb"[\t\n\x0c\r /]*(?P<name>[^\t\n\x0c\r />][^\t\n\x0c\r />=]*)[\t\n\x0c\r ]*"
    rb"(?:=[\t\n\x0c\r ]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\x0c\r >\"'][^\t\n\x0c\r >]*))?)?"
)
_CHARSET = re.compile(r"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"encoding[\x00-\x20]*=[\x00-\x20]*([\"'])([^\"'\x00-\x20]*)\1")


class PageEncoding(NamedTuple):
    """The Encoding Standard's name of an encoding, and what said so: `caller`, `bom`, `header`, `meta`, `xml` (the XML
    declaration), `utf-8` (the bytes are UTF-8) or `default` (windows-1252, as browsers in the West have it)."""

    name: str
    source: str


def page_encoding(html: bytes, content_type: str | None = None, encoding: str | None = None) -> PageEncoding:
    """The encoding of a page. `content_type` is the header of that name; `encoding` is what the caller knows better.

    The order is the Standard's: byte order mark, caller, header, `<meta>` or XML declaration; then UTF-8 if the bytes
    are UTF-8, else windows-1252. A label that the Encoding Standard does not have says nothing in a page or a header,
    and raises LookupError if the caller gives it. Cost: linear, and next to nothing if the page says what it is.

    Source: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding

    >>> page_encoding(b'<meta charset="sjis">')
    PageEncoding(name='Shift_JIS', source='meta')
    >>> page_encoding(b'<meta charset="sjis">', "text/html; charset=utf-8")
    PageEncoding(name='UTF-8', source='header')
    """
    for bom, name in _BOMS:
        if html.startswith(bom):
            return PageEncoding(name, "bom")
    if encoding is not None:
        return PageEncoding(decode(b"", encoding)[1], "caller")
    if (named := _known(_charset_of(content_type or ""))) is not None:
        return PageEncoding(named, "header")
    return _scanned(html[:_SCANNED]) or _guessed(html)


def _known(label: str | None) -> str | None:
    """The name of the encoding, if there is one."""
    try:
        return decode(b"", label)[1] if label else None
    except LookupError:
        return None


def _charset_of(text: str) -> str | None:
    """The label behind `charset=`, as "extract a character encoding from a meta element" finds it."""
    found = _CHARSET.search(text)
    if found is None:
        return None
    rest = text[found.end() :]
    if rest[:1] in ('"', "'"):
        label, closed, _ = rest[1:].partition(rest[0])
        return label if closed else None
    return re.split(r"[\t\n\x0c\r ;]", rest, maxsplit=1)[0]


def _guessed(html: bytes) -> PageEncoding:
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return PageEncoding("windows-1252", "default")
    return PageEncoding("UTF-8", "utf-8")


def _scanned(head: bytes) -> PageEncoding | None:
    """Prescan a byte stream to determine its encoding."""
    for start, name in _XML:
        if head.startswith(start):
            return PageEncoding(name, "xml")
    at = 0
    while (at := head.find(b"<", at)) >= 0:
        if head.startswith(b"<!--", at):
            # `<!-->` is a whole comment.
            end = head.find(b"-->", at + 2)
            if end < 0:
                break
            at = end + 3
        elif re.match(rb"</?[A-Za-z]", head[at : at + 3]):
            named, at = _tag(head, at)
            if named is not None:
                return PageEncoding(named, "meta")
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            end = head.find(b">", at)
            if end < 0:
                break
            at = end + 1
        else:
            at += 1
    return _xml_declaration(head)


def _xml_declaration(head: bytes) -> PageEncoding | None:
    end = head.find(b">")
    if not head.startswith(b"<?xml") or end < 0:
        return None
    found = _XML_ENCODING.search(head, 0, end)
    name = _known(found[2].decode("latin-1")) if found else None
    return PageEncoding(_INSTEAD.get(name, name), "xml") if name else None


def _tag(head: bytes, at: int) -> tuple[str | None, int]:
    """The encoding that a tag names, if it is a meta element's, and where the scan goes on."""
    begin = re.compile(rb"</?[^\t\n\x0c\r >/]*").match(head, at)
    assert begin is not None
    at = begin.end()
    attributes: dict[bytes, str] = {}
    while (found := _ATTRIBUTE.match(head, at)) is not None:
        at = found.end()
        value = found["double"] or found["single"] or found["bare"] or b""
        attributes.setdefault(found["name"].lower(), value.decode("latin-1"))
    return (_meta(attributes) if begin[0].lower() == b"<meta" else None), at


def _meta(attributes: dict[bytes, str]) -> str | None:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", "").lower() == "content-type":
        label = _charset_of(attributes.get(b"content", ""))
    name = _known(label)
    return name and _INSTEAD.get(name, name)
