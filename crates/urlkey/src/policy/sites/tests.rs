use super::*;
use crate::policy::load;
use crate::rungs::Rung;

fn sites(text: &str) -> Sites {
    Sites::new(&load::rules(&format!("schema = 1\n{text}"), "mine.toml").unwrap().0, false)
}

fn at<'a>(sites: &'a Sites, host: &'a str, path: &'a str) -> SiteView<'a> {
    sites.at(Place { href: "", host: host.strip_suffix('.').unwrap_or(host), path })
}

fn acts(sites: &Sites, host: &str, path: &str) -> bool {
    sites.reach(host, path, true)
}

fn says(view: &SiteView, param: &str) -> String {
    let param = Param::of(param.as_bytes());
    view.verdict(&param).map_or("nothing".to_owned(), |verdict| match verdict {
        Verdict::Keep(row) => format!("keep {}", row.origin()),
        Verdict::Drop(row) => format!("drop {}", row.origin()),
        Verdict::Valueless(row) => format!("valueless {}", row.origin()),
    })
}

#[test]
fn hosts_are_found_by_label_and_paths_by_segment() {
    let sites = sites(
        "[[site]]\nhost = \"*.shop.example\"\npath = \"/view/{int}\"\ndrop = [\"color\", \"aff_*\"]\n\
         [[site]]\nhost = \"google.<suffix>\"\ndrop = [\"x\"]\n",
    );
    for (host, path) in [("shop.example", "/view/7"), ("a.b.shop.example.", "/view/7/x")] {
        let view = at(&sites, host, path);
        assert_eq!(says(&view, "AFF_1"), "drop mine.toml:2");
        assert_eq!(says(&view, "id"), "nothing");
        assert!(acts(&sites, host.trim_end_matches('.'), path));
    }
    for host in ["google.com", "www.google.co.uk"] {
        assert_eq!(says(&at(&sites, host, "/"), "x=1"), "drop mine.toml:6", "{host}");
    }
    for (host, path) in [("notshop.example", "/view/7"), ("shop.example", "/view/x"), ("google.example.com", "/")] {
        assert!(!at(&sites, host, path).ruled(), "{host}{path}");
        assert!(!acts(&sites, host, path), "{host}{path}");
    }
}

#[test]
fn rules_that_only_keep_are_asked_where_something_goes() {
    let sites = sites(
        "[[site]]\nhost = \"*.a.example\"\nkeep = [\"ref\"]\n\
         [[site]]\nhost = \"*.b.example\"\nkeep = [\"ref\"]\ndrop = [\"x\"]\n",
    );
    assert!(!acts(&sites, "a.example", "/") && acts(&sites, "b.example", "/"));
    let view = at(&sites, "a.example", "/");
    assert!(view.acts_by_name_alone() && !view.ruled());
    let param = || Param::of(b"ref=1");
    assert!(!view.keeps(param, false, false), "the caller has seen that no such rule keeps this name");
    assert!(!view.ruled() && view.keeps(param, true, false) && view.ruled());
    assert!(sites.kept().may(b"ref") && !sites.kept().may(b"other"));
    assert!(at(&sites, "b.example", "/").keeps(param, false, false), "where rules act, all are asked");
}

#[test]
fn the_first_layer_then_the_closest_host_decides() {
    let sites = sites(
        "[[site]]\nhost = \"*\"\ndrop = [\"a\", \"b\", \"c\"]\noff = [\"sort_query\", \"drop_www\"]\n\
         [[site]]\nhost = \"*.a.example\"\nkeep = [\"a\"]\non = [\"drop_www\"]\nsource = \"learned\"\n\
         [[site]]\nhost = \"x.a.example\"\nkeep = [\"b\"]\non = [\"sort_query\"]\n",
    );
    let view = at(&sites, "x.a.example", "/");
    assert_eq!(says(&view, "a"), "drop mine.toml:2", "a learned keep is below a user's drop");
    assert_eq!(says(&view, "b"), "keep mine.toml:11", "the closer host decides");
    assert_eq!(says(&view, "c"), "drop mine.toml:2", "an exception for one is none for the rest");
    let (on, off) = view.switches();
    assert!(on.has(Rung::SortQuery) && !off.has(Rung::SortQuery));
    assert!(off.has(Rung::DropWww) && !on.has(Rung::DropWww));
    assert_eq!(view.switched(Rung::SortQuery, true).map(SiteRow::origin), Some("mine.toml:11"));
}

