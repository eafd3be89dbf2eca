"""Archetypes of paths that were written after the rules for these were settled, and reported as they came out."""

from sites import Answer, Site, mark, token


class FirstPages(Site):
    """Lists whose page 1 is the list itself, by brand, size and colour; `/news/1` is an article."""

    defeats = ("drop first", "merges")

    def link(self, rng, when):
        if rng.random() < 0.3:
            return "/news" if rng.random() < 0.03 else f"/news/{1 + self.popular(rng, self.size)}", []
        path = f"/{rng.choice(('brand', 'size', 'colour'))}/x{self.popular(rng, self.size)}"
        return path + rng.choice(("", "/1", "/2", "/3")), []

    def page(self, path, query, when):
        return path if path.startswith("/news") else path.removesuffix("/1")


class Formats(Site):
    """Documents with and without `.html`, the same; as `.json` the data, and under `/raw/` the source of some."""

    defeats = ("static list", "misses")

    def link(self, rng, when):
        path = f"/doc/{self.popular(rng, self.size)}"
        path = f"/raw{path}" if rng.random() < 0.2 else path
        return path + rng.choice(("", ".html", ".html", ".json")), []

    def page(self, path, query, when):
        if path.startswith("/raw") and int(mark(self.host, path.partition(".")[0])[:4], 16) % 100 < 90:
            path = path.removeprefix("/raw")
        return path.removesuffix(".html")


class Editions(Site):
    """Countries in front: two that are one text, and a third with prices of its own."""

    defeats = ("drop first", "merges")

    def link(self, rng, when):
        return f"/{rng.choice(('de', 'at', 'ch', 'de'))}/product/{self.popular(rng, self.size)}", []

    def page(self, path, query, when):
        _, country, *rest = path.split("/")
        return f"{'ch' if country == 'ch' else 'de'} {rest}"


class EmptyLanguages(Site):
    """A site in two languages: most pages of one say that they are not translated yet, one in ten is."""

    defeats = ("content", "merges")

    def link(self, rng, when):
        return ("/fr" if rng.random() < 0.4 else "") + f"/page/{self.popular(rng, self.size)}", []

    def page(self, path, query, when):
        return path

    def answer(self, page, path, query, when, rng):
        made = int(mark(self.host, path)[:4], 16) % 10 == 0
        return Answer(mark(self.host, page if made or not path.startswith("/fr") else "pas encore"))


class MatrixFilters(Site):
    """Filters behind semicolons: colour counts, the view does not; the page number counts from 2 on."""

    defeats = ("static list", "misses")

    def link(self, rng, when):
        parts = [f"colour={rng.randrange(6)}"] if rng.random() < 0.5 else []
        parts += [f"view={rng.choice(('grid', 'list'))}"] if rng.random() < 0.5 else []
        parts += [f"page={1 + self.popular(rng, 5)}"] if rng.random() < 0.5 else []
        return f"/list/{rng.randrange(40)}" + "".join(f";{part}" for part in parts), []

    def page(self, path, query, when):
        head, *parts = path.split(";")
        return head + "".join(f";{part}" for part in parts if not part.startswith("view=") and part != "page=1")


class Shares(Site):
    """Private links: a token that opens one album, beside albums that are open to all under the same number."""

    defeats = ("drop first", "merges")

    def link(self, rng, when):
        number = self.popular(rng, self.size)
        if rng.random() < 0.5:
            return f"/album/{number}", []
        return f"/s-{mark(self.host, number, rng.randrange(3))[:16]}/album/{number}", []

    def page(self, path, query, when):
        return path


class Mirrors(Site):
    """A forum on eight servers, named in front, with sessions behind; neither changes a thread."""

    defeats = ("static list", "misses")

    def link(self, rng, when):
        server = f"/srv-{rng.randrange(8)}"
        if rng.random() < 0.2:
            return f"{server}/photo/{rng.randrange(self.size)}", []
        return f"{server}/thread/{self.popular(rng, self.size)};t={token(rng, 8)}", []

    def page(self, path, query, when):
        front, _, _ = path.partition(";")
        return front if "/photo/" in front else front.partition("/thread/")[2]
