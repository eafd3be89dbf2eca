"""Files that people have, read as URLs: one reader a file. A reader knows how
its format is written; it must not know keys, policies or the command line.

`blocks` undoes gzip and Zstandard, `lines` is plain text, `delimited` is csv and
tsv, `jsonl` is one JSON value a line.
"""

from pathlib import PurePath

FORMATS = ("txt", "csv", "tsv", "jsonl")

_BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".jl": "jsonl",
}
_COMPRESSED = (".gz", ".zst", ".zstd")

# Number of the row's first line, its bytes, the URL's bytes or None, and why there is none.
Row = tuple[int, bytes, bytes | None, str | None]

__all__ = ["FORMATS", "ReadError", "Row", "format_of"]


class ReadError(Exception):
    """A file that cannot be read as what it is said to be."""


def format_of(path: str) -> str:
    """The format that a file's name promises, compression aside; `txt` if it promises none.

    >>> format_of("crawl.CSV.gz"), format_of("-")
    ('csv', 'txt')
    """
    file = PurePath(path.lower())
    if file.suffix in _COMPRESSED:
        file = file.with_suffix("")
    return _BY_SUFFIX.get(file.suffix, "txt")
