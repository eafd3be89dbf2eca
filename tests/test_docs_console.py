"""Commands of README and docs: each runs as it stands, page by page in one folder, and answers what the page shows."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import clean_environment
from test_docs import FENCE, FLAGS, ROOT

CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = re.compile(r"^```(?:python|console)\n.*?^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# They install, fetch, or read what a reader has and a page cannot show.
THEIRS = ("crawl.warc.gz", "access.log", "bookmarks.html", "export.csv", "response.txt", "rules.toml")
NOT_RUN = re.compile(rf"pip install|curl |python |.*\b(?:{'|'.join(map(re.escape, THEIRS))})")
# What they print is cut short on the page.
ANY = re.compile(r"\\\.\\\.\\\.|…")


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what is shown below it."""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
    return [(command, shown) for command, _, shown in parts]


def words(text: str) -> str:
    return " ".join(text.split())


def answer(command: str, folder: Path) -> tuple[str, str]:
    """What a command prints to its two streams."""
    script = f'urlkey() {{ "{sys.executable}" -m urlkey "$@"; }}\n{command}'
    environment = clean_environment(NO_COLOR="1")
    done = subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, env=environment, timeout=120)
    return done.stdout.decode(), done.stderr.decode()


def shows(shown: str, out: str, err: str = "") -> bool:
    """Whether a page shows both streams, in whatever order they met on a terminal."""
    pattern = re.compile(ANY.sub(".*", re.escape(words(shown))))
    return any(pattern.fullmatch(words(text)) for text in (f"{out}\n{err}", f"{err}\n{out}"))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if CONSOLE.search(page.read_text(encoding="utf-8"))], ids=lambda page: page.name
)
def test_commands_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    scope: dict[str, object] = {}
    for block in BLOCKS.findall(page.read_text(encoding="utf-8")):
        if code := FENCE.match(block):
            # Files that commands read are made by the code above them.
            test = doctest.DocTestParser().get_doctest(code[1], scope, page.name, None, None)
            doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=lambda _: None, clear_globs=False)
            scope = test.globs
            continue
        for command, shown in commands(CONSOLE.match(block)[1]):
            if named := re.fullmatch(r"cat (\S+)", command):
                (tmp_path / named[1]).write_text(shown, encoding="utf-8")
            elif not NOT_RUN.match(command):
                answered = answer(command, tmp_path)
                assert shows(shown, *answered), f"{page.name}: {command}\n{answered}"


def test_what_is_shown_is_compared():
    assert shows("a  b\n…\nd", "a b c d")
    assert shows("told\na", "a", "told")
    assert not shows("a b", "a c")
    assert not shows("", "a")
    assert commands("$ one\n1\n$ two\n") == [("one", "1\n"), ("two", "")]
