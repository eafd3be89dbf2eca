use super::*;

fn python(url: &str) -> String {
    String::from_utf8(surt(url.as_bytes(), &Options::default())).expect("ASCII")
}

#[test]
fn nested_escapes_are_decoded_to_the_last() {
    assert_eq!(python(&format!("http://a/%{}41", "25".repeat(400_000))), "a)/a");
    assert_eq!(python(&format!("http://a/{}", "%25".repeat(3))), "a)/%25%25%25");
    assert_eq!(python("http://a/%%34%31"), "a)/a");
}
