"""Brave's JSON lists: `query-filter.json` and `clean-urls.json` (parameters to drop, by match patterns),
`debounce.json` (the URL inside another one), and the map from a parameter to the sites it is dropped on.

Source: https://github.com/brave/brave-browser/wiki/Debouncing
"""

from __future__ import annotations

import json
import re
from typing import Any

from urlkey.importers.patterns import Where, host_of, match_pattern
from urlkey.importers.regexes import Unsupported, from_js, groups
from urlkey.importers.rulefile import Redirect, Row, RuleFile, name_item, quoted

__all__ = ["read"]

# An exception for these spares no URL of http.
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)[a-z]+://", re.IGNORECASE)

_ACTIONS = ("redirect", "base64,redirect", "regex-path")


def read(text: str, out: RuleFile) -> None:
    """Adds what the list says to `out`."""
    value = json.loads(text)
    if isinstance(value, dict):
        for name, sites in value.items():
            _scoped(name, sites, out)
        return
    for number, rule in enumerate(value, 1):
        where = f"rule {number}"
        if not isinstance(rule, dict) or not isinstance(rule.get("include"), list):
            out.problem(where, json.dumps(rule)[:80], "a rule without include")
        elif "params" in rule:
            _filter(rule, where, out)
        elif "action" in rule:
            _debounce(rule, where, out)
        else:
            out.problem(where, json.dumps(rule)[:80], "a rule with neither params nor action")


def _scoped(name: str, sites: list[Any], out: RuleFile) -> None:
    """A parameter that is dropped on these registrable domains and below."""
    for site in sites:
        host = host_of(site) if isinstance(site, str) and "/" not in site else None
        if host is None or host.startswith("*."):
            out.problem(f"parameter {name}", str(site), "not a site")
        else:
            out.say(Row(f"*.{host}", case=True), "drop", name_item(name), f"parameter {name}")


def _covered(rule: dict[str, Any], where: str, out: RuleFile) -> tuple[list[Where], tuple[str, ...]]:
    """What the rule covers, and what of it is spared: nothing is covered where an exception cannot be read."""
    wheres = []
    for pattern in rule["include"]:
        try:
            wheres.append(match_pattern(pattern))
        except Unsupported as fault:
            out.problem(where, pattern, str(fault))
    excepted = []
    blind = False
    for pattern in rule.get("exclude") or []:
        try:
            spared = match_pattern(pattern)
        except Unsupported as fault:
            out.problem(where, pattern, f"an exception that is {fault}")
            blind = blind or not _OTHER_SCHEME.match(pattern)
            continue
        excepted.append(f"/{spared.url}/" if spared.url else spared.host)
    return [] if blind else list(dict.fromkeys(wheres)), tuple(excepted)


def _filter(rule: dict[str, Any], where: str, out: RuleFile) -> None:
    wheres, excepted = _covered(rule, where, out)
    for covered in wheres:
        for name in rule["params"]:
            out.say(Row(covered.host, covered.url, excepted, case=True), "drop", name_item(name), where)


def _debounce(rule: dict[str, Any], where: str, out: RuleFile) -> None:
    action, param = rule["action"], rule.get("param", "")
    if action not in _ACTIONS:
        out.problem(where, str(action), f"an action that is none of {', '.join(_ACTIONS)}")
        return
    try:
        take = _take(rule, action, param)
    except Unsupported as fault:
        out.problem(where, param, str(fault))
        return
    wheres, excepted = _covered(rule, where, out)
    for covered in wheres:
        if covered.host == "*" and not out.redirections:
            out.problem(where, "include", "a redirection on any host: it is taken only if asked for")
            continue
        expression = from_js(param) if action == "regex-path" else None
        out.redirect(Redirect(covered.host, covered.url, excepted, take, where, expression))


def _take(rule: dict[str, Any], action: str, param: str) -> tuple[tuple[str, str], ...]:
    scheme = rule.get("prepend_scheme")
    if scheme not in (None, "http", "https"):
        raise Unsupported("a scheme to prepend that is neither http nor https")
    last: tuple[tuple[str, str], ...] = (("other_site", "true"),)
    if scheme:
        last = (("prepend", quoted(scheme)), *last)
    if rule.get("pref") == "brave.de_amp.enabled":
        last = (*last, ("kind", '"amp"'))
    if not param:
        raise Unsupported("a redirection that does not say where its target stands")
    if action == "redirect":
        return (("param", quoted(param)), ("decode", '["percent"]'), *last)
    if action == "base64,redirect":
        return (("param", quoted(param)), ("decode", '["percent", "base64"]'), *last)
    expression = f"(?-i:{from_js(param)})"
    captures = len(groups(expression))
    if not 1 <= captures <= 9:
        raise Unsupported("an expression that captures nothing, or more than nine texts")
    template = rule.get("redirect_url")
    if template is None:
        return (("path_match", quoted(expression)), ("decode", '["percent"]'), *last)
    named = set(re.findall(r"\$(\d+)", template))
    if named != {str(number) for number in range(1, captures + 1)}:
        raise Unsupported("a template that does not take what the expression captures")
    return (("path_match", quoted(expression)), ("to", quoted(template)), *last)
