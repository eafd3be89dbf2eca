use super::dialects;
use super::model::{Condition, Pattern, Target};
use super::subject::Subject;
use super::*;
use crate::error::Code;
use crate::key::text_of_bytes;

fn set(dialect: Dialect, block: &[&str], allow: &[&str]) -> (PatternSet, Vec<PatternError>) {
    let mut builder = Builder::new(dialect, &[5; 16]);
    block.iter().for_each(|line| builder.line(List::Block, line.as_bytes()));
    allow.iter().for_each(|line| builder.line(List::Allow, line.as_bytes()));
    builder.finish()
}

fn told(set: &PatternSet, url: &str) -> Option<(List, u32)> {
    set.find(url.as_bytes(), &mut Lookup::default()).ok().flatten().map(|found| (found.list, found.line))
}

fn blocked(set: &PatternSet, url: &str) -> bool {
    matches!(told(set, url), Some((List::Block, _)))
}

#[test]
fn dialects_have_names() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::named(dialect.as_str()), Some(dialect));
    }
    assert_eq!(Dialect::named("edge"), None);
}

#[test]
fn the_most_specific_pattern_decides_in_chrome() {
    let block = ["s.xxx.com/a", "https://s.xxx.com/a/b/c", "google.com", "yyy.com/aaa", "example.com"];
    let allow = ["s.xxx.com/a/b", "https://s.xxx.com/a/b/c/d", "plus.google.com", "https://mail.google.com"];
    let (set, errors) = set(Dialect::Chrome, &block, &[allow.as_slice(), &[".yyy.com/a", "example.com"]].concat());
    assert!(errors.is_empty());
    for url in
        ["http://s.xxx.com/a/x", "https://s.xxx.com/a/b/c/x", "http://www.google.com/", "http://mail.google.com/"]
    {
        assert!(blocked(&set, url), "{url}");
    }
    for url in
        ["http://s.xxx.com/a/b/c", "https://s.xxx.com/a/b/c/d/x", "http://plus.google.com/", "https://mail.google.com"]
    {
        assert!(!blocked(&set, url) && told(&set, url).is_some(), "{url}");
    }
    // "A smaller path match in an exact host overrides a longer path for hosts that also match subdomains."
    assert!(!blocked(&set, "http://yyy.com/aaa") && blocked(&set, "http://www.yyy.com/aaa"));
    // "If the exact entry is both allowed and blocked, allowing takes precedence."
    assert_eq!(told(&set, "http://example.com/"), Some((List::Allow, 6)));
}

#[test]
fn a_star_that_blocks_comes_last_in_chrome() {
    let (set, _) = set(Dialect::Chrome, &["*"], &[".www.google.com", "https://very.safe/path", "devtools://*"]);
    for (url, is) in [
        ("http://random.com", true),
        ("http://s.www.google.com", true),
        ("http://www.google.com", false),
        ("http://very.safe/path", true),
        ("https://very.safe/path", false),
        ("devtools://something.com", false),
        ("chrome-extension://xyz", false),
        ("chrome-native://ntp", false),
    ] {
        assert_eq!(blocked(&set, url), is, "{url}");
    }
}

#[test]
fn pages_of_edge_have_a_host() {
    let (set, errors) = set(Dialect::Chrome, &["edge://flags", "edge://settings/reset"], &[]);
    assert!(errors.is_empty());
    for (url, is) in [
        ("edge://flags", true),
        ("EDGE://flags/#deprecated", true),
        ("edge://settings/reset", true),
        ("edge://settings/", false),
        ("chrome://flags/", false),
        ("http://flags/", false),
    ] {
        assert_eq!(blocked(&set, url), is, "{url}");
    }
}

