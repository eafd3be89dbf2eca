//! What holds for every text: claims of the documentation, one test each, over
//! texts made from a seed. A failure prints the text; it belongs into
//! `vectors/keys.jsonl` then.

mod generate;

use std::sync::{Arc, OnceLock};

use generate::Random;
use urlkey::*;

/// How many texts a property sees; `URLKEY_TEXTS=100000 URLKEY_SEED=7 cargo test --release` looks further.
fn texts() -> usize {
    number("URLKEY_TEXTS").unwrap_or(1500) as usize
}

fn seed(property: u64) -> u64 {
    number("URLKEY_SEED").unwrap_or(0) << 8 | property
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// The built-in policies, and random sets of rungs.
struct Policies {
    builtin: Vec<Arc<Policy>>,
    random: Vec<Policy>,
}

fn policies() -> &'static Policies {
    static POLICIES: OnceLock<Policies> = OnceLock::new();
    POLICIES.get_or_init(|| {
        let mut random = Random::new(seed(0));
        let builtin = BUILTIN_NAMES.iter().map(|name| Policy::builtin(name).unwrap()).collect();
        Policies { builtin, random: (0..150).map(|_| random_policy(&mut random)).collect() }
    })
}

/// Few rungs, half of them, or nearly all.
fn random_policy(random: &mut Random) -> Policy {
    let share = [2, 5, 9][random.below(3)];
    let repairs = random.once_in(3);
    let rungs = Rung::ALL.iter().enumerate().map(|(i, rung)| (*rung, random.below(10) < share && (i > 2 || repairs)));
    let policy = with(rungs);
    // Links that hold others are some of the texts: half of the policies unwrap all there are.
    if random.once_in(2) { unwrapping(&policy) } else { policy }
}

fn unwrapping(policy: &Policy) -> Policy {
    let list = |items: &[&str]| Setting::List(items.iter().map(|item| Setting::Text((*item).to_owned())).collect());
    let parameters = [
        ("kinds", list(&["redirector", "affiliate", "shield", "mail", "share", "copy", "translation"])),
        ("also", list(&["www.example.com/r?url", "r.example/*?to", "r.example/?to"])),
        ("unverified", Setting::Bool(true)),
    ];
    let parameters = parameters.map(|(name, setting)| (name.to_owned(), setting));
    policy.with(&[("unwrap_redirector", Setting::Table(parameters.into()))]).unwrap()
}

fn with(rungs: impl Iterator<Item = (Rung, bool)>) -> Policy {
    let changes: Vec<_> = rungs.map(|(rung, on)| (rung.name(), Setting::Bool(on))).collect();
    Policy::builtin("fold").unwrap().with(&changes).unwrap()
}

fn rungs_of(policy: &Policy) -> Vec<&str> {
    policy.rungs().map(|rung| rung.name()).collect()
}

fn key_of(text: &str, options: &Options, policy: &Policy) -> Result<String, ParseError> {
    let mut scratch = Scratch::default();
    key(text, options, policy, &mut scratch).map(|key| key.text(text).to_owned())
}

fn parse(text: &str) -> Result<Url, ParseError> {
    Url::parse(text, &Options::default())
}

/// A base once in three times. Repairs do not reach it, so its scheme is no broken one.
fn base(random: &mut Random) -> Option<Url> {
    const WHOLE: [&str; 8] = ["http", "https", "ftp", "ws", "wss", "file", "foo", "blob"];
    let url = if random.once_in(3) { parse(&generate::url(random)).ok()? } else { return None };
    WHOLE.contains(&url.scheme()).then_some(url)
}

/// One page in six is not in UTF-8.
fn encoding(random: &mut Random) -> Encoding {
    let legacy = random.pick(&["shift_jis", "windows-1252", "gb18030", "iso-2022-jp", "big5", "utf-16le"]);
    if random.once_in(6) { Encoding::for_label(legacy).unwrap() } else { Encoding::UTF8 }
}

/// Calls `check` with texts, bases and policies of both kinds.
fn each_text(property: u64, mut check: impl FnMut(&str, &Options, &Policy)) {
    let mut random = Random::new(seed(property));
    let policies = policies();
    for _ in 0..texts() {
        let base = base(&mut random);
        let text = if base.is_some() { generate::reference(&mut random) } else { generate::url(&mut random) };
        let options = Options { base: base.as_ref(), encoding: encoding(&mut random) };
        for policy in &policies.builtin {
            check(&text, &options, policy);
        }
        for _ in 0..6 {
            check(&text, &options, &policies.random[random.below(policies.random.len())]);
        }
    }
}

