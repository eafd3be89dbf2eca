"""`urlkey --version`: the version, and with --json all that decides keys."""

import json

__all__ = ["show"]


def show(*, as_json: bool) -> int:
    """Prints the version; returns the exit status."""
    from urlkey import _native

    if not as_json:
        print(f"urlkey {_native.__version__}")
        return 0
    policies = {name: _native.Policy(name).id for name in _native.PROFILES}
    print(json.dumps({"urlkey": _native.__version__, "data": _native.data_versions(), "policies": policies}, indent=1))
    return 0
