"""Which of the URLs that rules merge are fetched all the same, so that it is seen when a rule no longer holds. Knows
URLs; must not know rules."""

from hashlib import blake2b

# Of the URLs that the rules merge.
SHARE = 0.005

__all__ = ["SHARE", "is_sentinel"]


def is_sentinel(url: str, *, share: float = SHARE, seed: object = "") -> bool:
    """Whether a URL is one of those that are fetched although the rules merge them, told by its hash alone, so that it
    needs no memory. Another seed, as the month, takes others.

    >>> sum(is_sentinel(f"http://a.example/{n}", share=0.1) for n in range(1000))
    102
    """
    text = f"{seed}\n{url}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") < share * 2**64
