"""Files that people have, read as URLs: one reader a file. A reader knows how
its format is written; it must not know keys, policies or the command line.

`read` is the way in, `formats` the one list of what there is. `blocks` undoes
compression, `lines` is plain text, `delimited` is csv and tsv, `jsonl` is one
JSON value a line; each of the others stands in the list with its module.
"""

from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.formats import FORMATS, ROW_FORMATS, Format, format_of, sniff
from urlkey.readers.limits import Limits
from urlkey.readers.reading import Rows, read
from urlkey.readers.rows import PROBLEMS, Row

__all__ = [
    "FORMATS",
    "PROBLEMS",
    "ROW_FORMATS",
    "Format",
    "LimitError",
    "Limits",
    "ReadError",
    "Row",
    "Rows",
    "format_of",
    "read",
    "sniff",
]
