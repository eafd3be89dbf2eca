"""What `urlkey dedupe` does with its files: reads them, hands lines to the core, and
writes what comes back. Must not know which options there are beyond their values."""

import argparse
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

from urlkey.cli.app import Failure
from urlkey.cli.columnar import COLUMNAR, Columnar, row_of, url_in
from urlkey.cli.inputs import Inputs, as_line
from urlkey.cli.messages import shown, visible, warn
from urlkey.cli.options import page_of, policy_of
from urlkey.cli.output import Output
from urlkey.cli.progress import progress
from urlkey.cli.scratch import bounds_of
from urlkey.cli.tables import Groups, Rejects
from urlkey.readers import PROBLEMS, ReadError
from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import Delimited
from urlkey.readers.jsonl import JsonLines
from urlkey.readers.limits import LIMITS
from urlkey.readers.lines import without_bom
from urlkey.readers.unicode import as_utf8

# Rows that go to the core together.
_ROWS = 2048
_GROUPS = 4096
_CHUNK = 1 << 20
# Longer texts are not shown: only in a whole URL it is known what must not be seen.
_LONGEST = 1 << 16
# Number of the line, code, byte offset, message, text.
_Reject = tuple[int, str, int | None, str, bytes]
# URL, row, number of the line: as the core takes them.
_Rows = list[tuple[bytes, bytes, int]]
_Table = TypeVar("_Table", Groups, Rejects)

__all__ = ["Job"]


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


