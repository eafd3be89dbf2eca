"""XML as a stream of elements, by the standard library's expat, and harmless: no document type, so no entities and
nothing that is loaded; bounded depth, tags and texts. Must not know what the elements mean.

What is refused is what defusedxml refuses with `forbid_dtd`; it is not used because it wraps parsers that keep a tree.
A `DOCTYPE` of RSS 0.91, which has no other part than Netscape's name, is let pass: expat loads nothing.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from html.entities import name2codepoint
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.limits import Limits

# Expat reads a tag anew with each block that does not end it: bounded, lest that be quadratic.
_TOKEN = 8 << 20
# Above it namespaces are no longer learned: a copy for each element must stay small.
_SCOPE = 256
_RSS = "-//netscape communications//dtd rss 0.91"
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}[\"']([\w.:-]{1,40})")
# Encodings of more than a byte a character, which expat does not know and feeds have.
_WIDE = frozenset(["shift_jis", "cp932", "euc_jp", "iso2022_jp", "gb2312", "gbk", "gb18030", "big5", "euc_kr", "cp949"])

__all__ = ["Begin", "End", "elements"]


class Begin(NamedTuple):
    """An element begins: namespace (a prefix that nobody declared is its own), name, attributes, depth from 1."""

    space: str
    name: str
    attributes: Mapping[str, str]
    depth: int


class End(NamedTuple):
    """An element ends: what `Begin` said, and the text in it, that of other elements left out: `mixed` says whether
    there were any."""

    space: str
    name: str
    text: str
    depth: int
    mixed: bool = False


def elements(blocks: Iterable[bytes], limits: Limits, wanted: frozenset[str]) -> Iterator[Begin | End]:
    """The elements of a document as they come; text is kept of those in `wanted`.

    Raises ReadError where the document is not well-formed or ends early, and LimitError for a document type, an entity,
    depth, and tags or texts that are too long, all with line and column, after what was good.
    """
    parser = _Parser(limits, wanted)
    begun = False
    for block in _readable(blocks):
        if not begun:
            # Well-formed XML has nothing above its declaration; files on the web have.
            block = block.lstrip(b"\r\n\t ")
        if block:
            yield from parser.feed(block, end=False, first=not begun)
            begun = True
    if not begun:
        raise ReadError("empty: no XML", code="broken", at=1)
    yield from parser.feed(b"", end=True)


def _readable(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks, in UTF-8 where they are in an encoding that expat does not know."""
    blocks = iter(blocks)
    first = next(blocks, b"")
    found = _DECLARED.match(first.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n\t "))
    name = _codec(found[1].decode("ascii")) if found else None
    if name is None:
        yield first
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(name)("replace")
    # The declaration no longer says what is true; expat is told so by its absence.
    yield re.sub(r"^\s*<\?xml.*?\?>", "", decoder.decode(first), count=1, flags=re.S).encode()
    for block in blocks:
        yield decoder.decode(block).encode()


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    return name if name in _WIDE else None


class _Parser:
    def __init__(self, limits: Limits, wanted: frozenset[str]) -> None:
        self._limits = limits
        self._wanted = wanted
        self._found: list[Begin | End] = []
        # Of what is wanted the pieces of text, and None for each element among them.
        self._texts: list[list[str | None] | None] = []
        self._sizes: list[int] = []
        self._scopes: list[Mapping[str, str]] = [{"": "", "xml": "xml"}]
        self._names: list[tuple[str, str]] = []
        self._quiet = 0
        self._token = min(_TOKEN, limits.line)
        self._expat = self._parser()

    def _parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = parser.ProcessingInstructionHandler = self._other
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        return parser

    def feed(self, block: bytes, *, end: bool, first: bool = False) -> Iterable[Begin | End]:
        """What the block has; what it has before an error comes first, the error with the next call."""
        self._found = []
        self._quiet += len(block)
        try:
            self._expat.Parse(block, end)
        except expat.ExpatError as error:
            failure: ReadError = self._broken(error)
        except LimitError as error:
            failure = error
        except (LookupError, ValueError) as error:
            # Of the declared encoding, which Python looks up for expat.
            failure = ReadError(f"XML broken at line 1: {error}", code="broken", at=1)
        else:
            if self._quiet <= self._token:
                return self._found
            failure = self._refusal("long-line", f"a tag or a comment of more than {self._token:,} bytes")
        return _then(self._found, failure)

    def _broken(self, error: expat.ExpatError) -> ReadError:
        what = expat.errors.messages[error.code]
        return ReadError(
            f"XML broken at line {error.lineno}, column {error.offset + 1}: {what}", code="broken", at=error.lineno
        )

    def _refusal(self, code: str, what: str) -> LimitError:
        line, column = self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1
        return LimitError(f"{what}, at line {line}, column {column}: refused", code=code, at=line)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._quiet = 0
        if len(self._names) >= self._limits.depth:
            raise self._refusal("too-deep", f"elements inside each other deeper than {self._limits.depth}")
        scope = self._scopes[-1]
        declared = {each[6:]: to for each, to in attributes.items() if each == "xmlns" or each.startswith("xmlns:")}
        if declared and len(scope) < _SCOPE:
            scope = {**scope, **declared}
        self._scopes.append(scope)
        prefix, colon, local = name.rpartition(":")
        space = scope.get(prefix, prefix) if colon else scope[""]
        self._names.append((space, local))
        outer = self._texts[-1] if self._texts else None
        if outer is not None:
            outer.append(None)
        self._texts.append([] if local in self._wanted else None)
        self._sizes.append(0)
        self._found.append(Begin(space, local, attributes, len(self._names)))

    def _end(self, name: str) -> None:
        self._quiet = 0
        self._scopes.pop()
        space, local = self._names.pop()
        texts = self._texts.pop()
        self._sizes.pop()
        if not texts:
            text, mixed = "", False
        elif len(texts) == 1 and texts[0] is not None:
            text, mixed = texts[0], False
        else:
            text, mixed = "".join(filter(None, texts)), None in texts
        self._found.append(End(space, local, text, len(self._names) + 1, mixed))

    def _text(self, data: str) -> None:
        self._quiet = 0
        texts = self._texts[-1] if self._texts else None
        if texts is None:
            return
        self._sizes[-1] += len(data)
        if self._sizes[-1] > self._token:
            raise self._refusal("long-line", f"a text of more than {self._token:,} characters")
        texts.append(data)

    def _other(self, *_: object) -> None:
        self._quiet = 0

    def _doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        if internal or not (public or "").lower().startswith(_RSS):
            raise self._refusal("doctype", "a document type (DTD)")

    def _entity(self, *_: object) -> NoReturn:
        raise self._refusal("entity", "an entity")

    def _skipped(self, name: str, parameter: bool) -> None:
        """An entity that the document type would have declared: that of RSS 0.91 has those of HTML 4."""
        self._text(chr(name2codepoint[name]) if name in name2codepoint else f"&{name};")


def _then(found: list[Begin | End], failure: ReadError) -> Iterator[Begin | End]:
    yield from found
    raise failure
