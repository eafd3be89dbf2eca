//! What parser, setters and rungs write into a `Url`: each keeps the offsets,
//! and what the URL Standard guarantees of a serialized URL.

use super::{ABSENT, Front, Url};
use crate::host::HostKind;
use crate::scheme::Scheme;

impl Url {
    /// Takes over a front of `text` that is its own serialization.
    pub(crate) fn take_front(&mut self, text: &str, front: Front) {
        self.clear();
        self.buf.push_str(&text[..front.query_to.unwrap_or(front.path_to) as usize]);
        if front.query_to.is_some() {
            self.query_start = front.path_to;
            self.query_bits = front.query_bits;
        }
        self.scheme_end = front.host_from - 3;
        self.scheme = if self.scheme_end == 4 { Scheme::Http } else { Scheme::Https };
        self.username_end = front.host_from;
        self.host_start = front.host_from;
        self.host_end = front.host_to;
        self.path_start = front.host_to;
        self.host_kind = HostKind::Domain;
    }

    /// Takes over a text that is its own key; its parts are not looked for.
    pub(crate) fn take_whole(&mut self, text: &str) {
        self.clear();
        self.buf.push_str(text);
    }

    /// Takes over the first `len` bytes of `base`, which end in its authority, path or query.
    pub(crate) fn copy_prefix(&mut self, base: &Url, len: u32) {
        let mut buf = std::mem::take(&mut self.buf);
        buf.clear();
        buf.push_str(&base.buf[..len as usize]);
        let in_path = len > base.path_start;
        *self = Url {
            buf,
            query_start: if base.query_start < len { base.query_start } else { ABSENT },
            fragment_start: ABSENT,
            path_bits: if in_path { base.path_bits } else { 0 },
            query_bits: if base.query_start < len { base.query_bits } else { 0 },
            scheme_end: base.scheme_end,
            username_end: base.username_end,
            host_start: base.host_start,
            host_end: base.host_end,
            path_start: base.path_start,
            port: base.port,
            scheme: base.scheme,
            host_kind: base.host_kind,
            opaque_path: base.opaque_path,
        };
    }

    /// Marks the end of the buffer as the place where the query begins, and writes its `?`.
    pub(crate) fn begin_query(&mut self) {
        self.query_start = self.len();
        self.buf.push('?');
    }

    /// Marks the end of the buffer as the place where the fragment begins, and writes its `#`.
    pub(crate) fn begin_fragment(&mut self) {
        self.fragment_start = self.len();
        self.buf.push('#');
    }

    /// Replaces `from..to`, moves query and fragment along, and returns by how far.
    fn splice(&mut self, from: u32, to: u32, text: &str) -> i32 {
        let delta = text.len() as i32 - (to - from) as i32;
        if to as usize == self.buf.len() {
            self.buf.truncate(from as usize);
            self.buf.push_str(text);
        } else if text.is_empty() {
            self.buf.drain(from as usize..to as usize);
        } else {
            self.buf.replace_range(from as usize..to as usize, text);
        }
        for offset in [&mut self.query_start, &mut self.fragment_start] {
            if *offset != ABSENT && *offset >= to {
                *offset = offset.wrapping_add_signed(delta);
            }
        }
        delta
    }

    fn shift_path(&mut self, delta: i32) {
        self.path_start = self.path_start.wrapping_add_signed(delta);
    }

    fn shift_host(&mut self, delta: i32) {
        self.host_start = self.host_start.wrapping_add_signed(delta);
        self.host_end = self.host_end.wrapping_add_signed(delta);
        self.shift_path(delta);
    }

    /// Replaces the scheme, and drops a port that is the new one's default.
    pub(crate) fn set_scheme(&mut self, name: &str, scheme: Scheme) {
        let delta = self.splice(0, self.scheme_end, name);
        self.scheme = scheme;
        self.scheme_end = name.len() as u32;
        self.username_end = self.username_end.wrapping_add_signed(delta);
        self.shift_host(delta);
        self.set_port(self.port);
    }

    /// Replaces the port; a default one is dropped.
    pub(crate) fn set_port(&mut self, port: Option<u16>) {
        let port = port.filter(|p| Some(*p) != self.scheme.default_port());
        if port == self.port {
            return;
        }
        let old_len = self.port.map_or(0, |p| 2 + p.checked_ilog10().unwrap_or(0));
        let text = port.map(|p| format!(":{p}")).unwrap_or_default();
        let delta = self.splice(self.host_end, self.host_end + old_len, &text);
        self.shift_path(delta);
        self.port = port;
    }

    /// What the parser has just written behind the host.
    pub(crate) fn note_port(&mut self, port: Option<u16>) {
        self.port = port;
    }

