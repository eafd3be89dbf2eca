"""`urlkey completion`: a static script for bash, zsh or fish, made of the argument
parser itself, so that it never knows an option that is not there."""

import argparse
import sys
from collections.abc import Callable
from typing import NamedTuple

EPILOG = """\
bash: urlkey completion bash > ~/.local/share/bash-completion/completions/urlkey
zsh:  urlkey completion zsh > "${fpath[1]}/_urlkey"
fish: urlkey completion fish > ~/.config/fish/completions/urlkey.fish"""

__all__ = ["add_arguments", "run"]


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(args: argparse.Namespace) -> int:
    from urlkey.cli.app import parser

    scripts: dict[str, Callable[[dict[str, _Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    sys.stdout.write(scripts[args.shell](_commands(parser())))
    return 0


class _Option(NamedTuple):
    """One option: its spellings, what may follow, and what it is for."""

    flags: list[str]
    takes_value: bool
    words: list[str]
    help: str


class _Command(NamedTuple):
    """One command; `words` may stand without an option."""

    summary: str
    options: list[_Option]
    words: list[str]


def _option(action: argparse.Action) -> _Option:
    flags = list(action.option_strings)
    return _Option(flags, action.nargs != 0, _words(action), (action.help or "").replace("%%", "%"))


def _words(action: argparse.Action) -> list[str]:
    """The words that may follow an option; none means a file, or free text."""
    from urlkey._native import PROFILES, RUNGS

    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    return {"policy": list(PROFILES), "on": list(RUNGS), "off": list(RUNGS)}.get(action.dest, [])


def _commands(root: argparse.ArgumentParser) -> dict[str, _Command]:
    found = next(a for a in root._actions if isinstance(a, argparse._SubParsersAction))
    summaries = {choice.dest: choice.help for choice in found._choices_actions}
    return {
        name: _Command(
            summaries[name] or "",
            [_option(a) for a in command._actions if a.option_strings and a.help != argparse.SUPPRESS],
            [word for a in command._actions if not a.option_strings and a.choices for word in a.choices],
        )
        for name, command in found.choices.items()
    }


def _bash(commands: dict[str, _Command]) -> str:
    cases: list[str] = []
    values: dict[str, str] = {}
    for name, (_, options, words) in commands.items():
        flags = [flag for option in options for flag in option.flags]
        cases.append(f'        {name}) words="{" ".join(flags + words)}" ;;')
        for option in options:
            if option.takes_value:
                values["|".join(option.flags)] = " ".join(option.words)
    follow = [f"        {flags}) {_bash_values(words)} return ;;" for flags, words in values.items()]
    return _BASH.format(
        commands=" ".join([*commands, "--version", "--help"]),
        cases="\n".join(cases),
        follow="\n".join(follow),
    )


def _bash_values(words: str) -> str:
    listed = f'$(compgen -W "{words}" -- "$cur") ' if words else ""
    return f'COMPREPLY=({listed}$(compgen -f -- "$cur"));'


_BASH = """\
# bash completion of urlkey; made by `urlkey completion bash`
_urlkey() {{
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$cur"))
        return
    fi
    case "$prev" in
{follow}
    esac
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    if [[ "$cur" == -* || -z "$cur" ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi
    if [[ "$cur" != -* ]]; then
        COMPREPLY+=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
    fi
}}
complete -o filenames -F _urlkey urlkey
"""


def _zsh(commands: dict[str, _Command]) -> str:
    names = "\n".join(f"        {_zsh_quoted(f'{name}:{summary}')}" for name, (summary, _, _) in commands.items())
    cases = []
    for name, (_, options, words) in commands.items():
        specs = [_zsh_option(option, flag) for option in options for flag in option.flags]
        rest = f"*:word:({' '.join(words)})" if words else "*:file:_files"
        cases.append(f"        {name}) _arguments {' '.join(specs)} {_zsh_quoted(rest)} ;;")
    return _ZSH.format(names=names, cases="\n".join(cases))


def _zsh_option(option: _Option, flag: str) -> str:
    about = option.help.translate({ord(c): f"\\{c}" for c in "[]:\\"})
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.words)})" if option.words else ":value:_files"
    return _zsh_quoted(f"*{flag}[{about}]{value}")


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_ZSH = """\
#compdef urlkey
# zsh completion of urlkey; made by `urlkey completion zsh`
_urlkey() {{
    local -a commands
    commands=(
{names}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command="${{words[2]}}"
    shift words
    (( CURRENT-- ))
    case "$command" in
{cases}
    esac
}}
if [[ "$funcstack[1]" == _urlkey ]]; then
    _urlkey "$@"
else
    compdef _urlkey urlkey
fi
"""


def _fish(commands: dict[str, _Command]) -> str:
    lines = ["# fish completion of urlkey; made by `urlkey completion fish`"]
    for name, (summary, _, _) in commands.items():
        lines.append(f"complete -c urlkey -n __fish_use_subcommand -f -a {name} -d {_fish_quoted(summary)}")
    for name, (_, options, words) in commands.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if words:
            lines.append(f"complete -c urlkey {seen} -f -a {_fish_quoted(' '.join(words))}")
        lines += [f"complete -c urlkey {seen} {_fish_option(option)}" for option in options]
    return "\n".join(lines) + "\n"


def _fish_option(option: _Option) -> str:
    flags = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in option.flags)
    value = ""
    if option.takes_value:
        value = f" -x -a {_fish_quoted(' '.join(option.words))}" if option.words else " -r"
    return f"{flags}{value} -d {_fish_quoted(option.help)}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
