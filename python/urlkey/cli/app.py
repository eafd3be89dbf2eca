"""The commands and how they are found: one list, of which help and completion
are made. Must not know what a command does: its module is imported only when it
is asked for."""

import argparse
import signal
import sys
from collections.abc import Collection
from importlib import import_module
from typing import Any, NoReturn

from urlkey.cli.messages import visible, warn

COMMANDS = {
    "key": "the key of each URL: one line out for each line in",
    "dedupe": "keep one line of each key, in order",
    "explain": "every step from a spelling to its key",
    "compare": "whether two spellings have one key, and why",
    "attribution": "who is credited for links, and which page they are about",
    "unwrap": "where links of known redirectors lead, without a request",
    "policies": "the policies there are, and the ladder they choose from",
    "rules": "rule files checked, shown and compared, and made of public lists",
    "reputation": "the forms of Safe Browsing, and lookups in a blocklist",
    "refang": "defanged indicators, live again",
    "defang": "URLs broken so that nobody follows them by accident",
    "patterns": "which pattern of a block or allow list names URLs, by the rules of its product",
    "seo": "the duplicates of a crawl export, why they are, and what to do",
    "learn": "rules for single sites, out of what was crawled",
    "evidence": "what a saved response says about which URLs are one page, and how far to believe it",
    "links": "the links of an HTML page: keys, URLs to request, what robots are asked",
    "company": "the company behind websites, hosts and mail addresses",
    "shortener": "whether links may be shortened, and why not",
    "check": "whether requests may be made to URLs, and with which text",
    "social": "what links to social platforms point at",
    "store": "URLs into a store and out of it: what is new, what is known, another policy",
    "surt": "the SURT key of each URL, as web archives have stored it",
    "cdx": "index files of web archives with keys made anew, sorted, asked",
    "completion": "the script that completes commands in a shell",
}

_EPILOG = """\
Request the href, compare the key. `urlkey COMMAND --help` says more.
exit status: 0 done; 1 rows without a key under --strict, or two keys in compare;
2 usage, or a file that cannot be read; 130 interrupted; 141 broken pipe"""

__all__ = ["COMMANDS", "Failure", "parser", "run"]


class _Parser(argparse.ArgumentParser):
    """One whose messages are for eyes, and whose help says where it cannot be written."""

    def print_help(self, file: Any = None) -> None:
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


class Failure(Exception):
    """What ends a command with exit status 2; the message is for eyes."""


def parser(wanted: Collection[str] = COMMANDS.keys()) -> argparse.ArgumentParser:
    """The argument parser, complete for the commands in `wanted`, else without their options."""
    root = _Parser(
        prog="urlkey",
        description="One canonical key for every spelling of a URL.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="store_true", help="print the version; with --json what else decides keys")
    root.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    commands = root.add_subparsers(dest="command", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in wanted:
            module = import_module(f"urlkey.cli.{name}")
            command.epilog = getattr(module, "EPILOG", None)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return root


def run(argv: list[str]) -> int:
    """Runs a command line; returns the exit status."""
    # `--report=FILE`: an option whose value may be missing must not eat the next argument.
    argv = [f"--report-file={word[9:]}" if word.startswith("--report=") else word for word in argv]
    root = parser([word for word in argv[:1] if word in COMMANDS])
    try:
        args = _parsed(root, argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    if args.version:
        from urlkey.cli.version import show

        return show(as_json=args.json)
    if args.command is None:
        root.print_help(sys.stderr)
        return 2
    return _guarded(args)


def _parsed(root: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """The arguments; a command's options may stand between its URLs or files."""
    if not argv or argv[0] not in COMMANDS:
        return root.parse_args(argv)
    found = next(action for action in root._actions if isinstance(action, argparse._SubParsersAction))
    command: argparse.ArgumentParser = found.choices[argv[0]]
    return command.parse_intermixed_args(argv[1:], argparse.Namespace(command=argv[0], version=False))


def _guarded(args: argparse.Namespace) -> int:
    """Runs the command; what a person can set right becomes a message and status 2."""
    from urlkey._native import UrlKeyError
    from urlkey.readers import ReadError

    signal.signal(signal.SIGTERM, _stop)
    try:
        status: int = args.run(args)
        return status
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise  # of standard input or output: the way out is `main`'s
        warn(f"{visible(str(error.filename))}: {error.strerror or error}")
    except (Failure, ReadError, UrlKeyError, LookupError) as error:
        warn(visible(str(error)))
    return 2


def _stop(number: int, _: object) -> NoReturn:
    """Ends the command as an exception does: what it has written half goes."""
    raise SystemExit(128 + number)
