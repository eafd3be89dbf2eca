//! What sort of address an IP address is: the block of the IANA registries that
//! holds it, whether it is globally reachable, and the IPv4 addresses inside it.
//! For checks of where a request would go. Reads addresses, not names: must not
//! know URLs, nor resolve anything.

mod table;
mod text;

pub use text::Address;

use crate::error::ParseError;

/// An address, the longest block that holds it, and what is embedded in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpClass {
    /// As the URL Standard serializes it, without brackets.
    pub address: String,
    /// What sort of block it is: `public` in none, else `private`, `loopback`,
    /// `link-local`, `shared`, `unspecified`, `reserved`, `protocol`,
    /// `documentation`, `benchmarking`, `multicast`, `broadcast`, `deprecated`,
    /// `embeds-ipv4`, `embeds-ipv4-local`.
    pub class: &'static str,
    /// The longest block that holds the address: `10.0.0.0/8`; none for a public one.
    pub block: Option<&'static str>,
    /// The registry's name of that block.
    pub name: Option<&'static str>,
    /// The registry's word on the block, true for public addresses; none where the
    /// registry says "N/A".
    pub globally_reachable: Option<bool>,
    /// The IPv4 addresses inside: one for mapped, compatible, translated, 6to4 and
    /// ISATAP addresses, client and server for Teredo.
    pub embedded: Vec<IpClass>,
    /// The service of a cloud that answers at this very address: metadata, credentials.
    pub service: Option<&'static str>,
}

impl IpClass {
    /// Whether the address, and every address inside it, is globally reachable and no
    /// service of a cloud. What is not known to be so is not: deny unless true.
    pub fn is_global(&self) -> bool {
        self.globally_reachable == Some(true) && self.service.is_none() && self.embedded.iter().all(IpClass::is_global)
    }
}

/// What sort of address this is.
///
/// Takes an IPv4 address of four decimal parts, or an IPv6 address as RFC 4291
/// writes it, in brackets or not. The odd forms that `inet_aton` reads are for the
/// host parser, which makes these of them.
///
/// Errors: `not-an-IP-address`, `zone-id`, and the host parser's for IPv6.
///
/// Sources: <https://www.iana.org/assignments/iana-ipv4-special-registry/>,
/// <https://www.iana.org/assignments/iana-ipv6-special-registry/>.
///
/// ```
/// use urlkey::ip::classify_ip;
/// let found = classify_ip("::ffff:127.0.0.1")?;
/// assert_eq!((found.class, found.block), ("embeds-ipv4", Some("::ffff:0:0/96")));
/// assert_eq!(found.embedded[0].class, "loopback");
/// assert!(!found.is_global() && classify_ip("9.9.9.9")?.is_global());
/// # Ok::<(), urlkey::ParseError>(())
/// ```
pub fn classify_ip(text: &str) -> Result<IpClass, ParseError> {
    Ok(classify(Address::parse(text)?))
}

/// As `classify_ip`, of an address that is parsed already.
pub fn classify(address: Address) -> IpClass {
    let tables = table::tables();
    let block = tables.block(address);
    let inside = match address {
        Address::V4(_) => Vec::new(),
        Address::V6(bits) => embedded(bits, block.and_then(|block| block.embeds)),
    };
    IpClass {
        address: address.to_string(),
        class: block.map_or("public", |block| &block.class),
        block: block.map(|block| &*block.text),
        name: block.map(|block| &*block.name),
        globally_reachable: block.map_or(Some(true), |block| block.globally_reachable),
        embedded: inside.into_iter().map(|inner| classify(Address::V4(inner))).collect(),
        service: tables.service(address),
    }
}

/// How a block holds IPv4 addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Embeds {
    /// The last 32 bits.
    Low32,
    /// "2002:V4ADDR::/48", RFC 3056 section 2.
    SixToFour,
    /// Server, flags, and port and client with every bit turned: RFC 4380 section 4.
    Teredo,
}

