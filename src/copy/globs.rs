//! Globs over names and keys, anchored at both ends.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// What a pattern may contain that a name may not.
const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// Some globs, of which at least one must match.
#[derive(Clone, Debug)]
pub struct Globs {
    set: GlobSet,
    patterns: Vec<String>,
}

impl Globs {
    /// Compiles the globs.
    pub fn new(patterns: &[String]) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(GlobBuilder::new(pattern).build()?);
        }
        Ok(Self {
            set: set.build()?,
            patterns: patterns.to_vec(),
        })
    }

    /// Whether a pattern is a plain name.
    pub fn is_exact(pattern: &str) -> bool {
        !pattern.contains(WILDCARDS)
    }

    /// Whether a glob matches the whole of `name`.
    pub fn matches(&self, name: &str) -> bool {
        self.set.is_match(name)
    }

    /// The names themselves, if no pattern has a wildcard.
    pub fn exact(&self) -> Option<&[String]> {
        let mut patterns = self.patterns.iter();
        let exact = patterns.all(|pattern| Self::is_exact(pattern));
        exact.then_some(&self.patterns)
    }

    /// The globs as they were written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(patterns: &[&str]) -> Globs {
        Globs::new(&patterns.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn globs_are_anchored() {
        assert!(globs(&["prod"]).matches("prod"));
        assert!(!globs(&["prod"]).matches("production"));
        assert!(!globs(&["prod"]).matches("my-prod"));
        assert!(globs(&["prod*"]).matches("production"));
    }

    #[test]
    fn every_form_of_wildcard_works() {
        assert!(globs(&["team-?"]).matches("team-a"));
        assert!(!globs(&["team-?"]).matches("team-ab"));
        assert!(globs(&["team-[ab]"]).matches("team-b"));
        assert!(globs(&["{dev,test}-*"]).matches("test-1"));
        assert!(globs(&["*"]).matches("anything.with.dots"));
    }

    #[test]
    fn only_plain_names_are_exact() {
        assert_eq!(
            globs(&["a", "b"]).exact(),
            Some(&["a".to_owned(), "b".to_owned()][..])
        );
        for pattern in ["a*", "a?", "[a]", "{a,b}"] {
            assert_eq!(globs(&["a", pattern]).exact(), None, "{pattern}");
        }
    }
}
