"""What a template leaves where it was not filled in. Must not know who named the URL, nor which page is asked."""

from __future__ import annotations

import re
from urllib.parse import unquote

from urlkey._native import Url

__all__ = ["is_placeholder", "placeholders"]

# No URL has these for another reason. `}}` ends JSON too, which has begun with a brace then, and `<?xml` begins XML.
_ANYWHERE = re.compile(r"\{\{|^[^{]*\}\}|\$\{|<%|<\?(?!xml\b)|\[object |%%\w+%%", re.ASCII)
# `#` alone is a link to nowhere.
_NOTHING = frozenset(["undefined", "null", "none", "nan", "false", "true", "#", "[object object]"])
# The same where a template put it into a path; other words may be names there.
_NOTHING_AS_SEGMENT = frozenset(["undefined", "null", "nan"])
# URLs have these in the middle of names. All there is of a reference, a host, a segment or a value, they are a
# template's: `[[url]]`, `[slug]`, `[...slug]`, `[% url %]`; `{0}`, `{url}`, `{% url %}`, `#{url}`; `%s`, `%1$s`,
# `%(url)s`, `%URL%`; `$(url)`; `<url>`.
_NAME = r"\s*[a-z_][\w.]*\s*"
_WHOLE = re.compile(
    rf"\[\[(?!\[)[^\[\]]*\]\]|\[(?:\.\.\.)?{_NAME}\]|\[%[^%]*%\]|#?\{{(?:[0-9]{{1,2}}|{_NAME})\}}|\{{%[^%]*%\}}"
    rf"|%(?:[0-9]\$)?[sd]|%\({_NAME}\)[sd]|%[a-z_]+%|\$\({_NAME}\)|<{_NAME}>",
    re.ASCII | re.IGNORECASE,
)
_AUTHORITY = re.compile(r"(?:https?:)?//([^/?#]+)", re.IGNORECASE)


def is_placeholder(reference: str) -> bool:
    """Whether a reference as it is spelled, escaped or not, was not filled in: with what only templates have, or with
    nothing but a name of theirs, or such a name for a host.

    >>> [is_placeholder(text) for text in ("[[url]]", "%25s", "https://{host}/x", "/50%sale", "/a/[[b]]c")]
    [True, True, True, False, False]
    """
    for text in (reference, unquote(reference)):
        authority = _AUTHORITY.match(text)
        if text.lower() in _NOTHING or _ANYWHERE.search(text) or _WHOLE.fullmatch(text):
            return True
        if authority and _WHOLE.fullmatch(authority[1]):
            return True
    return False


def placeholders(url: Url) -> frozenset[str]:
    """The segments and values of parameters that were not filled in, in small letters. Some pages do have such names:
    that a page with another one leads there is what shows the mistake."""
    segments = {unquote(segment).lower() for segment in url.path.split("/")}
    values = {unquote(field.partition("=")[2]).lower() for field in (url.query or "").split("&")}
    found = {text for text in segments | values if _WHOLE.fullmatch(text)}
    return frozenset(found | _NOTHING_AS_SEGMENT.intersection(segments))
