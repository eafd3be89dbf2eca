"""Archetypes that showed a fault of the learner, which was mended for them: they prove nothing about what is unseen."""

from sites import Answer, Site, mark

NOISE = ("ref", "src", "from", "cmp", "origin", "trk", "via")


class Translations(Site):
    """Every link names its language; two pages of three were never translated and answer in English, and say so."""

    params = {"lang": "content", "from": "none"}
    pools = {"lang": ("lang", "hl", "locale"), "from": NOISE}
    defeats = ("first pair", "merges")

    def link(self, rng, when):
        pairs = [("lang", rng.choice(("en", "de", "fr")))] if rng.random() < 0.6 else []
        pairs += [("from", rng.choice("abc"))] if rng.random() < 0.4 else []
        return f"/help/{self.popular(rng, self.size)}", pairs

    def spoken(self, path, query):
        translated = int(mark(self.host, path)[:4], 16) % 3 == 0
        return query.get("lang", "en") if translated and query.get("lang") in ("de", "fr") else "en"

    def page(self, path, query, when):
        return f"{path} {self.spoken(path, query)}"

    def answer(self, page, path, query, when, rng):
        return Answer(mark(self.host, page), language=self.spoken(path, query))
