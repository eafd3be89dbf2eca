"""Hosts that look like others: UTS 39's skeletons and restriction levels, and names that are
protected.

>>> from urlkey.systems.gateway.homographs import homograph
>>> homograph("paypa1.com", ["paypal.com"]).lookalike_of
'paypal.com'

What is told, and what not, is in docs/homographs.md.
"""

from collections.abc import Iterable
from typing import Any, Literal, overload

from urlkey import UrlKeyError, _native
from urlkey._native import HOMOGRAPH_REASONS as REASONS
from urlkey._native import Homograph, skeleton

__all__ = ["REASONS", "Homograph", "Homographs", "homograph", "skeleton"]


def homograph(host: str | bytes, protected: Iterable[str | bytes] = ()) -> Homograph:
    """What a host looks like, and which of the protected names it looks like and is not.

    `host` is a host, in Unicode or with `xn--` labels, not a URL. `protected` are domains
    ("apple.com") and labels that are protected under any suffix ("apple"); a host below a domain
    stands for that domain. With many hosts, or many names, make a `Homographs` once.

    Raises UrlKeyError where the host, or one of the names, is none by the URL Standard. Time is
    linear in the host.

    Source: https://www.unicode.org/reports/tr39/

    >>> found = homograph("login.xn--80ak6aa92e.com", ["apple.com"])
    >>> found.host, found.lookalike_of, found.whole_script_confusable
    ('login.аррӏе.com', 'apple.com', True)
    >>> homograph("日本語.jp").reasons
    ()
    """
    return Homographs(protected).check(host)


class Homographs:
    """Names that are protected, to compare many hosts with.

    Raises UrlKeyError for a name that is none; its note says which. Pickled as its names.

    >>> listed = Homographs(["apple.com", "paypal.com"])
    >>> [found.lookalike_of for found in listed.check_many(["apple.com", "аррӏе.com", "rn.example"])]
    [None, 'apple.com', None]
    """

    __slots__ = ("_names", "_table")

    def __init__(self, protected: Iterable[str | bytes] = ()) -> None:
        self._names = protected if isinstance(protected, str | bytes) else tuple(protected)
        self._table = _native.HomographTable(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        return Homographs, (self._names,)

    def __copy__(self) -> "Homographs":
        return self

    def __deepcopy__(self, memo: object) -> "Homographs":
        return self

    def check(self, host: str | bytes) -> Homograph:
        """As `homograph`, against these names."""
        return self._table.check(host)

    @overload
    def check_many(self, hosts: Iterable[str | bytes | None]) -> list[Homograph]: ...
    @overload
    def check_many(self, hosts: Iterable[str | bytes | None], *, on_error: Literal["raise"]) -> list[Homograph]: ...
    @overload
    def check_many(
        self, hosts: Iterable[str | bytes | None], *, on_error: Literal["error"]
    ) -> list[Homograph | UrlKeyError]: ...
    def check_many(
        self, hosts: Iterable[str | bytes | None], *, on_error: Literal["raise", "error"] = "raise"
    ) -> list[Homograph] | list[Homograph | UrlKeyError]:
        """What many hosts look like, a row for each, in their order.

        `on_error`: "raise" raises the UrlKeyError of the first that is no host, "error" puts it in
        its row; so it is with None, a row without a host: `no-url`.
        """
        if on_error == "error":
            return self._table.check_many(hosts, errors=True)
        if on_error == "raise":
            return self._table.check_many(hosts, errors=False)
        raise ValueError(f"on_error must be 'raise' or 'error', not {on_error!r}")