/// The IPv4 addresses inside an IPv6 address; they hold none themselves, so this ends.
fn embedded(bits: u128, how: Option<Embeds>) -> Vec<u32> {
    let low = bits as u32;
    match how {
        Some(Embeds::Low32) => vec![low],
        Some(Embeds::SixToFour) => vec![(bits >> 80) as u32],
        Some(Embeds::Teredo) => vec![!low, (bits >> 64) as u32],
        None if is_isatap(bits) => vec![low],
        None => Vec::new(),
    }
}

/// An interface identifier "created by concatenating the 24-bit IANA OUI (00-00-5E),
/// the 8-bit hexadecimal value 0xFE, and a 32-bit IPv4 address", its "u" bit set
/// where the address is unique: RFC 5214 section 6.1. Any prefix may stand before it.
fn is_isatap(bits: u128) -> bool {
    matches!((bits >> 32) as u32, 0x0000_5EFE | 0x0200_5EFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> (&'static str, bool) {
        let found = classify_ip(text).unwrap();
        (found.class, found.is_global())
    }

    #[test]
    fn the_longest_block_decides() {
        assert_eq!(classify_ip("0.0.0.0").unwrap().block, Some("0.0.0.0/32"));
        assert_eq!(classify_ip("0.0.0.1").unwrap().block, Some("0.0.0.0/8"));
        assert_eq!(class("192.0.0.9"), ("protocol", true));
        assert_eq!(class("192.0.0.11"), ("protocol", false));
        assert_eq!(class("2001:20::1"), ("protocol", true));
        assert_eq!(class("2001:1ff::1"), ("protocol", false));
        assert_eq!(class("2001:200::1"), ("public", true));
        assert_eq!(class("::2"), ("embeds-ipv4", false));
        assert_eq!(class("::1"), ("loopback", false));
    }

    #[test]
    fn blocks_end_where_they_end() {
        for (inside, outside) in [
            ("172.31.255.255", "172.32.0.0"),
            ("100.127.255.255", "100.128.0.0"),
            ("198.19.255.255", "198.20.0.0"),
            ("2002:ffff::", "2003::"),
            ("3fff:fff:ffff::", "3fff:1000::"),
        ] {
            assert!(!classify_ip(inside).unwrap().is_global(), "{inside}");
            assert!(classify_ip(outside).unwrap().is_global(), "{outside}");
        }
    }

    #[test]
    fn addresses_inside_are_checked_too() {
        for (text, inside) in [
            ("64:ff9b::8.8.8.8", vec!["8.8.8.8"]),
            ("2002:a9fe:a9fe::1", vec!["169.254.169.254"]),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", vec!["192.0.2.45", "65.54.227.120"]),
            ("2a00:1450::5efe:10.0.0.1", vec!["10.0.0.1"]),
            ("2a00:1450::200:5efe:808:808", vec!["8.8.8.8"]),
            ("::ffff:0:127.0.0.1", vec!["127.0.0.1"]),
            ("2a00:1450::1", vec![]),
            ("::1", vec![]),
        ] {
            let found = classify_ip(text).unwrap();
            let found: Vec<&str> = found.embedded.iter().map(|inner| inner.address.as_str()).collect();
            assert_eq!(found, inside, "{text}");
        }
        assert!(classify_ip("64:ff9b::8.8.8.8").unwrap().is_global());
        assert!(!classify_ip("64:ff9b::10.0.0.1").unwrap().is_global());
        assert!(!classify_ip("64:ff9b::168.63.129.16").unwrap().is_global());
        assert!(!classify_ip("2a00:1450::5efe:10.0.0.1").unwrap().is_global());
    }

    #[test]
    fn a_service_of_a_cloud_is_told_and_is_not_global() {
        let azure = classify_ip("168.63.129.16").unwrap();
        assert_eq!((azure.class, azure.globally_reachable, azure.is_global()), ("public", Some(true), false));
        assert!(azure.service.is_some());
        assert!(classify_ip("168.63.129.17").unwrap().is_global());
    }

    #[test]
    fn only_global_unicast_is_handed_out() {
        for text in ["::ffff:1:0:0:0", "200::1", "4000::1", "fe00::1", "fec0::1", "f000::1", "1000::"] {
            assert!(!classify_ip(text).unwrap().is_global(), "{text}");
        }
    }
}
