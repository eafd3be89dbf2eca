"""The suites of link cleaners: what their rules do, said as rules of urlkey. Brave's debounce rows carry their rule;
for the others the rules that a row needs are made here from what the row says, as facts."""

import json

import suites
import urlkey
import verdicts
from urlkey.importers import convert
from verdicts import NotApplicable, Row, differ, result

WHATWG = urlkey.Policy("whatwg")
UNWRAP = WHATWG.with_(unwrap_redirector={"kinds": ["redirector"]}, unwrap_amp=True)


def under(rules, tmp_path, base=WHATWG):
    """`base` with rules: lists that importers read, or text of a rule file."""
    policy = base.text
    paths = []
    for number, text in enumerate(rules):
        made = text if text.startswith("schema") else convert(text, redirections=True).text
        path = tmp_path / f"rules{number}.toml"
        path.write_text(made, encoding="utf-8")
        paths.append(path)
    main = tmp_path / "policy.toml"
    main.write_text(policy, encoding="utf-8")
    return urlkey.Policy.load(main, rules=paths)


def parsed(url):
    return result(lambda: WHATWG.key(url))


def test_brave_debounce(tmp_path):
    def judge(row: Row):
        policy = under([json.dumps([row["rule"]])], tmp_path, UNWRAP)
        expected = row["expected"] or row["input"]
        return differ(policy.key(row["input"]), parsed(expected))

    verdicts.hold("tracking/brave_debounce", suites.shared("tracking/brave_debounce.jsonl"), judge)


# What Brave drops on any page, and on which it does not, as its table of that version has it.
SIMPLE = json.dumps([{"include": ["*://*/*"], "params": ["gclid", "fbclid", "mkt_tok", "igshid", "msclkid"]}])
SCOPED = json.dumps([{"include": ["*://*.instagram.com/*"], "params": ["igsh"]}])
CONDITIONAL = """schema = 1
[[site]]
host = "*"
except = ["/unsubscribe/", "/emailWebview/"]
drop = ["ck_subscriber_id", "mkt_tok"]
case = true
source = "imported"
[[site]]
host = "*"
except = ["/email/"]
drop = ["h_sid", "h_slt"]
case = true
source = "imported"
"""


def test_brave_query_filter(tmp_path):
    def judge(row: Row):
        if row["expected"] is None and (row["method"] != "GET" or row["internal_redirect"]):
            raise NotApplicable("the method, or a redirect of the browser's own")
        site = urlkey.Url(row["input"]).registrable_domain
        asking = [urlkey.Url(row[key]).registrable_domain for key in ("initiator", "redirect_source") if key in row]
        if "scoped_params" not in row and row["expected"] is None and site in asking[-1:]:
            raise NotApplicable("who asks: the same site")
        simple = SIMPLE.replace('"mkt_tok", ', "")
        lists = [json.dumps(row["scoped_params"])] if "scoped_params" in row else [simple, SCOPED, CONDITIONAL]
        policy = under(lists, tmp_path)
        return differ(policy.key(row["input"]), parsed(row["expected"] or row["input"]))

    verdicts.hold("tracking/brave_query_filter", suites.shared("tracking/brave_query_filter.jsonl"), judge)


