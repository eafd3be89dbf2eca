//! The parser and the setters against the web platform tests: the copy that
//! the `url` crate's package carries, and the newer one beside the project.

mod shared;

use serde_json::Value;
use urlkey::{Attribute, Options, ParseError, Url};

fn text<'v>(row: &'v Value, field: &str) -> Option<&'v str> {
    row.get(field).and_then(Value::as_str)
}

fn parsed(row: &Value) -> Result<Url, ParseError> {
    let base = match text(row, "base").filter(|base| *base != "about:blank" || row.get("relativeTo").is_none()) {
        Some(base) => Some(Url::parse(base, &Options::default())?),
        None => None,
    };
    Url::parse(text(row, "input").unwrap_or_default(), &Options { base: base.as_ref(), ..Options::default() })
}

fn or_empty(part: Option<&str>, mark: char) -> String {
    part.filter(|p| !p.is_empty()).map(|p| format!("{mark}{p}")).unwrap_or_default()
}

/// The attributes of the URL API.
fn attribute(url: &Url, name: &str) -> String {
    let port = url.port().map(|p| p.to_string()).unwrap_or_default();
    let host = url.host().unwrap_or_default();
    match name {
        "href" => url.href().to_owned(),
        "origin" => url.origin(),
        "protocol" => format!("{}:", url.scheme()),
        "username" => url.username().to_owned(),
        "password" => url.password().to_owned(),
        "host" if port.is_empty() => host.to_owned(),
        "host" => format!("{host}:{port}"),
        "hostname" => host.to_owned(),
        "port" => port,
        "pathname" => url.path().to_owned(),
        "search" => or_empty(url.query(), '?'),
        "hash" => or_empty(url.fragment(), '#'),
        _ => panic!("no attribute {name}"),
    }
}

const ATTRIBUTES: [&str; 12] = [
    "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
    "origin",
];

/// What is wrong with this row, if anything.
fn parse_trouble(row: &Value) -> Option<String> {
    let what = format!("{} against {}", row["input"], row["base"]);
    match (parsed(row), row.get("failure").is_some()) {
        (Err(_), true) => None,
        (Ok(url), true) => Some(format!("{what}: {} but should fail", url.href())),
        (Err(e), false) => Some(format!("{what}: {e}")),
        (Ok(url), false) => ATTRIBUTES
            .iter()
            .filter_map(|name| text(row, name).map(|wanted| (name, wanted)))
            .find(|(name, wanted)| attribute(&url, name) != *wanted)
            .map(|(name, wanted)| format!("{what}: {name} is {:?}, not {wanted:?}", attribute(&url, name))),
    }
}

fn setter_of(name: &str) -> Attribute {
    match name {
        "href" => Attribute::Href,
        "protocol" => Attribute::Protocol,
        "username" => Attribute::Username,
        "password" => Attribute::Password,
        "host" => Attribute::Host,
        "hostname" => Attribute::Hostname,
        "port" => Attribute::Port,
        "pathname" => Attribute::Pathname,
        "search" => Attribute::Search,
        "hash" => Attribute::Hash,
        _ => panic!("no setter {name}"),
    }
}

fn setter_trouble(name: &str, row: &Value) -> Option<String> {
    let what = format!("{name} = {} on {}", row["new_value"], row["href"]);
    let mut url = match Url::parse(text(row, "href")?, &Options::default()) {
        Ok(url) => url,
        Err(e) => return Some(format!("{what}: {e}")),
    };
    let before = url.href().to_owned();
    let set = url.set(setter_of(name), text(row, "new_value").unwrap_or_default());
    if set.is_err() && url.href() != before {
        return Some(format!("{what}: an error, and yet {}", url.href()));
    }
    let again = Url::parse(url.href(), &Options::default());
    if again.as_ref() != Ok(&url) && again.as_ref().map(Url::href) != Ok(url.href()) {
        return Some(format!("{what}: {} does not parse to itself", url.href()));
    }
    let expected = row["expected"].as_object()?;
    expected.iter().filter_map(|(k, v)| v.as_str().map(|v| (k, v))).find_map(|(k, wanted)| {
        let is = attribute(&url, k);
        (is != wanted).then(|| format!("{what}: {k} is {is:?}, not {wanted:?}"))
    })
}

fn check(troubles: Vec<String>, rows: usize) {
    assert!(rows > 0, "no rows");
    assert!(troubles.is_empty(), "{} of {rows} rows:\n{}", troubles.len(), troubles.join("\n"));
    println!("{rows} rows");
}

#[test]
fn wpt_urls_parse_as_the_standard_says() {
    for file in ["wpt/urltestdata.jsonl", "wpt/ada_extra_urltestdata.jsonl"] {
        if let Some(rows) = shared::vectors(file) {
            check(rows.iter().filter_map(parse_trouble).collect(), rows.len());
        }
    }
}

#[test]
fn wpt_setters_set_as_the_standard_says() {
    for file in ["wpt/setters_tests.jsonl", "wpt/ada_extra_setters.jsonl"] {
        if let Some(rows) = shared::vectors(file) {
            let troubles = rows.iter().filter_map(|row| setter_trouble(text(row, "attribute")?, row));
            check(troubles.collect(), rows.len());
        }
    }
}
