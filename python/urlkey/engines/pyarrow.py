"""Keys as compute functions of PyArrow, in its expressions and datasets too: `urlkey.pyarrow`.

For arrays alone `urlkey.arrow` is shorter: `pa.array(urlkey.arrow.keys(array))`.

>>> import pyarrow as pa, pyarrow.compute as pc, pyarrow.dataset as ds, urlkey.pyarrow
>>> urlkey.pyarrow.register()
['urlkey_key', 'urlkey_digest', 'urlkey_error', 'urlkey_host', 'urlkey_registrable_domain']
>>> pc.call_function("urlkey_key", [pa.array(["http://a.example?b&a", None])]).to_pylist()
['http://a.example/?a&b', None]
>>> crawl = ds.dataset(pa.table({"url": ["http://a.example", "http://b.example"]}))
>>> host = pc.Expression._call("urlkey_host", [pc.field("url")])
>>> crawl.to_table(filter=host == "b.example").to_pylist()
[{'url': 'http://b.example'}]
"""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from urlkey import Policy
from urlkey.engines import arrow
from urlkey.engines.arrow import Fact

__all__ = ["FUNCTIONS", "register"]

FUNCTIONS: tuple[Fact, ...] = ("key", "digest", "error", "host", "registrable_domain")
"""The facts that `register` makes functions of, as `urlkey.arrow.table` explains them."""

# PyArrow has one registry for a process, and forgets nothing.
_registered: dict[str, tuple[str, pa.DataType]] = {}


def register(*, policy: str | Policy = "crawl", type: pa.DataType | None = None, prefix: str = "urlkey_") -> list[str]:
    """The names of the compute functions that this process has from now on, one for each of `FUNCTIONS`.

    Each takes an array of `type`, string where it is None, and gives one of the same type, `digest` one of binary:
    null for null and for what is no URL. Policy and type are fixed with the function; for others register again,
    under another prefix. Raises ValueError where the prefix is taken already, by another policy or type.
    """
    policy, type = Policy(policy), type or pa.string()
    names = [prefix + fact for fact in FUNCTIONS]
    taken = _registered.setdefault(prefix, (policy.id, type))
    if taken != (policy.id, type):
        raise ValueError(
            f"functions {prefix}* are registered already, with another policy or type: give another prefix"
        )
    known = set(pc.list_functions())
    for name, fact in zip(names, FUNCTIONS, strict=True):
        if name not in known:
            out = pa.binary() if fact == "digest" else type
            doc = {"summary": f"The {fact} of a URL", "description": f"By policy {policy.short_id} of urlkey."}
            pc.register_scalar_function(_function(fact, policy, out), name, doc, {"url": type}, out)
    return names


def _function(fact: Fact, policy: Policy, out: pa.DataType) -> Callable[[Any, Any], Any]:
    def call(context: Any, urls: Any) -> Any:
        made = arrow.keys(urls, policy=policy) if fact == "key" else arrow.column(urls, fact, policy=policy)
        return pa.array(made).cast(out)

    return call