class Job:
    """One run over all files, from `read` of each to `finish` and `tell`."""

    def __init__(self, args: argparse.Namespace, form: str, inputs: Inputs, stack: ExitStack) -> None:
        from urlkey._native import Dedupe

        self.args, self.form, self.inputs = args, form, inputs
        self.policy = policy_of(args)
        self.core = Dedupe(
            self.policy,
            keep=args.keep,
            report=args.report,
            groups=args.groups is not None,
            rejects=-1 if args.rejects else 1,
            end=b"\0" if args.null else b"\n",
            **page_of(args),
            **bounds_of(args),
        )
        self.place = _Places(len(args.files))
        self.broken: list[str] = []
        self.totals = self.core.totals
        self._first_reject: _Reject | None = None
        self._first_url: bytes | None = None
        self._header: bytes | None = None
        self._lines_before = 0
        self._output = stack.enter_context(Output(args.output))
        self._write: Callable[[bytes], object] = self._output.write
        self._columnar: Columnar | None = None
        if form in COLUMNAR:
            self._columnar = Columnar(form, args.column, self._output)
            self._write = self._columnar.keep
        self._rejects = self._table(Rejects, args.rejects, stack)
        self._groups = self._table(Groups, args.groups, stack)

    def _table(self, table: type[_Table], path: str | None, stack: ExitStack) -> _Table | None:
        return None if path is None else table(stack.enter_context(Output(path)), path, self.place)

    def read(self, path: str) -> None:
        self.place.begin("standard input" if path == "-" else path, self._lines_before)
        with self.inputs.open(path) as blocks:
            self._show = progress(blocks.size, quiet=self.args.quiet)
            try:
                ways = {"txt": self._whole_lines, "records": self._records, **dict.fromkeys(COLUMNAR, self._columns)}
                lines = ways.get(self.form, self._rows)
                self._lines_before += lines(blocks)
            finally:
                self._show.close()
            if blocks.broken:
                self.broken.append(path)
                warn(f"{visible(path)}: {visible(blocks.broken)}; the lines before it were read")

    def _whole_lines(self, blocks: Blocks) -> int:
        before = self.core.totals["lines"]
        for block in self._bounded(without_bom(as_utf8(blocks))):
            self._lines(self.core.feed(block))
            self._show(blocks.position, self.core.totals["lines"])
        if blocks.broken:
            cut = self.core.take_cut()
            self._unreadable([(self.core.totals["lines"] + 1, "cut-off", cut)] if cut else [])
        else:
            self._lines(self.core.end_file())
        return self.core.totals["lines"] - before

    def _bounded(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The blocks, less what is in lines longer than a line may be: those are rejects, with their beginning."""
        end = b"\0" if self.args.null else b"\n"
        begun = 0
        for block in blocks:
            last = block.rfind(end)
            if begun > LIMITS.line:
                if last < 0:
                    continue
                block = block[block.find(end) + 1 :]
                last = block.rfind(end)
                begun = 0
            begun = begun + len(block) if last < 0 else len(block) - last - 1
            if begun > LIMITS.line:
                text = self.core.take_cut()[:_LONGEST]
                self._unreadable([(self.core.totals["lines"] + 1, "long-line", text)])
            elif block:
                yield block

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

    def _records(self, blocks: Blocks) -> int:
        """Feeds the records of any format, each as the line of its URL."""
        end = b"\0" if self.args.null else b"\n"
        good: _Rows = []
        bad: list[tuple[int, str, bytes]] = []
        number = 0
        try:
            for row in self.inputs.rows(blocks):
                number = max(number, row.number)
                if row.url is None:
                    bad.append((self._lines_before + row.number, row.problem or "missing-url", row.text + b"\n"))
                else:
                    url = row.data
                    good.append((url, as_line(url, end), self._lines_before + row.number))
                if len(good) + len(bad) >= _ROWS:
                    self._judge(good, bad)
                    good, bad = [], []
                    self._show(blocks.position, self.core.totals["lines"])
        except ReadError as error:
            if error.code == "unreadable" and number == 0:
                raise
            blocks.failure = error
        self._judge(good, bad)
        return number

    def _columns(self, blocks: Blocks) -> int:
        """Feeds the rows of a column, whose batches wait for what is kept of them."""
        if blocks.path == "-" and (self.args.keep != "first" or self.args.memory is not None):
            raise Failure("--keep and --memory need a file of this format, not standard input: it is read twice")
        assert self._columnar is not None
        before = number = self._lines_before
        try:
            for batch in self._columnar.read(blocks):
                good = [(url, row_of(index, url), index + 1) for index, url in batch if url is not None]
                self._judge(good, [(index + 1, "null", row_of(index, b"")) for index, url in batch if url is None])
                number += len(batch)
                self._show(blocks.position, self.core.totals["lines"])
        except ReadError as error:
            if error.code == "unreadable" and number == before:
                raise
            blocks.failure = error
        return number - before

    def _text(self, row: bytes) -> bytes:
        """What stood in the file."""
        return row if self._columnar is None else url_in(row)

    def _judge(self, good: _Rows, bad: Sequence[tuple[int, str, bytes]]) -> None:
        kept = self.core.feed_rows(good)
        if kept:
            self._write(kept)
        before = self._first_reject
        self._unreadable(bad)
        if before is None and self._first_reject is not None:
            # Only a URL can be shown without its secrets, not the row around it. What a reader finds wrong with a
            # record is no URL of it, of which there may be another one.
            number, code, *_ = self._first_reject
            if code not in PROBLEMS:
                self._first_url = next((url for url, _, line in good if line == number), None)

    def _reader(self, blocks: Blocks) -> Delimited | JsonLines:
        args = self.args
        name = visible(blocks.path)
        if self.form == "jsonl":
            return JsonLines(as_utf8(blocks), column=args.column)
        reader = Delimited(
            as_utf8(blocks),
            name=name,
            column=args.column,
            delimiter=args.delimiter,
            usual="\t" if self.form == "tsv" else ",",
            headless=args.no_header,
        )
        if reader.said and self._header is None and not self.core.totals["lines"]:
            self._output.write(reader.said if reader.said.endswith(b"\n") else reader.said + b"\n")
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
            rejects += [(number, problem, None, PROBLEMS[problem], row) for number, problem, row in bad]
            rejects.sort(key=lambda reject: reject[0])
        if rejects and self._first_reject is None:
            self._first_reject = rejects[0]
        if self._rejects is not None:
            for number, code, at, message, text in rejects:
                self._rejects.add(number, code, at, message, _without_end(self._text(text)))

    def finish(self) -> None:
        self._settle()
        while held_back := self.core.drain(_CHUNK):
            self._write(held_back)
        if self._columnar is not None:
            self._columnar.finish([partial(Blocks, path) for path in self.args.files or ["-"]])
        if self._groups is not None:
            for start in range(0, self.core.group_count(), _GROUPS):
                for key, spellings in self.core.groups(start, _GROUPS):
                    self._groups.add(key, len(spellings), spellings)
            while (piece := self.core.next_spellings()) is not None:
                self._groups.add(*piece)
        self.totals = self.core.totals

    def _settle(self) -> None:
        """What could not be decided within the memory."""
        show = None
        try:
            while (step := self.core.settle()) is not None:
                done, parts = step
                if show is not None and done == 1:
                    # Lines, groups and report are rounds of their own.
                    show.close()
                    show = None
                show = show or progress(parts, quiet=self.args.quiet, unit=f"of {parts} parts")
                show(done, done)
        finally:
            if show is not None:
                show.close()

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
            seen = url is not None and len(url) < _LONGEST
            told = f": {shown(_without_end(url or b''), secrets=args.show_secrets)}" if seen else ""
            warn(f"the first: {visible(file)}:{line}: {code}: {message}{told}")


def _without_end(row: bytes) -> bytes:
    return row.removesuffix(b"\n").removesuffix(b"\r")
