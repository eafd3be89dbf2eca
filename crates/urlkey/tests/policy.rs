//! Policies as their users meet them: what the loader refuses and how it says
//! so, what changes the id, and that nothing is lost on the way to text.

use urlkey::{BUILTIN_NAMES, Code, Options, Policy, PolicyError, Rung, Setting, explain};

const HEAD: &str = "schema = 1\nname = \"mine\"\nversion = 1\n";

fn fault(text: &str) -> PolicyError {
    Policy::from_toml(text, "mine.toml", &[]).expect_err(text)
}

fn mine(rest: &str) -> Policy {
    let text = format!("{HEAD}extends = \"crawl\"\n{rest}");
    Policy::from_toml(&text, "mine.toml", &[]).unwrap_or_else(|fault| panic!("{fault}"))
}

fn crawl() -> std::sync::Arc<Policy> {
    Policy::builtin("crawl").unwrap()
}

#[test]
fn faults_name_file_line_and_what_is_allowed() {
    let cases = [
        (
            "colour = 1",
            4,
            "unknown key \"colour\"; allowed: schema, name, version, extends, serves, rungs, limits, site, redirect",
        ),
        ("extends = \"crawler\"", 4, "unknown profile \"crawler\"; allowed: whatwg, safe, crawl, aggressive, fold"),
        ("extends = 3", 4, "extends is an integer; allowed: a text"),
        ("[rungs]\n\ndrop_ww = true", 6, "unknown rung \"drop_ww\"; allowed: trim_wrapping, refang,"),
        ("[rungs]\nsort_query = 1", 5, "sort_query is an integer; allowed: true or false"),
        ("[rungs]\nsort_query = { by = \"name\" }", 5, "sort_query is a table; allowed: true or false"),
        (
            "[rungs]\ndrop_tracking = \"all\"",
            5,
            "drop_tracking is a text; allowed: true, false or a table of parameters",
        ),
        (
            "[rungs]\ndrop_tracking = { kind = [] }",
            5,
            "unknown parameter \"kind\"; allowed: kinds, also, keep, risky, unverified",
        ),
        (
            "[rungs]\ndrop_tracking = { kinds = [\"ads\"] }",
            5,
            "unknown kind \"ads\"; allowed: campaign, click-id, affiliate, session",
        ),
        ("[rungs]\ndrop_tracking = { also = [\"a\", \"a\"] }", 5, "\"a\" stands twice in also"),
        ("[rungs]\ndrop_tracking = { also = [\"a*b\"] }", 5, "\"a*b\" is no parameter name; allowed: a name without"),
        ("[rungs]\ndrop_index = { also = [\"a/b\"] }", 5, "\"a/b\" is no file name; allowed: a segment of a path"),
        ("[rungs]\ndrop_index = { also = [\"..\"] }", 5, "\"..\" is no file name"),
        (
            "[rungs]\ndrop_tracking = { also = [\"*\"] }",
            5,
            "also names every parameter; allowed: names, drop_query drops all",
        ),
        ("[limits]\ninput_bytes = 0", 5, "input_bytes is 0; allowed: an integer from 1 to 1073741824"),
        ("[limits]\ninput_bytes = -5", 5, "input_bytes is -5; allowed: an integer from 1"),
        ("[limits]\nbytes = 5", 5, "unknown limit \"bytes\"; allowed: input_bytes"),
        ("rungs = [1]", 4, "rungs is a list; allowed: a table"),
        ("version = 2", 4, "duplicate key"),
        ("serves = \"", 4, ""),
    ];
    for (text, line, message) in cases {
        let fault = fault(&format!("{HEAD}{text}\n"));
        assert_eq!(
            (fault.code, fault.file.as_str(), fault.line),
            (Code::BadPolicy, "mine.toml", Some(line)),
            "{text}: {fault}"
        );
        assert!(fault.message.starts_with(message), "{text}: {}", fault.message);
    }
}

#[test]
fn what_every_policy_needs_is_asked_for() {
    for (text, message) in [
        ("name = \"a\"\nversion = 1", "schema is missing; write schema = 1"),
        ("schema = 2\nname = \"a\"\nversion = 1", "schema is 2; allowed: an integer from 1 to 1"),
        ("schema = 1\nversion = 1", "name is missing; write name = \"mine\""),
        ("schema = 1\nname = \"A b\"\nversion = 1", "name is \"A b\"; allowed: 1 to 64 of a-z 0-9 - _"),
        ("schema = 1\nname = \"a\"", "version is missing; write version = 1"),
    ] {
        assert_eq!(fault(text).message, message);
    }
}

