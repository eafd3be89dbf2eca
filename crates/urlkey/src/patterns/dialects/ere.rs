//! POSIX extended regular expressions, as Squid compiles them (`regcomp`,
//! REG_EXTENDED), in the syntax of the crate `regex`. Must not know what is matched.

use crate::patterns::model::{Fault, Read};

/// What has been written, and the last thing in it that can be repeated.
#[derive(Default)]
struct Writer {
    out: String,
    /// Where that thing begins.
    last: Option<usize>,
    repeated: bool,
    /// Where the groups that are open begin.
    open: Vec<usize>,
}

impl Writer {
    /// The next thing begins here.
    fn begin(&mut self) {
        self.last = Some(self.out.len());
        self.repeated = false;
    }

    /// Nothing to repeat stands before what comes.
    fn separate(&mut self) {
        self.last = None;
        self.repeated = false;
    }

    /// Repeats the last thing, `a**` as a group: a second sign would change what the first means.
    fn repeat(&mut self, start: usize, sign: &str) {
        if self.repeated {
            self.out.insert_str(start, "(?:");
            self.out.push(')');
        }
        self.out.push_str(sign);
        self.repeated = true;
    }
}

/// The same expression for `regex`.
pub(super) fn translated(text: &str) -> Read<String> {
    if text.is_empty() {
        return Err(Fault::new(0, "an expression of nothing would match everything"));
    }
    let bytes = text.as_bytes();
    let mut to = Writer::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match (byte, to.last) {
            (b'[', _) => {
                to.begin();
                bracket(text, at, &mut to.out)?
            }
            (b'\\', _) => {
                to.begin();
                escape(text, at + 1, &mut to.out)?
            }
            // A question mark behind it would make a flag of what is a group.
            (b'(', _) => {
                to.open.push(to.out.len());
                to.out.push_str("(?:");
                to.separate();
                at + 1
            }
            (b')', _) if !to.open.is_empty() => {
                to.out.push(')');
                to.last = to.open.pop();
                to.repeated = false;
                at + 1
            }
            (b'|' | b'^' | b'$', _) => {
                to.out.push(char::from(byte));
                to.separate();
                at + 1
            }
            (b'*' | b'+' | b'?', Some(start)) => {
                to.repeat(start, &text[at..=at]);
                at + 1
            }
            (b'*' | b'+' | b'?' | b'{', None) => {
                return Err(Fault::new(at, "nothing to repeat before a sign of repetition"));
            }
            (b'{', Some(start)) => {
                let length = interval(&bytes[at..]).ok_or_else(|| Fault::new(at, "a { that begins no interval"))?;
                // `{,n}` is from none on.
                to.repeat(start, &text[at..at + length].replace("{,", "{0,"));
                at + length
            }
            (b'.', _) => {
                to.begin();
                to.out.push('.');
                at + 1
            }
            _ => {
                let unit = text[at..].chars().next().unwrap_or_default();
                to.begin();
                push_literal(unit, &mut to.out);
                at + unit.len_utf8()
            }
        };
    }
    match to.open.is_empty() {
        true => Ok(to.out),
        false => Err(Fault::new(text.len(), "a ( is not closed")),
    }
}

fn push_literal(unit: char, out: &mut String) {
    match unit.is_ascii() {
        true => out.push_str(&regex_syntax::escape(unit.encode_utf8(&mut [0; 4]))),
        // A group: what repeats it repeats all of its bytes.
        false => {
            let bytes = unit.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\x{byte:02X}")).collect::<String>();
            out.push_str(&format!("(?:{bytes})"));
        }
    }
}

/// What a backslash makes of the character at `at`; where it ends.
fn escape(text: &str, at: usize, out: &mut String) -> Read<usize> {
    let Some(unit) = text[at..].chars().next() else {
        return Err(Fault::new(at - 1, "a \\ at the end"));
    };
    match unit {
        '1'..='9' => return Err(Fault::new(at - 1, "a reference back cannot be matched in linear time")),
        'w' | 'W' | 's' | 'S' | 'b' | 'B' => out.extend(['\\', unit]),
        '<' => out.push_str("\\b{start}"),
        '>' => out.push_str("\\b{end}"),
        '`' => out.push_str("\\A"),
        '\'' => out.push_str("\\z"),
        // POSIX leaves others open; the GNU library takes them for themselves: `\d` is a d.
        _ => push_literal(unit, out),
    }
    Ok(at + unit.len_utf8())
}

/// POSIX.1, section 9.3.5.
const CLASSES: [&str; 12] =
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];

/// Copies a bracket expression; where it ends. A `\` in it stands for itself.
fn bracket(text: &str, from: usize, out: &mut String) -> Read<usize> {
    let bytes = text.as_bytes();
    let open = |at| Fault::new(at, "a [ is not closed");
    let mut at = from + 1;
    out.push('[');
    if bytes.get(at) == Some(&b'^') {
        out.push('^');
        at += 1;
    }
    let first = at;
    loop {
        match *bytes.get(at).ok_or_else(|| open(from))? {
            b']' if at > first => {
                out.push(']');
                return Ok(at + 1);
            }
            b'[' if matches!(bytes.get(at + 1), Some(b':')) => {
                let length = text[at + 2..].find(":]").ok_or_else(|| open(at))? + 4;
                if !CLASSES.contains(&&text[at + 2..at + length - 2]) {
                    return Err(Fault::new(at, "no such class of characters"));
                }
                out.push_str(&text[at..at + length]);
                at += length;
            }
            // `[.a.]` and `[=a=]`: in the locale of POSIX a character is all of its class.
            b'[' if matches!(bytes.get(at + 1), Some(b'.' | b'=')) => match bytes[at + 1..] {
                [sign, unit, end, b']', ..] if sign == end && unit.is_ascii_graphic() => {
                    out.push_str(&regex_syntax::escape(char::from(unit).encode_utf8(&mut [0; 4])));
                    at += 5;
                }
                _ => return Err(Fault::new(at, "no collating element of one character")),
            },
            byte @ (b'[' | b']' | b'\\' | b'&' | b'~' | b'^') => {
                out.push('\\');
                out.push(char::from(byte));
                at += 1;
            }
            b'-' => {
                let is_range = at > first && bytes.get(at + 1) != Some(&b']');
                out.push_str(if is_range { "-" } else { "\\-" });
                at += 1;
            }
            byte if byte.is_ascii() => {
                out.push(char::from(byte));
                at += 1;
            }
            _ => return Err(Fault::new(at, "beyond ASCII within brackets")),
        }
    }
}

/// How long an interval `{n,m}` is; none where it is no interval.
fn interval(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().position(|&byte| byte == b'}')?;
    let inside = std::str::from_utf8(&bytes[1..end]).ok()?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match inside.split_once(',') {
        Some((low, high)) => is_number(low) && is_number(high) && inside != ",",
        None => !inside.is_empty() && is_number(inside),
    }
    .then_some(end + 1)
}