#[test]
fn a_query_that_allows_asks_every_field_of_the_name() {
    let (set, _) = set(
        Dialect::Chrome,
        &["youtube.com", "youtube5.com?foo=bar"],
        &["youtube.com/watch?v=XYZ", "youtube.com/watch?av=XYZ&ag=123", "youtube5.com?foo1=bar1&foo2=bar2&"],
    );
    for (url, is) in [
        ("http://youtube.com/watch?v=123", true),
        ("http://youtube.com/watch?v=123&v=XYZ", true),
        ("http://youtube.com/watch?v=XYZ&v=123", true),
        ("http://youtube.com/watch?foo=bar&v=XYZ", false),
        ("http://youtube.com/watch?av=XYZ", true),
        ("http://youtube.com/watch?ag=123&av=XYZ", false),
        ("http://youtube.com/watch?av=XYZ&ag=123&av=123", true),
        ("http://youtube5.com/?foo=bar&a=b", true),
        ("http://youtube5.com/?a=b&foo=bar&foo1=bar1&foo2=bar2", false),
    ] {
        assert_eq!(blocked(&set, url), is, "{url}");
    }
}

#[test]
fn what_is_inside_a_url_blocks_it_and_does_not_allow_it() {
    let (set, _) = set(Dialect::Chrome, &["evil.example", "*"], &["good.example", "cdn.ampproject.org"]);
    let mut lookup = Lookup::default();
    let found = set.find(b"https://cdn.ampproject.org/c/s/evil.example/x", &mut lookup).unwrap().unwrap();
    assert_eq!(
        (found.list, found.pattern, found.embedded.as_deref()),
        (List::Block, "evil.example", Some("https://evil.example/x"))
    );
    assert!(!blocked(&set, "https://cdn.ampproject.org/c/s/good.example/"));
    assert!(blocked(&set, "https://www.google.com/amp/good.example/"));
}

#[test]
fn a_block_goes_before_an_allow_in_other_dialects() {
    let (set, _) = set(Dialect::Netskope, &["*.example.com"], &["www.example.com/a/b"]);
    assert_eq!(told(&set, "http://www.example.com/a/b/c"), Some((List::Block, 1)));
    let (set, _) = self::set(Dialect::Squid, &["url_regex /a"], &["dstdomain .example.com"]);
    assert_eq!(told(&set, "http://example.com/a"), Some((List::Block, 1)));
    assert_eq!(told(&set, "http://example.com/b"), Some((List::Allow, 1)));
}

#[test]
fn spellings_that_hide_a_host_are_read_as_a_browser_reads_them() {
    let (set, _) = set(Dialect::Zscaler, &[".evil.example", "192.168.1.1"], &[]);
    for url in [
        "http:evil.example",
        "http:\\\\evil.example",
        "ht\ntp://evil.example/",
        "http://good@evil.example/",
        "//evil.example",
        " \thttps:///evil.example.",
        "http://EVIL%2eexample/",
        "http:3232235777/x",
    ] {
        assert!(blocked(&set, url), "{url}");
    }
    for (url, code) in
        [("/etc/passwd", Code::MissingSchemeNonRelativeUrl), ("mailto:a@evil.example", Code::HostMissing)]
    {
        let error = set.find(url.as_bytes(), &mut Lookup::default()).map(|_| ()).map_err(|error| error.code);
        assert_eq!(error, Err(code), "{url}");
    }
}

#[test]
fn whole_schemes_are_patterns_in_chrome() {
    let lines = ["custom-scheme:*", "xyz://*", "custom_scheme:*", "a_b://*", "blob://*", "blob:*", "xyz:app"];
    let (listed, errors) = set(Dialect::Chrome, &lines, &["blob://*", "b_c.example"]);
    for (url, blocked) in [
        ("custom-scheme:app", true),
        ("CUSTOM-SCHEME://app/x", true),
        ("xyz://a/b", true),
        ("custom-schemes:app", false),
        ("blob:https://a.example/0f", false),
    ] {
        let found = listed.find(url.as_bytes(), &mut Lookup::default()).unwrap();
        assert_eq!(found.is_some_and(|found| found.list == List::Block), blocked, "{url}");
    }
    let told: Vec<_> = errors.iter().map(|error| (error.line, error.at, error.says)).collect();
    let (no_scheme, blob) = (
        "a scheme has letters, digits, +, - and . only: no URL has this one",
        "Chrome looks up no blob: URL, whatever its lists say",
    );
    assert_eq!(told[..4], [(3, 6, no_scheme), (4, 1, no_scheme), (5, 0, blob), (6, 0, blob)]);
    assert_eq!((told.len(), told[4].0), (5, 7));
}

