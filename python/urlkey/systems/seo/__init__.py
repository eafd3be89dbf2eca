"""Which URLs of a site are one page, why, how sure that is, and what it costs: for
search engine optimization. Reports, and rewrites nothing.

`compare` two spellings, `group` a list, `report` on a crawl export that `read`
has read; `render` shows a report as text, CSV, JSON or a page of HTML.

>>> from urlkey.systems import seo
>>> seo.compare("http://shop.example/tea/", "http://shop.example/tea").title
'site-dependent'
"""

from urlkey.systems.seo.export import Export, Reject, read
from urlkey.systems.seo.findings import KINDS, Finding, Kind
from urlkey.systems.seo.groups import Group, Groups, Member, group
from urlkey.systems.seo.pages import Page, page_of
from urlkey.systems.seo.parameters import Parameter
from urlkey.systems.seo.redirects import Redirect
from urlkey.systems.seo.report import PageGroup, Report, report
from urlkey.systems.seo.rows import PLACES, Row
from urlkey.systems.seo.tiers import REASONS, TIERS, TITLES, Comparison, Tier, Tiers, compare
from urlkey.systems.seo.totals import Totals

__all__ = [
    "KINDS",
    "PLACES",
    "REASONS",
    "TIERS",
    "TITLES",
    "Comparison",
    "Export",
    "Finding",
    "Group",
    "Groups",
    "Kind",
    "Member",
    "Page",
    "PageGroup",
    "Parameter",
    "Redirect",
    "Reject",
    "Report",
    "Row",
    "Tier",
    "Tiers",
    "Totals",
    "compare",
    "group",
    "page_of",
    "read",
    "report",
]
