//! Signed URLs, told by the names, value shapes and hosts of their schemes.
//! Must not know what is done with them.

use super::shape::Shape;
use crate::domain::HostPattern;
use crate::heads::Filter;

/// A way to sign URLs.
pub(crate) struct Scheme {
    pub(crate) name: String,
    /// Empty for any host.
    pub(crate) hosts: Vec<HostPattern>,
    /// All of these must be there; empty where the path holds the signature.
    pub(crate) needs: Vec<Need>,
    /// Shapes of segments of the path, one after the other; empty where the query holds the signature.
    pub(crate) segments: Vec<Shape>,
}

/// One of these names, with a value of this shape.
pub(crate) struct Need {
    pub(crate) any: Vec<String>,
    pub(crate) shape: Shape,
}

/// Most schemes.
pub(crate) const MOST: usize = 64;
/// Most needs of a scheme: a bit each.
pub(crate) const MOST_NEEDS: usize = 32;

/// The schemes, by the names they need.
pub struct SignedRules {
    filter: Filter,
    schemes: Vec<Scheme>,
    /// (name, scheme, need), sorted by name.
    marks: Vec<(Box<[u8]>, usize, usize)>,
    /// The schemes that sign paths on any host.
    of_path: Vec<First>,
    /// The shortest first segment of them.
    shortest: usize,
    /// The schemes that sign paths of their hosts.
    of_host: Vec<usize>,
}

/// How long the first segment of a scheme is.
struct First {
    scheme: usize,
    least: usize,
    most: usize,
}

impl SignedRules {
    /// At most `MOST` schemes with at most `MOST_NEEDS` needs each.
    pub(crate) fn new(schemes: Vec<Scheme>) -> SignedRules {
        let mut filter = Filter::default();
        let mut marks = Vec::new();
        for (number, scheme) in schemes.iter().enumerate() {
            for (need, names) in scheme.needs.iter().enumerate() {
                for name in &names.any {
                    if need == 0 {
                        filter.add(name.as_bytes(), false);
                    }
                    marks.push((name.as_bytes().into(), number, need));
                }
            }
        }
        marks.sort_unstable();
        let (mut of_path, mut of_host) = (Vec::new(), Vec::new());
        for (number, scheme) in schemes.iter().enumerate() {
            match scheme.segments.first().map(Shape::bounds) {
                Some((least, most)) if scheme.hosts.is_empty() => of_path.push(First { scheme: number, least, most }),
                Some(_) => of_host.push(number),
                None => {}
            }
        }
        let shortest = of_path.iter().map(|first| first.least).min().unwrap_or(usize::MAX);
        SignedRules { filter, schemes, marks, of_path, shortest, of_host }
    }

    /// Lets through the names of each scheme's first need: where none of them is, nothing is signed.
    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Whether this parameter is what some scheme needs first. Without one, nothing is signed, and the other
    /// parameters need not be looked at.
    pub(crate) fn begins(&self, name: &[u8], value: &[u8]) -> bool {
        self.marks_of(name)
            .iter()
            .any(|&(_, number, need)| need == 0 && self.schemes[number].needs[need].shape.matches(value))
    }

    /// The scheme that signed this URL. Names are case-sensitive here: signers
    /// are. Linear in the pairs.
    pub fn detect<'p>(
        &'static self,
        host: &str,
        pairs: impl Iterator<Item = (&'p [u8], &'p [u8])>,
    ) -> Option<&'static str> {
        let mut met = [0u32; MOST];
        for (name, value) in pairs {
            for &(_, number, need) in self.marks_of(name) {
                let scheme = &self.schemes[number];
                let before = met[number];
                if before >> need & 1 == 0 && scheme.needs[need].shape.matches(value) {
                    met[number] |= 1 << need;
                    if met[number].count_ones() as usize == scheme.needs.len() && scheme.covers(host) {
                        return Some(&scheme.name);
                    }
                }
            }
        }
        None
    }

    /// The scheme that signed this URL in a segment of its path. Linear in the path.
    pub fn detect_path(&'static self, host: &str, path: &str) -> Option<&'static str> {
        let mut rest = path.split('/');
        while let Some(segment) = rest.next() {
            // Most segments are shorter than any signature.
            if segment.len() < self.shortest {
                continue;
            }
            let sized = |first: &&First| (first.least..=first.most).contains(&segment.len());
            let mut schemes = self.of_path.iter().filter(sized).map(|first| &self.schemes[first.scheme]);
            if let Some(found) = schemes.find(|scheme| scheme.begins_at(segment, rest.clone()) && scheme.covers(host)) {
                return Some(&found.name);
            }
        }
        let mut of_host = self.of_host.iter().map(|&number| &self.schemes[number]);
        of_host.find(|scheme| scheme.covers(host) && scheme.is_in(path)).map(|scheme| scheme.name.as_str())
    }

    /// Whether this parameter belongs to a scheme that only hosts like this one use.
    pub(crate) fn signs(&self, host: &str, name: &[u8], value: &[u8]) -> bool {
        self.marks_of(name).iter().any(|&(_, number, need)| {
            let scheme = &self.schemes[number];
            !scheme.hosts.is_empty() && scheme.needs[need].shape.matches(value) && scheme.covers(host)
        })
    }

    fn marks_of(&self, name: &[u8]) -> &[(Box<[u8]>, usize, usize)] {
        let from = self.marks.partition_point(|mark| *mark.0 < *name);
        let count = self.marks[from..].iter().take_while(|mark| *mark.0 == *name).count();
        &self.marks[from..from + count]
    }
}

