"""Examples in docstrings, README and docs: each runs, and none is missing."""

import doctest
import inspect
import re
import types
from importlib import import_module
from pathlib import Path

import pytest

import urlkey
from urlkey import _native

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Their examples have a session of Spark: tests/services/test_spark.py and test_spark_learn.py run them.
NEED_SPARK = {"urlkey.engines.spark", "urlkey.learn.spark", "spark"}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Examples write files where they run."""
    monkeypatch.chdir(tmp_path)


def documented() -> list[tuple[str, object]]:
    """Every public function, class and method of the extension module, by its dotted name."""
    found = []
    for name, value in vars(_native).items():
        if name.startswith("_") or not callable(value):
            continue
        found.append((name, value))
        if inspect.isclass(value):
            members = ((f"{name}.{member}", getattr(value, member)) for member in vars(value))
            found += [(full, member) for full, member in members if is_method(full, member)]
    return found


def is_method(name: str, member: object) -> bool:
    public = not name.rpartition(".")[2].startswith("_")
    return public and isinstance(member, types.MethodDescriptorType | types.BuiltinFunctionType)


def run(name: str, text: str) -> doctest.TestResults:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    return runner.run(test)


@pytest.mark.parametrize(("name", "value"), documented(), ids=lambda value: str(value)[:60])
def test_docstring(name, value):
    text = inspect.getdoc(value)
    assert text, f"{name} has no docstring"
    results = run(name, text)
    assert results.failed == 0
    if name.partition(".")[0] in urlkey.__all__:
        assert results.attempted > 0, f"the docstring of {name} has no example"


def test_docstring_of_the_package():
    assert run("urlkey", urlkey.__doc__ or "").failed == 0


def modules() -> list[str]:
    """The Python modules of the package with an example in them, by their dotted names."""
    found = sorted((ROOT / "python" / "urlkey").rglob("*.py"))
    found = [path for path in found if ">>> " in path.read_text(encoding="utf-8")]
    names = [".".join(path.relative_to(ROOT / "python").with_suffix("").parts) for path in found]
    return [name.removesuffix(".__init__") for name in names if name not in NEED_SPARK]


@pytest.mark.parametrize("name", modules())
def test_examples_of_a_python_module(name):
    results = doctest.testmod(import_module(name), optionflags=FLAGS)
    assert results.failed == 0
    assert results.attempted > 0


def pages() -> list[Path]:
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
    found = [page for page in found if page.stem not in NEED_SPARK]
    return [page for page in found if page.exists() and FENCE.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page):
    """The ```python blocks of a page run in order, as one session where they hold prompts."""
    scope: dict[str, object] = {}
    for number, block in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), 1):
        name = f"{page.name}, block {number}"
        if ">>>" in block:
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            test = doctest.DocTestParser().get_doctest(block, scope, name, None, None)
            assert runner.run(test, clear_globs=False).failed == 0
            scope = test.globs
        else:
            exec(compile(block, name, "exec"), scope)