    /// Replaces the host by serialized text of this kind.
    pub(crate) fn set_host(&mut self, host: &str, kind: HostKind) {
        if !self.has_host() {
            // "web+demo:/.//path" loses the "/." that stood in for the missing host.
            self.splice(self.scheme_end + 1, self.path_start, "//");
            self.username_end = self.scheme_end + 3;
            self.host_start = self.username_end;
            self.host_end = self.username_end;
            self.path_start = self.username_end;
        }
        self.host_kind = kind;
        let delta = self.splice(self.host_start, self.host_end, host);
        self.host_end = self.host_start + host.len() as u32;
        self.shift_path(delta);
    }

    /// Drops the first `n` bytes of the host.
    pub(crate) fn cut_host_front(&mut self, n: u32) {
        let delta = self.splice(self.host_start, self.host_start + n, "");
        self.host_end -= n;
        self.shift_path(delta);
    }

    /// Drops the last byte of the host.
    pub(crate) fn cut_host_back(&mut self) {
        let delta = self.splice(self.host_end - 1, self.host_end, "");
        self.host_end -= 1;
        self.shift_path(delta);
    }

    /// Replaces username and password, both percent-encoded already.
    pub(crate) fn set_userinfo(&mut self, username: &str, password: &str) {
        let colon = if password.is_empty() { "" } else { ":" };
        let at = if username.is_empty() && password.is_empty() { "" } else { "@" };
        let text = [username, colon, password, at].concat();
        let from = self.scheme_end + 3;
        let delta = self.splice(from, self.host_start, &text);
        self.username_end = from + username.len() as u32;
        self.shift_host(delta);
    }

    /// Replaces the path by one that parse would write itself. Where there is
    /// no host and it begins with `//`, `/.` goes in front
    /// (<https://url.spec.whatwg.org/#url-serializing>).
    pub(crate) fn set_path(&mut self, path: &str) {
        let to = self.path_end();
        if !self.has_host() {
            // A guard that stood in front of the old path goes with it.
            let from = self.scheme_end + 1;
            let guard = if path.starts_with("//") && !self.opaque_path { "/." } else { "" };
            self.splice(from, to, &[guard, path].concat());
            self.path_start = from + guard.len() as u32;
        } else {
            self.splice(self.path_start, to, path);
        }
    }

    /// Drops the end of the path from byte `keep` of it on.
    pub(crate) fn cut_path(&mut self, keep: u32) {
        self.splice(self.path_start + keep, self.path_end(), "");
    }

    /// Replaces path and query, given as one text, by what parse would write
    /// itself; `query_at` is where the `?` stands in it.
    pub(crate) fn set_path_and_query(&mut self, text: &str, query_at: Option<u32>) {
        let (from, to) = (self.path_start, self.query_end());
        self.query_start = ABSENT;
        self.splice(from, to, text);
        self.query_start = query_at.map_or(ABSENT, |at| from + at);
    }

    /// Replaces the query, which is percent-encoded already; `None` drops the `?` too.
    pub(crate) fn set_query(&mut self, query: Option<&str>) {
        let (from, to) = (self.path_end(), self.query_end());
        self.query_start = ABSENT;
        let Some(query) = query else {
            self.splice(from, to, "");
            return;
        };
        if to == self.len() {
            self.buf.truncate(from as usize);
            self.buf.push('?');
            self.buf.push_str(query);
        } else {
            self.splice(from, to, query);
            self.splice(from, from, "?");
        }
        self.query_start = from;
    }

    /// Replaces the query, which is there, by what `write` appends; `tail` is a buffer for the fragment.
    pub(crate) fn rewrite_query(&mut self, tail: &mut String, write: impl FnOnce(&mut String)) {
        let end = self.query_end() as usize;
        tail.clear();
        tail.push_str(&self.buf[end..]);
        self.buf.truncate(self.query_start as usize + 1);
        write(&mut self.buf);
        if self.fragment_start != ABSENT {
            self.fragment_start = self.len();
            self.buf.push_str(tail);
        }
    }

    /// Drops the end of the query from byte `keep` of it on.
    pub(crate) fn cut_query(&mut self, keep: u32) {
        self.splice(self.query_start + 1 + keep, self.query_end(), "");
    }

    /// Replaces the fragment, which is percent-encoded already; `None` drops the `#` too.
    pub(crate) fn set_fragment(&mut self, fragment: Option<&str>) {
        self.buf.truncate(self.query_end() as usize);
        self.fragment_start = ABSENT;
        if let Some(fragment) = fragment {
            self.begin_fragment();
            self.buf.push_str(fragment);
        }
    }
}
