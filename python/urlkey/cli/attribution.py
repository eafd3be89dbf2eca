"""`urlkey attribution`: who is credited for links, and which page they are about."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from urlkey.cli.messages import Paint, colours, complain, shown
from urlkey.cli.options import add_secrets

if TYPE_CHECKING:
    from urlkey.systems.attribution import Attribution

EPILOG = """\
Reads query, fragment and path of the link, of the targets that it wraps and of the
links that it hands to apps. Nothing is requested.
--key prints the page key alone, one line for each line; --json one object a line.
example: urlkey attribution 'https://example.com/?gclid=Cj0&utm_source=mail'"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("urls", nargs="*", metavar="URL", help="without any, or for -, lines of standard input")
    shape = command.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="one JSON object a line, whole values")
    shape.add_argument("--key", action="store_true", help="the page key alone, one line for each line")
    command.add_argument("--unverified", action="store_true", help="take redirectors that no listed source confirms")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line is no URL")
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError
    from urlkey.cli.lines import blocks
    from urlkey.systems.attribution import attribution

    failed, number = False, 0
    for block in blocks(args.urls):
        for url in block:
            number += 1
            try:
                told = attribution(url, unverified=args.unverified)
            except UrlKeyError as error:
                failed = True
                _write(_failure(url, error) if args.json else "" if args.key else None)
                complain(error, url, secrets=args.show_secrets)
                continue
            if args.json:
                _write(json.dumps(_object(told)))
            elif args.key:
                _write(told.page_key or "")
            else:
                _write(("\n" if number > 1 else "") + _table(told, args.show_secrets))
    return int(args.strict and failed)


def _write(line: str | None) -> None:
    if line is not None:
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()


def _failure(url: str | bytes, error: Any) -> str:
    text = url if isinstance(url, str) else url.decode("utf-8", "replace")
    return json.dumps({"input": text, "error": {"code": error.code, "at": error.at}})


def _object(told: Attribution) -> dict[str, Any]:
    return {
        "input": told.url,
        "page_key": told.page_key,
        "paid": told.is_paid,
        "kinds": sorted(told.kinds),
        "owners": told.owners,
        "params": [param._asdict() for param in told.params],
        "chain": [{"url": hop.url, "rule": hop.rule, "kind": hop.kind} for hop in told.chain],
    }


def _table(told: Attribution, secrets: bool) -> str:
    """For eyes: redacted, one parameter a line."""
    paint = Paint(colours(sys.stdout))
    lines = [f"link  {shown(told.url, secrets=secrets)}"]
    lines += [f"      {hop.kind} ({hop.rule}) {shown(hop.url, secrets=secrets)}" for hop in told.chain]
    lines.append(f"page  {paint.bold(shown(told.page_key, secrets=secrets) if told.page_key else '-')}")
    rows = [(p.owner, p.kind, p.name, p.value, _remarks(p, told)) for p in told.params]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    for owner, kind, name, value, remarks in rows:
        # As a field of a URL, so that the values of secret names are not shown.
        field = shown(f"?{name}={value}", secrets=secrets).removeprefix("?").partition("=")[2]
        cells = [shown(cell).ljust(width) for cell, width in zip((owner, kind, name), widths, strict=True)]
        lines.append(f"  {'  '.join(cells)}  {field}{paint.dim(remarks)}")
    return "\n".join(lines)


def _remarks(param: Any, told: Attribution) -> str:
    said = [] if param.place == "query" else [param.place]
    if param.url != told.links[0]:
        said.append("inside")
    if not param.verified:
        said.append("unverified")
    if param.risk:
        said.append("content elsewhere")
    return f"  ({', '.join(said)})" if said else ""
