"""What a simulated host is: links that lead into it, the page each link really is, and what its server answers.
The archetypes say the rest. Everything comes from a seeded generator; nothing is fetched."""

import hashlib
import random
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import parse_qsl, urlencode, urlsplit

# What a parameter does, where the archetype names it.
EFFECTS = ("none", "content", "default", "presence", "rare", "later", "order")
MAIL = ("newsletter", "twitter", "facebook", "partner", "push")


def mark(*parts):
    """The fingerprint of a text that these parts decide."""
    return hashlib.blake2b("\x1f".join(map(str, parts)).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sends; `fingerprint` is None where a crawler could not take one."""

    fingerprint: str | None
    status: int = 200
    redirect: str | None = None
    canonical: str | None = None
    language: str | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Fetch:
    """One row of a crawl; `page` is the truth, which no learner is shown."""

    url: str
    fingerprint: str | None
    time: int
    status: int
    redirect: str | None
    canonical: str | None
    language: str | None
    truncated: bool
    page: str

    def seen(self):
        """What a learner is shown: the columns of an observation."""
        return (
            *(self.url, self.fingerprint, self.time, self.status),
            *(self.redirect, self.canonical, self.language, self.truncated),
        )


class Site:
    """One host. `when` runs from 0 to 1 over the crawl; a page is what its text is decided by, walls aside."""

    # Role of a parameter -> what it does. The name that a host gives to a role is in `names`.
    params: ClassVar[dict[str, str]] = {}
    # Role -> the names that hosts give it.
    pools: ClassVar[dict[str, tuple[str, ...]]] = {}
    # Which naive learner this archetype defeats, and how: "merges" wrongly, or "misses" what is removable.
    defeats: ClassVar[tuple[str, str]] = ("", "")
    campaigns = 0.25

    def __init__(self, host, seed):
        self.host = host
        self.rng = random.Random(seed)
        self.size = self.rng.randint(40, 400)
        taken = set()
        self.names = {}
        for role in self.params:
            pool = [name for name in self.pools.get(role, (role,)) if name not in taken]
            self.names[role] = self.rng.choice(pool or [role])
            taken.add(self.names[role])
        self.set_up()

    def set_up(self):
        """What else one host has its own way."""

    def link(self, rng, when):
        """A path and its parameters, by role or by name, as a link of the crawl has them."""
        raise NotImplementedError

    def page(self, path, query, when):
        """The true page; `query` is by role, and by name for what has none."""
        raise NotImplementedError

    def answer(self, page, path, query, when, rng):
        """What the server sends for a page."""
        return Answer(mark(self.host, page))

    def truth(self):
        """Name of each parameter -> what it does here."""
        return {self.names[role]: effect for role, effect in self.params.items()}

    def popular(self, rng, count):
        """A number below `count`; low ones come more often."""
        return min(int(rng.paretovariate(0.8)) - 1, count - 1) if rng.random() < 0.3 else rng.randrange(count)

    def url(self, rng, when):
        path, pairs = self.link(rng, when)
        pairs = [(self.names.get(role, role), value) for role, value in pairs]
        if rng.random() < self.campaigns:
            pairs += [("utm_source", rng.choice(MAIL)), ("utm_campaign", f"c{rng.randrange(30)}")]
        return self.spelled(path, pairs)

    def spelled(self, path, pairs):
        return f"https://{self.host}{path}" + (f"?{urlencode(pairs)}" if pairs else "")

    def true_page(self, url, when):
        """The host and the true page of any URL of the host."""
        path, query = self._read(url)
        return f"{self.host} {self.page(path, query, when)}"

    def fetch(self, url, when, rng, time):
        path, query = self._read(url)
        page = self.page(path, query, when)
        got = self.answer(page, path, query, when, rng)
        return Fetch(
            url, got.fingerprint, time, got.status, got.redirect, got.canonical, got.language, got.truncated,
            f"{self.host} {page}",
        )  # fmt: skip

    def _read(self, url):
        parts = urlsplit(url)
        roles = {name: role for role, name in self.names.items()}
        query = {}
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            query.setdefault(roles.get(name, name), value)
        return parts.path, query


def token(rng, length=16):
    return "".join(rng.choice("0123456789abcdef") for _ in range(length))