#[test]
fn names_on_any_host_are_found_without_it() {
    let sites = sites(
        "[[site]]\nhost = \"*\"\ndrop = [\"a\", \"/b[0-9]+/\"]\nexcept = [\"*.b.example\", \"/[?&]c=/\"]\n\
         [[site]]\nhost = \"*\"\nurl = \"/shop\"\ndrop = [\"d\"]\nkeep_pairs = [\"^a=keep\"]\n\
         [[site]]\nhost = \"x.example\"\nkeep = [\"a\"]\n",
    );
    let of = |href: &'static str| {
        let host = href.split('/').nth(2).unwrap_or_default();
        sites.at(Place { href, host, path: "/" })
    };
    for (href, param, what) in [
        ("http://a.example/", "A=1", "drop mine.toml:2"),
        ("http://a.example/", "b12", "drop mine.toml:2"),
        ("http://a.example/", "b12c", "nothing"),
        ("http://w.b.example/", "a=1", "nothing"),
        ("http://a.example/?c=1", "a=1", "nothing"),
        ("http://x.example/", "a=1", "keep mine.toml:11"),
        ("http://a.example/shop", "d=1", "drop mine.toml:6"),
        ("http://a.example/shop", "a=keep", "keep mine.toml:6"),
        ("http://a.example/x", "d=1", "nothing"),
    ] {
        assert_eq!(says(&of(href), param), what, "{href} {param}");
    }
    assert!(sites.acts_on(b"a") && sites.acts_on(b"b9") && sites.acts_on(b"d") && !sites.acts_on(b"c"));
    assert!(!acts(&sites, "a.example", "/") && sites.filter().may(b"b12"));
}

#[test]
fn values_count_where_a_rule_says_so() {
    let sites = sites("[[site]]\nhost = \"a.example\"\nvalueless = [\"ver\"]\ndefault = { page = \"1\" }\n");
    let view = at(&sites, "a.example", "/");
    for (param, what) in [("ver=7", "valueless"), ("page=1", "drop"), ("page=2", "keep")] {
        assert_eq!(says(&view, param), format!("{what} mine.toml:2"));
    }
}

/// Two rules of one rank, from files in either order.
fn both_orders(a: &str, b: &str) -> [Sites; 2] {
    let rules =
        |text: &str| load::rules(&format!("schema = 1\n[[site]]\nhost = \"a.example\"\n{text}"), "f").unwrap().0;
    [[a, b], [b, a]].map(|order| Sites::new(&order.into_iter().flat_map(rules).collect::<Vec<SiteRule>>(), false))
}

#[test]
fn the_order_of_files_decides_nothing() {
    for (a, b, what) in [
        ("drop = [\"a\"]", "keep = [\"a\"]", "keep f:2"),
        ("drop = [\"a\"]", "valueless = [\"a\"]", "drop f:2"),
        ("default = { a = \"1\" }", "valueless = [\"a\"]", "valueless f:2"),
        ("default = { a = \"1\" }", "drop = [\"a\"]", "drop f:2"),
    ] {
        for sites in both_orders(a, b) {
            assert_eq!(says(&at(&sites, "a.example", "/"), "a=2"), what, "{a} and {b}");
        }
    }
    for sites in both_orders("on = [\"drop_www\", \"drop_port\"]", "off = [\"drop_www\"]") {
        let view = at(&sites, "a.example", "/");
        let switched = |set: RungSet| (set.has(Rung::DropWww), set.has(Rung::DropPort));
        let (on, off) = view.switches();
        assert_eq!((switched(on), switched(off)), ((false, true), (true, false)), "an off wins");
    }
}
