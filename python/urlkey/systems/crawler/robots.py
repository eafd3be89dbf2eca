"""Whose robots.txt a URL falls under."""

import urlkey

__all__ = ["robots_key", "robots_url"]


def robots_key(url: str | bytes) -> str | None:
    """Scheme, host and port of a URL, which share one robots.txt: an origin such as `https://a.example:8443`. A default
    port is left out; `http` and `https`, and two subdomains, are two. None for a URL that is not http or https. Raises
    UrlKeyError for what is no URL.

    Source: https://www.rfc-editor.org/rfc/rfc9309#section-2.3

    >>> robots_key("HTTP://Example.com:80/a?b"), robots_key("https://example.com:8443/")
    ('http://example.com', 'https://example.com:8443')
    """
    parsed = urlkey.parse(url)
    return parsed.origin if parsed.scheme in ("http", "https") else None


def robots_url(url: str | bytes) -> str | None:
    """The robots.txt that a crawler reads before it requests a URL; None and errors as of `robots_key`.

    Source: https://www.rfc-editor.org/rfc/rfc9309#section-2.3

    >>> robots_url("https://user@example.com/a/b?c#d")
    'https://example.com/robots.txt'
    """
    key = robots_key(url)
    return key and f"{key}/robots.txt"
