"""`urlkey dedupe`: one line of each key, in order. Files are read here and the
lines judged in the core; a row of csv or JSON stays as it is, byte for byte."""

import argparse
from contextlib import ExitStack

from urlkey.cli.app import Failure
from urlkey.cli.columnar import same_format
from urlkey.cli.deduplication import Job
from urlkey.cli.inputs import Inputs, add_inputs
from urlkey.cli.options import add_page, add_policy, add_secrets
from urlkey.cli.output import identity
from urlkey.cli.scratch import add_memory
from urlkey.readers import ROW_FORMATS

EPILOG = """\
Every line is in the output, in a group, or in the rejects. Exact; needs about 26
bytes of memory a key, unless --report, --groups or --keep ask for more. With
--memory 1G any file fits, with each of them: all that is written is the same,
most of it comes at the end.
Files may be compressed (gzip, Zstandard, a zip archive of one). Rows of csv and
JSON lines come out as they are, of Parquet and Arrow where -o FILE ends so; of all
other formats the URLs. Texts in --groups and --rejects are tab-separated (a
backslash is \\\\, a line end \\n), or JSON lines if the name ends with .jsonl.
example: urlkey dedupe urls.txt.gz -o distinct.txt --report"""

_REPORT = """\
say what each rung merged, with examples: on standard error, with -o on standard
output; --report=FILE writes a file, JSON if its name ends with .json"""

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
    add_memory(command.add_argument_group("memory"))
    add_policy(command)
    add_page(command)
    add_secrets(command)


def _add_formats(group: argparse._ArgumentGroup) -> None:
    add_inputs(group)
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
    inputs = Inputs(args, files)
    form = _one_format(args, inputs.forms)
    args.report = args.report or args.report_file is not None
    _check_targets(args, files)
    with ExitStack() as stack:
        job = Job(args, form, inputs, stack)
        for path in files:
            job.read(path)
        job.finish()
    job.tell()
    return 2 if job.broken else int(args.strict and job.totals["rejected"] > 0)


def _one_format(args: argparse.Namespace, forms: list[str]) -> str:
    """The format of all the files: their rows end up in one. Records of other formats come out as lines of URLs, and
    those of Parquet and Arrow, unless the output's name says otherwise."""
    found = set(forms)
    form = found.pop() if len(found) == 1 else "records"
    if form not in ROW_FORMATS and not same_format(form, args.output):
        form = "records"
        if found & {"csv", "tsv", "jsonl"}:
            raise Failure(f"files of one format at a time, not {' and '.join(sorted(set(forms)))}; see --format")
    delimited = form in ("csv", "tsv")
    for given, name, fits in (
        (args.column, "--column", form != "txt"),
        (args.delimiter, "--delimiter", delimited),
        (args.no_header, "--no-header", delimited),
        (args.null, "--null", form in ("txt", "records")),
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
