"""Archetypes that were written after the learner was settled, and that nothing was changed for; reported apart."""

from dataclasses import dataclass

from sites import Answer, Fetch, Site, mark, token

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via")


class Lots(Site):
    """An auction house: lots have numbers of their own, but for a few that two sales have."""

    params = {"lot": "content", "sale": "content", "visit": "none"}
    pools = {"lot": ("lot", "n", "id"), "sale": ("sale", "cat", "event"), "visit": ("sk", "visit", "basket")}
    defeats = ("threshold", "merges")

    def set_up(self):
        self.sales = self.rng.randint(6, 20)

    def sales_of(self, number):
        """The sales that have a lot of this number: one, or where it was printed twice, two."""
        first = int(mark(self.host, number)[:6], 16) % self.sales
        twice = int(mark(self.host, number)[6:10], 16) % 100 < 6
        return [first, (first + 1) % self.sales] if twice else [first]

    def link(self, rng, when):
        number = self.popular(rng, self.size)
        pairs = [("lot", str(number))]
        pairs += [("sale", f"s{rng.choice(self.sales_of(number))}")] if rng.random() < 0.7 else []
        pairs += [("visit", token(rng, 10))] if rng.random() < 0.5 else []
        return "/lot", pairs

    def page(self, path, query, when):
        number = query.get("lot")
        has = [f"s{sale}" for sale in self.sales_of(number)]
        sale = query.get("sale")
        return f"{path} {number} {sale if sale in has else has[0]}"


class Stock(Site):
    """A shop that prints how many are left: the text of half of the pages is new every hour, whatever the link has."""

    params = {"from": "none", "size": "content"}
    pools = {"from": NOISE, "size": ("size", "fit", "cut")}
    defeats = ("strict", "misses")
    hours = 144

    def link(self, rng, when):
        pairs = [("from", rng.choice("abcd"))] if rng.random() < 0.6 else []
        pairs += [("size", rng.choice(("s", "m", "l")))] if rng.random() < 0.2 else []
        return f"/item/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('size')}"

    def answer(self, page, path, query, when, rng):
        counted = int(mark(self.host, path)[:4], 16) % 2
        return Answer(mark(self.host, page, int(when * self.hours) if counted else None))


class Withdrawn(Site):
    """Half of the items were withdrawn, and lead to their shelf for good; the others stand under their id."""

    params = {"item": "content", "from": "none"}
    pools = {"item": ("id", "v", "sku", "p"), "from": NOISE}
    defeats = ("drop all", "merges")

    def link(self, rng, when):
        pairs = [("item", str(self.popular(rng, self.size)))]
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return f"/shelf/{rng.choice('uvw')}/show", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('item')}"

    def answer(self, page, path, query, when, rng):
        if int(mark(self.host, page)[:4], 16) % 2:
            return Answer(None, status=301, redirect=self.spelled(path.removesuffix("/show"), []))
        return Answer(mark(self.host, page))


@dataclass(frozen=True, slots=True)
class Declared(Fetch):
    """A fetch whose response has No-Vary-Search."""

    header: str = ""

    def seen(self):
        return (*Fetch.seen(self), self.header)


class Promises(Site):
    """Every link has a number for its position, and the header says that it does not matter; on every third host the
    header says it of the chapter too, which is content."""

    params = {"chapter": "content", "place": "none"}
    pools = {"chapter": ("ch", "part", "n"), "place": ("pos", "slot", "rank")}
    defeats = ("drop all", "merges")

    def set_up(self):
        self.lies = self.rng.randrange(3) == 0
        names = [self.names["place"], *([self.names["chapter"]] if self.lies else [])]
        self.header = f"params=({' '.join(f'{chr(34)}{name}{chr(34)}' for name in names)})"

    def link(self, rng, when):
        pairs = [("chapter", str(rng.randrange(9)))] if rng.random() < 0.7 else []
        return f"/book/{self.popular(rng, self.size // 3 + 5)}", [*pairs, ("place", str(rng.randrange(500)))]

    def page(self, path, query, when):
        return f"{path} {query.get('chapter')}"

    def fetch(self, url, when, rng, time):
        row = Site.fetch(self, url, when, rng, time)
        values = (row.url, row.fingerprint, row.time, row.status, row.redirect, row.canonical, row.language)
        return Declared(*values, row.truncated, row.page, self.header)
