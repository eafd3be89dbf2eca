"""`urlkey evidence`: what a saved response, sitemap, feed or robots.txt says about which URLs are one page. What it is
worth is decided in `urlkey.evidence`; here the file is read and lines are written."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlkey.cli.app import Failure
from urlkey.cli.messages import shown, warn
from urlkey.cli.options import add_policy, add_secrets, policy_of, typed

if TYPE_CHECKING:
    from urlkey._native import Policy
    from urlkey.evidence import Findings

EPILOG = """\
FILE is what `curl -i` or `curl -iL` prints: headers, an empty line, the page; or a page
alone. A line for each piece of evidence: kind, weight (log-odds that two URLs are one
page; joined from 3 on, kept apart from -10 down), from, to. Of what is not believed:
kind, the code of the reason, from, to. --json has the reasons in words, and the site
rules that the site suggests. A page needs the extra: pip install 'urlkey[page]'
example: curl -siL https://example.com/x | urlkey evidence --url https://example.com/x"""

_STATUS = re.compile(rb"HTTP/[0-9.]{1,8} ([0-9]{3})(?: [^\r\n]*)?(?=\r?\n|\Z)")
_NEXT_LINE = re.compile(rb"\r?\n")

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help="without one, or for -, standard input")
    command.add_argument("--url", required=True, metavar="URL", help="the one that was requested")
    command.add_argument(
        "--type", choices=["response", "sitemap", "feed", "robots"], default="response", help="default response"
    )
    command.add_argument(
        "-H", "--header", action="append", default=[], metavar="NAME: VALUE", help="of a page alone; repeatable"
    )
    command.add_argument("--json", action="store_true", help="one JSON object for each line")
    add_policy(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError, parse

    policy = policy_of(args)
    url = typed(args.url)
    try:
        scheme = parse(url).scheme
    except UrlKeyError as error:
        raise Failure(f"--url: {error.code}: {error}: {shown(args.url, secrets=args.show_secrets)}") from None
    if scheme not in ("http", "https"):
        raise Failure(f"--url: {scheme}: has no responses; http and https have")
    data = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    try:
        found = _read(args, url, data, policy)
    except ImportError as error:
        raise Failure(str(error)) from None
    rows = list(_rows(found))
    if args.json:
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    else:
        lines = ("\t".join(_columns(row)) for row in rows if row["kind"] != "rule")
        if found.rules:
            warn(f"site rules suggested: {len(found.rules)}; --json has them")
    sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return 0


def _read(args: argparse.Namespace, url: str | bytes, data: bytes, policy: Policy) -> Findings:
    from urlkey import evidence

    match args.type:
        case "sitemap":
            return evidence.from_sitemap(url, data, policy=policy)
        case "feed":
            return evidence.from_feeds([(url, data)], policy=policy)
        case "robots":
            return evidence.from_robots(url, data, policy=policy)
    given = _headers(args.header)
    responses = list(_responses(data))
    if responses and given:
        raise Failure("--header is for a page alone: this file has headers of its own")
    return _chain(url, responses or [(200, given, data)], policy)


def _chain(url: str | bytes, responses: list[tuple[int, list[tuple[bytes, bytes]], bytes]], policy: Policy) -> Findings:
    """What the responses to a request that followed redirects say: the hops together, the last one as a page."""
    from urlkey import evidence
    from urlkey._native import UrlKeyError, join

    hops, told = [], evidence.Findings()
    for number, (status, headers, body) in enumerate(responses):
        location = next((value for name, value in headers if name.lower() == b"location"), None)
        is_last = number == len(responses) - 1
        if is_last and not 300 <= status < 400:
            told = evidence.from_response(url, status, headers, body, policy=policy)
        hops.append((url, status, location))
        if not is_last and location is not None and 300 <= status < 400:
            try:
                url = join(url, location)
            except UrlKeyError as error:
                raise Failure(f"what response {number + 1} leads to is no URL: {error.code}") from None
    return evidence.from_redirects(hops, policy=policy) + told


def _responses(data: bytes) -> Iterator[tuple[int, list[tuple[bytes, bytes]], bytes]]:
    """Status, headers and body of each response. Only the last one has a body: curl keeps none of a redirect."""
    at = 0
    while (begun := _STATUS.match(data, at)) is not None:
        headers, at = _block(data, begun.end())
        status = int(begun[1])
        follows = _STATUS.match(data, at) is not None
        # What a proxy says first, and what is said before the answer, is no answer.
        if not follows or 300 <= status < 400:
            yield status, headers, b"" if follows else data[at:]
        if not follows:
            return


def _block(data: bytes, at: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """The headers behind a status line, and where the body begins."""
    headers: list[tuple[bytes, bytes]] = []
    ended = _NEXT_LINE.match(data, at)
    at = ended.end() if ended else len(data)
    while at < len(data):
        found = _NEXT_LINE.search(data, at)
        line, after = (data[at : found.start()], found.end()) if found else (data[at:], len(data))
        at = after
        if not line:
            break
        name, _, value = line.partition(b":")
        if line[:1] in b" \t" and headers:
            # A value that was folded goes on.
            headers[-1] = (headers[-1][0], headers[-1][1] + b" " + line.strip())
        else:
            headers.append((name.strip(), value.strip()))
    return headers, at


def _headers(given: list[str]) -> list[tuple[bytes, bytes]]:
    headers = []
    for header in given:
        name, colon, value = header.partition(":")
        if not colon:
            raise Failure("--header takes a name and a value: 'Link: </x>; rel=canonical'")
        headers.append((name.strip().encode(), value.strip().encode("utf-8", "surrogateescape")))
    return headers


def _rows(found: Findings) -> Iterator[dict[str, Any]]:
    for piece in found.evidence:
        yield {
            "kind": piece.kind,
            "from": piece.from_,
            "to": piece.to,
            "weight": piece.weight,
            "reason": piece.reason,
        }
    for no in found.refusals:
        yield {"kind": no.kind, "from": no.from_, "to": no.to, "refused": no.reason, "reason": no.text}
    for rule in found.rules:
        yield {"kind": "rule", "host": rule.host, "toml": rule.toml()}


def _columns(row: dict[str, Any]) -> list[str]:
    verdict = row["refused"] if "refused" in row else f"{row['weight']:+g}"
    # A refused target is as the page spells it: tabs and line ends in it would be read as ours.
    to = "".join(char if char.isprintable() else "\ufffd" for char in row["to"] or "")
    return [row["kind"], verdict, row["from"], to]
