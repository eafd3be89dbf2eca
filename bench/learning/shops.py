"""Archetypes: shops, lists and searches."""

from sites import Answer, Site, mark, token

NOISE = ("ref", "src", "from", "pos", "list", "origin", "trk", "sr", "via", "block")
SESSION = ("sk", "zenid", "session", "s", "visit", "basket")
IDS = ("id", "v", "item", "p", "pid", "sku")


class Facets(Site):
    """A shop: the product is in the path, facets are carried along and change nothing; lists are sorted by them."""

    params = {"facet": "none", "shade": "none", "from": "none", "sort": "content"}
    pools = {"facet": ("color", "size", "v", "style"), "shade": ("tone", "fit", "cut"), "from": NOISE}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        if rng.random() < 0.3:
            return f"/c/cat-{rng.randrange(12)}", [("sort", rng.choice(("price", "name", "new")))]
        pairs = [(role, f"{role[0]}{rng.randrange(6)}") for role in ("facet", "shade") if rng.random() < 0.5]
        if rng.random() < 0.4:
            pairs.append(("from", rng.choice(("home", "list", "mail"))))
        return f"/product/{1000 + self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('sort')}" if path.startswith("/c/") else path


class Variants(Site):
    """A shop whose product is `v` or `color`, and whose `id`-like names are the visit."""

    params = {"item": "content", "visit": "none", "from": "none"}
    pools = {"item": ("color", "v", "ref", "style"), "visit": ("id", "sk", "s"), "from": ("list", "pos", "tab")}
    defeats = ("drop all", "merges")

    def link(self, rng, when):
        pairs = [("item", str(500 + self.popular(rng, self.size)))]
        pairs += [("visit", token(rng, 8))] if rng.random() < 0.6 else []
        pairs += [("from", str(rng.randrange(9)))] if rng.random() < 0.4 else []
        return "/view", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('item')}"


class ManyNoise(Site):
    """Four parameters that change nothing, all at once: hardly two links differ in one alone."""

    params = {"a": "none", "b": "none", "c": "none", "d": "none"}
    pools = {"a": NOISE, "b": SESSION, "c": ("bucket", "exp"), "d": ("t0", "stamp")}
    defeats = ("single", "misses")

    def link(self, rng, when):
        pairs = [("a", rng.choice("xyz")), ("b", token(rng)), ("c", rng.choice("01")), ("d", str(rng.randrange(10**6)))]
        return f"/p/{self.popular(rng, self.size)}", pairs if rng.random() < 0.8 else []

    def page(self, path, query, when):
        return path


class RedundantIds(Site):
    """`id` and `slug` in one link, either alone names the page; a few links carry one of them alone."""

    params = {"item": "content", "slug": "content", "from": "none"}
    pools = {"item": IDS, "slug": ("slug", "name", "title"), "from": NOISE}
    defeats = ("miqps", "merges")

    def link(self, rng, when):
        number = self.popular(rng, self.size)
        draw = rng.random()
        pairs = [("item", str(number))] if draw < 0.97 else []
        # An old slug leads to the page as well, as long as the id is there.
        slug = f"thing-{number}" if draw > 0.9 or rng.random() < 0.9 else f"old-thing-{number}"
        pairs += [("slug", slug)] if draw > 0.1 else []
        pairs += [("from", rng.choice(("home", "list", "mail")))] if rng.random() < 0.5 else []
        return "/show", pairs

    def page(self, path, query, when):
        if "item" in query:
            return f"{path} {query['item']}"
        return f"{path} {query.get('slug', '').rpartition('-')[2]}"


class RareEffect(Site):
    """An option that matters on one page in a thousand, which is among those asked for most."""

    params = {"option": "rare", "from": "none"}
    pools = {"option": ("opt", "color", "finish"), "from": NOISE}
    defeats = ("threshold", "merges")

    def set_up(self):
        self.size = 1000
        self.special = f"/product/{self.rng.randrange(self.size)}"

    def link(self, rng, when):
        pairs = [("option", f"o{rng.randrange(4)}")] if rng.random() < 0.6 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.3 else []
        return self.special if rng.random() < 0.01 else f"/product/{rng.randrange(self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('option')}" if path == self.special else path


