"""Commands of bench.toml, ready to run: fills in their places, leaves out what is not installed."""

import shutil
import sys
from importlib import metadata
from pathlib import Path

from corpora import HERE


def argv(engine, **places):
    """The engine's argument list with {python}, {bin}, {here} and `places` filled in."""
    folder = Path(sys.executable).parent
    return [part.format(python=sys.executable, bin=folder, here=HERE, **places) for part in engine["argv"]]


def installed(engines, part, say):
    """The engines whose package and program are there, and the names of those that are not."""
    found, missing = [], []
    for engine in engines:
        program = engine["argv"][0].replace("{bin}", str(Path(sys.executable).parent))
        try:
            metadata.version(engine.get("package", "pip"))
            there = program == "{python}" or shutil.which(program)
        except metadata.PackageNotFoundError:
            there = False
        if there:
            found.append(engine)
        else:
            missing.append(engine["name"])
            say(f"{part}: {engine['name']} is missing")
    return found, missing
