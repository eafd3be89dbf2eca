"""URLs for the tests of columns: changed and unchanged, short and long, bad ones, nulls."""

from hypothesis import strategies as st

import urlkey

ROWS = [
    "http://a.example/",  # its own key
    "HTTP://A.example:80/?b&a&utm_source=x#top",
    None,
    "nonsense",
    "",
    "http://exämple.example/é?ü#ß",
    "http://example.com:70000/",
    "a:b",  # 12 bytes and fewer stand in the view itself
    "http://a.b/",
    "http://a.bc/",
    "http://a.bcd/",
    "http://a.example/" + "x" * 300 + "?b&a",
    "https://user:secret@www.example.co.uk/a/../b?X-Amz-Signature=" + "0" * 64,
]


def key(url: str | bytes | None) -> str | None:
    """What stands in a column for one URL."""
    return None if url is None else urlkey.keys([url], on_error="null")[0]


def keys(urls):
    """What a column of keys holds."""
    return [key(url) for url in urls]


PIECES = st.sampled_from(
    ["http://", "HTTPS://", "a.example", "ü", "/", "/../", "?", "b&a", "&utm_id=1", "#x", "%41", ":80"]
)
URLS = st.one_of(
    st.sampled_from(ROWS),
    st.none(),
    st.lists(PIECES, max_size=12).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)
COLUMNS = st.lists(URLS, max_size=40)
