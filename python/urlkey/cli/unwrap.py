"""`urlkey unwrap`: where links of known redirectors lead, one line out for each line in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from urlkey.cli.lines import blocks
from urlkey.cli.messages import complain
from urlkey.cli.options import add_secrets

if TYPE_CHECKING:
    from urlkey._native import Hop

EPILOG = """\
Nothing is requested: the target stands in the link. A link that holds none comes
out as it is; a line that is no URL gives an empty line and a message.
example: urlkey unwrap 'https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F'"""

__all__ = ["add_arguments", "run"]

# What would make two lines, or two columns, of one.
_BREAKS = str.maketrans({"\t": "%09", "\n": "%0A", "\r": "%0D"})


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("urls", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    command.add_argument("--chain", action="store_true", help="every layer, with tabs between, outermost first")
    command.add_argument("--json", action="store_true", help="one JSON object a line")
    command.add_argument("--unverified", action="store_true", help="take rules that no listed source confirms, too")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line is no URL")
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError, unwrap

    failed = False
    for place, url in _lines(args.urls):
        try:
            line = _line(_text(url), unwrap(url, unverified=args.unverified), args)
        except UrlKeyError as error:
            failed = True
            line = json.dumps({"input": _text(url), "error": {"code": error.code, "at": error.at}}) if args.json else ""
            complain(error, url, place=place, secrets=args.show_secrets)
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    return int(args.strict and failed)


def _line(given: str, hops: list[Hop], args: argparse.Namespace) -> str:
    urls = [given, *(hop.url for hop in hops)]
    if args.json:
        layers: list[dict[str, Any]] = [{"url": hop.url, "rule": hop.rule, "kind": hop.kind} for hop in hops]
        return json.dumps({"input": given, "url": urls[-1], "hops": layers})
    return "\t".join(url.translate(_BREAKS) for url in (urls if args.chain else urls[-1:]))


def _lines(urls: list[str]) -> Iterator[tuple[str, str | bytes]]:
    """Every URL, and where it stands if it is a line of standard input."""
    number = 0
    for block in blocks(urls):
        for url in block:
            number += isinstance(url, bytes)
            yield f"line {number}: " if isinstance(url, bytes) and not urls else "", url


def _text(url: str | bytes) -> str:
    return url if isinstance(url, str) else url.decode("utf-8", "surrogateescape")
