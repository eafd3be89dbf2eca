"""Firefox: the records of remote settings for query stripping (`stripList`, `allowList`), and the lists of what
goes when a link is copied (`queryParams`, `topLevelSites`).

Source: https://searchfox.org/mozilla-central/source/toolkit/components/antitracking
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from urlkey.importers.patterns import host_of
from urlkey.importers.rulefile import Row, RuleFile, name_item

__all__ = ["read"]


def read(text: str, out: RuleFile) -> None:
    """Adds what the list says to `out`."""
    records = list(_records(json.loads(text)))
    allowed = _hosts([site for _, record in records for site in record.get("allowList") or []], "allowList", out)
    spared = tuple(dict.fromkeys(f"*.{host.removeprefix('*.')}" for host in allowed))
    for where, record in records:
        for name in _names(record.get("stripList")):
            out.say(Row(excepted=spared), "drop", name_item(name), where)
        names = _names(record.get("queryParams", record.get("params")))
        if not names:
            continue
        sites = record.get("topLevelSites") or (["*"] if where.endswith("global") else [])
        hosts = ["*"] if "*" in sites else _hosts(sites, where, out)
        for host in hosts:
            for name in names:
                out.say(Row(host), "drop", name_item(name), where)


def _records(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records with a name, whether they stand in a list, under `data` or by name."""
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        value = value["data"]
    if isinstance(value, list):
        for number, record in enumerate(value, 1):
            yield f"record {record.get('id') or number}", record
            yield from _inner(record)
    elif any(key in value for key in ("stripList", "allowList", "queryParams")):
        yield "the record", value
    else:
        yield from _inner(value)


def _inner(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, record in value.items():
        if isinstance(record, dict) and any(key in record for key in ("queryParams", "params", "stripList")):
            yield f"record {name}", record


def _names(value: Any) -> list[str]:
    """A list of names, or a text with spaces between, as preferences have it."""
    return value.split() if isinstance(value, str) else list(value or [])


def _hosts(sites: Any, where: str, out: RuleFile) -> list[str]:
    hosts = []
    for site in _names(sites):
        host = host_of(site)
        if host is None:
            out.problem(where, site, "not a site")
        else:
            hosts.append(host)
    return hosts
