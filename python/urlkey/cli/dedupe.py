"""`urlkey dedupe`: one line of each key, in order. Files are read here and the
lines judged in the core; a row of csv or JSON stays as it is, byte for byte."""

import argparse
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TypeVar

from urlkey.cli.app import Failure
from urlkey.cli.messages import shown, visible, warn
from urlkey.cli.options import add_page, add_policy, add_secrets, page_of, policy_of
from urlkey.cli.output import Output, identity
from urlkey.cli.progress import progress
from urlkey.cli.tables import Groups, Rejects
from urlkey.readers import FORMATS, format_of
from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import Delimited
from urlkey.readers.jsonl import JsonLines
from urlkey.readers.lines import without_bom

EPILOG = """\
Every line is in the output, in a group, or in the rejects. Exact; needs about 26
bytes of memory a key, unless --report, --groups or --keep ask for more.
Files may be compressed (gzip, Zstandard). Texts in --groups and --rejects are
tab-separated (a backslash is \\\\, a line end \\n), or JSON lines if the name ends
with .jsonl.
example: urlkey dedupe urls.txt.gz -o distinct.txt --report"""

_REPORT = """\
say what each rung merged, with examples: on standard error, with -o on standard
output; --report=FILE writes a file, JSON if its name ends with .json"""

# Rows that go to the core together.
_ROWS = 2048
_GROUPS = 4096
_CHUNK = 1 << 20
# What a reader can find wrong with a row; the rest are codes of the core.
_PROBLEMS = {
    "bad-row": "the row cannot be split into cells, or a quote in it is not closed",
    "bad-json": "the line is no JSON",
    "missing-column": "the row has no such column",
    "not-text": "the column holds no text",
    "surrogate": "a lone surrogate, which no UTF-8 text can hold",
    "cut-off": "the compressed file is broken here",
}

# Number of the line, code, byte offset, message, text.
_Reject = tuple[int, str, int | None, str, bytes]
# URL, row, number of the line: as the core takes them.
_Rows = list[tuple[bytes, bytes, int]]
_Table = TypeVar("_Table", Groups, Rejects)

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="*", metavar="FILE", help="without any, or for -, standard input")
    command.add_argument("-o", "--output", default="-", metavar="FILE", help="instead of standard output")
    command.add_argument(
        "--keep",
        choices=("first", "shortest", "https"),
        default="first",
        help="which spelling stands for its group, at the place of the first; default first",
    )
    command.add_argument("--strict", action="store_true", help="exit status 1 if a line has no key")
    command.add_argument("-q", "--quiet", action="store_true", help="no progress and no warnings about lines")
    _add_formats(command.add_argument_group("input"))
    _add_reports(command.add_argument_group("what became of the lines"))
    add_policy(command)
    add_page(command)
    add_secrets(command)


