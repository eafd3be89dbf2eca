//! The states of `file:` URLs, with their Windows drive letters.

use super::{Parsed, Parser};
use crate::error::Code;
use crate::host::{self, HostKind};
use crate::ladder::{Part, Trace};
use crate::path;
use crate::scheme::Scheme;
use crate::steps;
use crate::url::Url;

impl<T: Trace> Parser<'_, T> {
    /// <https://url.spec.whatwg.org/#file-state>
    pub(super) fn file(&mut self, at: usize, base: Option<&Url>) -> Parsed {
        self.url.scheme = Scheme::File;
        if self.slash_at(at) {
            return self.file_slash(at + 1, base);
        }
        let Some(base) = base else {
            self.begin_file("");
            return self.path_state(at);
        };
        if let Some(parsed) = self.behind_base(at, base) {
            return parsed;
        }
        if path::starts_with_drive_letter(&self.input.as_bytes()[at..]) {
            self.violation(Code::FileInvalidWindowsDriveLetter, at);
            self.copy_base(base, base.path_start);
        } else {
            self.copy_base(base, base.path_end());
            path::shorten(self.url);
        }
        self.resolved("/", at);
        self.path_state(at)
    }

    /// Writes `file://`; `slashes` is what the input has for the two.
    fn begin_file(&mut self, slashes: &str) {
        self.begin("file", Scheme::File);
        self.url.buf.push_str("//");
        self.url.username_end = 7;
        self.url.host_start = 7;
        self.url.host_end = 7;
        self.url.path_start = 7;
        self.url.host_kind = HostKind::Empty;
        if T::ON {
            self.trace.raw(Part::Slashes, slashes);
            if slashes != "//" {
                self.trace.part(&steps::REPAIR_SLASHES, Part::Slashes, "//");
            }
        }
    }

    /// <https://url.spec.whatwg.org/#file-slash-state>
    fn file_slash(&mut self, at: usize, base: Option<&Url>) -> Parsed {
        if self.slash_at(at) {
            return self.file_host(at + 1);
        }
        match base {
            Some(base) => {
                self.copy_base(base, base.path_start);
                if !path::starts_with_drive_letter(&self.input.as_bytes()[at..])
                    && let Some(drive) = path::leading_drive_letter(base.path())
                {
                    self.url.buf.push_str(drive);
                }
                self.resolved("/", at);
            }
            None => self.begin_file(""),
        }
        self.path_state(at)
    }

    /// <https://url.spec.whatwg.org/#file-host-state>
    fn file_host(&mut self, at: usize) -> Parsed {
        let end = self.input[at..].find(['/', '\\', '?', '#']).map_or(self.input.len(), |n| at + n);
        let text = &self.input[at..end];
        if path::is_drive_letter(text.as_bytes()) {
            self.violation(Code::FileInvalidWindowsDriveLetterHost, at);
            self.begin_file(&self.input[at - 2..at]);
            return self.path_state(at);
        }
        self.begin_file(&self.input[at - 2..at]);
        if T::ON {
            self.trace.raw(Part::Host, text);
        }
        if !text.is_empty() {
            let kind = host::parse_host(text, true, at, &mut self.url.buf, self.trace)?;
            self.note_file_host(kind);
        }
        self.path_start(end)
    }

    /// `localhost` is the empty host.
    fn note_file_host(&mut self, kind: HostKind) {
        let start = self.url.host_start as usize;
        self.url.host_kind = kind;
        if &self.url.buf[start..] == "localhost" {
            self.url.buf.truncate(start);
            self.url.host_kind = HostKind::Empty;
            if T::ON {
                self.trace.part(&steps::LOCAL_FILE_HOST, Part::Host, "");
            }
        }
        self.url.host_end = self.url.buf.len() as u32;
    }
}
