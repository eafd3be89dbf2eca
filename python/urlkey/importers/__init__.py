"""Public lists of tracking parameters, made into rule files that a person reads: one importer a format, from
text that the user has to `[[site]]` and `[[redirect]]` rows. Fetches nothing; must not know how rules are matched.

What a list says and a rule file cannot is a `Problem`, with the line or the place in the list.

>>> from urlkey.importers import convert
>>> made = convert("||shop.example^$removeparam=ref\\n*$removeparam=gclid,app=x\\n", "adguard", name="my list")
>>> made.rows, [(problem.where, problem.why) for problem in made.problems]
(1, [('line 2', 'app: depends on the program that asks')])
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from urlkey.importers.rulefile import Made, Problem, RuleFile

FORMATS = ("clearurls", "adguard", "brave", "firefox")

__all__ = ["FORMATS", "Made", "NotAList", "Problem", "convert", "sniff"]


class NotAList(ValueError):
    """A text that is none of the formats, or not the one that was asked for."""


def sniff(text: str) -> str:
    """The format of a list, told by what only it has. Raises NotAList.

    >>> from urlkey.importers import sniff
    >>> sniff('{"providers": {}}'), sniff("! Title: x\\n$removeparam=gclid")
    ('clearurls', 'adguard')
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise NotAList("JSON that is nested too deep") from None
    except ValueError:
        if any(word in text for word in ("removeparam", "queryprune")):
            return "adguard"
        raise NotAList("neither JSON nor a filter list with $removeparam") from None
    if isinstance(value, dict) and isinstance(value.get("providers"), dict):
        return "clearurls"
    if _is_firefox(value):
        return "firefox"
    if _is_brave(value):
        return "brave"
    raise NotAList(f"JSON, but of none of the formats {', '.join(FORMATS)}")


def _is_firefox(value: Any) -> bool:
    records = value.get("data") if isinstance(value, dict) and isinstance(value.get("data"), list) else value
    records = records if isinstance(records, list) else [records]
    named = ("stripList", "allowList", "queryParams", "topLevelSites")
    if any(isinstance(record, dict) and any(key in record for key in named) for record in records):
        return True
    inner = [each for record in records if isinstance(record, dict) for each in record.values()]
    return any(isinstance(each, dict) and ("queryParams" in each or "params" in each) for each in inner)


def _is_brave(value: Any) -> bool:
    if isinstance(value, list):
        return not value or any(isinstance(row, dict) and "include" in row for row in value)
    return isinstance(value, dict) and all(isinstance(sites, list) for sites in value.values())


def convert(
    text: str,
    format: str | None = None,
    *,
    name: str = "",
    date: str | None = None,
    redirections: bool = False,
    keep_lines: bool = True,
) -> Made:
    """The rule file that says what a list says, and what it could not say.

    `format` is one of FORMATS, or None to tell it by the text. `name` and `date` (as 2026-11-30) go into
    the rows. `redirections` takes rules that rewrite whole URLs too: they can lead to any host.
    Raises NotAList for a text that is not of the format. Linear in the text.

    >>> from urlkey.importers import convert
    >>> made = convert('{"data": [{"stripList": ["mc_eid"], "allowList": ["shop.example"]}]}')
    >>> made.format, made.rows, "mc_eid" in made.text
    ('firefox', 1, True)
    """
    text = text.removeprefix("\ufeff")
    format = sniff(text) if format is None else format
    if format not in FORMATS:
        raise NotAList(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    out = RuleFile(format, name or format, date, redirections=redirections, keep_lines=keep_lines)
    read: Callable[[str, RuleFile], None] = import_module(f"urlkey.importers.{format}").read
    try:
        read(text, out)
    except (json.JSONDecodeError, RecursionError) as fault:
        raise NotAList(f"not of the format {format}: {fault}") from fault
    except (AttributeError, KeyError, TypeError) as fault:
        raise NotAList(f"not of the format {format}: a member is missing or of another type") from fault
    return out.made()