# The providers of ClearURLs that rows of Unalix and url-sanitize need, as far as they need them.
BELOW = r"^https?:\/\/(?:[a-z0-9-]+\.)*?"
SUFFIX = r"(?:\.[a-z]{2,}){1,}"
AMAZON = ["p[fd]_rd_[a-z]*", "qid", "srs?", "__mk_[a-z]{1,3}_[a-z]{1,3}", "keywords", "ref_?", "sprefix", "crid"]
GLOBAL = [
    "(?:%3F)?utm(?:_[a-z_]*)?", "(?:%3F)?fbclid", "(?:%3F)?gclid", "(?:%3F)?mkt_tok", "(?:%3F)?_ga", "(?:%3F)?_gl",
    "srsltid", "yclid", "dclid", "__twitter_impression", "_openstat", "spm",
]  # fmt: skip
CLEARURLS = {
    "amazon": {
        "urlPattern": f"{BELOW}amazon{SUFFIX}",
        "rules": AMAZON,
        "referralMarketing": ["tag"],
        "rawRules": [r"\/ref=[^/?]*"],
    },
    "google": {
        "urlPattern": f"{BELOW}google{SUFFIX}",
        "rules": ["ved", "ei", "source", "sa", "rct", "sxsrf", "rlz"],
        "redirections": [
            f"{BELOW}google{SUFFIX}" + r"\/url\?.*?(?:url|q)=(https?[^&]+)",
            f"{BELOW}google{SUFFIX}" + r"\/amp\/s\/([^&]+)",
        ],
    },
    "youtube": {
        "urlPattern": BELOW + r"(?:youtube\.com|youtu\.be)",
        "rules": ["feature", "si"],
        "redirections": [BELOW + r"youtube\.com\/redirect?.*?q=([^&]*)"],
    },
    "facebook": {
        "urlPattern": BELOW + r"facebook\.com",
        "rules": ["__tn__", "eid", "mibextid", "h"],
        "redirections": [r"^https?:\/\/l[a-z]?\.facebook\.com\/l\.php\?.*?u=(https?%3A%2F%2F[^&]*)"],
    },
    "twitter": {"urlPattern": BELOW + r"(?:twitter|x)\.com", "rules": ["(?:ref_?)?src", "s", "t"]},
    "reddit": {"urlPattern": BELOW + r"reddit\.com", "redirections": [r"^https?:\/\/out\.reddit\.com\/.*?url=([^&]*)"]},
    "dartsearch": {
        "urlPattern": BELOW + r"dartsearch\.net",
        "completeProvider": True,
        "redirections": [BELOW + r"dartsearch\.net\/link\/click\?.*?ds_dest_url=(https?[^&]*)"],
    },
    "shareasale": {
        "urlPattern": BELOW + r"shareasale\.com",
        "redirections": [BELOW + r"shareasale\.com\/r\.cfm.*?urllink=([^&]*)"],
    },
    "natura": {"urlPattern": BELOW + r"natura\.com\.br", "referralMarketing": ["consultoria"]},
    "globalRules": {"urlPattern": ".*", "rules": GLOBAL, "exceptions": [r"^https?:\/\/myaccount.google" + SUFFIX]},
}
ADGUARD = "$removeparam=loclid\n$removeparam=tgclid\n$removeparam=wbraid\n"
BRAVE = json.dumps(
    [
        {"include": ["*://*.ouo.today/?*"], "action": "base64,redirect", "param": "cr"},
        {
            "include": ["*://*.cdn.ampproject.org/c/s/*"],
            "action": "regex-path",
            "param": "^/c/s/(.*)$",
            "prepend_scheme": "https",
            "pref": "brave.de_amp.enabled",
        },
        {
            "include": ["*://y2u.be/*"],
            "action": "regex-path",
            "param": "^/(.+)$",
            "redirect_url": "https://www.youtube.com/watch?v=$1",
        },
    ]
)


def clearurls(**without):
    """The list without some of its keys: what a cleaner's option switches off."""
    providers = {
        name: {key: value for key, value in provider.items() if key not in without}
        for name, provider in CLEARURLS.items()
    }
    return json.dumps({"providers": providers})


PAID = {"kinds": ["affiliate"]}


def test_unalix(tmp_path):
    def judge(row: Row):
        options = row.get("options", {})
        missing = {
            "ignoreRules": "rules",
            "ignoreRawRules": "rawRules",
            "ignoreReferralMarketing": "referralMarketing",
            "ignoreExceptions": "exceptions",
        }
        if options.keys() & {"skipLocal", "skipBlocked"}:
            raise NotApplicable("an option that leaves URLs out before any rule is asked")
        lists = clearurls(**{missing[option]: True for option in options if option in missing})
        base = UNWRAP.with_(drop_empty_params=True, drop_empty_query=True)
        if "ignoreReferralMarketing" not in options:
            base = base.with_(drop_tracking=PAID)
        if "stripEmpty" in options:
            base = base.with_(drop_blank_params=True)
        if "stripDuplicates" in options:
            raise NotApplicable("an option that drops all but the first value of a name")
        policy = under([lists], tmp_path, base)
        return differ(policy.key(row["input"]), parsed(row["expected"]))

    verdicts.hold("tracking/unalix", suites.shared("tracking/unalix.jsonl"), judge)


def test_url_sanitize(tmp_path):
    def judge(row: Row):
        options, expected = row.get("options", {}), row["expected"]
        if parsed(row["input"]) is None:
            return differ(expected["kind"], "unchanged")
        if expected["kind"] == "blocked":
            raise NotApplicable("a request to block")
        base = UNWRAP if options.get("unwrapRedirects", True) else WHATWG
        if options.get("stripReferralMarketing"):
            base = base.with_(drop_tracking=PAID)
        policy = under([clearurls(), ADGUARD, BRAVE], tmp_path, base)
        return differ(policy.key(row["input"]), parsed(expected["url"]))

    verdicts.hold("tracking/url_sanitize_conformance", suites.shared("tracking/url_sanitize_conformance.jsonl"), judge)