def _add_formats(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--format", choices=FORMATS, help="instead of what the file's name says")
    group.add_argument(
        "-c",
        "--column",
        metavar="NAME|NUMBER|PATH",
        help="where the URLs are: a column's name or number from 1; in JSON a key or a dotted path",
    )
    group.add_argument("--delimiter", metavar="CHAR", help="between cells; default a comma, in tsv a tab")
    group.add_argument("--no-header", action="store_true", help="the first row is data")
    group.add_argument("-0", "--null", action="store_true", help="lines end with NUL, in and out")


def _add_reports(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--report", action="store_true", help=_REPORT)
    group.add_argument("--report-file", metavar="FILE", help="the same as --report=FILE")
    group.add_argument("--groups", metavar="FILE", help="write every spelling of every key")
    group.add_argument("--rejects", metavar="FILE", help="write the lines that have no key: line, code, text")


def run(args: argparse.Namespace) -> int:
    files = args.files or ["-"]
    form = _one_format(args, files)
    args.report = args.report or args.report_file is not None
    _check_targets(args, files)
    with ExitStack() as stack:
        job = _Job(args, form, stack)
        for path in files:
            job.read(path)
        job.finish()
    job.tell()
    return 2 if job.broken else int(args.strict and job.totals["rejected"] > 0)


def _one_format(args: argparse.Namespace, files: list[str]) -> str:
    """The format of all the files: their rows end up in one."""
    forms = {args.format or format_of(path) for path in files}
    if len(forms) > 1:
        raise Failure(f"files of one format at a time, not {' and '.join(sorted(forms))}; see --format")
    form = forms.pop()
    delimited = form in ("csv", "tsv")
    for given, name, fits in (
        (args.column, "--column", form != "txt"),
        (args.delimiter, "--delimiter", delimited),
        (args.no_header, "--no-header", delimited),
        (args.null, "--null", form == "txt"),
    ):
        if given and not fits:
            raise Failure(f"{name} says nothing about {form}; see --format")
    if args.delimiter is not None and (len(args.delimiter) != 1 or args.delimiter in '"\r\n'):
        raise Failure("--delimiter takes one character, and no quote or line end")
    return form


def _check_targets(args: argparse.Namespace, files: list[str]) -> None:
    """Nothing is written twice, or over what is read; `-o` alone may: it has the same lines."""
    beside = [identity(path) for path in (args.groups, args.rejects, args.report_file) if path is not None]
    targets = [identity("/dev/stdout" if args.output == "-" else args.output), *beside]
    if len(targets) != len(set(targets)):
        raise Failure("output, groups, rejects and report need a file each")
    if not set(beside).isdisjoint(identity("/dev/stdin" if path == "-" else path) for path in files):
        raise Failure("groups, rejects and report must not be written over a file that is read")


class _Places:
    """From the number of a line over all files to file and line."""

    def __init__(self, files: int) -> None:
        self._many = files > 1
        self._starts: list[int] = []
        self._names: list[str] = []

    def begin(self, name: str, lines_before: int) -> None:
        self._starts.append(lines_before)
        self._names.append(name)

    def __call__(self, number: int) -> tuple[str, int]:
        index = bisect_right(self._starts, number - 1) - 1
        return self._names[index], number - self._starts[index]

    def short(self, number: int) -> str:
        """The line, with the file before it if there is more than one."""
        file, line = self(number)
        return f"{file}:{line}" if self._many else str(line)


class _Job:
    def __init__(self, args: argparse.Namespace, form: str, stack: ExitStack) -> None:
        from urlkey._native import Dedupe

        self.args, self.form = args, form
        self.policy = policy_of(args)
        self.core = Dedupe(
            self.policy,
            keep=args.keep,
            report=args.report,
            groups=args.groups is not None,
            rejects=-1 if args.rejects else 1,
            end=b"\0" if args.null else b"\n",
            **page_of(args),
        )
        self.place = _Places(len(args.files))
        self.broken: list[str] = []
        self.totals = self.core.totals
        self._first_reject: _Reject | None = None
        self._first_url: bytes | None = None
        self._header: bytes | None = None
        self._lines_before = 0
        self._output = stack.enter_context(Output(args.output))
        self._rejects = self._table(Rejects, args.rejects, stack)
        self._groups = self._table(Groups, args.groups, stack)

    def _table(self, table: type[_Table], path: str | None, stack: ExitStack) -> _Table | None:
        return None if path is None else table(stack.enter_context(Output(path)), path, self.place)

    def read(self, path: str) -> None:
        self.place.begin("standard input" if path == "-" else path, self._lines_before)
        with Blocks(path) as blocks:
            self._show = progress(blocks.size, quiet=self.args.quiet)
            try:
                lines = self._whole_lines if self.form == "txt" else self._rows
                self._lines_before += lines(blocks)
            finally:
                self._show.close()
            if blocks.broken:
                self.broken.append(path)
                warn(f"{visible(path)}: {blocks.broken}; the lines before it were read")

    def _whole_lines(self, blocks: Blocks) -> int:
        before = self.core.totals["lines"]
        for block in without_bom(blocks):
            self._lines(self.core.feed(block))
            self._show(blocks.position, self.core.totals["lines"])
        if blocks.broken:
            cut = self.core.take_cut()
            self._unreadable([(self.core.totals["lines"] + 1, "cut-off", cut)] if cut else [])
        else:
            self._lines(self.core.end_file())
        return self.core.totals["lines"] - before

    def _rows(self, blocks: Blocks) -> int:
        reader = self._reader(blocks)
        good: _Rows = []
        bad: list[tuple[int, str, bytes]] = []
        for number, row, url, problem in reader:
            number += self._lines_before
            if not row.endswith(b"\n"):
                if blocks.broken:
                    problem = "cut-off"
                row += b"\n"
            if problem is None and url is not None:
                good.append((url, row, number))
            else:
                bad.append((number, problem or "missing-column", row))
            if len(good) + len(bad) >= _ROWS:
                self._judge(good, bad)
                good, bad = [], []
                self._show(blocks.position, self.core.totals["lines"])
        self._judge(good, bad)
        return reader.lines

    def _judge(self, good: _Rows, bad: Sequence[tuple[int, str, bytes]]) -> None:
        kept = self.core.feed_rows(good)
        if kept:
            self._output.write(kept)
        before = self._first_reject
        self._unreadable(bad)
        if before is None and self._first_reject is not None:
            # Only a URL can be shown without its secrets, not the row around it.
            number = self._first_reject[0]
            self._first_url = next((url for url, _, line in good if line == number), None)

    def _reader(self, blocks: Blocks) -> Delimited | JsonLines:
        args = self.args
        name = visible(blocks.path)
        if self.form == "jsonl":
            return JsonLines(blocks, column=args.column)
        delimiter = args.delimiter or ("\t" if self.form == "tsv" else ",")
        reader = Delimited(blocks, name=name, column=args.column, delimiter=delimiter, headless=args.no_header)
        if reader.header is not None:
            self._keep_header(reader.header.rstrip(b"\r\n"), reader.header, name)
        return reader

    def _keep_header(self, header: bytes, row: bytes, name: str) -> None:
        """The first file's header begins the output; the others must have the same."""
        header = header.removeprefix(b"\xef\xbb\xbf")
        if self._header is None:
            self._header = header
            self._output.write(row if row.endswith(b"\n") else row + b"\n")
        elif header != self._header:
            raise Failure(f"{name}: the header is another than that of the first file")

    def _lines(self, kept: bytes) -> None:
        if kept:
            self._output.write(kept)
        self._unreadable(())

    def _unreadable(self, bad: Sequence[tuple[int, str, bytes]]) -> None:
        """Notes the rejects of the core and these of a reader, in order."""
        rejects: list[_Reject] = list(self.core.take_rejects())
        if bad:
            self.core.add_unreadable(len(bad))
            rejects += [(number, problem, None, _PROBLEMS[problem], row) for number, problem, row in bad]
            rejects.sort(key=lambda reject: reject[0])
        if rejects and self._first_reject is None:
            self._first_reject = rejects[0]
        if self._rejects is not None:
            for number, code, at, message, text in rejects:
                self._rejects.add(number, code, at, message, _without_end(text))

    def finish(self) -> None:
        while held_back := self.core.drain(_CHUNK):
            self._output.write(held_back)
        if self._groups is not None:
            for start in range(0, self.core.group_count(), _GROUPS):
                for key, spellings in self.core.groups(start, _GROUPS):
                    self._groups.add(key, spellings)
        self.totals = self.core.totals

    def tell(self) -> None:
        """The report, and what a person should know about lines without a key."""
        args, totals = self.args, self.totals
        if args.report:
            from urlkey.cli.report import write

            write(self.core.report(), totals, self.policy, args)
        if self._first_reject is not None and not args.quiet:
            number, code, _, message, text = self._first_reject
            kept = "" if args.rejects else "; --rejects FILE keeps them"
            warn(f"{totals['rejected']:,} of {totals['lines']:,} lines have no key{kept}")
            file, line = self.place(number)
            url = text if self.form == "txt" or args.show_secrets else self._first_url
            told = "" if url is None else f": {shown(_without_end(url), secrets=args.show_secrets)}"
            warn(f"the first: {visible(file)}:{line}: {code}: {message}{told}")


def _without_end(row: bytes) -> bytes:
    return row.removesuffix(b"\n").removesuffix(b"\r")
