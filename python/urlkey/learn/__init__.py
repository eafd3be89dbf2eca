"""Site rules from what was crawled: which parameters change nothing on which part of which host, with the evidence
for each rule and an estimate of how often all of them together merge different pages.

>>> from urlkey.learn import learn, rule_file
>>> rows = [(f"http://a.example/p/{n}{tail}", n) for n in range(300) for tail in ("", "?color=red", "?color=blue")]
>>> model = learn(rows, budget=0.001)
>>> [line for line in rule_file(model).splitlines() if line.startswith(("host", "path", "  \\""))]
['host = "a.example"', 'path = "/p/{int}"', '  "color",']
"""

from urlkey.learn.archives import declarations, from_cdx, from_warc
from urlkey.learn.audit import Audit, AuditError, Pair, audited, pairs, sentinels
from urlkey.learn.bounds import upper
from urlkey.learn.everywhere import Everywhere, everywhere, everywhere_file
from urlkey.learn.findings import REFUSALS, Finding
from urlkey.learn.host import Guards
from urlkey.learn.learning import learn
from urlkey.learn.model import Model, ModelError
from urlkey.learn.observations import Observation, ObservationError
from urlkey.learn.platforms import Platform, platforms, platforms_file
from urlkey.learn.report import as_html, as_text
from urlkey.learn.rulefile import percent, rule_file
from urlkey.learn.sentinel import is_sentinel
from urlkey.learn.sources import from_arrow, from_store, read
from urlkey.learn.update import Update, UpdateRefused, updated

__all__ = [
    "REFUSALS",
    "Audit",
    "AuditError",
    "Everywhere",
    "Finding",
    "Guards",
    "Model",
    "ModelError",
    "Observation",
    "ObservationError",
    "Pair",
    "Platform",
    "Update",
    "UpdateRefused",
    "as_html",
    "as_text",
    "audited",
    "declarations",
    "everywhere",
    "everywhere_file",
    "from_arrow",
    "from_cdx",
    "from_store",
    "from_warc",
    "is_sentinel",
    "learn",
    "pairs",
    "percent",
    "platforms",
    "platforms_file",
    "read",
    "rule_file",
    "sentinels",
    "updated",
    "upper",
]
