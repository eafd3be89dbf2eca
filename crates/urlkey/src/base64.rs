//! Base64, in either alphabet of RFC 4648. Padding is the caller's: those who
//! write it differ in what they allow.

/// The bytes of these digits, without padding, and the bits left over behind the
/// last byte; None where one is no digit, or a digit alone is left.
pub(crate) fn decode(digits: &[u8]) -> Option<(Vec<u8>, u32)> {
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut held, mut bits) = (0u32, 0);
    for &byte in digits {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    (bits < 6).then_some((out, held))
}

/// The text in these digits, padded or not; None where they are none of either alphabet, or spell no UTF-8.
pub(crate) fn text(padded: &[u8]) -> Option<String> {
    let end = padded.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    if padded.len() - end > 2 {
        return None;
    }
    String::from_utf8(decode(&padded[..end])?.0).ok()
}
