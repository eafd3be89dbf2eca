"""ClearURLs: `data.min.json`, a list of providers, each with an expression for its URLs, expressions for names of
parameters, and what is cut out of the URL as text.

Source: https://docs.clearurls.xyz/latest/specs/rules/
"""

from __future__ import annotations

import json
from typing import Any

from urlkey.importers.patterns import hosts_of_expression
from urlkey.importers.regexes import Unsupported, first_group_alone, from_js, groups
from urlkey.importers.rulefile import Redirect, Row, RuleFile, quoted

__all__ = ["read"]

_ANY = {".*", "^.*", ".*$", "^.*$", ".+", "", "^https?:\\/\\/.*", "^https?://.*", "^https?:\\/\\/"}
_LISTS = (("rules", "drop"), ("referralMarketing", "referral"), ("rawRules", "raw"))


def read(text: str, out: RuleFile) -> None:
    """Adds what the list says to `out`."""
    for name, provider in json.loads(text)["providers"].items():
        where = f"provider {name}"
        if not isinstance(provider, dict):
            out.problem(where, str(provider), "not a provider")
            continue
        try:
            covered = _covered(provider.get("urlPattern", ""))
        except Unsupported as fault:
            out.problem(where, str(provider.get("urlPattern")), str(fault))
            continue
        excepted, blind = _excepted(provider, where, out)
        _redirections(provider, covered, excepted, where, out)
        if provider.get("completeProvider"):
            out.problem(where, "completeProvider", "blocks requests, and has no other URL to offer")
            continue
        if blind:
            out.problem(where, "exceptions", "an exception that cannot be read: what it is to spare is unknown")
            continue
        for key, target in _LISTS:
            for item in provider.get(key) or []:
                _say(out, covered, excepted, target, item, where)


def _covered(pattern: str) -> list[tuple[str, str | None]]:
    """Hosts, each with the expression that is asked besides."""
    if pattern in _ANY:
        return [("*", None)]
    expression = from_js(pattern)
    found = hosts_of_expression(pattern)
    if found is None:
        return [("*", expression)]
    hosts, only = found
    return [(host, None if only else expression) for host in hosts]


def _excepted(provider: dict[str, Any], where: str, out: RuleFile) -> tuple[tuple[str, ...], bool]:
    """The exceptions as rules write them, and whether one of them cannot be written."""
    made: list[str] = []
    blind = False
    for pattern in provider.get("exceptions") or []:
        try:
            expression = from_js(pattern)
        except Unsupported as fault:
            out.problem(where, pattern, str(fault))
            blind = True
            continue
        hosts, only = hosts_of_expression(pattern) or ([], False)
        item = [f"/{expression}/"] if not only else hosts
        if RuleFile.fault(Row(excepted=tuple(item))):
            out.problem(where, pattern, "an expression that is too large")
            blind = True
            continue
        made += item
    return tuple(dict.fromkeys(made)), blind


def _say(
    out: RuleFile,
    covered: list[tuple[str, str | None]],
    excepted: tuple[str, ...],
    key: str,
    item: str,
    where: str,
) -> None:
    try:
        expression = from_js(item)
    except Unsupported as fault:
        out.problem(where, item, str(fault))
        return
    plain = expression.replace("_", "").replace("-", "").isalnum() and expression.isascii()
    if key != "raw" and item in _ANY and ("*", None) in covered:
        out.problem(where, item, "drops every parameter of every URL")
        return
    said = expression if key == "raw" or plain else f"/{expression}/"
    for host, url in covered:
        out.say(Row(host, url, excepted, fragment=True), key, said, where)


def _redirections(
    provider: dict[str, Any],
    covered: list[tuple[str, str | None]],
    excepted: tuple[str, ...],
    where: str,
    out: RuleFile,
) -> None:
    patterns = provider.get("redirections") or []
    for pattern in patterns:
        if not out.redirections:
            out.problem(where, pattern, "a redirection: it can lead to any host, so it is taken only if asked for")
            continue
        try:
            expression = first_group_alone(from_js(pattern))
        except Unsupported as fault:
            out.problem(where, pattern, str(fault))
            continue
        if not groups(expression):
            out.problem(where, pattern, "a redirection that captures no target")
            continue
        found = hosts_of_expression(pattern)
        hosts = found[0] if found else [host for host, _ in covered]
        urls = dict(covered)
        for host in hosts:
            take = (("match", quoted(expression)), ("decode", '["percent"]'), ("scheme", '"http"'))
            out.redirect(Redirect(host, urls.get(host), excepted, take, where, expression))
