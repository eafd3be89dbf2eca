"""Archetypes: walls, noise, migrations, and parameters that only look alike."""

from sites import Answer, Site, mark, token

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via")
IDS = ("id", "v", "item", "doc", "n")


class LoginWall(Site):
    """Everything but a few pages is behind a login; the form is the same everywhere."""

    params = {"doc": "content", "from": "none"}
    pools = {"doc": IDS, "from": NOISE}
    defeats = ("miqps", "merges")
    walled = 100

    def link(self, rng, when):
        pairs = [("doc", str(self.popular(rng, self.size)))]
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return f"/members/{rng.choice(('files', 'mail', 'talk', 'jobs'))}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('doc')}"

    def answer(self, page, path, query, when, rng):
        if int(mark(self.host, page)[:6], 16) % 100 < self.walled:
            return Answer(mark(self.host, "please log in"))
        return Answer(mark(self.host, page))


class PartWall(LoginWall):
    """As above, and every third page can be read."""

    defeats = ("content", "merges")
    walled = 66


class ConsentWall(Site):
    """A consent page comes now and then, by chance, instead of any page."""

    params = {"doc": "content", "from": "none"}
    pools = {"doc": IDS, "from": NOISE}
    defeats = ("content", "merges")

    def link(self, rng, when):
        pairs = [("doc", str(self.popular(rng, self.size)))]
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return "/article", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('doc')}"

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, "we value your privacy") if rng.random() < 0.25 else mark(self.host, page))


class Experiments(Site):
    """Every fifth page is one of two texts, by chance: an experiment runs on it."""

    params = {"from": "none"}
    pools = {"from": NOISE}
    defeats = ("strict", "misses")

    def link(self, rng, when):
        pairs = [("from", rng.choice("abc"))] if rng.random() < 0.6 else []
        return f"/read/r{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return path

    def answer(self, page, path, query, when, rng):
        tested = int(mark(self.host, path)[:4], 16) % 5 == 0
        return Answer(mark(self.host, page, rng.random() < 0.5 if tested else None))


class Migration(Site):
    """At two fifths of the crawl the site is rebuilt: a mark that changed nothing becomes the chapter."""

    params = {"part": "later", "from": "none"}
    pools = {"part": ("part", "s", "sec"), "from": NOISE}
    defeats = ("early", "merges")
    moved = 0.4

    def link(self, rng, when):
        pairs = [("part", str(rng.randrange(5)))] if rng.random() < 0.6 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/manual/m{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return path if when < self.moved else f"{path} {query.get('part')}"


class Presence(Site):
    """The presence of a parameter is another page, its value is not: a print view with a number to defeat caches."""

    params = {"print": "presence", "from": "none"}
    pools = {"print": ("print", "pdf", "export"), "from": NOISE}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        pairs = [("print", str(rng.randrange(10**4)))] if rng.random() < 0.5 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/text/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} print" if "print" in query else path


class Thin(Site):
    """A gallery: the text of its pages is too short to tell them apart, so a careful crawler takes no fingerprint."""

    params = {"photo": "content", "from": "none"}
    pools = {"photo": ("photo", "img", "i"), "from": NOISE}
    defeats = ("drop all", "merges")

    def link(self, rng, when):
        pairs = [("photo", str(rng.randrange(20)))] if rng.random() < 0.8 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/album/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('photo')}"

    def answer(self, page, path, query, when, rng):
        return Answer(None if query.get("photo") else mark(self.host, page))


class Redirects(Site):
    """Marks are taken off by a permanent redirect; nothing but the redirect says so."""

    params = {"doc": "content", "mark": "none"}
    pools = {"doc": IDS, "mark": NOISE}
    defeats = ("strict", "misses")

    def link(self, rng, when):
        pairs = [("doc", str(self.popular(rng, self.size)))]
        return "/go", pairs + ([("mark", f"m{rng.randrange(30)}")] if rng.random() < 0.6 else [])

    def page(self, path, query, when):
        return f"{path} {query.get('doc')}"

    def answer(self, page, path, query, when, rng):
        if "mark" not in query:
            return Answer(mark(self.host, page))
        target = self.spelled(path, [(self.names["doc"], query.get("doc", ""))])
        return Answer(None, status=301, redirect=target)


class SameByTemplate(Site):
    """One name, two meanings: on articles it changes nothing, on lists it is the list."""

    params = {"mark": "content", "from": "none"}
    pools = {"mark": ("cat", "ref", "s", "list"), "from": ("pos", "slot")}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        pairs = [("from", str(rng.randrange(5)))] if rng.random() < 0.3 else []
        if rng.random() < 0.15:
            return "/list", [("mark", f"c{rng.randrange(40)}"), *pairs]
        pairs += [("mark", f"c{rng.randrange(40)}")] if rng.random() < 0.6 else []
        return f"/article/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('mark')}" if path == "/list" else path


class Seldom(Site):
    """A large site of which little was seen: two or three pairs for each parameter."""

    params = {"tab": "content", "from": "none"}
    pools = {"tab": ("tab", "show"), "from": NOISE}
    defeats = ("first pair", "merges")

    def set_up(self):
        self.size = 4000

    def link(self, rng, when):
        pairs = [("tab", rng.choice(("specs", "reviews")))] if rng.random() < 0.2 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.2 else []
        return f"/entry/{rng.randrange(self.size)}", pairs

    def page(self, path, query, when):
        # Reviews stand on one entry in three; the tab of the others shows what the entry shows.
        has = int(mark(self.host, path)[:4], 16) % 3 == 0
        return f"{path} {query.get('tab')}" if has and query.get("tab") == "reviews" else path


class Tokens(Site):
    """Each link has a token of its own; some tokens open another document."""

    params = {"key": "content", "doc": "content"}
    pools = {"key": ("key", "share", "auth"), "doc": IDS}
    defeats = ("looks random", "merges")

    def link(self, rng, when):
        return "/shared", [("doc", str(rng.randrange(self.size))), ("key", token(rng, 20))]

    def page(self, path, query, when):
        opens = int(mark(query.get("key"))[:4], 16) % 2
        return f"{path} {query.get('doc')} {query.get('key') if opens else ''}"
