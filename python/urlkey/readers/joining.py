"""References resolved against the base of their document. The one place where readers ask the core."""

from urlkey._native import UrlKeyError, join

__all__ = ["based", "resolved"]


def resolved(base: str | bytes | None, reference: str) -> str | None:
    """The URL of a reference: as it is spelled without a base; None where it cannot be resolved."""
    if base is None:
        return reference
    try:
        return join(base, reference)
    except UrlKeyError:
        return None


def based(outer: str | bytes | None, inner: str | None) -> str | bytes | None:
    """The base that counts inside: `inner` as far as it can be resolved."""
    if not inner:
        return outer
    if outer is not None:
        return resolved(outer, inner) or outer
    return inner if "://" in inner else None
