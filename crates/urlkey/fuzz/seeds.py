"""What the corpora of the fuzz targets begin with: the project's vectors, its rule files, its lists.

Must not know how targets are built or run.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
SHARED = PROJECT.parent / "shared"
# The longest input that is tried, in bytes; seeds beyond it are left out.
LONGEST = 1024
# The bytes before the text, by target: what chooses policy, base and options, for the seed of this number. Targets not
# named take the text alone.
HEADS = {
    **dict.fromkeys(("parse", "ladder", "explain", "differential", "hosts"), lambda number: [number % 10, 7]),
    "sites": lambda number: [number % 128, number % 10, 7],
    "surt": lambda number: [0, number & 255, number >> 8 & 255],
    "blocklist": lambda number: [2, number % 40],
    **dict.fromkeys(("check", "dedupe", "setters", "unwrap", "w3lib"), lambda number: [number % 10]),
}
# Targets of the Python package, in tests/fuzz.
PYTHON = ("binding", "importers", "pattern_sets", "responses", "browsers")


def rows(path):
    """The rows of a file of vectors."""
    return map(json.loads, path.read_text("utf-8").splitlines())


def texts():
    """Every input of the project's own vectors and, where it is there, of the shared conformance data."""
    folders = [PROJECT / "tests/vectors", HERE.parent / "tests/vectors", SHARED / "vectors"]
    found = {}
    for path in sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*.jsonl")):
        for row in rows(path):
            for field in ("input", "a", "b", "href", "url", "surt"):
                if isinstance(row.get(field), str):
                    found[row[field].encode("utf-8", "surrogatepass")] = None
    return list(found)


def rule_files():
    """Texts of policies and rules: the project's, and the blocks of TOML in its documents."""
    files = [path.read_text("utf-8") for path in sorted((HERE.parent / "data").rglob("*.toml"))]
    blocks = (path.read_text("utf-8").split("```toml\n")[1:] for path in sorted((PROJECT / "docs").glob("*.md")))
    blocks = [block.split("```")[0] for page in blocks for block in page]
    return [text.encode() for text in [*files, *blocks, *("schema = 1\n" + block for block in blocks)]]


def pattern_lists():
    """Lists of one pattern with a URL, behind the number of their dialect."""
    names = ["chrome", "squid", "squid-dstdomain", "squid-url_regex", "squid-urlpath_regex", "zscaler", "netskope"]
    names += ["pan-os", "pan-os-10.2", "secure-web-proxy"]
    found = []
    for path in (PROJECT / "tests/vectors/patterns.jsonl", PROJECT / "tests/vectors/patterns_refused.jsonl"):
        for row in rows(path):
            if row["dialect"] in names and isinstance(row["pattern"], str):
                head = bytes([names.index(row["dialect"]), 3])
                found.append(head + f"{row['pattern']}\n\n\n\n{row.get('url', 'http://a.example/')}".encode())
    return found


def seeds(name):
    """The inputs that the corpus of a target begins with."""
    if name in PYTHON:
        sys.path.insert(0, str(PROJECT / "tests"))
        from fuzz.generate import INPUTS

        return list(INPUTS[name](1, 300))
    if name == "patterns":
        return pattern_lists()
    head = HEADS.get(name, lambda number: [])
    return [bytes(head(number)) + text for number, text in enumerate(rule_files() if name == "rules" else texts())]


def fill(name, folder):
    """Fills an empty corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    if next(folder.iterdir(), None) is not None:
        return
    for number, text in enumerate(seeds(name)):
        if len(text) <= LONGEST:
            (folder / f"seed{number:05}").write_bytes(text)