impl Scheme {
    /// Whether segments of these shapes follow one another in the path.
    fn is_in(&self, path: &str) -> bool {
        let mut rest = path.split('/');
        while let Some(segment) = rest.next() {
            if self.begins_at(segment, rest.clone()) {
                return true;
            }
        }
        false
    }

    /// Whether they begin with this segment.
    fn begins_at<'p>(&self, segment: &'p str, rest: impl Iterator<Item = &'p str>) -> bool {
        let mut segments = std::iter::once(segment).chain(rest);
        let mut matches = |shape: &Shape| segments.next().is_some_and(|segment| shape.matches(segment.as_bytes()));
        self.segments.iter().all(&mut matches)
    }

    fn covers(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|pattern| pattern.matches(host))
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::data;

    fn detect(host: &str, query: &str) -> Option<&'static str> {
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        data::signed().unwrap().rows.detect(host, pairs.map(|(name, value)| (name.as_bytes(), value.as_bytes())))
    }

    #[test]
    fn a_signature_in_the_path_is_told_by_segments_that_follow_one_another() {
        let (long, sha1) = ("oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8", "k8AoZ2Pq3dW7bYcXl0mN1sTuVw4=");
        let detect = |host: &str, path: &str| data::signed().unwrap().rows.detect_path(host, path);
        for (path, scheme) in [
            ("/demo/image/upload/s--hg5zQ0Yq--/w_100/a.jpg".to_owned(), Some("Cloudinary")),
            (format!("/{long}/rs:fit:300:300/plain/http://a.example/b.jpg"), Some("imgproxy")),
            (format!("/{sha1}/300x200/a.example/b.jpg"), Some("Thumbor")),
            ("/exp=1893456000~acl=/*~hmac=00ff00ff".to_owned(), None),
            ("/exp=1893456000~acl=%2F*~hmac=00ff00ff00ff/v.m3u8".to_owned(), Some("Akamai token in the path, bare")),
            (format!("/{long}/a/rs:fit:300:300"), None),
            (format!("/{long}"), None),
            ("/s--hg5zQ0Y--/a".to_owned(), None),
            ("/as--hg5zQ0Yq--/a".to_owned(), None),
            ("/".repeat(100_000), None),
            (String::new(), None),
        ] {
            assert_eq!(detect("a.example", &path), scheme, "{path:.80}");
        }
    }

    #[test]
    fn a_signature_is_told_by_names_shapes_and_hosts() {
        let hex = "f504d53808cb8f0af696018baa5a31e2e26192a816aa631240d5def9ebb51171";
        let (md5, sha1) = (&hex[..32], &hex[..40]);
        let signed = [
            ("b.s3.amazonaws.com", format!("a=1&X-Amz-Signature={hex}"), "AWS SigV4"),
            ("storage.googleapis.com", format!("X-Goog-Signature={hex}{hex}"), "GCS V4"),
            (
                "d1.cloudfront.net",
                "size=m&Expires=1893456000&Signature=Diz~Q-w_&Key-Pair-Id=K2".to_owned(),
                "CloudFront, canned policy",
            ),
            ("d1.cloudfront.net", "Policy=eyJ&Signature=Diz&Key-Pair-Id=K2".to_owned(), "CloudFront, custom policy"),
            ("a.blob.core.windows.net", "sp=r&sv=2026-10-06&sr=b&sig=k1uLx/5%2B4%3D".to_owned(), "Azure Storage SAS"),
            ("shop.example", format!("expires=1&signature={hex}"), "Laravel signed route"),
            ("maps.googleapis.com", "client=x&signature=0123456789abcdefghijklmnop_=".to_owned(), "Google Maps"),
            ("x.imgix.net", format!("w=1&s={md5}"), "imgix"),
            ("a.example", "hdnts=exp=1893456000~acl=/*~hmac=00ff".to_owned(), "Akamai token"),
            ("a.example", format!("q-signature={sha1}"), "Tencent COS"),
            ("scontent.xx.fbcdn.net", "oh=00_AfBzZ0123456789&oe=65F0A1B2".to_owned(), "Meta CDN"),
            ("cdn.discordapp.com", format!("ex=65f0a1b2&is=65ed2fb2&hm={hex}"), "Discord attachment"),
        ];
        for (host, query, scheme) in &signed {
            assert_eq!(detect(host, query), Some(*scheme), "{host}?{query}");
        }
        let plain = [
            ("a.example", "X-Amz-Signature=x".to_owned()),
            ("a.example", format!("x-amz-signature={hex}")),
            ("a.example", format!("s={md5}")),
            ("a.example", "sig=x&sv=1&sr=b".to_owned()),
            ("a.example", "Signature=x&Expires=1".to_owned()),
            ("evil-imgix.net", format!("s={md5}")),
            ("a.example", "oh=00_AfBzZ0123456789&oe=65F0A1B2".to_owned()),
        ];
        for (host, query) in &plain {
            assert_eq!(detect(host, query), None, "{host}?{query}");
        }
    }
}
