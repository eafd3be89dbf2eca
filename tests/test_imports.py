"""Imports point one way, and importing the package imports next to nothing. The rules are data: a
module that is not in them fails, an exception that is no longer needed fails too."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import urlkey
from urlkey import _native

ROOT = Path(__file__).parents[1]
CORE = ROOT / "crates" / "urlkey" / "src"
BINDING = ROOT / "crates" / "urlkey-py" / "src"
PACKAGE = ROOT / "python" / "urlkey"

# The core's modules: each may use those above it.
CORE_ORDER = [
    "error",
    "digest",
    "bloom",
    "origins",
    "scheme",
    "encoding",
    "base64",
    "blocks",
    "percent",
    "heads",
    "param",
    "split",
    "seen",
    "ladder",
    "steps",
    "host",
    "domain",
    "text",
    "path",
    "url",
    "query",
    "parse",
    "forms",
    "setters",
    "rungs",
    "accept",
    "policy",
    "ip",
    "hosts",
    "redact",
    "owners",
    "unwrap",
    "company",
    "climb",
    "key",
    "rows",
    "gateway",
    "explain",
    "compare",
    "blocklist",
    "patterns",
    "homographs",
    "dedupe",
    "diff",
    "learn",
]

# Uses against the order, each with its reason.
CORE_EXCEPTIONS = {
    ("ladder", "url"): "a Trace is shown the Url that a rung rewrote",
    ("path", "url"): "path states write into the Url's one buffer",
    ("url", "parse"): "Url::parse is where callers look for the parser",
    ("rungs", "policy"): "a rung reads its parameters and the site's rules",
    ("accept", "policy"): "the accept test is compiled into the policy that it asks",
}

# The binding's modules, likewise.
BINDING_ORDER = [
    "seed",
    "errors",
    "cdata",
    "forms",
    "records",
    "args",
    "url",
    "key",
    "page",
    "reputation",
    "lists",
    "explain",
    "hosts",
    "gateway",
    "unwrap",
    "batch",
    "arrow",
    "blocklist",
    "patterns",
    "homographs",
    "surt",
    "fast",
    "policy",
    "urls",
    "seen",
    "bloom",
    "rows",
    "ladder",
    "social",
    "company",
    "dedupe",
    "rules",
    "learn",
]
BINDING_EXCEPTIONS = {
    ("args", "url"): "a base may be a Url or a Base",
    ("args", "policy"): "a policy may be a Policy",
}

# The parts of the Python package: what each may import of the others.
PARTS = {
    "__init__": {"_native"},
    "__main__": {"cli"},
    "display": {"_native"},
    "readers": {"_native", "page"},
    "importers": {"_native"},
    "compat": {"_native"},
    "page": {"_native"},
    "engines": {"__init__", "_native"},
    **{name: {"engines"} for name in ("arrow", "pandas", "polars", "duckdb", "pyarrow", "sqlalchemy")},
    "spark": {"engines", "learn"},
    "systems": {"__init__", "_native", "display", "readers", "page"},
    "store": {"_native", "engines"},
    "evidence": {"_native", "importers", "page", "readers", "store"},
    "scrapy": {"__init__", "_native", "page", "systems", "store", "evidence"},
    "learn": {"__init__", "_native", "display", "evidence", "importers", "page", "readers", "store", "systems"},
    "cli": {"__init__", "_native", "display", "readers", "systems", "importers", "store", "evidence", "learn"},
}

# What the base install may import when it needs it: the standard library, and extras by name.
EXTRAS = {
    "rich",
    "brotli",
    "backports",
    "fastwarc",
    "selectolax",
    "pyarrow",
    "pandas",
    "polars",
    "pyspark",
    "duckdb",
    "sqlalchemy",
    "psycopg",
    "scrapy",
    "twisted",
}

# The core: no Python, no I/O, no clock.
NOT_IN_CORE = re.compile(r"\b(pyo3|std::(fs|net|io|time|env|process|thread))\b")


# What the extension module holds beyond the public names.
FOR_THE_COMMAND_LINE = {
    "redact",
    "ladder",
    "data_versions",
    "Dedupe",
    "Diff",
    "check_rules",
    "expression_fault",
    "host_fault",
    "rules_for",
}
FOR_THE_ENGINES = {"Array", "ChunkedArray", "arrow_keys", "arrow_column", "arrow_table"}
FOR_THE_SYSTEMS = {
    *("owners", "app_links"),
    *("w3lib_canonicalize", "decode"),
    *("shortener", "not_public", "unwrap_layers"),
    *("SocialId", "social_id", "social_ids"),
    *("safebrowsing_canonical", "safebrowsing_expressions", "safebrowsing_hashes"),
    *("refang", "is_defanged", "defang", "Match", "BlocklistBuilder", "BlocklistTable"),
    *("DIALECTS", "PatternMatch", "PatternBuilder", "PatternTable", "embedded_url"),
    *("Homograph", "HomographTable", "HOMOGRAPH_REASONS", "skeleton"),
    *("CompanyKey", "company_key", "company_keys", "profile_id", "NO_KEY_REASONS"),
    *("SeenTable", "Bloom", "StoreRows", "fresh_rows", "without", "sum_digests", "seal", "seal_factors"),
    *("UrlColumn", "UrlChunk", "digest_array"),
    *("PageTable", "PageChanges"),
    *("surt", "surts", "unsurt", "ssurt", "cdx_range", "surt_prefix_ends"),
    *("GatewayRules", "Reason", "Target", "Verdict", "REFUSALS"),
}


def rust_code(path: Path) -> str:
    """The code of a Rust file, without its comments and its unit tests."""
    code = path.read_text(encoding="utf-8").partition("#[cfg(test)]")[0]
    return "\n".join(line for line in code.splitlines() if not line.lstrip().startswith("//"))


def rust_modules(source: Path) -> dict[str, str]:
    """The code of each top-level module, by name; the crate's root is left out."""
    found: dict[str, str] = {}
    for path in sorted(source.rglob("*.rs")):
        name = path.relative_to(source).parts[0].removesuffix(".rs")
        if name != "lib" and path.stem != "tests" and not path.stem.endswith("_tests"):
            found[name] = found.get(name, "") + rust_code(path)
    return found


