"""Pages that an HTML parser would take too long for, made harmless: its time grows with the depth of the page, and with
the square of the attributes of one tag. Knows where tags begin and end, as the HTML Standard's tokenizer does, and not
what they mean."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

__all__ = ["tame", "without_noscript"]

# Below this size nothing takes long.
_SMALL = 16_384
_DEPTH = 256
_ATTRIBUTES = 256

# What a page is read for; of these the first stays, wherever in the tag it stands.
_WANTED = frozenset(["charset", "content", "href", "hreflang", "http-equiv", "name", "property", "rel", "src", "type"])

# Elements without an end, and those that end each other: they make no page deep.
_FLAT = frozenset(
    [
        *("area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source"),
        *("track", "wbr", "dd", "dt", "li", "option", "p", "rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr"),
    ]
)
# Elements whose content holds no tags.
_RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])

# What a head may hold.
_IN_HEAD = frozenset(
    [
        *("html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style"),
        *("template", "title"),
    ]
)
# What ends SVG, whatever is open in it (HTML Standard, section 13.2.6.5); of end tags `</br>` and `</p>` do.
_LEAVES_SVG = frozenset(
    [
        *("b", "big", "blockquote", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "hr", "i", "img", "li", "listing", "menu", "nobr", "ol", "p", "pre", "ruby", "s", "small"),
        *("span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var"),
    ]
)
_NOSCRIPT = re.compile(r"<noscript", re.IGNORECASE)

_NAME = re.compile(r"<(/?)([A-Za-z][^\t\n\x0c\r />]*)")
# No part of it can match a text in two ways, and none is tried again.
_ATTRIBUTE = (
    r"[^\t\n\x0c\r />][^\t\n\x0c\r />=]*+"
    r"(?:[\t\n\x0c\r ]*+=[\t\n\x0c\r ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\x0c\r >\"'][^\t\n\x0c\r >]*+)?)?"
)
_END = re.compile(rf"(?:[\t\n\x0c\r /]++|{_ATTRIBUTE})*+>")
_EACH = re.compile(_ATTRIBUTE)


class _Tag(NamedTuple):
    begin: int
    end: int
    name: str
    closes: bool


def tame(html: str, kept: frozenset[str]) -> str:
    """The page, if a parser takes it in linear time; else the page without the tags outside `kept`, and with no more
    than 256 attributes a tag, beside those that somebody reads. Cost: linear."""
    if len(html) <= _SMALL:
        return html
    tags = list(_tags(html))
    deep = _is_deep(tags)
    wide = {tag.begin: end for tag in tags if (end := _attributes_end(html, tag)) < tag.end - 1}
    if not deep and not wide:
        return html
    return "".join(_pieces(html, tags, wide, kept if deep else None))


def without_noscript(html: str) -> str:
    """The page, what stands in `<noscript>` in its head left out: browsers that run scripts read it as text, others
    end the head there at a picture. Cost: linear in the head."""
    if _NOSCRIPT.search(html) is None:
        return html
    pieces, done, opened = list[str](), 0, None
    for tag in _tags(html, _RAW | {"noscript"}):
        if tag.name == "noscript":
            if opened is not None and tag.closes:
                pieces.append(html[done:opened])
                done = tag.begin
            opened = None if tag.closes else tag.end
        elif tag.name not in _IN_HEAD or (tag.closes and tag.name in ("head", "html")):
            break
    return "".join([*pieces, html[done:]])


def _tags(html: str, raw: frozenset[str] = _RAW) -> Iterator[_Tag]:
    at = 0
    while (at := html.find("<", at)) >= 0:
        if html.startswith("<!--", at):
            end = html.find("-->", at + 2)
            at = end + 3 if end >= 0 else len(html)
            continue
        begun = _NAME.match(html, at)
        if begun is None:
            at += 1
            continue
        ended = _END.match(html, begun.end())
        if ended is None:
            return
        name = begun[2].lower()
        yield _Tag(at, ended.end(), name, bool(begun[1]))
        at = ended.end()
        if name in raw and not begun[1]:
            closing = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
            at = closing.start() if closing else len(html)


def _is_deep(tags: Iterable[_Tag]) -> bool:
    """Whether elements may stand in each other deeper than 256. Counts too many rather than too few."""
    depth = 0
    open_of: Counter[str] = Counter()
    for tag in tags:
        if tag.name in _FLAT:
            continue
        if not tag.closes:
            open_of[tag.name] += 1
            depth += 1
            if depth > _DEPTH:
                return True
        elif open_of[tag.name]:
            open_of[tag.name] -= 1
            depth -= 1
    return False


def _attributes_end(html: str, tag: _Tag) -> int:
    """Where the tag's attributes end, or the last one that stays."""
    if tag.end - tag.begin <= 2 * _ATTRIBUTES:
        return tag.end
    begin = tag.begin + len(tag.name) + 1 + tag.closes
    last = next(islice(_EACH.finditer(html, begin, tag.end - 1), _ATTRIBUTES - 1, None), None)
    return tag.end if last is None else last.end()


def _pieces(html: str, tags: Iterable[_Tag], wide: dict[int, int], kept: frozenset[str] | None) -> Iterator[str]:
    done = templates = 0
    in_head, in_svg = True, False
    for tag in tags:
        if tag.name == "template":
            templates = max(0, templates + (-1 if tag.closes else 1))
        elif tag.name == "svg" and not tag.closes:
            in_svg, in_head = True, in_head and templates > 0
        if kept is not None and tag.name not in kept:
            yield html[done : tag.begin]
            # The first element that cannot stand in a head ends it; its place is kept. Words on both sides of any
            # other tag stay two.
            ends_head = in_head and not templates and (not tag.closes or tag.name == "br")
            leaves_svg = in_svg and tag.name in (("br", "p") if tag.closes else _LEAVES_SVG)
            yield "<body>" if ends_head else " <br>" if leaves_svg else " "
            in_svg = in_svg and not (ends_head or leaves_svg)
            in_head = in_head and not ends_head
            done = tag.end
        elif tag.begin in wide:
            yield html[done : wide[tag.begin]]
            yield _wanted(html, wide[tag.begin], tag.end - 1)
            done = tag.end - 1
    yield html[done:]


def _wanted(html: str, begin: int, end: int) -> str:
    """The attributes between that somebody reads, the first of each name."""
    found: dict[str, str] = {}
    for attribute in _EACH.finditer(html, begin, end):
        name = attribute[0].split("=", 1)[0].strip().lower()
        if name in _WANTED:
            found.setdefault(name, attribute[0])
    return "".join(f" {text}" for text in found.values())
