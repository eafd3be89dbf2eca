"""The command line as a user runs it: a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples" / "urls.txt"


def urlkey(
    *arguments: str | bytes | Path, stdin: bytes = b"", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs `urlkey` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "urlkey", *map(os.fspath, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=clean_environment(**environment),
        timeout=120,
    )


def clean_environment(**more: str) -> dict[str, str]:
    """The environment, less what decides about colours."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
    return kept | more


def started(*arguments: str | Path) -> "subprocess.Popen[bytes]":
    """Starts `urlkey`, with pipes at both ends."""
    return subprocess.Popen(
        [sys.executable, "-m", "urlkey", *map(os.fspath, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        preexec_fn=interruptible if os.name == "posix" else None,
    )


def interruptible() -> None:
    """What a shell runs in the background ignores interrupts, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