def rust_edges(source: Path) -> set[tuple[str, str]]:
    modules = rust_modules(source)
    edges = set()
    for name, code in modules.items():
        used = set(re.findall(r"\bcrate::(\w+)", code))
        for group in re.findall(r"\bcrate::\{([^;]*)\};", code):
            used |= set(re.findall(r"(?:^|[{,\s])(\w+)", group))
        edges |= {(name, other) for other in used & set(modules) if other != name}
    return edges


@pytest.mark.parametrize(
    ("source", "order", "exceptions"),
    [(CORE, CORE_ORDER, CORE_EXCEPTIONS), (BINDING, BINDING_ORDER, BINDING_EXCEPTIONS)],
    ids=["core", "binding"],
)
def test_rust_modules_use_those_above_them(source, order, exceptions):
    assert set(rust_modules(source)) == set(order), "a module is missing from the order, or gone"
    back = {(name, other) for name, other in rust_edges(source) if order.index(other) > order.index(name)}
    assert back == set(exceptions)


@pytest.mark.parametrize(
    ("source", "audited"), [(CORE, {"blocks"}), (BINDING, {"fast", "cdata"})], ids=["core", "binding"]
)
def test_unsafe_code_stands_in_audited_modules(source, audited):
    code = rust_modules(source)
    assert {name for name, text in code.items() if re.search(r"\bunsafe\b", text)} == audited


def test_the_core_knows_no_python_no_files_and_no_clock():
    found = {name: NOT_IN_CORE.findall(code) for name, code in rust_modules(CORE).items()}
    assert {name: words for name, words in found.items() if words} == {}


def imports(path: Path) -> set[str]:
    """The dotted names that a Python file imports, at its top and in its functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


PYTHON = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_parts_import_what_they_may(path):
    part = part_of(path)
    assert part in PARTS, "a new part needs a row in PARTS"
    for name in imports(path):
        first, _, rest = name.partition(".")
        if first != "urlkey":
            assert first in sys.stdlib_module_names | EXTRAS, f"{name} is no part of the base install"
        else:
            other = rest.partition(".")[0]
            other = other if other in PARTS or other == "_native" else "__init__"
            assert other == part or other in PARTS[part], f"{part} must not import {name}"


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter loads for this code."""
    code = f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_the_package_loads_nothing_else():
    assert loaded_by("import urlkey") == {"urlkey", "urlkey._native"}


def test_a_key_on_the_command_line_loads_nothing_else():
    code = "from urlkey.cli import main; main(['key', 'http://example.com/'])"
    assert loaded_by(code) == {"urlkey", "urlkey._native", "urlkey.cli"}


def test_the_public_names_are_those_of_the_package():
    native = {name for name in vars(_native) if not name.startswith("_")} | {"__version__"}
    assert set(urlkey.__all__) == native - FOR_THE_COMMAND_LINE - FOR_THE_SYSTEMS - FOR_THE_ENGINES
