"""The completion scripts: accepted by their shells, and complete."""

import shutil
import subprocess

import pytest

from command import urlkey
from urlkey.cli.app import COMMANDS, parser


def script(shell: str) -> str:
    run = urlkey("completion", shell)
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_accepts_its_script(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    checked = subprocess.run([shell, "-n"], input=script(shell), capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_of_every_command_is_in_the_script(shell):
    text = script(shell)
    for name in COMMANDS:
        assert name in text
    subcommands = next(action for action in parser()._actions if action.choices)
    for command in subcommands.choices.values():
        for flag in (flag for action in command._actions for flag in action.option_strings):
            written = f"-{'l' if flag.startswith('--') else 's'} {flag.lstrip('-')} " if shell == "fish" else flag
            assert written in text


def complete_in_bash(*words: str) -> list[str]:
    """What bash offers for the last word."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    line = " ".join(f"'{word}'" for word in words)
    asked = f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _urlkey; printf "%s\\n" "${{COMPREPLY[@]}}"'
    run = subprocess.run(["bash", "-c", script("bash") + asked], capture_output=True, text=True)
    assert run.stderr == ""
    return run.stdout.split()


def test_bash_completes_commands_options_and_names():
    assert complete_in_bash("urlkey", "com") == ["compare", "company", "completion"]
    assert complete_in_bash("urlkey", "dedupe", "--rep") == ["--report", "--report-file"]
    assert complete_in_bash("urlkey", "dedupe", "--keep", "sh")[0] == "shortest"
    assert complete_in_bash("urlkey", "key", "--policy", "agg") == ["aggressive"]
    assert complete_in_bash("urlkey", "key", "--on", "drop_w") == ["drop_www"]
    assert complete_in_bash("urlkey", "policies", "lad") == ["ladder"]
