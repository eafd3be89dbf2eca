"""Archetypes: forums, news, wikis, calendars."""

from sites import Answer, Site, mark, token

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via", "ito", "rel")


class Forum(Site):
    """A forum that writes a session of its own name into every link."""

    params = {"topic": "content", "start": "default", "session": "none", "light": "none"}
    pools = {"topic": ("t", "thread", "id"), "session": ("sk", "zx", "visit"), "light": ("hl", "hilit", "w")}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        pairs = [("topic", str(self.popular(rng, self.size)))]
        pairs += [("start", str(15 * rng.choice((0, 0, 1, 2))))] if rng.random() < 0.5 else []
        pairs += [("session", token(rng, 24))] if rng.random() < 0.8 else []
        pairs += [("light", f"word{rng.randrange(50)}")] if rng.random() < 0.2 else []
        return "/viewtopic.php", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('topic')} {query.get('start', '0')}"


class TwoSessions(Site):
    """A session and a time stamp in every link, new each time: no two links differ in one of them alone."""

    params = {"topic": "content", "session": "none", "stamp": "none"}
    pools = {"topic": ("t", "thread"), "session": ("s", "sk"), "stamp": ("ts", "_", "nocache")}
    defeats = ("single", "misses")

    def link(self, rng, when):
        pairs = [("topic", str(self.popular(rng, self.size)))]
        return "/showthread.php", [*pairs, ("session", token(rng, 32)), ("stamp", str(rng.randrange(10**9)))]

    def page(self, path, query, when):
        return f"{path} {query.get('topic')}"


class PerSession(Site):
    """Every answer greets the visitor by number: no two fetches are equal, whatever the link."""

    params = {"topic": "content", "session": "none"}
    pools = {"topic": ("t", "id"), "session": ("s", "sk")}
    defeats = ("content", "misses")

    def link(self, rng, when):
        return "/post.php", [("topic", str(self.popular(rng, self.size))), ("session", token(rng, 12))]

    def page(self, path, query, when):
        return f"{path} {query.get('topic')}"

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, page, rng.random()))


class News(Site):
    """Articles with marks of campaigns that no list has, under a date."""

    params = {"mark": "none", "widget": "none"}
    pools = {"mark": NOISE, "widget": ("box", "tease", "slot")}
    defeats = ("static list", "misses")
    campaigns = 0.4

    def link(self, rng, when):
        number = self.popular(rng, self.size)
        pairs = [("mark", rng.choice(("start", "mail", "app", "rss")))] if rng.random() < 0.6 else []
        pairs += [("widget", str(rng.randrange(20)))] if rng.random() < 0.3 else []
        return f"/2026/{number % 12 + 1:02}/story-{number}", pairs

    def page(self, path, query, when):
        return path


class Amp(Site):
    """News with an AMP form in a parameter, which names the plain form as its canonical."""

    params = {"amp": "none", "mark": "none", "comments": "content"}
    pools = {"amp": ("outputType", "amp", "format"), "mark": NOISE, "comments": ("comments", "talk")}
    defeats = ("static list", "misses")

    def link(self, rng, when):
        pairs = [("amp", "amp")] if rng.random() < 0.4 else []
        pairs += [("mark", rng.choice("abcdef"))] if rng.random() < 0.3 else []
        pairs += [("comments", "1")] if rng.random() < 0.15 else []
        return f"/{rng.choice(('sport', 'world'))}/a{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} comments" if query.get("comments") else path

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, page), canonical=f"https://{self.host}{path}")


class CanonicalHome(Site):
    """A site whose template names the home page as the canonical of every page."""

    params = {"article": "content", "from": "none"}
    pools = {"article": ("id", "a", "n"), "from": NOISE}
    defeats = ("canonical", "merges")

    def link(self, rng, when):
        pairs = [("article", str(self.popular(rng, self.size)))]
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return "/", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('article')}"

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, page), canonical=f"https://{self.host}/")


class CanonicalLists(Site):
    """Every page of a list names its first page as canonical, with other content."""

    params = {"page": "content", "from": "none"}
    pools = {"page": ("page", "p"), "from": NOISE}
    defeats = ("canonical", "merges")

    def link(self, rng, when):
        pairs = [("page", str(rng.randrange(2, 9)))] if rng.random() < 0.6 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.5 else []
        return f"/tag/t{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('page')}"

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, page), canonical=f"https://{self.host}{path}")


class Wiki(Site):
    """A wiki: titles and revisions are content, marks of where somebody came from are not."""

    params = {"title": "content", "oldid": "content", "action": "content", "returnto": "none", "section": "none"}
    pools = {"section": ("veaction", "wteswitched")}
    defeats = ("drop all", "merges")

    def link(self, rng, when):
        title = f"Topic_{self.popular(rng, self.size)}"
        if rng.random() < 0.3:
            return "/index.php", [("title", title), ("action", rng.choice(("history", "info")))]
        if rng.random() < 0.2:
            return "/index.php", [("title", title), ("oldid", str(rng.randrange(100, 140)))]
        pairs = [("title", title)]
        pairs += [("returnto", f"Topic_{rng.randrange(9)}")] if rng.random() < 0.5 else []
        pairs += [("section", "no")] if rng.random() < 0.3 else []
        return "/index.php", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('title')} {query.get('oldid')} {query.get('action')}"


class Calendar(Site):
    """A calendar without end: nearly all months are empty, in the same words."""

    params = {"month": "content", "view": "default"}
    pools = {"month": ("month", "date", "m"), "view": ("view", "mode")}
    defeats = ("content", "merges")

    def link(self, rng, when):
        pairs = [("month", f"{rng.randrange(1990, 2060)}-{rng.randrange(1, 13):02}")]
        pairs += [("view", rng.choice(("month", "month", "week")))] if rng.random() < 0.5 else []
        return f"/events/room{rng.randrange(25)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('month')} {query.get('view', 'month')}"

    def answer(self, page, path, query, when, rng):
        busy = (query.get("month") or "").startswith("2026")
        return Answer(mark(self.host, page) if busy else mark(self.host, path, "nothing planned"))


class Languages(Site):
    """A language that is a page of its own where somebody translated it, and the same text where nobody has."""

    params = {"lang": "content", "from": "none"}
    pools = {"lang": ("hl", "lang", "l"), "from": NOISE}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        pairs = [("lang", rng.choice(("de", "fr", "es")))] if rng.random() < 0.5 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/help/{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        translated = int(mark(self.host, path)[:4], 16) % 10 < 4
        return f"{path} {query.get('lang')}" if translated else path


class Moving(Site):
    """Front pages that change as time goes on: one link, many texts."""

    params = {"mark": "none", "edition": "content"}
    pools = {"mark": NOISE, "edition": ("ed", "region")}
    defeats = ("strict", "misses")

    def set_up(self):
        self.changed = {f"/s{number}": self.rng.random() for number in range(self.size)}

    def link(self, rng, when):
        pairs = [("mark", f"m{rng.randrange(40)}")] if rng.random() < 0.7 else []
        pairs += [("edition", rng.choice(("uk", "us")))] if rng.random() < 0.3 else []
        return f"/s{self.popular(rng, self.size)}", pairs

    def page(self, path, query, when):
        return f"{path} {query.get('edition')}"

    def answer(self, page, path, query, when, rng):
        rewritten = when > self.changed.get(path, 2) and int(mark(self.host, path)[:4], 16) % 10 == 0
        return Answer(mark(self.host, page, rewritten))