#[test]
fn errors_say_list_line_and_place() {
    let (set, errors) = set(Dialect::Chrome, &["# blocked", "", "a.example", "b.example:x"], &["c*.example"]);
    assert_eq!(set.len(), 1);
    let seen: Vec<_> = errors.iter().map(|error| (error.list, error.line, error.code, error.at)).collect();
    assert_eq!(seen, [(List::Block, 4, Code::PortInvalid, 10), (List::Allow, 1, Code::BadPattern, 1)]);
}

#[test]
fn files_come_in_blocks() {
    let mut builder = Builder::new(Dialect::SquidDomain, &[1; 16]);
    for block in ["a.exa", "mple\r\n.b.example\n", "c.example"] {
        builder.feed(List::Block, block.as_bytes());
    }
    let (set, errors) = builder.finish();
    assert_eq!((set.len(), errors.len()), (3, 0));
    assert_eq!(told(&set, "http://x.b.example/"), Some((List::Block, 2)));
    assert_eq!(told(&set, "http://c.example/"), Some((List::Block, 3)));
}

#[test]
fn what_could_only_be_told_apart_by_trying_is_refused() {
    let nested: Vec<String> = (1..=70).map(|n| format!("a.example/{}", "x".repeat(n))).collect();
    let (nested, errors) = set(Dialect::Chrome, &nested.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert_eq!((nested.len(), errors.len(), errors[0].line), (64, 6, 65));
    assert_eq!(told(&nested, &format!("http://a.example/{}", "x".repeat(90))), Some((List::Block, 64)));
    // Fields that are each shared by 90 patterns.
    let grid: Vec<String> = (0..90).flat_map(|a| (0..90).map(move |b| format!("a.example?a={a}&b={b}"))).collect();
    let (grid, errors) = set(Dialect::Chrome, &grid.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert_eq!((grid.len(), errors.len()), (64 * 90, 26 * 90));
    // The same field beside others that differ is not refused.
    let many: Vec<String> = (0..1000).map(|v| format!("a.example/watch?share=1&v={v}")).collect();
    let (many, errors) = set(Dialect::Chrome, &many.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert!(errors.is_empty() && told(&many, "http://a.example/watch?v=999&share=1") == Some((List::Block, 1000)));
    let (_, errors) = set(Dialect::SquidUrl, &["(a{100}){100}{100}", "(a{1000}){1000}"], &[]);
    assert_eq!(errors.len(), 2);
}

/// Says of one pattern whether it names a URL, by looking at everything.
fn holds(pattern: &Pattern, subject: &Subject, dialect: Dialect) -> bool {
    let host = subject.host(dialect);
    let labels: Vec<&str> = host.split('.').collect();
    let path = subject.path(dialect);
    let host_and_rest = match &pattern.target {
        Target::Any => Some(path),
        Target::Tail { host: named, depths } => {
            let at = (0..labels.len()).find(|&at| labels[at..].join(".") == *named);
            let at = at.filter(|&at| depths.holds(at) && (at == 0 || !subject.is_address()));
            at.map(|_| path)
        }
        Target::Head { host: named, depths, .. } => {
            let count = named.split('.').count();
            let mut starts = (0..labels.len()).filter(|&at| depths.holds(at) && at + count <= labels.len());
            let rest = |at: usize| &host[labels[..at + count].join(".").len()..];
            return starts
                .any(|at| labels[at..at + count].join(".") == *named && pattern.end.holds(rest(at).as_bytes()));
        }
        Target::Expression { .. } => None,
    };
    let Some(path) = host_and_rest else { return false };
    pattern.scheme.as_deref().is_none_or(|scheme| scheme == subject.scheme())
        && pattern.port.is_none_or(|port| Some(port) == subject.port())
        && path.strip_prefix(&*pattern.path).is_some_and(|rest| pattern.end.holds(rest.as_bytes()))
        && pattern.query.iter().all(|condition| asked(condition, subject.query()))
}

/// As Chrome says it: a search for `&key=` in the query between two `&`.
fn asked(condition: &Condition, query: Option<&str>) -> bool {
    let Some(query) = query else { return false };
    let query = format!("&{query}&");
    let end = if condition.prefix { "" } else { "&" };
    let Some(length) = condition.all else { return query.contains(&format!("&{}{end}", condition.text)) };
    let (key, value) = (format!("&{}", &condition.text[..length]), format!("{}{end}", &condition.text[length..]));
    let places: Vec<_> = query.match_indices(&key).map(|(at, _)| at).collect();
    !places.is_empty() && places.iter().all(|at| query[at + key.len()..].starts_with(&value))
}

/// A pattern, its list, its line, and whether it is Chrome's `*` that blocks.
type Read = (Pattern, List, u32, bool);

fn read_all(dialect: Dialect, list: List, lines: &[String]) -> Vec<Read> {
    let read =
        |line: &String| dialects::read(dialect, line, list == List::Allow).remove(0).map(|(_, _, pattern)| pattern);
    let wild = |line: &String| dialect == Dialect::Chrome && list == List::Block && line == "*";
    let rows = lines.iter().zip(1..).filter_map(|(line, number)| Some((read(line).ok()?, list, number, wild(line))));
    rows.collect()
}

/// The pattern that decides, by comparing all that hold.
fn naive(dialect: Dialect, patterns: &[Read], url: &str) -> Option<(List, u32)> {
    let mut subject = Subject::default();
    subject.read(&text_of_bytes(url.as_bytes()).ok()?, dialect).ok()?;
    let chrome = dialect == Dialect::Chrome;
    let all = patterns.iter().filter(|(pattern, ..)| holds(pattern, &subject, dialect));
    let ranked = all.map(|(pattern, list, number, wild)| {
        let (exact, length) = match &pattern.target {
            Target::Tail { host, depths } => (*depths == model::Depths::EXACT, host.len() + 1),
            Target::Head { host, .. } => (false, host.len() + 1),
            _ => (false, 0),
        };
        let rank = (
            !wild,
            !chrome && *list == List::Block,
            chrome && exact,
            length,
            pattern.path.len(),
            pattern.query.len(),
            chrome && *list == List::Allow,
            std::cmp::Reverse(*number),
        );
        (rank, *list, *number)
    });
    ranked.max().map(|(_, list, number)| (list, number))
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % most
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn some(&mut self, most: usize, list: &[&str]) -> String {
        (0..self.below(most + 1)).map(|_| self.one_of(list)).collect()
    }

    fn host(&mut self) -> String {
        let labels: Vec<_> =
            (0..1 + self.below(3)).map(|_| self.one_of(&["a", "b", "evil", "com", "xn--9ca"])).collect();
        labels.join(".") + self.one_of(&["", ".com", ".example"])
    }

    fn pattern(&mut self, dialect: Dialect) -> String {
        let (host, path) = (self.host(), self.some(4, &["/", "/x", "/y", "x", ".", "&"]));
        let path = if path.is_empty() || path.starts_with('/') { path } else { format!("/{path}") };
        match dialect {
            Dialect::Chrome => {
                let scheme = self.one_of(&["", "", "http://", "https://", "ftp://"]);
                let host = if self.below(9) == 0 { "*".to_owned() } else { host };
                let dot = if host == "*" { "" } else { self.one_of(&["", "", "."]) };
                let query = self.some(3, &["a=1&", "b=2&", "a*&", "a=*&", "b=1*&", "c&"]);
                let query = if query.is_empty() { query } else { format!("?{query}") };
                format!("{scheme}{dot}{host}{}{path}{query}", self.one_of(&["", "", ":80", ":8080"]))
            }
            Dialect::Zscaler => format!("{}{host}{path}", self.one_of(&["", "."])),
            Dialect::Netskope => format!("{}{host}{}{path}", self.one_of(&["", "*."]), self.one_of(&["", ":80"])),
            Dialect::SecureWebProxy => {
                format!("{}{host}{path}{}", self.one_of(&["", "*", "*."]), self.one_of(&["", "/*"]))
            }
            Dialect::SquidDomain => format!("{}{host}", self.one_of(&["", "."])),
            _ => {
                let lead = self.one_of(&["", "", "*.", "^.", "^.^."]);
                format!("{lead}{host}{path}{}", self.one_of(&["", "", "/", ".*", "/*"]))
            }
        }
    }

    fn url(&mut self) -> String {
        let scheme = self.one_of(&["http://", "http://", "https://", "ftp://"]);
        let (host, path) = (self.host(), self.some(5, &["/", "/x", "/y", "x", ".", "&", "X"]));
        let query = self.some(4, &["a=1&", "b=2&", "a=12&", "b=1&", "c&", "ab=1&", "&"]);
        let query = if self.below(2) == 0 { String::new() } else { format!("?{query}") };
        format!("{scheme}{host}{}/{}{query}", self.one_of(&["", "", ":8080", ":80"]), path.trim_start_matches('/'))
    }
}

#[test]
fn a_set_says_what_looking_at_each_pattern_says() {
    let dialects = [
        Dialect::Chrome,
        Dialect::Zscaler,
        Dialect::Netskope,
        Dialect::SecureWebProxy,
        Dialect::SquidDomain,
        Dialect::PanOs,
        Dialect::PanOsSlash,
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut hits = 0;
    for round in 0..420 {
        let dialect = dialects[round % dialects.len()];
        let block: Vec<_> = (0..random.below(30)).map(|_| random.pattern(dialect)).collect();
        let allow: Vec<_> = (0..random.below(10)).map(|_| random.pattern(dialect)).collect();
        let mut builder = Builder::new(dialect, &[round as u8; 16]);
        block.iter().for_each(|line| builder.line(List::Block, line.as_bytes()));
        allow.iter().for_each(|line| builder.line(List::Allow, line.as_bytes()));
        let (set, _) = builder.finish();
        let all = [read_all(dialect, List::Block, &block), read_all(dialect, List::Allow, &allow)].concat();
        for _ in 0..60 {
            let url = random.url();
            let expected = naive(dialect, &all, &url);
            hits += usize::from(expected.is_some());
            assert_eq!(told(&set, &url), expected, "{}: {url} by {block:?} and {allow:?}", dialect.as_str());
        }
    }
    assert!(hits > 2000, "{hits} hits");
}

#[test]
fn comments_behind_an_acl_are_no_values() {
    for line in ["acl ads url_regex ^http://ads\\. # block a tracker", "dstdomain .ads.example # our list"] {
        let (set, errors) = set(Dialect::Squid, &[line], &[]);
        assert_eq!((set.len(), errors.len()), (1, 0), "{line}");
        assert!(!blocked(&set, "http://good.example/a") && !blocked(&set, "http://list/"), "{line}");
    }
    assert_eq!(set(Dialect::Squid, &["dstdomain # nothing"], &[]).1.len(), 1);
}

#[test]
fn expressions_that_the_product_refuses_are_errors() {
    // As `regcomp` of the GNU library answers.
    let refused = [
        "*a",
        "?x",
        "a|*b",
        "(*a)",
        "^*a",
        "x$*",
        "{1}",
        "a{",
        "a{1",
        "a{x}",
        "a{}",
        "a{3,1}",
        "[b-a]",
        "[[:foo:]]",
        "[[:]",
        "[[:]]",
        "[[::]]",
        "[[:é:]]",
        "[[.é.]]",
        "[[=]",
    ];
    for line in refused {
        assert_eq!(set(Dialect::SquidUrl, &[line], &[]).1.len(), 1, "{line}");
    }
    for (line, url) in
        [("[[=a=]]{2}", "http://x.example/aa"), ("z[[.a.]-c]z", "http://x.example/zbz"), ("a{,3}q", "http://q/")]
    {
        let (set, errors) = set(Dialect::SquidUrl, &[line], &[]);
        assert!(errors.is_empty() && blocked(&set, url), "{line}: {errors:?}");
    }
}

#[test]
fn digits_behind_a_scheme_without_hosts_are_no_port() {
    let (set, _) = set(Dialect::Chrome, &["javascript://*", "tel:*", "localhost"], &[]);
    for url in ["javascript:0/alert(document.domain)", "tel:112", "localhost:8080"] {
        assert!(blocked(&set, url), "{url}");
    }
}
