"""Text for eyes: secrets out, controls made visible, length bounded. Everything
that a person reads goes through here, on a terminal or in a report; data do not."""

_LONGEST = 300

__all__ = ["shown", "visible"]


def visible(text: str) -> str:
    """The text with everything escaped that would move, colour or hide text.

    >>> visible("a\\x1b[31m\\u202eb\\n")
    'a\\\\x1b[31m\\\\u202eb\\\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    # A byte that was no UTF-8 came in as a lone surrogate: show the byte.
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def shown(url: str | bytes, *, secrets: bool = False, longest: int = _LONGEST) -> str:
    """A URL, str or bytes, for a terminal or a report."""
    from urlkey._native import redact

    text = url if isinstance(url, str) else url.decode("utf-8", "surrogateescape")
    if not text.isascii():
        text = "".join(_escaped(c) if "\ud800" <= c <= "\udfff" else c for c in text)
    text = visible(text if secrets else redact(text))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
