"""Where the parser and two builds of Ada part, and the classes that tell why. `tests/ada_differences.jsonl` lists the
classes with example and reason; a difference of no class is a fault of one of the two."""

from collections.abc import Callable
from typing import NamedTuple
from unicodedata import bidirectional

import ada_url
import can_ada

import urlkey

_PARSE = urlkey.Policy("whatwg").with_(input_bytes=1 << 20)
_PARTS = ("href", "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")


class Read(NamedTuple):
    """How a parser reads a text, by the names of the URL Standard's interface."""

    href: str
    protocol: str
    username: str
    password: str
    hostname: str
    port: str
    pathname: str
    search: str
    hash: str


class Difference(NamedTuple):
    """What two parsers made of one text; None where it is no URL."""

    theirs_is: str
    name: str | None
    """The class in `ada_differences.jsonl`; None if it has none."""
    ours: Read | None
    theirs: Read | None


def ours(text: str, base: str | None = None) -> Read | None:
    """As urlkey reads it."""
    try:
        url = _PARSE.parse(text, base)
    except urlkey.UrlKeyError:
        return None
    # The interface has nothing where a part is empty.
    search, fragment = (f"{mark}{part}" if part else "" for mark, part in (("?", url.query), ("#", url.fragment)))
    port = "" if url.port is None else str(url.port)
    return Read(
        url.href, url.scheme + ":", url.username, url.password, url.hostname or "", port, url.path, search, fragment
    )


def _ada(text: str, base: str | None) -> Read | None:
    try:
        found = ada_url.URL(text, base) if base is not None else ada_url.URL(text)
    except ValueError:
        return None
    return Read(*(getattr(found, part) for part in _PARTS))


def _older_ada(text: str, base: str | None) -> Read | None:
    """An Ada that is older; what it is given has no base."""
    try:
        found = can_ada.parse(text)
    except ValueError:
        return None
    return Read(*(getattr(found, part) for part in _PARTS))


def differences(text: str, base: str | None = None) -> list[Difference]:
    """How the parsers differ over a text. A base is one that all of them read alike."""
    wanted = ours(text, base)
    readers = [("ada-url", _ada)] if base is not None else [("ada-url", _ada), ("can_ada", _older_ada)]
    found = []
    for reader, read in readers:
        theirs = read(text, base)
        if theirs != wanted:
            name = next((name for name, holds in CLASSES[reader].items() if holds(text, wanted, theirs)), None)
            found.append(Difference(reader, name, wanted, theirs))
    return found


def _circumflex(text: str, ours: Read | None, theirs: Read | None) -> bool:
    if ours is None or theirs is None:
        return False
    plain = {"href": theirs.href.replace("^", "%5E"), "pathname": theirs.pathname.replace("^", "%5E")}
    return ours._replace(href=ours.href.replace("^", "%5E")) == theirs._replace(**plain)


def _labels(read: Read | None) -> list[str]:
    return read.hostname.split(".") if read is not None else []


def _a_label(text: str, ours: Read | None, theirs: Read | None) -> bool:
    return theirs is None and any(label[:4] == "xn--" for label in _labels(ours))


def _mapped_a_label(text: str, ours: Read | None, theirs: Read | None) -> bool:
    return ours is None and not text.isascii() and any(label[:4] == "xn--" for label in _labels(theirs))


def _is_right_to_left(label: str) -> bool:
    """Whether a label makes its domain a Bidi domain name (RFC 5893, section 1.4)."""
    try:
        unicode = label[4:].encode().decode("punycode") if label[:4] == "xn--" else label
    except UnicodeError:
        return False
    return any(bidirectional(char) in ("R", "AL", "AN") for char in unicode)


def _bidi(text: str, ours: Read | None, theirs: Read | None) -> bool:
    return ours is None and any(map(_is_right_to_left, _labels(theirs)))


def _dot_segment(text: str, ours: Read | None, theirs: Read | None) -> bool:
    if ours is None or theirs is None:
        return False
    segments = theirs.pathname.split("/")
    return any(dots in segments for dots in (".", "..")) and any(segment[:1] == "." for segment in segments)


def _drive_letter(text: str, ours: Read | None, theirs: Read | None) -> bool:
    if ours is None or theirs is None or ours.protocol != "file:":
        return False
    return theirs.pathname[2:3] == ":" and theirs.pathname.endswith(ours.pathname)


def _last_dots(text: str, ours: Read | None, theirs: Read | None) -> bool:
    return ours is not None and theirs is not None and (ours.pathname, theirs.pathname) == ("/", "")


def _opaque_space(text: str, ours: Read | None, theirs: Read | None) -> bool:
    if ours is None or theirs is None:
        return False
    path, read = ours.pathname.replace("%20", " "), theirs.pathname
    return read.endswith(" ") and path == read.replace("%20", " ")


# The first that holds names the difference.
CLASSES: dict[str, dict[str, Callable[[str, Read | None, Read | None], bool]]] = {
    "ada-url": {"bidi-domain": _bidi, "mapped-a-label": _mapped_a_label},
    "can_ada": {
        "circumflex": _circumflex,
        "a-label": _a_label,
        "bidi-domain": _bidi,
        "mapped-a-label": _mapped_a_label,
        "dot-segment": _dot_segment,
        "drive-letter": _drive_letter,
        "last-dots": _last_dots,
        "opaque-space": _opaque_space,
    },
}
