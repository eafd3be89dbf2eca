//! References that take a part of themselves from a base.

use super::{Parsed, Parser};
use crate::error::Code;
use crate::ladder::{Part, Trace};
use crate::path;
use crate::scheme::Scheme;
use crate::steps;
use crate::url::Url;

impl<T: Trace> Parser<'_, T> {
    /// <https://url.spec.whatwg.org/#no-scheme-state>
    pub(super) fn no_scheme(&mut self) -> Parsed {
        let Some(base) = self.options.base else {
            return self.fail(Code::MissingSchemeNonRelativeUrl, 0);
        };
        if base.opaque_path {
            if self.byte(0) != Some(b'#') {
                return self.fail(Code::MissingSchemeNonRelativeUrl, 0);
            }
            self.copy_base(base, base.query_end());
            self.resolved("", 0);
            return self.fragment(0);
        }
        match base.scheme {
            Scheme::File => self.file(0, Some(base)),
            _ => self.relative(0, base),
        }
    }

    /// Takes over the first `len` bytes of the base, which end in its authority, path or query.
    pub(super) fn copy_base(&mut self, base: &Url, len: u32) {
        self.url.copy_prefix(base, len);
    }

    /// Tells the trace what the reference reads like behind what came over from the base.
    pub(super) fn resolved(&mut self, joint: &str, at: usize) {
        if T::ON {
            let url = &*self.url;
            self.trace.text(&steps::RESOLVE, &[url.href(), joint, &self.input[at..]].concat());
            self.trace.raw(Part::Scheme, &url.href()[..=url.scheme_end as usize]);
            if url.has_host() {
                self.trace.raw(Part::Slashes, "//");
                self.trace.raw(Part::Userinfo, &url.href()[url.scheme_end as usize + 3..url.host_start as usize]);
                self.trace.raw(Part::Host, url.host().unwrap_or_default());
                self.trace.raw(Part::Port, &url.href()[url.host_end as usize..url.path_start as usize]);
            }
            self.trace.raw(Part::Path, &url.href()[url.authority_end() as usize..url.path_end() as usize]);
            if let Some(query) = url.query() {
                self.trace.raw(Part::Query, &["?", query].concat());
            }
        }
    }

    /// <https://url.spec.whatwg.org/#relative-state>
    pub(super) fn relative(&mut self, at: usize, base: &Url) -> Parsed {
        self.url.scheme = base.scheme;
        if self.slash_at(at) {
            return self.relative_slash(at + 1, base);
        }
        if let Some(parsed) = self.behind_base(at, base) {
            return parsed;
        }
        self.copy_base(base, base.path_end());
        self.unguard_path();
        path::shorten(self.url);
        self.resolved("/", at);
        self.path_state(at)
    }

    /// Where the reference has no path: it takes over the base's.
    pub(super) fn behind_base(&mut self, at: usize, base: &Url) -> Option<Parsed> {
        let begins = self.byte(at);
        let kept = match begins {
            None | Some(b'#') => base.query_end(),
            Some(b'?') => base.path_end(),
            Some(_) => return None,
        };
        self.copy_base(base, kept);
        self.resolved("", at);
        Some(match begins {
            None => Ok(()),
            Some(b'?') => self.query(at),
            Some(_) => self.fragment(at),
        })
    }

    /// <https://url.spec.whatwg.org/#relative-slash-state>
    fn relative_slash(&mut self, at: usize, base: &Url) -> Parsed {
        if self.slash_at(at) {
            let (name, scheme) = (base.scheme().to_owned(), base.scheme);
            self.begin(&name, scheme);
            if T::ON {
                self.trace.text(&steps::RESOLVE, &[&name, ":", &self.input[at - 1..]].concat());
                self.trace.raw(Part::Scheme, &[&name, ":"].concat());
            }
            return if self.special() { self.special_authority_slashes(at - 1) } else { self.plain_authority(at - 1) };
        }
        self.copy_base(base, base.path_start);
        self.unguard_path();
        self.resolved("/", at);
        self.path_state(at)
    }
}
