//! The steps of the parser that rewrite: rows of LADDER.md, so that `explain`
//! and `compare` can name them. Those of the host stand in `host`.

use crate::ladder::{Loss, Meta};

/// A row; what the parser does is what the Standard says, so nothing is lost.
const fn step(
    name: &'static str,
    rule: &'static str,
    section: &'static str,
    reason: &'static str,
    example: (&'static str, &'static str),
) -> Meta {
    Meta { name, rule, section, loss: Loss::None, revision: 1, reason, example }
}

pub(crate) static STRIP_CONTROLS: Meta = step(
    "strip_controls",
    "drop controls and spaces at both ends, tabs and line breaks anywhere",
    "https://url.spec.whatwg.org/#concept-basic-url-parser",
    "encoding",
    (" http://a.example/x\n", "http://a.example/x"),
);
pub(crate) static RESOLVE: Meta = step(
    "resolve",
    "resolve the reference against its base",
    "https://url.spec.whatwg.org/#relative-state",
    "dot-segment",
    ("../x", "http://a.example/x"),
);
pub(crate) static LOWER_SCHEME: Meta = step(
    "lower_scheme",
    "write the scheme in lower case",
    "https://url.spec.whatwg.org/#scheme-state",
    "scheme",
    ("HTTP://a.example/", "http://a.example/"),
);
pub(crate) static REPAIR_SLASHES: Meta = step(
    "repair_slashes",
    "put exactly // behind a special scheme",
    "https://url.spec.whatwg.org/#special-authority-slashes-state",
    "dup-slash",
    ("http:\\\\a.example/", "http://a.example/"),
);
pub(crate) static ENCODE_USERINFO: Meta = step(
    "encode_userinfo",
    "percent-encode username and password, drop them where both are empty",
    "https://url.spec.whatwg.org/#authority-state",
    "encoding",
    ("http://a@b@a.example/", "http://a%40b@a.example/"),
);
pub(crate) static DEFAULT_PORT: Meta = step(
    "default_port",
    "drop the scheme's default port and an empty one, write others without leading zeros",
    "https://url.spec.whatwg.org/#port-state",
    "default-port",
    ("http://a.example:80/", "http://a.example/"),
);
pub(crate) static BACKSLASHES: Meta = step(
    "backslashes",
    "read a backslash in a special URL's path as a slash",
    "https://url.spec.whatwg.org/#path-state",
    "encoding",
    ("http://a.example/x\\y", "http://a.example/x/y"),
);
pub(crate) static ENCODE_PATH: Meta = step(
    "encode_path",
    "percent-encode what the path percent-encode set holds",
    "https://url.spec.whatwg.org/#path-percent-encode-set",
    "encoding",
    ("http://a.example/x y", "http://a.example/x%20y"),
);
pub(crate) static DOT_SEGMENTS: Meta = step(
    "dot_segments",
    "take out . and .. segments, escaped ones too",
    "https://url.spec.whatwg.org/#path-state",
    "dot-segment",
    ("http://a.example/x/../y", "http://a.example/y"),
);
pub(crate) static DRIVE_LETTER: Meta = step(
    "drive_letter",
    "write a Windows drive letter with a colon",
    "https://url.spec.whatwg.org/#windows-drive-letter",
    "encoding",
    ("file:///C|/x", "file:///C:/x"),
);
pub(crate) static EMPTY_PATH: Meta = step(
    "empty_path",
    "write the empty path of a special URL as /",
    "https://url.spec.whatwg.org/#path-start-state",
    "trailing-slash",
    ("http://a.example", "http://a.example/"),
);
pub(crate) static ENCODE_QUERY: Meta = step(
    "encode_query",
    "percent-encode what the query percent-encode set holds, in the page's encoding",
    "https://url.spec.whatwg.org/#query-state",
    "encoding",
    ("http://a.example/?q=x y", "http://a.example/?q=x%20y"),
);
pub(crate) static ENCODE_FRAGMENT: Meta = step(
    "encode_fragment",
    "percent-encode what the fragment percent-encode set holds",
    "https://url.spec.whatwg.org/#fragment-state",
    "fragment",
    ("http://a.example/#x y", "http://a.example/#x%20y"),
);
pub(crate) static LOCAL_FILE_HOST: Meta = step(
    "local_file_host",
    "read the host localhost of a file URL as none",
    "https://url.spec.whatwg.org/#file-host-state",
    "encoding",
    ("file://localhost/x", "file:///x"),
);

/// In running order; the steps of the host come between userinfo and port.
pub(crate) static BEFORE_HOST: [&Meta; 5] =
    [&STRIP_CONTROLS, &RESOLVE, &LOWER_SCHEME, &REPAIR_SLASHES, &ENCODE_USERINFO];
/// See `BEFORE_HOST`.
pub(crate) static AFTER_HOST: [&Meta; 9] = [
    &LOCAL_FILE_HOST,
    &DEFAULT_PORT,
    &BACKSLASHES,
    &ENCODE_PATH,
    &DOT_SEGMENTS,
    &DRIVE_LETTER,
    &EMPTY_PATH,
    &ENCODE_QUERY,
    &ENCODE_FRAGMENT,
];
