"""Archetypes: what stands in paths and hosts. Sessions, AMP forms, prefixes, and the order of parameters."""

from urllib.parse import urlencode

from sites import Answer, Site, mark, token

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via")


def translated(host, text, share):
    """Whether somebody made this text anew for another form."""
    return int(mark(host, text)[:4], 16) % 1000 < share


class PathSessions(Site):
    """A shop that writes a session of its own name behind a semicolon into paths, beside the number of a part."""

    defeats = ("static list", "misses")

    def set_up(self):
        self.name = self.rng.choice(("visit", "basket", "zid"))

    def link(self, rng, when):
        path = f"/item/{self.popular(rng, self.size)}"
        path += f";part={rng.randrange(3)}" if rng.random() < 0.3 else ""
        return path + (f";{self.name}={token(rng, 20)}" if rng.random() < 0.7 else ""), []

    def page(self, path, query, when):
        return ";".join(part for part in path.split(";") if not part.startswith(f"{self.name}="))


class SegmentSessions(Site):
    """A session as a segment before the page, new for every visitor; documents under opaque names beside it."""

    defeats = ("static list", "misses")

    def set_up(self):
        self.front = self.rng.choice(("sid-", "s_", "visit:"))

    def link(self, rng, when):
        if rng.random() < 0.3:
            return f"/file/{mark(rng.randrange(self.size))[:20]}/view", []
        return f"/{self.front}{token(rng, 16)}/topic/{self.popular(rng, self.size)}", []

    def page(self, path, query, when):
        return path.partition("/topic/")[2] if "/topic/" in path else path


class AmpPaths(Site):
    """News with an AMP form before or behind the path, in the same words; `/all` behind it is another page."""

    defeats = ("static list", "misses")
    campaigns = 0.1

    def set_up(self):
        self.behind = self.rng.random() < 0.5

    def link(self, rng, when):
        path = f"/story/{self.popular(rng, self.size)}"
        if rng.random() < 0.4:
            return f"{path}/amp" if self.behind else f"/amp{path}", []
        return f"{path}/all" if rng.random() < 0.2 else path, []

    def page(self, path, query, when):
        return path.removeprefix("/amp").removesuffix("/amp")


class AmpHost(Site):
    """News on one host, and their AMP forms on another one, in the same words."""

    defeats = ("static list", "misses")
    campaigns = 0.1

    def set_up(self):
        self.bare = self.host.removeprefix("www.")

    def link(self, rng, when):
        return f"/story/{self.popular(rng, self.size)}", [("amp", "")] if rng.random() < 0.4 else []

    def spelled(self, path, pairs):
        host = f"amp.{self.bare}" if ("amp", "") in pairs else self.bare
        pairs = [pair for pair in pairs if pair[0] != "amp"]
        return f"https://{host}{path}" + (f"?{urlencode(pairs)}" if pairs else "")

    def page(self, path, query, when):
        return path


class Prefixes(Site):
    """Translations under `/en`: a page of its own where somebody made one, the same text on two pages of three."""

    defeats = ("drop prefixes", "merges")
    share = 333

    def set_up(self):
        self.front = self.rng.choice(("/en", "/de", "/old", "/print"))

    def link(self, rng, when):
        path = f"/page/{self.popular(rng, self.size)}"
        return (self.front if rng.random() < 0.5 else "") + path, []

    def page(self, path, query, when):
        plain = path.removeprefix(self.front)
        return path if translated(self.host, plain, self.share) else plain


class RarePrefixes(Prefixes):
    """As above, and it is another page on one of twenty-five."""

    share = 40


class WalledPrefixes(Prefixes):
    """Editions under a prefix, all of them other pages; most are behind one form, with and without it."""

    def page(self, path, query, when):
        return path

    def answer(self, page, path, query, when, rng):
        walled = translated(self.host, path.removeprefix(self.front), 700)
        return Answer(mark(self.host, "please log in" if walled else page))


class PathTokens(Site):
    """An opaque segment before `/view` that looks like a session; half of them open another document."""

    defeats = ("drop prefixes", "merges")

    def link(self, rng, when):
        return f"/k-{token(rng, 16)}/doc/{rng.randrange(self.size)}", []

    def page(self, path, query, when):
        _, key, _, document = path.split("/")
        return f"{document} {key if int(mark(key)[:4], 16) % 2 else ''}"


class Orders(Site):
    """Filters of one name: on the list their order changes nothing, in the comparison the first is shown first."""

    params = {"part": "content"}
    pools = {"part": ("f", "part", "id")}
    defeats = ("sorted values", "merges")

    def link(self, rng, when):
        parts = rng.sample(range(8), 2)
        path = "/list" if rng.random() < 0.6 else "/compare"
        return f"{path}/{rng.randrange(20)}", [("part", str(part)) for part in parts]

    def _read(self, url):
        path, query = super()._read(url)
        query["all"] = url.partition("?")[2].partition("&utm_")[0].split("&")
        return path, query

    def page(self, path, query, when):
        parts = query["all"]
        return f"{path} {sorted(parts) if path.startswith('/list') else parts}"
