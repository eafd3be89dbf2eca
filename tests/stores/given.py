"""URLs that stores are given, and what they must hold then."""

from urlkey.store import Store

A, A2 = "http://a.example/?b=1&a=2", "http://a.example/?a=2&b=1#top"
A_KEY = "http://a.example/?a=2&b=1"
B = "http://b.example/"
BAD = "http://b.example:x/"


def content(store: Store) -> dict[str, tuple]:
    """All that is known of each key, without the order of spellings."""
    return {
        entry.key: (
            frozenset((spelling.text, spelling.count, spelling.first, spelling.last) for spelling in entry.spellings),
            entry.fetch,
            entry.representative,
        )
        for entry in store
    }


def naive(urls, policy, time=100):
    """The same of a list of URLs, the slow way."""
    found: dict[str, dict] = {}
    for url, key in zip(urls, policy.keys(urls, on_error="null"), strict=True):
        if key is not None:
            spelled = found.setdefault(key, {})
            spelled[url] = spelled.get(url, 0) + 1
    return {
        key: (frozenset((text, count, time, time) for text, count in spelled.items()), None, key)
        for key, spelled in found.items()
    }
