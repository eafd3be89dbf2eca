"""Bodies of HTTP messages, freed of what they were sent in: chunks, gzip, deflate, Brotli (of the extra `warc`).
Must not know where a message was kept.

Source: https://www.rfc-editor.org/rfc/rfc9110#name-content-codings
"""

import zlib

_PIECE = 1 << 20

__all__ = ["decoded"]


def decoded(body: bytes, headers: tuple[tuple[str, str], ...], limit: int) -> tuple[bytes, str | None, str | None]:
    """A body freed of chunks, gzip and deflate; the coding that is left, and `limit` or `broken` where it is cut.

    Archives often hold bodies that were freed before they were written: what is no chunk or no gzip stays.
    """
    told = {name.lower(): value for name, value in headers}
    if "chunked" in told.get("transfer-encoding", "").lower():
        body = _unchunked(body)
    codings = [each.strip().lower() for each in told.get("content-encoding", "").split(",") if each.strip()]
    while codings and codings[-1] in ("gzip", "x-gzip", "deflate", "br", "identity"):
        coding = codings.pop()
        if coding == "identity" or not body:
            continue
        if coding in ("gzip", "x-gzip") and not body.startswith(b"\x1f\x8b"):
            continue
        body, fault = _brotli(body, limit) if coding == "br" else _inflated(body, coding, limit)
        if fault is not None:
            return body, ",".join(codings) or None, fault
    return body, ",".join(codings) or None, None


def _unchunked(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while (end := body.find(b"\r\n", at, at + 1024)) >= 0:
        try:
            size = int(body[at:end].partition(b";")[0].strip(), 16)
        except ValueError:
            break
        if size <= 0:
            return b"".join(parts)
        parts.append(body[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return b"".join(parts) if parts else body


def _brotli(body: bytes, limit: int) -> tuple[bytes, str | None]:
    """Brotli is there where FastWARC is. A body that is none was freed before it was written: nothing marks Brotli."""
    import brotli

    stream = brotli.Decompressor()
    parts: list[bytes] = []
    try:
        piece = stream.process(body, output_buffer_limit=_PIECE)
        size = len(piece)
        while piece:
            parts.append(piece)
            if size > limit:
                break
            piece = stream.process(b"", output_buffer_limit=_PIECE)
            size += len(piece)
    except brotli.error:
        return (b"".join(parts), "broken") if parts else (body, None)
    plain = b"".join(parts)
    if size > limit:
        return plain[:limit], "limit"
    return plain, None if stream.is_finished() else "broken"


def _inflated(body: bytes, coding: str, limit: int) -> tuple[bytes, str | None]:
    # Deflate is sent with zlib's frame, as it must be, and without, as it often is.
    raw = coding == "deflate" and not (body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0)
    stream = zlib.decompressobj(wbits=-15 if raw else 47)
    try:
        plain = stream.decompress(body, limit)
    except zlib.error:
        return body, "broken"
    if stream.unconsumed_tail:
        return plain, "limit"
    return plain, None if stream.eof else "broken"