fn told(text: &str, options: &Options, policy: &Policy) -> String {
    let base = options.base.map(Url::href);
    format!("{text:?} against {base:?} under {:?}", rungs_of(policy))
}

#[test]
fn a_key_is_its_own_key_under_every_set_of_rungs() {
    let (mut keys, mut errors) = (0, 0);
    each_text(1, |text, options, policy| match key_of(text, options, policy) {
        Ok(key) => {
            keys += 1;
            assert_eq!(key_of(&key, options, policy).as_ref(), Ok(&key), "{}", told(text, options, policy));
        }
        Err(_) => errors += 1,
    });
    assert!(keys > errors, "{keys} keys, {errors} errors: the generator makes too many texts that are no URLs");
}

#[test]
fn parse_leaves_a_key_as_it_is() {
    each_text(2, |text, options, policy| {
        let Ok(key) = key_of(text, options, policy) else { return };
        let href = parse(&key).map(|url| url.href().to_owned());
        assert_eq!(href, Ok(key), "{}", told(text, options, policy));
    });
}

#[test]
fn explain_goes_from_the_input_to_the_key() {
    each_text(3, |text, options, policy| {
        let (key, told_all) = (key_of(text, options, policy), explain(text, options, policy));
        let what = told(text, options, policy);
        let Ok(explanation) = &told_all else {
            assert_eq!(told_all.err(), key.err(), "{what}");
            return;
        };
        assert_eq!(Ok(&explanation.key), key.as_ref(), "{what}");
        let mut now = text;
        for step in &explanation.steps {
            assert_eq!(step.before, now, "{what}: {} begins elsewhere\n{:#?}", step.name, explanation.steps);
            assert!(step.before != step.after || step.refused.is_some(), "{what}: {} did nothing", step.name);
            now = &step.after;
        }
        assert_eq!(now, explanation.key, "{what}\n{:#?}", explanation.steps);
    });
}

#[test]
fn steps_stand_in_ladder_order() {
    let rows: Vec<_> = rows().iter().map(|meta| meta.name).collect();
    each_text(4, |text, options, policy| {
        let Ok(told_all) = explain(text, options, policy) else { return };
        let places: Vec<_> = told_all.steps.iter().map(|s| rows.iter().position(|r| *r == s.name)).collect();
        assert!(places.iter().all(Option::is_some), "{}", told(text, options, policy));
        let names: Vec<_> = told_all.steps.iter().map(|s| s.name).collect();
        // What a layer held begins at the foot of the ladder, and so does what site rules are to see under a
        // new host or path; a layer, and a link to a platform, may be what another rung uncovers.
        let afresh = |step: &Step| step.name.starts_with("unwrap_") || step.name == "site_form" || moved(step);
        let climbs = |i: usize| places[i - 1] <= places[i] || told_all.steps[..=i].iter().any(afresh);
        let sorted = (1..places.len()).all(climbs);
        assert!(sorted, "{}: {names:?}", told(text, options, policy));
    });
}

/// Whether a rung has changed host or path.
fn moved(step: &Step) -> bool {
    if Rung::by_name(step.name).is_none() {
        return false;
    }
    let (Ok(before), Ok(after)) = (parse(&step.before), parse(&step.after)) else { return false };
    (before.host(), before.path()) != (after.host(), after.path())
}

#[test]
fn layers_are_met_and_taken_off() {
    let (mut layers, mut most, mut uncovered) = (0, 0, 0);
    each_text(12, |text, options, policy| {
        let Ok(told_all) = explain(text, options, policy) else { return };
        let at: Vec<usize> =
            (0..told_all.steps.len()).filter(|&i| told_all.steps[i].name.starts_with("unwrap_")).collect();
        layers += at.len();
        most = most.max(at.len());
        uncovered += usize::from(at.iter().any(|&i| i > 0 && told_all.steps[i - 1].name == "drop_port"));
        assert!(at.len() <= unwrap::MOST_LAYERS, "{}", told(text, options, policy));
    });
    assert!(layers > 300 && most >= 3 && uncovered > 0, "{layers} layers, {most} at most, {uncovered} uncovered");
}

