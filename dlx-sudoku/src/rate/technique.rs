//! The techniques, their names and where they stand on the scale; and the grades, which are stretches of it.

use core::fmt;
use core::str::FromStr;

use super::step::Difficulty;

macro_rules! techniques {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $lowest:literal ..= $highest:literal;)+) => {
        /// A technique, from the easiest to the hardest. Displays as its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Technique {
            $($(#[$doc])+ $variant,)+
        }

        impl Technique {
            /// All techniques.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The usual name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The difficulties of its easiest and its hardest steps.
            pub const fn range(self) -> (Difficulty, Difficulty) {
                let (lowest, highest) = match self { $(Self::$variant => ($lowest, $highest),)+ };
                (Difficulty::from_tenths(lowest), Difficulty::from_tenths(highest))
            }
        }
    };
}

techniques! {
    /// The last blank cell of a house.
    FullHouse = "full house", 10..=10;
    /// The only cell of a box that can take a digit.
    HiddenSingleBox = "hidden single in a box", 12..=12;
    /// The only cell of a row or column that can take a digit.
    HiddenSingleLine = "hidden single in a line", 15..=15;
    /// Pointing after which a hidden single of the same digit is seen.
    DirectPointing = "pointing to a hidden single", 17..=17;
    /// Claiming after which a hidden single of the same digit is seen.
    DirectClaiming = "claiming for a hidden single", 19..=19;
    /// A hidden pair after which a hidden single of the same house is seen.
    DirectHiddenPair = "hidden pair for a hidden single", 20..=20;
    /// The only digit that a cell can take.
    NakedSingle = "naked single", 23..=23;
    /// A hidden triple after which a hidden single of the same house is seen.
    DirectHiddenTriple = "hidden triple for a hidden single", 25..=25;
    /// Locked candidates: a digit of a box only in one line.
    Pointing = "pointing", 26..=26;
    /// Locked candidates: a digit of a line only in one box.
    Claiming = "claiming", 28..=28;
    /// Two cells of a house with the same two candidates.
    NakedPair = "naked pair", 30..=30;
    /// A fish of two lines.
    XWing = "X-wing", 32..=32;
    /// Two digits of a house only in the same two cells.
    HiddenPair = "hidden pair", 34..=34;
    /// Three cells of a house with three candidates.
    NakedTriple = "naked triple", 36..=36;
    /// A fish of three lines.
    Swordfish = "swordfish", 38..=38;
    /// Three digits of a house only in the same three cells.
    HiddenTriple = "hidden triple", 40..=40;
    /// A cell of candidates X, Y that sees X, Z and Y, Z.
    XyWing = "XY-wing", 42..=42;
    /// A cell of candidates X, Y, Z that sees X, Z and Y, Z.
    XyzWing = "XYZ-wing", 44..=44;
    /// Four cells that could swap two digits, if it were not for one, two or three of them. Needs a unique solution.
    UniqueRectangle = "unique rectangle", 45..=50;
    /// Four cells of a house with four candidates.
    NakedQuad = "naked quad", 50..=50;
    /// A fish of four lines.
    Jellyfish = "jellyfish", 52..=52;
    /// Four digits of a house only in the same four cells.
    HiddenQuad = "hidden quad", 54..=54;
    /// Bivalue universal grave, with one candidate more. Needs a unique solution.
    Bug = "BUG+1", 56..=56;
    /// An X-wing but for some cells of one box.
    FinnedXWing = "finned X-wing", 58..=58;
    /// Two cells with the same two candidates, and a strong link between them.
    WWing = "W-wing", 60..=60;
    /// A swordfish but for some cells of one box.
    FinnedSwordfish = "finned swordfish", 61..=61;
    /// The strong links of a digit in two colours.
    SimpleColoring = "simple colouring", 62..=62;
    /// A jellyfish but for some cells of one box.
    FinnedJellyfish = "finned jellyfish", 63..=63;
    /// An alternating chain of one digit.
    XChain = "X-chain", 65..=75;
    /// An alternating chain through cells of two candidates.
    XyChain = "XY-chain", 66..=76;
    /// An alternating inference chain.
    Aic = "alternating inference chain", 70..=79;
    /// All candidates of a cell lead to the same.
    CellForcing = "cell forcing chains", 80..=89;
    /// All places of a digit in a house lead to the same.
    HouseForcing = "house forcing chains", 80..=89;
    /// A candidate from which singles lead to a contradiction.
    Net = "contradiction net", 85..=94;
    /// The same, with candidates ruled out on the way by contradictions of their own.
    NestedNet = "nested contradiction net", 95..=114;
    /// Contradictions within contradictions within contradictions, or deeper.
    DeepNet = "deeply nested contradiction net", 115..=119;
}

