//! The engines: each turns one URL into its text. Says nothing of time.

/// One engine. `measure` times `sum`, whose loop is compiled into each engine, so that no call goes through a table.
pub trait Engine {
    /// Hands the engine's text for `url` to `take`; does not call it if the engine refuses the URL.
    fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T>
    where
        Self: Sized;
}

/// An engine behind one dynamic call a slice.
pub trait Runner {
    /// Total length of all texts, and how many URLs were refused.
    fn sum(&mut self, urls: &[&str]) -> (usize, usize);
    /// The text for one URL.
    fn text(&mut self, url: &str) -> Option<String>;
}

impl<E: Engine> Runner for E {
    fn sum(&mut self, urls: &[&str]) -> (usize, usize) {
        let (mut length, mut refused) = (0, 0);
        for url in urls {
            match Engine::text(self, url, str::len) {
                Some(n) => length += n,
                None => refused += 1,
            }
        }
        (length, refused)
    }

    fn text(&mut self, url: &str) -> Option<String> {
        Engine::text(self, url, str::to_owned)
    }
}

#[cfg(feature = "urlkey")]
mod ours {
    use std::sync::Arc;
    use urlkey::{Key, Options, Policy, Scratch, Url, key};

    /// The key, as a batch computes it: policy and buffers are made once.
    pub struct Keys {
        policy: Arc<Policy>,
        scratch: Scratch,
    }

    impl Keys {
        pub fn new() -> Self {
            let policy = Policy::builtin("crawl").expect("a built-in profile");
            Keys {
                policy,
                scratch: Scratch::default(),
            }
        }

        /// The same with so many rules of imported lists on top.
        pub fn with_rules(count: usize) -> Self {
            let rules = crate::rules::file(count);
            let policy = Keys::new().policy.with_rules(&[("rules.toml", &rules)]);
            Keys {
                policy: Arc::new(policy.expect("rules that can be used")),
                scratch: Scratch::default(),
            }
        }
    }

    impl super::Engine for Keys {
        fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
            match key(url, &Options::default(), &self.policy, &mut self.scratch) {
                Ok(Key::Same) => Some(take(url)),
                Ok(Key::New(text)) => Some(take(text)),
                Err(_) => None,
            }
        }
    }

    /// The parser alone: what the peers do.
    pub struct Href;

    impl super::Engine for Href {
        fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
            Url::parse(url, &Options::default())
                .ok()
                .map(|parsed| take(parsed.href()))
        }
    }
}

struct Ada;

impl Engine for Ada {
    fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
        ada_url::Url::parse(url, None)
            .ok()
            .map(|parsed| take(parsed.href()))
    }
}

struct RustUrl;

impl Engine for RustUrl {
    fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
        url::Url::parse(url)
            .ok()
            .map(|parsed| take(parsed.as_str()))
    }
}

#[cfg(toy)]
#[allow(dead_code, clippy::all)]
mod toy {
    include!(concat!(env!("OUT_DIR"), "/toy.rs"));
}

#[cfg(toy)]
struct Toy;

#[cfg(toy)]
impl Engine for Toy {
    fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
        toy::normalize(url, &toy::TRACKING).map(|text| take(&text))
    }
}

/// Copies each URL into a reused buffer: below this nobody can get who writes a result.
struct Floor(String);

impl Engine for Floor {
    fn text<T>(&mut self, url: &str, take: impl FnOnce(&str) -> T) -> Option<T> {
        self.0.clear();
        self.0.push_str(url);
        Some(take(std::hint::black_box(&self.0)))
    }
}

/// All engines of this build by name.
pub fn all() -> Vec<(&'static str, Box<dyn Runner>)> {
    vec![
        #[cfg(feature = "urlkey")]
        ("urlkey", Box::new(ours::Keys::new()) as Box<dyn Runner>),
        #[cfg(feature = "urlkey")]
        ("urlkey-rules", Box::new(ours::Keys::with_rules(5000))),
        #[cfg(feature = "urlkey")]
        ("urlkey-href", Box::new(ours::Href)),
        ("ada", Box::new(Ada) as Box<dyn Runner>),
        ("url", Box::new(RustUrl)),
        #[cfg(toy)]
        ("toy", Box::new(Toy)),
        ("floor", Box::new(Floor(String::new()))),
    ]
}
