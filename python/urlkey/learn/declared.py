"""What a site declares of its parameters: No-Vary-Search of its responses, Clean-param of its robots.txt. A declaration
is a reason to expect that a parameter changes nothing, and never one against what was seen. Knows pages; must not know
trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote, unquote_to_bytes

from urlkey.evidence.clean_param import Directive, directive
from urlkey.evidence.no_vary_search import SearchVariance, search_variance
from urlkey.learn.pages import Host, Page

# Of the pages that have a parameter, said of at least.
_SURE = 0.8

__all__ = ["declared"]


def declared(host: Host) -> frozenset[str]:
    """The names of which the site says that they change nothing, on four fifths of the pages that have one. Names are
    compared as the declarations are: with case, decoded. Linear in the pages, where there is a declaration at all."""
    directives = tuple(filter(None, map(_directive, host.said)))
    if not directives and not any(page.varies for page in host.pages):
        return frozenset()
    said: Counter[str] = Counter()
    for page in host.pages:
        said.update([name for name in set(page.names) if _is_said(page, name, directives)])
    return frozenset([name for name, pages in host.names().items() if said[name] >= _SURE * pages > 0])


def _is_said(page: Page, name: str, directives: tuple[Directive, ...]) -> bool:
    spelled = set(_spellings(page, name))
    if page.varies:
        variance = _variance(page.varies)
        if not any(variance.matters(_decoded(one)) for one in spelled):
            return True
    path = page.path + (f"?{'&'.join(page.pairs)}" if page.pairs else "")
    names = {unquote(one) for one in spelled}
    return any(names <= set(map(unquote, one.names)) and one.covers(path) for one in directives)


def _spellings(page: Page, name: str) -> Iterator[str]:
    """The name as the URL writes it; rules compare names without case."""
    for pair, one in zip(page.pairs, page.names, strict=True):
        if one == name:
            yield pair.partition("=")[0]


@cache
def _directive(text: str) -> Directive | None:
    try:
        return directive(text)
    except ValueError:
        return None


@cache
def _variance(header: str) -> SearchVariance:
    return search_variance([header])


def _decoded(text: str) -> str:
    return unquote_to_bytes(text.replace("+", " ")).decode("utf-8", "replace")
