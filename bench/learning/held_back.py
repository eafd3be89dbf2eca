"""Archetypes that the learner was not looked at with while it was written; the evaluation reports them apart."""

from sites import Answer, Site, mark, token

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via")


class WalledPaths(Site):
    """A login form that repeats the path: equal for all documents of a folder, other from folder to folder."""

    params = {"doc": "content", "from": "none"}
    pools = {"doc": ("id", "v", "n"), "from": NOISE}
    defeats = ("content", "merges")

    def link(self, rng, when):
        pairs = [("doc", str(rng.randrange(200)))]
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return f"/folder/f{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('doc')}"

    def answer(self, page, path, query, when, rng):
        walled = int(mark(self.host, page)[:4], 16) % 100 < 97
        return Answer(mark(self.host, path, "log in to go on") if walled else mark(self.host, page))


class Jobs(Site):
    """Adverts under opaque ids; the words searched for are carried along, expired ones send to the list."""

    params = {"job": "content", "words": "none", "rank": "none"}
    pools = {"job": ("jk", "job", "uid"), "words": ("q", "what"), "rank": ("pos", "rank")}
    defeats = ("drop all", "merges")

    def link(self, rng, when):
        number = self.popular(rng, self.size)
        pairs = [("job", mark(self.host, number)[:12])]
        pairs += [("words", rng.choice(("cook", "nurse", "pilot", "baker")))] if rng.random() < 0.6 else []
        pairs += [("rank", str(rng.randrange(15)))] if rng.random() < 0.4 else []
        return "/viewjob", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('job')}"

    def answer(self, page, path, query, when, rng):
        expired = int(mark(page)[:4], 16) % 4 == 0
        return Answer(mark(self.host, "this job has gone") if expired else mark(self.host, page))


class Maps(Site):
    """Zoom and tilt move the view and not the text; the layer is another text."""

    params = {"zoom": "none", "layer": "content", "share": "none"}
    pools = {"zoom": ("z", "zoom"), "layer": ("layer", "l"), "share": NOISE}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        pairs = [("zoom", str(rng.randrange(3, 19)))] if rng.random() < 0.7 else []
        pairs += [("layer", rng.choice(("bike", "rail")))] if rng.random() < 0.2 else []
        pairs += [("share", rng.choice("ab"))] if rng.random() < 0.2 else []
        return f"/place/p{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('layer')}"


class Currencies(Site):
    """Prices follow the currency, on the products that have a price; half of them have none yet."""

    params = {"cur": "content", "from": "none"}
    pools = {"cur": ("cur", "currency"), "from": NOISE}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        pairs = [("cur", rng.choice(("eur", "usd", "gbp")))] if rng.random() < 0.5 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/p/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        priced = int(mark(self.host, path)[:4], 16) % 2
        return f"{path} {query.get('cur', 'eur')}" if priced else path


class Steps(Site):
    """A form in steps: without its token it always shows step one, whatever step is asked for."""

    params = {"step": "content", "token": "content", "form": "content"}
    pools = {"step": ("step", "s"), "token": ("tk", "state"), "form": ("form", "f")}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        pairs = [("form", str(self.popular(rng, self.size))), ("step", str(rng.randrange(1, 5)))]
        return "/apply", pairs + ([("token", token(rng, 8))] if rng.random() < 0.3 else [])

    def page(self, path, query, when):
        return f"{path} {query.get('form')} {query.get('step') if 'token' in query else 1}"


class Feeds(Site):
    """Pages with a counter of readers: a tenth of them never shows the same text twice."""

    params = {"from": "none", "comments": "content"}
    pools = {"from": NOISE, "comments": ("c", "talk")}
    defeats = ("strict", "misses")

    def link(self, rng, when):
        pairs = [("from", rng.choice("abcd"))] if rng.random() < 0.6 else []
        pairs += [("comments", "all")] if rng.random() < 0.2 else []
        return f"/blog/post-{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('comments')}"

    def answer(self, page, path, query, when, rng):
        counted = int(mark(self.host, path)[:4], 16) % 10 == 0
        return Answer(mark(self.host, page, rng.random() if counted else None))
