//! Fingerprints: by them a saved search knows its problem again.

use core::fmt;
use core::hash::Hasher as _;
use core::str::FromStr;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use crate::{Color, Problem};

/// A number that tells problems apart: the same in every version and on every machine. Written as 32 hexadecimal digits.
///
/// It is SipHash-2-4 with 128 bits, with the key 0 (Aumasson and Bernstein, 2012), of these 32-bit numbers, lowest byte first:
///
/// * the number of items; for each item 1 and its two bounds if it is primary, or 0 if it is secondary; and its name;
/// * the number of colors, and the name of each;
/// * the number of options; for each option the number of its entries; for each entry the item, and the color plus 1 or, without
///   a color, 0;
/// * if any option has a cost, that of each, in 64 bits;
///
/// where a name is its number of bytes and then these. So names count (solutions are written in them), and the order of items and
/// options does. What the text of a problem has beside that (blanks, comments) does not.
///
/// ```
/// use dlx_core::format::knuth;
///
/// let text = knuth::parse(b"a b | c\na c:red\nb\n")?.fingerprint();
/// assert_eq!(text, knuth::parse(b"| the same\na  b | c\n\na c:red\nb\n")?.fingerprint());
/// assert_ne!(text, knuth::parse(b"a b | c\nb\na c:red\n")?.fingerprint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

impl Problem {
    /// The number that tells this problem from others. Takes a few nanoseconds an entry.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut all = Bytes(SipHasher24::new());
        all.number(self.item_count());
        for item in self.items() {
            all.number(self.is_primary(item).into());
            if let Some(bounds) = self.bounds(item) {
                all.number(*bounds.start() as usize);
                all.number(*bounds.end() as usize);
            }
            all.name(self.item_name(item).unwrap_or_default());
        }
        all.number(self.color_count());
        (0..self.color_count() as u32)
            .filter_map(Color::new)
            .for_each(|color| all.name(self.color_name(color)));
        all.number(self.option_count());
        for option in self.options() {
            let entries = self.option(option).entries();
            all.number(entries.len());
            for entry in entries {
                all.number(entry.item.index());
                all.number(entry.color.map_or(0, |color| color.index() + 1));
            }
        }
        if self.has_costs() {
            self.options().for_each(|option| all.0.write(&self.cost(option).to_le_bytes()));
        }
        Fingerprint(all.0.finish128().as_u128())
    }
}

/// What is hashed. Counts and indices have 32 bits.
struct Bytes(SipHasher24);

impl Bytes {
    fn number(&mut self, number: usize) {
        self.0.write(&(number as u32).to_le_bytes());
    }

    fn name(&mut self, name: &str) {
        self.number(name.len());
        self.0.write(name.as_bytes());
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The text is no fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFingerprint;

impl fmt::Display for UnknownFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a fingerprint, 32 hexadecimal digits")
    }
}

impl core::error::Error for UnknownFingerprint {}

impl FromStr for Fingerprint {
    type Err = UnknownFingerprint;

    fn from_str(text: &str) -> Result<Self, UnknownFingerprint> {
        let digits = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = u128::from_str_radix(text, 16).ok().filter(|_| digits);
        number.map(Self).ok_or(UnknownFingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::knuth::parse;
    use alloc::string::ToString as _;

    #[test]
    fn fingerprints_are_the_same_for_ever() {
        let text = parse(b"2:3|a b | c d\na c:red d\nb c:blue\na\na b\n").unwrap().fingerprint().to_string();
        assert_eq!(text, "e9d72be7a71b6b23a6fc7954e5784baa");
        assert_eq!(text.parse::<Fingerprint>().unwrap().to_string(), text);
        for wrong in ["", "0", &text[1..], &text.to_uppercase(), "+1234567890123456789012345678901"] {
            assert_eq!(wrong.parse::<Fingerprint>(), Err(UnknownFingerprint), "{wrong}");
        }
    }

    #[test]
    fn whatever_differs_counts() {
        let texts: [&[u8]; 11] = [
            b"a b | c\na c:red\nb c:red\n",
            b"a b | c\na c:red\nb c:blue\n",
            b"a b | c\na c:blue\nb c:blue\n",
            b"a b | d\na d:red\nb d:red\n",
            b"a b c\na c\nb c\n",
            b"a b | c\na c\nb c\n",
            b"a 0:1|b | c\na c:red\nb c:red\n",
            b"b a | c\na c:red\nb c:red\n",
            b"a b | c\nb c:red\na c:red\n",
            b"a b | c\na c:red |1\nb c:red\n",
            b"a b | c\na c:red\nb c:red |1\n",
        ];
        let all: alloc::collections::BTreeSet<_> =
            texts.iter().map(|text| parse(text).unwrap().fingerprint()).collect();
        assert_eq!(all.len(), texts.len());
    }
}
