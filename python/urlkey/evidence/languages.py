"""Versions in other languages (`hreflang`): each is a page of its own, so naming one is evidence against a merge. Must
not know canonical links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here

__all__ = ["language", "versions"]

# For readers of no listed language.
_NO_LANGUAGE = "x-default"
_LANGUAGE = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*\Z")


def language(code: str) -> str | None:
    """A language code in lower case, `_` read as `-` as pages misspell it. None for what is none."""
    code = code.strip().lower().replace("_", "-")
    return code if _LANGUAGE.match(code) or code == _NO_LANGUAGE else None


def versions(here: Here, listed: Iterable[tuple[str, Here]], own: str | None) -> tuple[Findings, dict[str, Here]]:
    """What (language, URL) pairs say of the page that lists them: evidence against a merge with each version in another
    language, and those versions by key. `own` is the language that the page says it is in, if it does.

    Which of the versions is the page itself is told by the URL: its key; else what most sites answer alike; else the
    path, if one version alone has it. `x-default` names no language and says nothing.

    Source: https://html.spec.whatwg.org/multipage/links.html#rel-alternate
    """
    told = Telling()
    languages: dict[str, set[str]] = {}
    pages: dict[str, Here] = {}
    for code, there in listed:
        known = language(code)
        if known is None:
            told += refusal("hreflang", here.href, there.href, "no-language", code[:40])
        else:
            languages.setdefault(there.key, set()).add(known)
            pages.setdefault(there.key, there)
    itself = _itself(here, pages)
    speaks = set().union(*(languages[key] for key in itself)) - {_NO_LANGUAGE}
    apart: dict[str, Here] = {}
    for key, there in pages.items():
        spoken = languages[key] - {_NO_LANGUAGE}
        if key in itself or not spoken or there.key == here.key or _may_be_same(spoken, speaks, own):
            continue
        apart[key] = there
        told += evidence("hreflang", here.href, there.href, f"hreflang {', '.join(sorted(spoken))}")
    return told.findings(), apart


def _itself(here: Here, pages: Mapping[str, Here]) -> set[str]:
    """The keys of those versions that are the page."""
    if here.key in pages:
        return {here.key}
    same = {key for key, there in pages.items() if here.is_variant(there)}
    if not same:
        path = here.loose.host, here.loose.path
        same = {key for key, there in pages.items() if (there.loose.host, there.loose.path) == path}
    return same if len(same) == 1 else set()


def _may_be_same(spoken: set[str], speaks: set[str], own: str | None) -> bool:
    """Whether a version may be in the page's own language."""
    if speaks:
        return not spoken.isdisjoint(speaks)
    # What `lang` says is less exact: en may be en-GB.
    return own is not None and any(code.partition("-")[0] == own.partition("-")[0] for code in spoken)