#[test]
fn bad_rules_are_refused_where_they_stand() {
    let cases = [
        ("", 3, "host is missing; write host = \"*.shop.example\""),
        ("host = \"a b\"\ndrop = [\"x\"]", 4, "host pattern \"a b\" is none of"),
        ("host = \"a.example\"\npath = \"view\"\ndrop = [\"x\"]", 5, "path \"view\" does not begin with a slash"),
        (
            "host = \"a.example\"\npath = \"/{number}\"\ndrop = [\"x\"]",
            5,
            "unknown segment \"{number}\"; allowed: a literal, {int}",
        ),
        (
            "host = \"a.example\"\ndorp = [\"x\"]",
            5,
            "unknown key \"dorp\"; allowed: host, path, url, except, drop, keep,",
        ),
        ("host = \"a.example\"\ndrop = [\"x\", 2]", 5, "an item of drop is an integer; allowed: a text"),
        ("host = \"a.example\"\ndrop = [\n  \"x\",\n  \"a=b\",\n]", 7, "\"a=b\" is no parameter name"),
        ("host = \"a.example\"", 3, "the rule does nothing; give it drop, keep, valueless, default, on or off"),
        ("host = \"a.example\"\ndrop = [\"x\"]\nkeep = [\"x\"]", 3, "\"x\" stands in both drop and keep"),
        (
            "host = \"a.example\"\non = [\"drop_www\"]\noff = [\"drop_www\"]",
            3,
            "\"drop_www\" stands in both on and off",
        ),
        (
            "host = \"a.example\"\noff = [\"upper_percent\"]",
            5,
            "off names upper_percent, which acts before the site is known",
        ),
        (
            "host = \"a.example\"\ndrop = [\"x\"]\nsource = \"me\"",
            6,
            "unknown source \"me\"; allowed: user, breakage, learned, imported, built-in",
        ),
        (
            "host = \"a.example\"\ndrop = [\"x\"]\ndate = \"today\"",
            6,
            "date is a text; allowed: a date like 2026-11-30",
        ),
        ("host = \"a.example\"\ndrop = [\"x\"]\nsupport = { trials = 4 }", 6, "upper is missing"),
        (
            "host = \"a.example\"\ndrop = [\"x\"]\n[[site]]\nhost = \"A.example\"\nkeep = [\"y\"]",
            6,
            "a second rule for host a.example, path /; the first is in line 3",
        ),
    ];
    for (rule, line, message) in cases {
        let text = format!("schema = 1\n\n[[site]]\n{rule}\n");
        let fault = crawl().with_rules(&[("rules.toml", &text)]).expect_err(rule);
        assert_eq!(
            (fault.code, fault.file.as_str(), fault.line),
            (Code::BadRule, "rules.toml", Some(line)),
            "{rule}: {fault}"
        );
        assert!(fault.message.starts_with(message), "{rule}: {}", fault.message);
    }
}

#[test]
fn a_policy_of_two_files_for_one_site_is_read_back_from_its_text() {
    let rule = |says: &str| format!("schema = 1\n[[site]]\nhost = \"a.example\"\n{says}\n");
    let (drop, keep) = (rule("drop = [\"x\"]\noff = [\"sort_query\"]"), rule("keep = [\"x\"]\non = [\"sort_query\"]"));
    for rules in [[("b", &*drop), ("a", &*keep)], [("a", &*keep), ("b", &*drop)], [("b", &*drop), ("b", &*drop)]] {
        let policy = crawl().with_rules(&rules).unwrap();
        let again = Policy::from_toml(policy.text(), "text", &[]).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!((again.id(), again.text()), (policy.id(), policy.text()));
        let key = |policy: &Policy| explain("http://a.example/?x=1&b&a", &Options::default(), policy).unwrap().key;
        assert_eq!(key(&again), key(&policy));
    }
}

