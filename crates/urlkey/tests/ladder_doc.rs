//! Holds LADDER.md, and the README's short form of it, to the code: one row a
//! step, in running order, with its loss, its section, its example and the
//! profiles that have it on. And the examples to what the steps do.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use urlkey::{BUILTIN_NAMES, Loss, Meta, Options, Policy, Rung, Scratch, Url, explain, key, rows};

const WRITE: &str = "URLKEY_WRITE_DOCS=1 cargo test -p urlkey --test ladder_doc";
const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end of generated -->";

#[test]
fn ladder_md_is_what_the_code_says() {
    hold("crates/urlkey/LADDER.md", "ladder", &ladder());
}

#[test]
fn readme_shows_the_profiles_as_they_are() {
    hold("README.md", "profiles", &profiles());
}

/// One row a step.
fn ladder() -> String {
    let mut out = String::from("| step | loss |");
    BUILTIN_NAMES.iter().for_each(|name| write!(out, " {name} |").unwrap());
    out.push_str(" rule | example | source |\n|---|---|");
    BUILTIN_NAMES.iter().for_each(|_| out.push_str(":-:|"));
    out.push_str("---|---|---|\n");
    for meta in rows() {
        write!(out, "| `{}` | {} |", meta.name, meta.loss.as_str()).unwrap();
        BUILTIN_NAMES.iter().for_each(|name| write!(out, " {} |", mark(meta, name)).unwrap());
        let (before, after) = meta.example;
        writeln!(out, " {} | {} → {} | {} |", cell(meta.rule), code(before), code(after), source(meta.section))
            .unwrap();
    }
    out
}

/// One row a profile, with what it adds to the one that it extends.
fn profiles() -> String {
    let mut out = String::from("| profile | serves | what it adds | loses at most |\n|---|---|---|---|\n");
    let mut listed: Vec<Rung> = Vec::new();
    for name in BUILTIN_NAMES {
        let policy = Policy::builtin(name).unwrap();
        let on: Vec<Rung> = policy.rungs().collect();
        let most = on.iter().map(|rung| rung.meta().loss).max().unwrap_or(Loss::None);
        let adds = match extended(name) {
            None => "the URL Standard's parse".to_owned(),
            Some(milder) => {
                let known: Vec<Rung> = Policy::builtin(&milder).unwrap().rungs().collect();
                let added = on.iter().filter(|rung| !known.contains(rung));
                let added: Vec<String> = added.map(|rung| format!("`{}`", rung.name())).collect();
                if added.is_empty() { format!("as `{milder}`") } else { format!("`{milder}` and {}", added.join(" ")) }
            }
        };
        writeln!(out, "| **{name}** | {} | {adds} | {} |", policy.serves(), most.as_str()).unwrap();
        listed.extend(on);
    }
    let rest = Rung::ALL.iter().filter(|rung| !listed.contains(rung));
    let rest: Vec<String> = rest.map(|rung| format!("`{}`", rung.name())).collect();
    writeln!(out, "| in none | policies that ask for them | {} | site |", rest.join(" ")).unwrap();
    out
}

/// The profile that a built-in one extends, by its file.
fn extended(name: &str) -> Option<String> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("data/profiles/{name}.toml"));
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find(|line| line.starts_with("extends = "))?;
    line.split('"').nth(1).map(str::to_owned)
}

/// Every profile parses; a rung is on or off; site rules act where a policy has some.
fn mark(meta: &Meta, profile: &str) -> &'static str {
    match Rung::by_name(meta.name) {
        Some(rung) if Policy::builtin(profile).unwrap().has(rung) => "x",
        Some(_) => "",
        None if meta.name == "site_rules" => "",
        None => "x",
    }
}

fn cell(text: &str) -> String {
    text.replace('&', "&amp;").replace('|', "\\|").replace('<', "&lt;")
}

/// A code span in a table cell; ␊ stands for a line break.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('\n', "␊").replace('|', "\\|"))
}

fn source(section: &str) -> String {
    match section.split_once("://") {
        None => cell(section),
        Some((_, place)) => {
            let name =
                place.replace("url.spec.whatwg.org/", "URL Standard ").replace("www.rfc-editor.org/rfc/rfc", "RFC ");
            format!("[{}]({section})", name.replace(" #", ", ").replace('#', ", "))
        }
    }
}

/// Compares what stands between the marks of a page, or writes it there if asked to.
fn hold(page: &str, name: &str, made: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{page}: {fault}"));
    let begin = format!("{BEGIN}{name}, by {WRITE} -->\n");
    let (front, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{page} lacks the line {begin}"));
    let (found, back) = rest.split_once(END).unwrap_or_else(|| panic!("{page} lacks the line {END}"));
    if found == made {
        return;
    }
    if env::var_os("URLKEY_WRITE_DOCS").is_some() {
        fs::write(&path, [front, &begin, made, END, back].concat()).unwrap();
        return;
    }
    let row = made.lines().zip(found.lines()).find(|(made, found)| made != found);
    panic!("{page} is not what the code says; write it anew with\n    {WRITE}\nfirst other row: {row:#?}");
}

#[test]
fn names_are_unique_and_every_rung_has_its_row() {
    let names: Vec<&str> = rows().iter().map(|meta| meta.name).collect();
    for (at, name) in names.iter().enumerate() {
        assert!(!names[..at].contains(name), "{name} stands twice");
    }
    let rungs: Vec<&str> = names.iter().copied().filter(|name| Rung::by_name(name).is_some()).collect();
    assert_eq!(rungs, Rung::ALL.iter().map(|rung| rung.name()).collect::<Vec<_>>());
}

#[test]
fn examples_are_what_a_step_alone_does_on_top_of_parse() {
    let page = Url::parse("http://a.example/y/z", &Options::default()).unwrap();
    for meta in rows() {
        let (before, after) = meta.example;
        let policy = alone(meta);
        let options = Options { base: (meta.name == "resolve").then_some(&page), ..Options::default() };
        let mut scratch = Scratch::default();
        let made = key(before, &options, &policy, &mut scratch).unwrap_or_else(|e| panic!("{}: {e}", meta.name));
        assert_eq!(made.text(before), after, "{}", meta.name);
        let told = explain(before, &options, &policy).unwrap();
        assert!(told.steps.iter().any(|step| step.name == meta.name), "explain names {} in {told:#?}", meta.name);
    }
}

fn alone(meta: &Meta) -> Policy {
    let parse = Policy::builtin("whatwg").unwrap();
    match Rung::by_name(meta.name) {
        Some(rung) => parse.with(&[(rung.name(), true.into())]).unwrap(),
        None if meta.name == "site_rules" => {
            let rule = "schema = 1\n[[site]]\nhost = \"shop.example\"\ndrop = [\"color\"]\n";
            parse.with_rules(&[("mine.toml", rule)]).unwrap()
        }
        None => parse.with(&[]).unwrap(),
    }
}
