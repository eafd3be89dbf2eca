"""The command line. This module is the way in and imports next to nothing:
`urlkey key URL` is answered here, without argparse. The rest is in `app`.

Data goes to standard output; progress, warnings and errors to standard error.
Exit status: 0 done, 1 rows without a key under --strict (`compare`: two keys),
2 usage or a file that cannot be read, 130 interrupted, 141 broken pipe.
"""

import io
import os
import sys

__all__ = ["main"]

_FAILED = 2
_INTERRUPTED = 130
_BROKEN_PIPE = 141


def main(argv: list[str] | None = None) -> int:
    """Runs `urlkey` with these arguments and returns its exit status."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if sys.stdout is None:
        return _fail("standard output is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What is for eyes may hold what the terminal cannot show; data are written as bytes.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return _BROKEN_PIPE
    except OSError as error:
        _drop_output()
        return _fail(error.strerror or str(error))
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _drop_output() -> None:
    """Nobody takes what is left. The interpreter must not say so when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str) -> int:
    from urlkey.cli.messages import warn

    warn(message)
    return _FAILED


def _run(argv: list[str]) -> int:
    if len(argv) > 1 and argv[0] == "key" and not any(url.startswith("-") for url in argv):
        return _keys(argv[1:])
    from urlkey.cli.app import run

    return run(argv)


def _keys(urls: list[str]) -> int:
    """The key of each URL, a line each; an empty line for what has none."""
    from urlkey._native import UrlKeyError, key

    for url in urls:
        try:
            line = key(url if url.isascii() else url.encode("utf-8", "surrogateescape"))
        except UrlKeyError as error:
            from urlkey.cli.messages import complain

            line = ""
            complain(error, url)
        sys.stdout.write(line + "\n")
    return 0