#[test]
fn literals_of_rules_are_read_as_a_url_would_be() {
    let key = |policy: &Policy, url| explain(url, &Options::default(), policy).unwrap().key;
    for (host, path, name, url, expected) in [
        ("1.2.3.4.", "/", "a", "http://1.2.3.4/?a=1&b=2", "http://1.2.3.4/?b=2"),
        ("0x1020304", "/", "a", "http://1.2.3.4/?a=1&b=2", "http://1.2.3.4/?b=2"),
        ("a.example", "/caf\u{e9}", "a", "http://a.example/caf%c3%a9?a=1&b=2", "http://a.example/caf%C3%A9?b=2"),
        ("a.example", "/a%2fb", "%41", "http://a.example/a%2fb?A=1&b=2", "http://a.example/a%2Fb?b=2"),
        ("a.example", "/", "100%", "http://a.example/?100%=1&b=2", "http://a.example/?b=2"),
        ("a.example", "/", "%7e", "http://a.example/?%7E=1&b=2", "http://a.example/?b=2"),
    ] {
        let rules = format!("schema = 1\n[[site]]\nhost = \"{host}\"\npath = \"{path}\"\ndrop = [\"{name}\"]\n");
        let policy = crawl().with_rules(&[("rules.toml", &rules)]).unwrap();
        assert_eq!(key(&policy, url), expected, "{host}{path} {name}");
        let again = Policy::from_toml(policy.text(), "text", &[]).unwrap();
        assert_eq!((again.id(), key(&again, url)), (policy.id(), expected.to_owned()));
    }
    let also = mine("[rungs]\ndrop_tracking = { also = [\"100%\", \"%zz*\"] }\n");
    assert_eq!(key(&also, "http://a.example/?100%25=1&%zzz=2&b"), "http://a.example/?b");
    let index = mine("[rungs]\ndrop_index = { also = [\"it's.html\"] }\n");
    assert_eq!(key(&index, "http://a.example/x/it's.html"), "http://a.example/x/");
}

#[test]
fn an_unknown_policy_is_named_with_the_known_ones() {
    let fault = Policy::builtin("crawler").expect_err("no such policy");
    let allowed = BUILTIN_NAMES.join(", ");
    assert!(allowed.starts_with("whatwg, safe, crawl, "));
    assert_eq!(fault.to_string(), format!("crawler: unknown policy \"crawler\"; allowed: {allowed}"));
}

#[test]
fn profiles_hold_the_rungs_of_the_ladder_table() {
    let names =
        |policy: &str| -> Vec<&str> { Policy::builtin(policy).unwrap().rungs().map(|rung| rung.meta().name).collect() };
    assert!(names("whatwg").is_empty());
    assert_eq!(names("safe"), ["upper_percent", "decode_unreserved", "encode_unsafe"]);
    let crawl = [
        "upper_percent",
        "decode_unreserved",
        "encode_unsafe",
        "encode_brackets",
        "drop_root_dot",
        "drop_session",
        "drop_tracking",
        "drop_empty_params",
        "drop_repeated_pairs",
        "sort_query",
        "drop_empty_query",
        "drop_anchor",
    ];
    assert_eq!(names("crawl"), crawl);
    let aggressive = [
        "upper_percent",
        "decode_unreserved",
        "encode_unsafe",
        "encode_brackets",
        "fix_scheme_port",
        "drop_root_dot",
        "drop_www",
        "drop_userinfo",
        "drop_session",
        "collapse_slashes",
        "drop_trailing_slash",
        "drop_tracking",
        "drop_empty_params",
        "drop_repeated_pairs",
        "sort_query",
        "sort_values",
        "drop_empty_query",
        "drop_fragment",
    ];
    assert_eq!(names("aggressive"), aggressive);
    let fold: Vec<&str> = names("fold").into_iter().filter(|name| !aggressive.contains(name)).collect();
    assert_eq!(fold, ["fold_scheme", "fold_mobile_host", "drop_index"]);
}

#[test]
fn the_id_is_that_of_the_keys() {
    let crawl = crawl();
    assert_eq!(crawl.id().len(), 64);
    assert_eq!(crawl.short_id(), format!("crawl-1:{}", &crawl.id()[..8]));
    assert_eq!(mine("# a comment\n").id(), crawl.id(), "name, comments and extends decide no key");
    assert_eq!(mine("[limits]\ninput_bytes = 9\n").id(), crawl.id(), "a limit refuses keys, it does not change them");
    for change in [
        ("drop_www", Setting::Bool(true)),
        ("sort_query", Setting::Bool(false)),
        ("drop_tracking", Setting::Table(vec![("also".into(), Setting::List(vec![Setting::Text("ref".into())]))])),
    ] {
        assert_ne!(crawl.with(std::slice::from_ref(&change)).unwrap().id(), crawl.id(), "{change:?}");
    }
}

