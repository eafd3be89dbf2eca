"""Evidence: what responses, sitemaps, feeds and robots.txt say about which URLs are one page. It is weighed, never
obeyed: each piece is `Evidence` with a weight, or a `Refusal` with a reason. Nothing is fetched.

>>> from urlkey import evidence
>>> found = evidence.from_response("http://a.example/x?sort=up", 301, {"Location": "/x"})
>>> found.evidence[0].kind, found.evidence[0].to, found.evidence[0].weight
('redirect-permanent', 'http://a.example/x', 6.0)
>>> found = evidence.from_response("http://a.example/buy", 303, {"Location": "/thanks"})
>>> found.evidence, found.refusals[0].reason
((), 'see-other')
"""

from urlkey.evidence.clean_param import from_robots
from urlkey.evidence.components import components, large_star, small_star, stars
from urlkey.evidence.feeds import from_feeds
from urlkey.evidence.graph import Graph, GraphEdge
from urlkey.evidence.keeping import Recorder, retract, settle_store
from urlkey.evidence.no_vary_search import SearchVariance, search_variance
from urlkey.evidence.records import REFUSALS, Evidence, Findings, Refusal, SiteRule
from urlkey.evidence.redirects import from_redirects
from urlkey.evidence.responses import from_response
from urlkey.evidence.settling import Settled, links_keys, settle
from urlkey.evidence.sitemaps import from_sitemap
from urlkey.evidence.weights import Kind, kinds
from urlkey.page.link_header import HeaderLink, links

__all__ = [
    "REFUSALS",
    "Evidence",
    "Findings",
    "Graph",
    "GraphEdge",
    "HeaderLink",
    "Kind",
    "Recorder",
    "Refusal",
    "SearchVariance",
    "Settled",
    "SiteRule",
    "components",
    "from_feeds",
    "from_redirects",
    "from_response",
    "from_robots",
    "from_sitemap",
    "kinds",
    "large_star",
    "links",
    "links_keys",
    "retract",
    "search_variance",
    "settle",
    "settle_store",
    "small_star",
    "stars",
]
