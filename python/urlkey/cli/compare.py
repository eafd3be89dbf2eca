"""`urlkey compare`: whether two spellings have one key, and why."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from urlkey.cli.messages import Paint, colours, complain, shown
from urlkey.cli.options import add_page, add_policy, add_secrets, page_of, policy_of, typed

if TYPE_CHECKING:
    from urlkey._native import Comparison, Policy

EPILOG = "exit status: 0 one key, 1 two keys, 2 one of them has none"

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("a", metavar="URL")
    command.add_argument("b", metavar="URL")
    command.add_argument("--json", action="store_true", help="one JSON object")
    command.add_argument("-q", "--quiet", action="store_true", help="say it by the exit status alone")
    add_policy(command)
    add_page(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError

    policy, page = policy_of(args), page_of(args)
    try:
        comparison = policy.compare(typed(args.a), typed(args.b), **page)
    except UrlKeyError as error:
        complain(error, error.input or "", secrets=args.show_secrets)
        return 2
    if not args.quiet:
        show = _json if args.json else _text
        print(show(comparison, policy, args.show_secrets))
    return 0 if comparison.same else 1


def _json(comparison: Comparison, policy: Policy, secrets: bool) -> str:
    return json.dumps(
        {
            "same": comparison.same,
            "meets": comparison.meets,
            "reasons": list(comparison.reasons),
            "part": comparison.part,
            "a": shown(comparison.a, secrets=secrets, longest=sys.maxsize),
            "b": shown(comparison.b, secrets=secrets, longest=sys.maxsize),
            "policy": policy.short_id,
        }
    )


def _text(comparison: Comparison, policy: Policy, secrets: bool) -> str:
    paint = Paint(colours(sys.stdout))
    if comparison.same:
        lines = [
            f"{paint.good('one key')} under {policy.short_id}",
            f"  {shown(comparison.a, secrets=secrets)}",
        ]
    else:
        lines = [
            f"{paint.bad('two keys')} under {policy.short_id}",
            f"  a {shown(comparison.a, secrets=secrets)}",
            f"  b {shown(comparison.b, secrets=secrets)}",
        ]
    if comparison.reasons:
        lines.append(f"differ in: {', '.join(comparison.reasons)}")
    if comparison.part:
        lines.append(f"first differing part: {comparison.part}")
    if comparison.meets:
        lines.append(f"would meet with all rungs of loss up to: {comparison.meets}")
    elif not comparison.same:
        lines.append("would meet under no choice of rungs")
    return "\n".join(lines)
