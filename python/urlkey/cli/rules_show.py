"""`urlkey rules show`: the rules for a host or URL, and who overrules whom."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from urlkey.cli.messages import Paint, colours, shown, visible
from urlkey.cli.options import policy_of, typed

_MOST_ITEMS = 12
_NAMES = ("keep", "drop", "valueless", "referral")

__all__ = ["show"]


def show(args: argparse.Namespace) -> int:
    """Runs the command."""
    from urlkey._native import rules_for

    policy = policy_of(args)
    target = args.words[0]
    found = rules_for(policy, typed(target), anywhere=args.all)
    if args.json:
        print(json.dumps(_rows(found, policy.short_id, target)))
        return 0
    paint = Paint(colours(sys.stdout))
    lines = [f"{shown(target, secrets=args.show_secrets)} under {policy.short_id}"]
    overruled = _overruled(found["rules"])
    for rule in found["rules"]:
        lines += ["", *_rule(rule, overruled, paint)]
    if not found["rules"]:
        lines.append("no rule is for it")
    if found["params"]:
        lines += ["", paint.dim("parameters")]
        lines += [_param(param, paint, args.show_secrets) for param in found["params"]]
    print("\n".join(lines))
    return 0


def _rows(found: dict[str, Any], policy: str, target: str) -> dict[str, Any]:
    overruled = _overruled(found["rules"])
    rules = [
        {
            **rule,
            "says": dict(rule["says"]),
            "overruled": {
                item: overruled[rule["rule"], key, item]
                for key, items in rule["says"]
                for item in items
                if (rule["rule"], key, item) in overruled
            },
        }
        for rule in found["rules"]
    ]
    params = [
        {**param, "overruled": [{"says": says, "rule": rule} for says, rule in param["overruled"]]}
        for param in found["params"]
    ]
    return {"target": target, "policy": policy, "rules": rules, "params": params}


def _overruled(rules: list[dict[str, Any]]) -> dict[tuple[str, str, str], str]:
    """What is said again further down, and by which rule it was said before. Only rules without conditions
    overrule others for sure."""
    first: dict[str, str] = {}
    found = {}
    for rule in rules:
        says = dict(rule["says"])
        sure = "url" not in says and "except" not in says and rule["path"] == "/"
        for key in _NAMES:
            for item in says.get(key, ()):
                before = first.get(item.lower())
                if before is not None and before != rule["rule"]:
                    found[rule["rule"], key, item] = before
                elif sure:
                    first[item.lower()] = rule["rule"]
    return found


def _rule(rule: dict[str, Any], overruled: dict[tuple[str, str, str], str], paint: Paint) -> list[str]:
    covers = f"{rule['host']}{'' if rule['path'] == '/' else rule['path']}"
    about = ", ".join(filter(None, (rule["source"], rule["date"], rule["note"])))
    lines = [f"{paint.bold(visible(rule['rule']))}  {visible(covers)}  {paint.dim(visible(about))}"]
    for key, items in rule["says"]:
        told = ", ".join(map(visible, items[:_MOST_ITEMS]))
        more = f" and {len(items) - _MOST_ITEMS:,} more" if len(items) > _MOST_ITEMS else ""
        lines.append(f"  {key:<10} {told}{more}")
        for item in items[:_MOST_ITEMS]:
            before = overruled.get((rule["rule"], key, item))
            if before is not None:
                lines.append(f"  {'':<10} {paint.dim(f'{visible(item)}: overruled by {visible(before)}')}")
    return lines


def _param(param: dict[str, Any], paint: Paint, secrets: bool) -> str:
    name, _, value = param["param"].partition("=")
    text = visible(param["param"]) if secrets or len(value) < 24 else f"{visible(name)}=..."
    says = {None: "stays", "drop": paint.bad("goes"), "keep": paint.good("kept"), "valueless": "loses its value"}
    told = f"  {text}: {says[param['says']]}"
    if param["rule"]:
        told += f" by {visible(param['rule'])}"
    for what, rule in param["overruled"]:
        told += f"; {what} in {visible(rule)} is overruled"
    return told