class RareValue(Site):
    """A parameter whose values change nothing, but one: the print view."""

    params = {"view": "rare", "from": "none"}
    pools = {"view": ("view", "mode", "tab"), "from": NOISE}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        value = "print" if rng.random() < 0.04 else rng.choice(("grid", "list", "wide"))
        pairs = [("view", value)] if rng.random() < 0.7 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.3 else []
        return f"/guide/g{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} print" if query.get("view") == "print" else path


class Search(Site):
    """A search: page 1 is the default; most queries of robots find nothing, all in the same words."""

    params = {"q": "content", "page": "default", "from": "none"}
    pools = {"page": ("page", "pg", "p"), "from": ("src", "button", "form")}
    defeats = ("content", "merges")

    def link(self, rng, when):
        pairs = [("q", f"word{self.popular(rng, self.size)}")]
        pairs += [("page", str(min(int(rng.expovariate(0.5)) + 1, 6)))] if rng.random() < 0.5 else []
        pairs += [("from", rng.choice(("top", "side")))] if rng.random() < 0.4 else []
        return "/search", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('q')} {query.get('page', '1')}"

    def answer(self, page, path, query, when, rng):
        found = int(mark(self.host, query.get("q"))[:4], 16) % 10 < 3
        return Answer(mark(self.host, page) if found else mark(self.host, "nothing found"))


class Listing(Site):
    """Lists with an offset whose 0 is the default, and a page size that is content."""

    params = {"start": "default", "limit": "content", "view": "none"}
    pools = {"start": ("start", "offset"), "view": ("layout", "v", "tpl")}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        pairs = [("start", str(20 * rng.choice((0, 0, 0, 1, 2, 3))))] if rng.random() < 0.7 else []
        pairs += [("limit", rng.choice(("20", "50")))] if rng.random() < 0.2 else []
        pairs += [("view", rng.choice(("grid", "rows")))] if rng.random() < 0.4 else []
        return f"/list/{rng.choice('abcdef')}{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('start', '0')} {query.get('limit')}"


class SoftMissing(Site):
    """Seven items of ten are gone and answer 200 with one text; the id looks as if it changed nothing."""

    params = {"item": "content", "from": "none"}
    pools = {"item": IDS, "from": NOISE}
    defeats = ("content", "merges")

    def link(self, rng, when):
        pairs = [("item", str(self.popular(rng, 3 * self.size)))]
        pairs += [("from", rng.choice(("home", "list", "mail")))] if rng.random() < 0.5 else []
        return f"/offers/{rng.choice(('buy', 'rent', 'swap'))}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('item')}"

    def answer(self, page, path, query, when, rng):
        gone = int(mark(self.host, page)[:4], 16) % 10 < 7
        return Answer(mark(self.host, "gone") if gone else mark(self.host, page))


class Truncated(Site):
    """Long pages of one head: a crawler that cuts them off takes equal texts, and says so."""

    params = {"chapter": "content", "from": "none"}
    pools = {"chapter": ("part", "ch", "n"), "from": NOISE}
    defeats = ("threshold", "merges")

    def link(self, rng, when):
        pairs = [("chapter", str(rng.randrange(30)))] if rng.random() < 0.8 else []
        pairs += [("from", rng.choice("abcd"))] if rng.random() < 0.5 else []
        return f"/book/b{self.popular(rng, self.size // 4 + 5)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('chapter')}"

    def answer(self, page, path, query, when, rng):
        if int(mark(path)[:4], 16) % 100 < 95:
            return Answer(mark(self.host, path, "head"), truncated=True)
        return Answer(mark(self.host, page))
