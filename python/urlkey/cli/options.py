"""Options that several commands share, and what becomes of them: the policy, the
base, the encoding. Must not know what is done with a policy."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NotRequired, TypedDict

from urlkey.cli.app import Failure
from urlkey.cli.messages import shown

if TYPE_CHECKING:
    from urlkey._native import Base, Policy


class Page(TypedDict):
    """Where links come from, as keyword arguments."""

    encoding: str
    base: NotRequired[Base]


__all__ = ["Page", "add_page", "add_policy", "add_secrets", "page_of", "policy_of", "typed"]


def add_policy(command: argparse.ArgumentParser, default: str = "crawl") -> None:
    """--policy, --rules, --on, --off."""
    group = command.add_argument_group("policy")
    group.add_argument(
        "-p",
        "--policy",
        default=default,
        metavar="NAME|FILE",
        help=f"a built-in policy (see `urlkey policies`) or a TOML file; default {default}",
    )
    group.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="FILE",
        help="site rules on top of the policy; repeatable",
    )
    group.add_argument("--on", action="append", default=[], metavar="RUNG", help="switch a rung on; repeatable")
    group.add_argument("--off", action="append", default=[], metavar="RUNG", help="switch a rung off; repeatable")


def policy_of(args: argparse.Namespace) -> Policy:
    """The policy that the options describe."""
    from urlkey._native import RUNGS, Policy

    policy = Policy.load(args.policy, rules=args.rules)
    changes: dict[str, bool] = {}
    for value, names in ((True, args.on), (False, args.off)):
        for name in (name for listed in names for name in listed.split(",")):
            rung = name.strip().replace("-", "_")
            if rung not in RUNGS:
                raise Failure(f"no rung {name!r}; there are: {', '.join(RUNGS)}")
            if changes.setdefault(rung, value) is not value:
                raise Failure(f"{rung} is switched both on and off")
    return policy.with_(**changes) if changes else policy


def add_page(command: argparse.ArgumentParser) -> None:
    """--base, --encoding: where the links come from."""
    group = command.add_argument_group("page")
    group.add_argument("--base", metavar="URL", help="resolve relative references against this URL")
    group.add_argument(
        "--encoding",
        default="utf-8",
        metavar="LABEL",
        help="encoding of the page, for queries; default utf-8",
    )


def page_of(args: argparse.Namespace) -> Page:
    """The keyword arguments that the options of `add_page` stand for."""
    from urlkey._native import Base, UrlKeyError

    page: Page = {"encoding": args.encoding}
    if args.base is not None:
        try:
            page["base"] = Base(typed(args.base))
        except UrlKeyError as error:
            raise Failure(f"--base: {error.code}: {error}: {shown(args.base, secrets=args.show_secrets)}") from None
    return page


def typed(argument: str) -> str | bytes:
    """An argument as it was typed: str if that says it all, else its bytes."""
    return argument if argument.isascii() else argument.encode("utf-8", "surrogateescape")


def add_secrets(command: argparse.ArgumentParser) -> None:
    """--show-secrets."""
    command.add_argument(
        "--show-secrets",
        action="store_true",
        help="print passwords, signatures and tokens in what is for eyes; data are always whole",
    )
