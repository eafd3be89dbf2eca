"""`urlkey explain`: every step from a spelling to its key."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from urlkey.cli.messages import Paint, colours, complain, shown, visible
from urlkey.cli.options import add_page, add_policy, add_secrets, page_of, policy_of, typed

if TYPE_CHECKING:
    from urlkey._native import Explanation, Policy, Step, UrlKeyError

EPILOG = """\
loss: none (a specification calls the spellings equivalent), client (the server
never sees the difference), usual (one page nearly everywhere), site (on some)."""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("urls", nargs="+", metavar="URL")
    command.add_argument("--json", action="store_true", help="one JSON object a line")
    command.add_argument("--strict", action="store_true", help="exit status 1 if a URL has no key")
    add_policy(command)
    add_page(command)
    add_secrets(command)


def run(args: argparse.Namespace) -> int:
    from urlkey._native import UrlKeyError

    policy, page = policy_of(args), page_of(args)
    show = _json if args.json else _text
    failed = False
    for number, url in enumerate(args.urls):
        try:
            explanation = policy.explain(typed(url), **page)
        except UrlKeyError as error:
            failed = True
            if args.json:
                print(json.dumps(_failure(error, url, args.show_secrets)))
            complain(error, url, secrets=args.show_secrets)
            continue
        if number and not args.json:
            print()
        print(show(explanation, policy, secrets=args.show_secrets))
    return int(args.strict and failed)


def _failure(error: UrlKeyError, url: str, secrets: bool) -> dict[str, Any]:
    return {
        "input": shown(url, secrets=secrets),
        "error": {"code": error.code, "at": error.at, "message": str(error)},
    }


def _steps(explanation: Explanation, secrets: bool) -> Iterator[dict[str, Any]]:
    for step in explanation.steps:
        yield {
            "name": step.name,
            "loss": step.loss,
            "before": shown(step.before, secrets=secrets, longest=sys.maxsize),
            "after": shown(step.after, secrets=secrets, longest=sys.maxsize),
            "reason": step.reason,
            "source": step.source,
            "rule": step.rule,
            "refused": step.refused,
        }


def _json(explanation: Explanation, policy: Policy, secrets: bool) -> str:
    def whole(url: str | bytes) -> str:
        return shown(url, secrets=secrets, longest=sys.maxsize)

    return json.dumps(
        {
            "input": whole(explanation.input),
            "href": whole(explanation.href),
            "key": whole(explanation.key),
            "policy": policy.short_id,
            "flags": list(explanation.flags),
            "violations": [{"code": each.code, "at": each.at} for each in explanation.violations],
            "rules": list(explanation.rules),
            "steps": list(_steps(explanation, secrets)),
        }
    )


def _text(explanation: Explanation, policy: Policy, secrets: bool) -> str:
    paint = Paint(colours(sys.stdout))
    lines = [
        f"input   {shown(explanation.input, secrets=secrets)}",
        f"href    {shown(explanation.href, secrets=secrets)}",
        f"key     {paint.bold(shown(explanation.key, secrets=secrets))}",
        f"policy  {policy.short_id}",
    ]
    if explanation.flags:
        lines.append(f"flags   {', '.join(explanation.flags)}")
    lines += [f"rule    {visible(rule)}" for rule in explanation.rules]
    if explanation.violations:
        found = (f"{each.code} (byte {each.at})" for each in explanation.violations)
        lines.append(f"noted   {', '.join(dict.fromkeys(found))}")
    for step in explanation.steps:
        lines.append("")
        lines.append(f"{paint.bold(step.name)}  {paint.dim(_remarks(step))}")
        if step.refused:
            lines.append(f"  refused: {step.refused}")
        lines.append(f"  {paint.bad('-')} {shown(step.before, secrets=secrets)}")
        lines.append(f"  {paint.good('+')} {shown(step.after, secrets=secrets)}")
    return "\n".join(lines)


def _remarks(step: Step) -> str:
    remarks = [f"loss {step.loss}", step.reason, step.source]
    if step.rule:
        remarks.append(f"rule {step.rule}")
    return " · ".join(filter(None, remarks))
