"""`urlkey links`: the links of an HTML page. Which they are is decided in `urlkey.systems.crawler`; here the file is
read and lines are written."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from urlkey.cli.app import Failure
from urlkey.cli.messages import shown
from urlkey.cli.options import add_policy, add_secrets, policy_of, typed

if TYPE_CHECKING:
    from urlkey.systems.crawler import Link

EPILOG = """\
A line for each link, in the order of the page: key, URL to request, and notes, with
tabs between. Notes are nofollow and, where there is no key, why: not-http or the code
of the error. --json has the spelling, rel and the text too.
Needs the extra: pip install 'urlkey[page]'
example: urlkey links page.html --url https://example.com/news/"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="HTML; without one, or for -, standard input"
    )
    command.add_argument("--url", required=True, metavar="URL", help="the page's own, after redirects")
    command.add_argument(
        "--encoding", metavar="LABEL", help="of the page; default what its bytes and their <meta> say, as in browsers"
    )
    command.add_argument(
        "-H", "--header", action="append", default=[], metavar="NAME: VALUE", help="of the response; repeatable"
    )
    command.add_argument("--traps", action="store_true", help="a fourth column: signs that the URL is a crawler trap")
    command.add_argument("--json", action="store_true", help="one JSON object for each link")
    add_policy(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import Base, UrlKeyError
    from urlkey.systems.crawler import links

    policy = policy_of(args)
    try:
        base = Base(typed(args.url))
    except UrlKeyError as error:
        raise Failure(f"--url: {error.code}: {error}: {shown(args.url, secrets=args.show_secrets)}") from None
    html = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    try:
        found = links(html, base, encoding=args.encoding, headers=_headers(args.header), policy=policy)
    except ImportError as error:
        raise Failure(str(error)) from None
    write = _json if args.json else _text
    lines = (write(link, _traps(link) if args.traps else None) for link in found)
    sys.stdout.buffer.write("".join(lines).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return 0


def _headers(given: list[str]) -> list[tuple[str, str]]:
    headers = []
    for header in given:
        name, colon, value = header.partition(":")
        if not colon:
            raise Failure("--header takes a name and a value: 'Content-Type: text/html; charset=utf-8'")
        headers.append((name.strip(), value.strip()))
    return headers


def _traps(link: Link) -> list[dict[str, str]]:
    from urlkey.systems.crawler import traps

    return [trap._asdict() for trap in traps(link.url)] if link.key is not None and link.url is not None else []


def _text(link: Link, traps: list[dict[str, str]] | None) -> str:
    notes = ["nofollow"] * link.nofollow + [link.reason or ""]
    columns = [link.key or "", link.url or "", " ".join(notes).strip()]
    if traps is not None:
        columns.append(" ".join(trap["code"] for trap in traps))
    return "\t".join(columns) + "\n"


def _json(link: Link, traps: list[dict[str, str]] | None) -> str:
    row = {
        "key": link.key,
        "url": link.url,
        "nofollow": link.nofollow,
        "reason": link.reason,
        "raw": link.raw,
        "element": link.element,
        "rel": link.rel,
        "text": link.text,
    }
    return json.dumps(row if traps is None else row | {"traps": traps}, ensure_ascii=False) + "\n"
