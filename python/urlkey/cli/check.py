"""`urlkey check`: whether requests may be made to URLs, and with which text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from urlkey.cli.app import Failure
from urlkey.cli.lines import add_lines, run_lines

if TYPE_CHECKING:
    from urlkey.systems.gateway import Rules, Verdict

EPILOG = """\
accepted or refused, the href to hand to the client, and the codes and sentences of why
not, with tabs between. Nothing is resolved: a name that is accepted can still lead
anywhere. --json has host, port, places, and what redirectors hold inside, too.
example: urlkey check 'http://0x7f.1/' 'https://a.example:8443/' --port 443 --port 8443"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_lines(command, "URL", without="href, because it is refused")
    command.add_argument(
        "--lenient", action="store_true", help="repair spellings that parsers read differently; refused without it"
    )
    command.add_argument(
        "--scheme", action="append", metavar="NAME", help="a scheme to let through; repeatable; default http, https"
    )
    command.add_argument(
        "--port", action="append", metavar="NUMBER|any", help="a port to let through; repeatable; default 80, 443"
    )
    command.add_argument(
        "--allow", action="append", default=[], metavar="NETWORK|HOST", help="of your own network; repeatable"
    )
    command.add_argument("--longest", type=int, metavar="BYTES", help="of a URL; default 8000")


def run(args: argparse.Namespace) -> int:
    rules = _rules(args)
    columns = ("verdict", "href", "why")
    return run_lines(args, lambda urls: _rows(urls, rules), columns=columns, needs="href")


def _rules(args: argparse.Namespace) -> Rules:
    from urlkey.systems.gateway import LONGEST, PORTS, SCHEMES, Rules

    try:
        return Rules(
            strict=not args.lenient,
            schemes=args.scheme or SCHEMES,
            ports=_ports(args.port) if args.port else PORTS,
            allow=args.allow,
            longest=LONGEST if args.longest is None else args.longest,
        )
    except ValueError as error:
        raise Failure(str(error)) from None


def _ports(given: Sequence[str]) -> list[int] | None:
    if "any" in given:
        return None
    wrong = [text for text in given if not (text.isascii() and text.isdigit())]
    if wrong:
        raise ValueError(f"--port {wrong[0]!r} is no port; allowed: 1 to 65535, any")
    return [int(text) for text in given]


def _rows(urls: Sequence[str | bytes], rules: Rules) -> list[dict[str, Any]]:
    return [_row(verdict) for verdict in rules.check_many(urls)]


def _row(verdict: Verdict) -> dict[str, Any]:
    reasons = verdict.reasons
    return {
        "verdict": "accepted" if verdict else "refused",
        "href": verdict.href,
        "host": verdict.host,
        "port": verdict.port,
        "codes": [reason.code for reason in reasons],
        "why": "; ".join(f"{reason.code}: {reason.text}" for reason in reasons) or None,
        "reasons": [
            {"code": reason.code, "at": reason.at, "part": reason.part, "text": reason.text} for reason in reasons
        ],
        "targets": [
            {"url": target.url, "rule": target.rule, "kind": target.kind, **_row(target.verdict)}
            for target in verdict.targets
        ],
    }
