"""`urlkey policies`: the profiles there are, one of them whole, and the ladder
that they choose from. All of it is read from the core: nothing is listed here."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from urlkey.cli.messages import Paint, colours
from urlkey.cli.options import add_policy, policy_of

if TYPE_CHECKING:
    from urlkey._native import Policy

EPILOG = """\
examples: urlkey policies
          urlkey policies ladder
          urlkey policies show --policy crawl --on drop_www > mine.toml"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "what",
        nargs="?",
        choices=("list", "ladder", "show"),
        default="list",
        help="the profiles; every rung, and which profiles have it on; one policy as TOML, to be edited",
    )
    command.add_argument("name", nargs="?", metavar="NAME|FILE", help="of show: the same as --policy")
    command.add_argument("--json", action="store_true", help="one JSON value")
    add_policy(command)


def run(args: argparse.Namespace) -> int:
    if args.name is not None:
        args.policy = args.name
    show = {"list": _list, "ladder": _ladder, "show": _show}[args.what]
    text = show(args)
    if args.what == "show":
        # A file to be: UTF-8 whatever the terminal takes.
        sys.stdout.buffer.write(text.encode())
    else:
        sys.stdout.write(text)
    return 0


def _profiles() -> list[Policy]:
    from urlkey._native import PROFILES, Policy

    return [Policy(name) for name in PROFILES]


def _serves(policy: Policy) -> str:
    """What the policy says it is for."""
    import tomllib

    return str(tomllib.loads(policy.text).get("serves", ""))


def _list(args: argparse.Namespace) -> str:
    profiles = _profiles()
    if args.json:
        return json.dumps([_row(policy) for policy in profiles], indent=1) + "\n"
    paint = Paint(colours(sys.stdout))
    return "".join(
        f"{paint.bold(each.name.ljust(12))}{each.short_id:<24}{len(each.rungs):>2} rungs  {_serves(each)}\n"
        for each in profiles
    )


def _row(policy: Policy) -> dict[str, object]:
    return {
        "name": policy.name,
        "id": policy.id,
        "short_id": policy.short_id,
        "serves": _serves(policy),
        "rungs": policy.rungs,
    }


def _show(args: argparse.Namespace) -> str:
    policy = policy_of(args)
    if args.json:
        return json.dumps({**_row(policy), "text": policy.text}) + "\n"
    return policy.text if policy.text.endswith("\n") else f"{policy.text}\n"


def _ladder(args: argparse.Namespace) -> str:
    from urlkey._native import ladder

    profiles = _profiles()
    rungs = ladder()
    for rung in rungs:
        rung["profiles"] = [policy.name for policy in profiles if rung["name"] in policy.rungs]
    if args.json:
        return json.dumps(rungs, indent=1) + "\n"
    paint = Paint(colours(sys.stdout))
    names = [policy.name for policy in profiles]
    rows = [paint.dim(f"{'rung':<22}{'loss':<8}" + "".join(name.ljust(len(name) + 2) for name in names) + "rule")]
    for rung in rungs:
        marks = "".join(("x" if name in rung["profiles"] else ".").ljust(len(name) + 2) for name in names)
        rows.append(f"{paint.bold(rung['name'].ljust(22))}{rung['loss']:<8}{marks}{rung['rule']}")
    return "\n".join(rows) + "\n"
