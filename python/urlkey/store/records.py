"""What a store gives back. Times are seconds since 1970, UTC."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Edge", "Entry", "Fetch", "Reject", "Rekeyed", "Sample", "Spelling", "Stats"]


@dataclass(frozen=True, slots=True)
class Spelling:
    """A spelling of a key: as it came, how often, when first and last.

    `text` is a str where the bytes are UTF-8, else bytes.
    """

    text: str | bytes
    count: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Fetch:
    """What the last fetch of a key gave: of which spelling, when, the HTTP status, and what the caller wants
    to know again: validators, a fingerprint of the content."""

    url: str | bytes
    time: int
    status: int
    etag: str | None
    last_modified: str | None
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A key: how often any of its spellings came, when first and last, its last fetch, the key that stands for it."""

    key: str
    digest: bytes
    spellings: tuple[Spelling, ...]
    fetch: Fetch | None
    representative: str

    @property
    def count(self) -> int:
        return sum(spelling.count for spelling in self.spellings)

    @property
    def first(self) -> int:
        return min(spelling.first for spelling in self.spellings)

    @property
    def last(self) -> int:
        return max(spelling.last for spelling in self.spellings)


@dataclass(frozen=True, slots=True)
class Edge:
    """A piece of evidence about two keys. The URLs are kept as they were observed; `undone` is when it was taken
    back, or None. Edges of the kind `alias` join keys; others are kept and join nothing."""

    id: int
    kind: str
    from_key: str
    to_key: str
    weight: float
    reason: str
    time: int
    source: str
    from_url: str | bytes
    to_url: str | bytes
    undone: int | None


@dataclass(frozen=True, slots=True)
class Reject:
    """A text that has no key, and why: code and byte offset as in UrlKeyError."""

    text: str | bytes
    code: str
    at: int
    count: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What is in a store. `sightings` counts every URL that came, `aliases` the keys that another stands for."""

    keys: int
    spellings: int
    sightings: int
    rejects: int
    fetches: int
    edges: int
    aliases: int
    policy_id: str
    policy: str
    version: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Keys before and after, of one merge or one split."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """What another policy makes of a store. `merges` are keys that take the place of several, `splits` keys whose
    spellings get several; `lost` are spellings that have no key any more, `won` rejects that have one now."""

    policy_id: str
    applied: bool
    keys_before: int
    keys_after: int
    changed: int
    merges: int
    splits: int
    lost: int
    won: int
    merge_samples: tuple[Sample, ...]
    split_samples: tuple[Sample, ...]
