//! The parser and the setters against the web platform tests: the copy that
//! the `url` crate's package carries, and the newer one beside the project.
//! What the Standard changed between the two is listed in `wpt_changes.jsonl`.

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

/// The rows of the package's copy that the Standard has changed since; `setter` names those of the setters.
fn changes(of_setters: bool) -> Vec<Value> {
    let rows = include_str!("wpt_changes.jsonl").lines().map(|line| serde_json::from_str(line).expect("a JSON row"));
    rows.filter(|row: &Value| row.get("setter").is_some() == of_setters).collect()
}

/// The rows of the list hold; the rows that changed give what the change says, and no other rows do not hold.
fn check_but_for(changes: &[Value], rows: Vec<(String, Option<String>, Value)>) {
    let trouble_of = |id: &str| rows.iter().find(|row| row.0 == id).unwrap_or_else(|| panic!("no row any more: {id}"));
    for change in changes {
        let (_, trouble, was) = trouble_of(&id_of(change));
        assert_eq!(&change["was"], was, "{change}");
        assert!(trouble.is_some(), "no change any more: {change}");
    }
    let ids: Vec<_> = changes.iter().map(id_of).collect();
    let others = rows.iter().filter(|row| !ids.contains(&row.0));
    check(others.filter_map(|row| row.1.clone()).collect(), rows.len());
}

fn id_of(row: &Value) -> String {
    format!("{} {} {} {} {}", row["setter"], row["href"], row["new_value"], row["input"], row["base"])
}

#[test]
fn the_packages_wpt_urls_parse_but_for_the_changes() {
    let rows: Vec<Value> = serde_json::from_str(&shared::of_package("url", "tests/urltestdata.json")).expect("JSON");
    let changes = changes(false);
    let row = |row: &Value| {
        let was = row.get("href").cloned().unwrap_or_else(|| "failure".into());
        let id = serde_json::json!({ "input": row["input"], "base": row["base"] });
        (id_of(&id), parse_trouble(row), was)
    };
    check_but_for(&changes, rows.iter().filter(|row| row.is_object()).map(row).collect());
    for change in &changes {
        let is = parsed(change).map_or_else(|_| "failure".to_owned(), |url| url.href().to_owned());
        assert_eq!(change["is"], is.as_str(), "{change}");
    }
}

#[test]
fn the_packages_wpt_setters_set_but_for_the_changes() {
    let rows: Value = serde_json::from_str(&shared::of_package("url", "tests/setters_tests.json")).expect("JSON");
    let setters = rows.as_object().expect("attributes").iter().filter(|(name, _)| *name != "comment");
    let rows = setters.flat_map(|(name, rows)| rows.as_array().into_iter().flatten().map(move |row| (name, row)));
    let changes = changes(true);
    let row = |(name, row): (&String, &Value)| {
        let id = serde_json::json!({ "setter": name, "href": row["href"], "new_value": row["new_value"] });
        (id_of(&id), setter_trouble(name, row), row["expected"]["href"].clone())
    };
    check_but_for(&changes, rows.map(row).collect());
    for change in &changes {
        let mut url = Url::parse(text(change, "href").unwrap_or_default(), &Options::default()).expect("a URL");
        let _ = url
            .set(setter_of(text(change, "setter").unwrap_or_default()), text(change, "new_value").unwrap_or_default());
        assert_eq!(change["is"], url.href(), "{change}");
    }
}
