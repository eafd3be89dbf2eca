"""Runs one target under Atheris: `python tests/fuzz/target.py NAME [corpus] [options of libFuzzer]`.

Coverage guides it through the package's Python; the compiled module is seen from outside only, its inside has targets
of its own in `crates/urlkey/fuzz`. So where the module does all the work, bytes describe edits of the project's vectors
(`generate.made_of`); what failed is printed as the target had it. Needs urlkey's extra `fuzz`, which `make fuzz`
installs.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["urlkey", "fuzz"]):
    from fuzz import bodies, generate
    from urlkey.importers import adguard, brave, clearurls, firefox  # noqa: F401 - imported when first asked for


DESCRIBED = ("binding", "browsers")


def main() -> None:
    """Hands the target to libFuzzer, which ends the process."""
    name = sys.argv.pop(1)
    body = bodies.TARGETS[name]

    def one(data: bytes) -> None:
        given = generate.made_of(data) if name in DESCRIBED else data
        try:
            body(given)
        except BaseException:
            print(f"{name} failed for {given!r}", file=sys.stderr)
            raise

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


main()