#[test]
fn nothing_is_done_to_a_link_that_has_its_form() {
    let (mut formed, mut uncovered) = (0, 0);
    each_text(13, |text, options, policy| {
        let Ok(told_all) = explain(text, options, policy) else { return };
        let names: Vec<_> = told_all.steps.iter().map(|step| step.name).collect();
        let Some(last) = names.iter().rposition(|name| *name == "site_form") else { return };
        formed += 1;
        let uncover = ["drop_port", "drop_session", "fold_mobile_host", "fold_amp_host"];
        uncovered += usize::from(last > 0 && uncover.contains(&names[last - 1]));
        // Only a redirector that a form is the link of has something in it.
        let behind = &names[last + 1..];
        assert!(
            behind.first().is_none_or(|name| name.starts_with("unwrap_")),
            "{}: {names:?}",
            told(text, options, policy)
        );
        if behind.is_empty() {
            let id = forms::social::social_id(&parse(&told_all.key).unwrap());
            assert_eq!(id.map(|id| id.canonical), Some(told_all.key), "{}", told(text, options, policy));
        }
    });
    assert!(formed > 100 && uncovered > 0, "{formed} formed, {uncovered} uncovered");
}

#[test]
fn only_host_rungs_change_the_host() {
    const HOST_RUNGS: [&str; 4] = ["drop_root_dot", "drop_www", "fold_mobile_host", "fold_amp_host"];
    each_text(5, |text, options, policy| {
        let Ok(told_all) = explain(text, options, policy) else { return };
        if told_all.steps.iter().any(|step| step.name.starts_with("unwrap_") || step.name == "site_form") {
            return; // another URL
        }
        let (key, href) = (parse(&told_all.key).unwrap(), parse(&told_all.href).unwrap());
        if !told_all.steps.iter().any(|step| HOST_RUNGS.contains(&step.name)) {
            assert_eq!(key.host(), href.host(), "{}", told(text, options, policy));
        }
        // And those only take away.
        let (key, href) = (key.host().unwrap_or_default(), href.host().unwrap_or_default());
        assert!(href.contains(key), "{}", told(text, options, policy));
    });
}

#[test]
fn rungs_above_none_leave_other_schemes_alone() {
    each_text(6, |text, options, policy| {
        let Ok(told_all) = explain(text, options, policy) else { return };
        let href = parse(&told_all.href).unwrap();
        if href.has_opaque_path() {
            assert_eq!(told_all.key, told_all.href, "{}", told(text, options, policy));
        }
        if !href.is_http() {
            let repairs = ["trim_wrapping", "refang", "assume_scheme"];
            let above = told_all.steps.iter().find(|s| s.loss > Loss::None && !repairs.contains(&s.name));
            assert!(above.is_none(), "{}", told(text, options, policy));
        }
    });
}

#[test]
fn bytes_have_the_key_of_their_text() {
    each_text(7, |text, options, policy| {
        let mut scratch = Scratch::default();
        let of_bytes =
            key_of_bytes(text.as_bytes(), options, policy, &mut scratch).map(|key| key.text(text).to_owned());
        assert_eq!(of_bytes, key_of(text, options, policy), "{}", told(text, options, policy));
    });
}

#[test]
fn a_scratch_forgets_the_url_before() {
    let mut scratch = Scratch::default();
    each_text(8, |text, options, policy| {
        let reused = key(text, options, policy, &mut scratch).map(|key| key.text(text).to_owned());
        assert_eq!(reused, key_of(text, options, policy), "{}", told(text, options, policy));
    });
}

#[test]
fn a_reference_has_the_key_of_what_it_resolves_to() {
    let repairs = ["trim_wrapping", "refang", "assume_scheme"];
    each_text(9, |text, options, policy| {
        let Some(base) = options.base else { return };
        if rungs_of(policy).iter().any(|rung| repairs.contains(rung)) {
            return;
        }
        let joined = Url::parse(text, &Options { base: Some(base), encoding: options.encoding });
        let wanted = joined.and_then(|url| key_of(url.href(), &Options::default(), policy));
        assert_eq!(key_of(text, options, policy).ok(), wanted.ok(), "{}", told(text, options, policy));
    });
}

