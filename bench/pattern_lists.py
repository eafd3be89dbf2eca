"""Block lists in the formats of products, for the part `patterns`: some hosts of the corpora, and made-up ones that no
corpus names, so that a longer list finds the same."""

from functools import cache

# Hosts that the corpora have, with and without a path: what a list finds.
NAMED = [
    *("google.com", "facebook.com", "twitter.com", "youtube.com", "wordpress.com", "blogspot.com", "amazon.com"),
    *("wikipedia.org", "github.com", "linkedin.com", "pinterest.com", "instagram.com", "bbc.co.uk", "apple.com"),
]
# Lines of a dialect for a host, alone and with the beginning of a path.
LINES = {
    "chrome": ("{host}", "https://{host}:443/{path}?id={n}"),
    "squid-dstdomain": (".{host}", "{host}"),
    "zscaler": (".{host}", "{host}/{path}/"),
    "netskope": ("*.{host}", "{host}/{path}"),
    "pan-os": ("*.{host}", "{host}/{path}/"),
    "secure-web-proxy": ("*{host}", "{host}/{path}/*"),
}
EXPRESSIONS = ("^https?://([^/]+\\.)?{host}(/|$)", "/{path}/.*[?&]id={n}(&|$)")


def lines(dialect, count):
    """So many lines: the named hosts, then others: below made-up domains and below the named ones."""
    forms = EXPRESSIONS if dialect == "squid-url_regex" else LINES[dialect]
    for n in range(count):
        above = NAMED[n % len(NAMED)] if n % 3 else f"bad{n % 997}.example"
        host = NAMED[n] if n < len(NAMED) else f"h{n}.{above}"
        if forms is EXPRESSIONS:
            host = host.replace(".", "\\.")
        yield forms[n >= len(NAMED) and n % 2].format(host=host, path=f"p{n % 89}", n=n)


@cache
def listed(dialect, count):
    """The set, built once."""
    from urlkey.systems.gateway.patterns import PatternSet

    made = PatternSet(dialect, lines(dialect, count))
    assert (len(made), made.errors) == (count, ())
    return made


def matches(dialect, count):
    """The function that asks a list about URLs, None in the row of what is no URL."""
    made = listed(dialect, count)

    def run(urls):
        rows = made.match_many(urls, on_error="error")
        return [None if isinstance(row, ValueError) else row is not None for row in rows]

    return run
