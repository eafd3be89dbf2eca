//! Reads `[[redirect]]` rows of policies and rule files: which links hold the
//! page they lead to, beyond those that are compiled in. Must not know how a
//! target is taken out.

use std::fmt::Write;
use std::sync::Arc;

use super::error::PolicyError;
use super::model::{Except, Redirect, SiteRule};
use super::read::Table;
use super::redirector_rows::{decoders, hop_kind};
use super::redirectors::{Decoder, HopKind, Redirector, Take};
use super::regexes::Rx;
use super::says::{rank, row};
use super::site_rules;
use super::write::{list, quoted};

pub(crate) const KEYS: [&str; 16] = [
    "host",
    "path",
    "url",
    "except",
    "param",
    "match",
    "path_match",
    "to",
    "decode",
    "scheme",
    "prepend",
    "other_site",
    "kind",
    "source",
    "date",
    "note",
];

/// The `[[redirect]]` rows of a file, in its order.
pub(crate) fn read(root: &Table) -> Result<Vec<Redirect>, PolicyError> {
    let tables = root.tables("redirect")?;
    tables.iter().map(|value| redirect(&Table::of(root.file, value, "redirect", "key", &KEYS)?)).collect()
}

/// One row.
pub(crate) fn redirect(table: &Table) -> Result<Redirect, PolicyError> {
    let decode = match table.get("decode") {
        None => vec![Decoder::Percent],
        Some(_) => decoders(table)?,
    };
    let kind = table.text("kind")?.map(|name| hop_kind(table.file, name, table.at)).transpose()?;
    Ok(Redirect {
        cover: site_rules::cover(table)?,
        take: take(table)?,
        decode,
        scheme: scheme(table, "scheme")?,
        prepend: scheme(table, "prepend")?,
        other_site: table.bool("other_site")?.unwrap_or(false),
        kind: kind.unwrap_or(HopKind::Redirector),
    })
}

fn take(table: &Table) -> Result<Take, PolicyError> {
    let expression = |key| table.text(key)?.map(|text| Rx::search(text).map_err(|e| fault(table, key, e))).transpose();
    let to = table.text("to")?.map(str::to_owned);
    let found = match (table.text("param")?, expression("match")?, expression("path_match")?) {
        (Some(name), None, None) if !name.is_empty() && !name.contains(['&', '=', '#']) => {
            Some(Take::Param(vec![name.to_owned()]))
        }
        (None, Some(rx), None) => Some(Take::Match { rx, in_path: false, to: to.clone() }),
        (None, None, Some(rx)) => Some(Take::Match { rx, in_path: true, to: to.clone() }),
        _ => None,
    };
    match found {
        Some(Take::Match { rx, .. }) if rx.groups() == 0 => {
            Err(table.file.error(table.at, "the expression captures nothing; write the target in ( )"))
        }
        Some(Take::Param(_)) if to.is_some() => Err(fault(table, "to", "to needs match or path_match".to_owned())),
        Some(take) => Ok(take),
        None => {
            let allowed = "a redirect has one of param, match, path_match: where the target stands";
            Err(table.file.error(table.at, allowed))
        }
    }
}

fn scheme(table: &Table, key: &str) -> Result<Option<String>, PolicyError> {
    match table.text(key)? {
        None => Ok(None),
        Some(name @ ("http" | "https")) => Ok(Some(name.to_owned())),
        Some(other) => Err(fault(table, key, format!("{key} is {other:?}; allowed: http, https"))),
    }
}

fn fault(table: &Table, key: &str, message: String) -> PolicyError {
    table.file.error(table.get(key).map_or(table.at, |value| value.span().start), message)
}

/// As the rung takes them, the first to be asked first.
pub(crate) fn compiled(redirects: &[Redirect]) -> Vec<Arc<Redirector>> {
    let mut sorted: Vec<&Redirect> = redirects.iter().collect();
    sorted.sort_by(|a, b| order(&a.cover).cmp(&order(&b.cover)));
    sorted.into_iter().map(|redirect| Arc::new(redirector(redirect))).collect()
}

fn order(cover: &SiteRule) -> (impl Ord + use<>, &str, usize) {
    (rank(cover), &cover.file, cover.line)
}

fn redirector(redirect: &Redirect) -> Redirector {
    let cover = &redirect.cover;
    let origin = format!("{}:{}", cover.file, cover.line);
    Redirector {
        id: origin.clone(),
        kind: redirect.kind,
        hosts: vec![cover.host.clone()],
        paths: Vec::new(),
        take: redirect.take.clone(),
        decode: redirect.decode.clone(),
        until: Vec::new(),
        to_end: Vec::new(),
        semicolons: false,
        scheme: redirect.scheme.clone(),
        relative: false,
        drop: Vec::new(),
        verified: true,
        origin: Some(origin),
        cover: Some(row(cover)),
        prepend: redirect.prepend.clone(),
        other_site: redirect.other_site,
    }
}

/// Key and value of what a row says beside what it covers, as a file would write them.
pub(crate) fn says(redirect: &Redirect) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    match &redirect.take {
        Take::Param(names) => out.extend(names.iter().map(|name| ("param", quoted(name)))),
        Take::Match { rx, in_path, to } => {
            out.push((if *in_path { "path_match" } else { "match" }, quoted(rx.text())));
            out.extend(to.iter().map(|to| ("to", quoted(to))));
        }
        // No row reads another.
        _ => {}
    }
    let name =
        |decoder: &Decoder| Decoder::ALL.iter().find(|(_, known)| known == decoder).map(|(name, _)| quoted(name));
    out.push(("decode", list(redirect.decode.iter().filter_map(name))));
    out.extend(redirect.scheme.iter().map(|scheme| ("scheme", quoted(scheme))));
    out.extend(redirect.prepend.iter().map(|scheme| ("prepend", quoted(scheme))));
    if redirect.other_site {
        out.push(("other_site", "true".to_owned()));
    }
    out.push(("kind", quoted(redirect.kind.as_str())));
    out
}

/// One row as a file would write it.
pub(crate) fn write(out: &mut String, redirect: &Redirect) {
    let cover = &redirect.cover;
    let (host, path) = (cover.host.to_string(), cover.path.text());
    let _ = writeln!(out, "\n[[redirect]]\nhost = {}\npath = {}", quoted(&host), quoted(path));
    if let Some(rx) = &cover.url {
        let _ = writeln!(out, "url = {}", quoted(rx.text()));
    }
    if !cover.except.is_empty() {
        let _ = writeln!(out, "except = {}", list(cover.except.iter().map(|except| quoted(&except.text()))));
    }
    for (key, value) in says(redirect) {
        let _ = writeln!(out, "{key} = {value}");
    }
    let _ = writeln!(out, "source = {}", quoted(cover.layer.as_str()));
    if let Some(date) = &cover.date {
        let _ = writeln!(out, "date = {date}");
    }
    if let Some(note) = &cover.note {
        let _ = writeln!(out, "note = {}", quoted(note));
    }
}

/// What of a row decides keys.
pub(crate) fn id_line(redirect: &Redirect) -> String {
    let cover = &redirect.cover;
    let mut except: Vec<String> = cover.except.iter().map(Except::text).collect();
    except.sort_unstable();
    let url = cover.url.as_ref().map(Rx::text);
    let (path, layer) = (cover.path.text(), cover.layer.as_str());
    format!("redirect {} {path:?} {layer} {url:?} {except:?} {:?}", cover.host, says(redirect))
}