impl Technique {
    /// Whether it takes for granted that the puzzle has one solution only.
    pub const fn is_uniqueness(self) -> bool {
        matches!(self, Self::UniqueRectangle | Self::Bug)
    }

    /// So many tenths more than the easiest, within the technique's range.
    pub(super) fn difficulty(self, extra: u8) -> Difficulty {
        let (lowest, highest) = self.range();
        Difficulty::from_tenths(lowest.tenths().saturating_add(extra)).min(highest)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A stretch of the scale, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Singles, some of them found by a look at locked candidates: up to 2.5.
    Easy,
    /// Locked candidates, pairs, triples, X-wing and swordfish: 2.6 to 4.0.
    Medium,
    /// Wings, unique rectangles, quads, large and finned fish, colouring: 4.1 to 6.4.
    Hard,
    /// Chains: 6.5 to 7.9.
    Fiendish,
    /// Forcing chains and nets: from 8.0.
    Diabolical,
}

impl Grade {
    /// All grades, from the easiest.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Medium, Self::Hard, Self::Fiendish, Self::Diabolical];

    /// The grade of a difficulty.
    pub fn of(difficulty: Difficulty) -> Self {
        let is_at_most = |grade: &Self| difficulty <= grade.range().1;
        Self::ALL.into_iter().find(is_at_most).unwrap_or(Self::Diabolical)
    }

    /// The name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Fiendish => "fiendish",
            Self::Diabolical => "diabolical",
        }
    }

    /// The least and the greatest difficulty.
    pub const fn range(self) -> (Difficulty, Difficulty) {
        let (lowest, highest) = match self {
            Self::Easy => (0, 25),
            Self::Medium => (26, 40),
            Self::Hard => (41, 64),
            Self::Fiendish => (65, 79),
            Self::Diabolical => (80, 119),
        };
        (Difficulty::from_tenths(lowest), Difficulty::from_tenths(highest))
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no grade has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGrade(String);

impl fmt::Display for UnknownGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Grade::ALL.map(Grade::name).join(", ");
        write!(f, "{:?} is no grade, expected one of {names}", self.0)
    }
}

impl core::error::Error for UnknownGrade {}

impl FromStr for Grade {
    type Err = UnknownGrade;

    fn from_str(name: &str) -> Result<Self, UnknownGrade> {
        let grade = Self::ALL.into_iter().find(|grade| grade.name() == name);
        grade.ok_or_else(|| UnknownGrade(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_rises_with_the_techniques() {
        assert!(Technique::ALL.is_sorted_by_key(|technique| technique.range().0));
        for technique in Technique::ALL {
            let (lowest, highest) = technique.range();
            assert!(lowest <= highest);
            assert_eq!(technique.difficulty(0), lowest);
            assert_eq!(technique.difficulty(u8::MAX), highest);
        }
    }

    #[test]
    fn every_difficulty_has_one_grade() {
        for tenths in 0..=Difficulty::MAX.tenths() {
            let difficulty = Difficulty::from_tenths(tenths);
            let holds = |grade: &Grade| (grade.range().0..=grade.range().1).contains(&difficulty);
            let grades: Vec<_> = Grade::ALL.into_iter().filter(holds).collect();
            assert_eq!(grades, [Grade::of(difficulty)], "{difficulty}");
        }
        for grade in Grade::ALL {
            assert_eq!(grade.to_string().parse(), Ok(grade));
        }
        assert!("extreme".parse::<Grade>().is_err());
    }
}
