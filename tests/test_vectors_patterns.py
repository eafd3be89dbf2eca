"""List patterns: the rows beside the project, each by the rules of its product."""

import suites
import verdicts
from urlkey.systems.gateway.patterns import PatternSet
from verdicts import Row, differ

DIALECTS = {
    "Chrome/Edge URLBlocklist": "chrome",
    "Zscaler ZIA": "zscaler",
    "Netskope": "netskope",
    "Palo Alto PAN-OS": "pan-os",
    "Squid": "squid",
    "Google Secure Web Proxy": "secure-web-proxy",
}


def test_every_row_matches_as_its_product_does():
    def judge(row: Row):
        listed = PatternSet(DIALECTS[row["system"]], [row["pattern"]])
        return differ(listed.match(row["url"]) is not None, row["match"])

    verdicts.hold("domains/list_patterns", suites.shared_list("domains/list_patterns.json", "vectors"), judge)
