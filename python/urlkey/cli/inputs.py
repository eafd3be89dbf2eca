"""Files that commands read URLs from: which format each has, which options say so, what a person is told about it.
Must not know what is done with a URL."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from urlkey.cli.messages import visible, warn
from urlkey.readers import FORMATS, ReadError, Row
from urlkey.readers.blocks import Blocks
from urlkey.readers.reading import decide, read

_ROWS = 1024

__all__ = ["Inputs", "add_file", "add_format", "add_host", "add_inputs", "as_line", "say_sniffed"]


def add_inputs(group: Any) -> None:
    """--format, --column, --host, --scheme."""
    add_format(group, "--format")
    group.add_argument(
        "-c",
        "--column",
        metavar="NAME|NUMBER|PATH",
        help="where the URLs are: a column's name or number from 1; in JSON a key or a dotted path",
    )
    add_host(group)


def add_format(group: Any, option: str) -> None:
    """What files are read as."""
    names = ", ".join(FORMATS)
    group.add_argument(
        option, choices=tuple(FORMATS), metavar="NAME", help=f"instead of what name and content say: {names}"
    )


def add_file(group: Any) -> None:
    """-f, --file, of commands whose arguments are URLs."""
    group.add_argument(
        "-f", "--file", action="append", default=[], metavar="FILE", help="read the URLs of this file; repeatable"
    )


def add_host(group: Any) -> None:
    """--host, --scheme."""
    group.add_argument("--host", metavar="HOST", help="of an access log: host, or scheme://host, of its paths")
    group.add_argument("--scheme", default="https", metavar="NAME", help="of an access log: default https")


class Inputs:
    """The files of a command, in order. `forms` are their formats: what `form` or the name says, else the content,
    which is told on standard error."""

    def __init__(self, args: argparse.Namespace, files: Sequence[str], *, form: str | None = None) -> None:
        self._args = args
        self._form = form if form is not None else args.format
        self.broken = False
        self._opened: dict[str, Blocks] = {}
        self._forms: dict[str, str] = {}
        self.forms = [self._decided(path) for path in files]

    def _decided(self, path: str) -> str:
        if self._form is not None:
            return str(self._form)
        if path in self._forms:
            return self._forms[path]
        blocks = Blocks(path)
        form, sniffed = decide(blocks)
        if sniffed and form != "txt" and not getattr(self._args, "quiet", False):
            say_sniffed(path, form)
        if path != "-" and Path(path).is_file():
            blocks.__exit__()
        else:
            # What was looked at cannot be read again.
            self._opened[path] = blocks
        self._forms[path] = form
        return form

    def batches(self, path: str) -> Iterator[list[Row]]:
        """The rows of a file, some at a time, lines of text among them. Where the file breaks, `broken` is set and a
        person told; raises ReadError where it is no such file."""
        batch: list[Row] = []
        begun = False
        with self.open(path) as blocks:
            try:
                for row in self.rows(blocks):
                    batch.append(row)
                    begun = True
                    if len(batch) == _ROWS:
                        yield batch
                        batch = []
            except ReadError as error:
                if error.code == "unreadable" and not begun:
                    raise
                self.broken = True
                warn(f"{visible(path)}: {visible(error.what)}; the records before it were read")
        if batch:
            yield batch

    def open(self, path: str) -> Blocks:
        """The file, from its beginning; once for each time that it was named."""
        return self._opened.pop(path, None) or Blocks(path)

    def rows(self, blocks: Blocks) -> Iterator[Row]:
        """The rows of an opened file, without their fields. Raises ReadError, after what was good."""
        args = self._args
        page_base = getattr(args, "base", None)
        return read(
            blocks,
            self._form or self._forms[blocks.path],
            column=args.column,
            host=args.host,
            scheme=args.scheme,
            base=page_base.encode("utf-8", "surrogateescape") if page_base is not None else None,
            delimiter=getattr(args, "delimiter", None),
            header=not getattr(args, "no_header", False),
            fields=False,
        )


def say_sniffed(path: str, form: str) -> None:
    """Tells a person that content alone said what a file is."""
    warn(f"{'standard input' if path == '-' else visible(path)}: read as {form}, by its content")


def as_line(url: bytes, end: bytes = b"\n") -> bytes:
    """A URL as one line: the line ends that a cell or an attribute may hold are none of a URL's.

    Source: https://url.spec.whatwg.org/#concept-basic-url-parser (step 3: tabs and newlines are removed)
    """
    if end == b"\n" and (b"\n" in url or b"\r" in url):
        url = url.replace(b"\n", b"").replace(b"\r", b"")
    return url + end