#[test]
fn compare_agrees_with_keys() {
    let mut random = Random::new(seed(10));
    let policies = policies();
    for _ in 0..texts() / 4 {
        let a = generate::url(&mut random);
        let b = if random.once_in(8) { generate::url(&mut random) } else { generate::respelled(&mut random, &a) };
        let policy = match random.below(policies.builtin.len() * 3 / 2) {
            n if n < policies.builtin.len() => &*policies.builtin[n],
            _ => &policies.random[random.below(policies.random.len())],
        };
        let options = Options::default();
        let (key_a, key_b) = (key_of(&a, &options, policy), key_of(&b, &options, policy));
        let what = format!("{a:?} and {b:?} under {:?}", rungs_of(policy));
        let (Ok(key_a), Ok(key_b)) = (key_a, key_b) else {
            assert!(compare(&a, &b, &options, policy).is_err(), "{what}");
            continue;
        };
        let one = compare(&a, &b, &options, policy).unwrap_or_else(|e| panic!("{what}: {e}"));
        let other = compare(&b, &a, &options, policy).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!((&one.a, &one.b), (&key_a, &key_b), "{what}");
        assert_eq!(one.same, key_a == key_b, "{what}");
        assert_eq!(one.part.is_none(), one.same, "{what}");
        assert!(!one.same || one.meets.is_some(), "{what}");
        assert_eq!((one.same, one.meets, one.part), (other.same, other.meets, other.part), "{what}");
        let (mut words, mut other_words) = (one.reasons.clone(), other.reasons.clone());
        words.sort_unstable();
        other_words.sort_unstable();
        assert_eq!(words, other_words, "{what}");
        assert_eq!(one.reasons.is_empty(), one.meets.is_none() || a == b, "{what}: {one:?}");
        for loss in Loss::ALL {
            let (class_a, class_b) = (key_of(&a, &options, up_to(loss)), key_of(&b, &options, up_to(loss)));
            let equal = class_a.is_ok() && class_a == class_b;
            if Some(loss) == one.meets && !one.same && class_a.is_ok() {
                assert!(equal, "{what}: {one:?} and yet apart under {}", loss.as_str());
            }
            if equal {
                assert!(
                    one.meets.is_some_and(|meets| meets <= loss),
                    "{what}: {one:?} and yet one under {}",
                    loss.as_str()
                );
                break;
            }
        }
    }
}

/// The rungs that `compare` takes up to a class.
fn up_to(loss: Loss) -> &'static Policy {
    static CLASSES: OnceLock<Vec<Policy>> = OnceLock::new();
    let left_out = [
        "trim_wrapping",
        "refang",
        "assume_scheme",
        "drop_query",
        "drop_port",
        "drop_blank_params",
        "drop_opaque_params",
    ];
    let make = |loss: &Loss| {
        with(Rung::ALL.iter().map(|rung| (*rung, rung.meta().loss <= *loss && !left_out.contains(&rung.name()))))
    };
    &CLASSES.get_or_init(|| Loss::ALL.iter().map(make).collect())[loss as usize]
}

#[test]
fn the_meaning_of_a_set_url_survives_its_text() {
    const ATTRIBUTES: [Attribute; 9] = [
        Attribute::Protocol,
        Attribute::Username,
        Attribute::Password,
        Attribute::Host,
        Attribute::Hostname,
        Attribute::Port,
        Attribute::Pathname,
        Attribute::Search,
        Attribute::Hash,
    ];
    let mut random = Random::new(seed(11));
    for _ in 0..texts() * 4 {
        let Ok(mut url) = parse(&generate::url(&mut random)) else { continue };
        for _ in 0..3 {
            let attribute = ATTRIBUTES[random.below(9)];
            let value = value_for(attribute, &mut random);
            let before = url.clone();
            let set = url.set(attribute, &value);
            let what = format!("{attribute:?} = {value:?} on {}", before.href());
            if set.is_err() {
                assert_eq!(url, before, "{what}");
                continue;
            }
            // The Standard's own gap: file URLs read drive letters and localhost, other schemes do not.
            if attribute == Attribute::Protocol && url.scheme() == "file" && before.scheme() != "file" {
                break;
            }
            let again = parse(url.href()).unwrap_or_else(|e| panic!("{what}: {} {e}", url.href()));
            assert_eq!(parts(&again), parts(&url), "{what}");
        }
    }
}

type Parts<'a> = (&'a str, &'a str, &'a str, Option<&'a str>, Option<u16>, &'a str, Option<&'a str>, Option<&'a str>);

fn parts(url: &Url) -> (&str, Parts<'_>) {
    let rest =
        (url.scheme(), url.username(), url.password(), url.host(), url.port(), url.path(), url.query(), url.fragment());
    (url.href(), rest)
}

fn value_for(attribute: Attribute, random: &mut Random) -> String {
    let text = generate::url(random);
    let other = parse(&text);
    let Ok(url) = other.as_ref().map_err(|_| ()).and_then(|url| if random.once_in(5) { Err(()) } else { Ok(url) })
    else {
        return generate::reference(random);
    };
    match attribute {
        Attribute::Protocol => url.scheme().to_owned(),
        Attribute::Host | Attribute::Hostname => url.host().unwrap_or_default().to_owned(),
        Attribute::Port => random.pick(&["80", "443", "", "8080", "70000", "8x", "x"]).to_owned(),
        Attribute::Pathname => random.pick(&["", "//x", "/../a", "/C|/x", "\\x", "/.//y", "x?y#z", "%2e/x"]).to_owned(),
        _ => url.query().unwrap_or_default().to_owned(),
    }
}