#[test]
fn the_id_leaves_out_what_decides_nothing() {
    let a = "[[site]]\nhost = \"a.example\"\ndrop = [\"x\", \"y\"]\n";
    let b = "[[site]]\nhost = \"b.example\"\nkeep = [\"z\"]\n";
    let id = |rules: &str| mine(rules).id().to_owned();
    let plain = id(&format!("{a}{b}"));
    assert_ne!(plain, crawl().id());
    assert_eq!(plain, id(&format!("{b}{a}")), "order of rules");
    assert_eq!(
        plain,
        id(&format!("{a}date = 2026-11-30\nsupport = {{ trials = 412, failures = 0, upper = 0.0072 }}\n{b}"))
    );
    assert_eq!(plain, id(&format!("{a}note = \"why\" # and more\n{b}")));
    assert_eq!(plain, id(&format!("{}{b}", a.replace("\"x\", \"y\"", "\"Y\", \"x\""))), "order and case of names");
    for other in [
        a.replace("\"x\"", "\"w\""),
        a.replace("drop", "keep"),
        a.replace("a.example", "*.a.example"),
        format!("{a}path = \"/v\"\n"),
    ] {
        assert_ne!(plain, id(&format!("{other}{b}")), "{other}");
    }
}

#[test]
fn text_makes_the_same_policy_again() {
    let rules = "schema = 1\n[[site]]\nhost = \"*.Shop.example\"\npath = \"/view/{int}\"\ndrop = [\"color\", \"aff_*\"]\n\
        keep = [\"v\"]\nvalueless = [\"ver\"]\ndefault = { page = \"1\", \"a b\" = \"\\\"\\u0001\" }\noff = [\"sort_query\"]\n\
        on = [\"drop_www\"]\nsource = \"learned\"\ndate = 2026-11-30\nsupport = { trials = 412, failures = 0, upper = 1 }\n\
        note = \"seen\\nin March\"\n";
    let tracking = Setting::Table(vec![
        ("kinds".into(), Setting::List(vec![Setting::Text("affiliate".into())])),
        ("also".into(), Setting::List(vec![Setting::Text("ref".into()), Setting::Text("x_*".into())])),
        ("keep".into(), Setting::List(vec![Setting::Text("utm_id".into())])),
        ("risky".into(), Setting::Bool(true)),
    ]);
    let index = Setting::Table(vec![("also".into(), Setting::List(vec![Setting::Text("home.html".into())]))]);
    let changes = [("drop_tracking", tracking), ("drop_index", index), ("input_bytes", Setting::Int(1000))];
    let changed = crawl().with_rules(&[("rules.toml", rules)]).unwrap().with(&changes).unwrap();
    for policy in ["whatwg", "safe", "crawl", "aggressive", "fold"]
        .map(|name| Policy::builtin(name).unwrap())
        .iter()
        .map(|policy| &**policy)
        .chain([&changed])
    {
        let again =
            Policy::from_toml(policy.text(), "text", &[]).unwrap_or_else(|fault| panic!("{fault}\n{}", policy.text()));
        assert_eq!((again.id(), again.text(), again.limits()), (policy.id(), policy.text(), policy.limits()));
        assert_eq!(again.short_id(), policy.short_id());
    }
}

#[test]
fn with_switches_rungs_and_sets_limits() {
    let crawl = crawl();
    let policy = crawl
        .with(&[("drop_www", true.into()), ("sort_query", false.into()), ("input_bytes", Setting::Int(9))])
        .unwrap();
    assert!(policy.has(Rung::DropWww) && !policy.has(Rung::SortQuery) && policy.has(Rung::DropAnchor));
    assert_eq!(policy.limits().input_bytes, 9);
    let back = policy.with(&[("drop_www", false.into()), ("sort_query", true.into())]).unwrap();
    assert_eq!(back.id(), crawl.id());
    let fault = crawl.with(&[("drop_ww", true.into())]).expect_err("no such rung");
    assert_eq!((fault.code, fault.line), (Code::BadPolicy, None));
    assert!(fault.to_string().starts_with("with: unknown rung \"drop_ww\"; allowed: trim_wrapping"));
    assert!(crawl.with(&[("a\" = true\n[limits]\n#", true.into())]).is_err());
}

#[test]
fn an_unfit_depth_or_size_is_an_error_not_a_crash() {
    let deep = format!("{HEAD}rungs = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(fault(&deep).code, Code::BadPolicy);
    assert_eq!(fault("").message, "schema is missing; write schema = 1");
}
