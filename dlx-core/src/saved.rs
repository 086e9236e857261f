//! The text form of what is saved of a search: a line that names the form and its version, lines of a word and its
//! value, the pieces that are left, and a check sum of all that.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::str::{FromStr, SplitAsciiWhitespace};

use crate::frontier::{Change, Frontier, Step};
use crate::{Fingerprint, OptionId, Problem};

/// The version that is written, and the only one that is read.
pub(crate) const VERSION: u32 = 1;

/// Why a saved search was refused. Nothing of it has been taken then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SavedError {
    /// It does not begin as it should.
    Kind {
        /// What was expected: `"dlx checkpoint"` or `"dlx part"`.
        expected: &'static str,
    },
    /// It has another version of the form.
    Version {
        /// The version, as it is written there.
        found: String,
        /// The version that is known.
        known: u32,
    },
    /// It does not agree with its check sum: cut off, or changed.
    Damaged,
    /// Its check sum is right, but something else was expected in this line (from 1).
    Syntax {
        /// The line.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// It belongs to another problem.
    Foreign {
        /// The fingerprint of that problem.
        found: Fingerprint,
        /// The one of the problem at hand.
        expected: Fingerprint,
    },
    /// It is said to belong to the problem, but its pieces cannot be.
    Unfit {
        /// An option that the problem does not have, or that has no place there.
        option: OptionId,
    },
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind { expected } => write!(f, "line 1: expected `{expected} {VERSION}`"),
            Self::Version { found, known } => {
                write!(f, "line 1: version `{found}` is not known, expected version {known}")
            }
            Self::Damaged => f.write_str("damaged or cut off: it does not agree with its check sum"),
            Self::Syntax { line, expected } => write!(f, "line {line}: expected {expected}"),
            Self::Foreign { found, expected } => {
                write!(f, "it belongs to the problem {found}, expected {expected}")
            }
            Self::Unfit { option } => write!(f, "option {option} does not fit the problem"),
        }
    }
}

impl core::error::Error for SavedError {}

/// The text of what is saved, under way.
pub(crate) struct Writer(String);

impl Writer {
    pub(crate) fn new(kind: &str) -> Self {
        let mut writer = Self(String::new());
        writer.line(kind, VERSION);
        writer
    }

    /// A word and its value.
    pub(crate) fn line(&mut self, word: &str, value: impl fmt::Display) {
        let _ = writeln!(self.0, "{word} {value}"); // a string takes all there is
    }

    /// How many pieces there are, and a line for each.
    pub(crate) fn pieces(&mut self, pieces: &Frontier) {
        self.line("pieces", pieces.steps().len());
        for Step { before, without, options, level, share } in pieces.steps() {
            let _ = write!(self.0, "{level} {share:e} before {}", before.kept);
            self.list(&before.more);
            let _ = write!(self.0, " without {}", without.kept);
            self.list(&without.more);
            self.0.push_str(" options");
            self.list(options);
            self.0.push('\n');
        }
    }

    fn list(&mut self, options: &[OptionId]) {
        for option in options {
            let _ = write!(self.0, " {option}");
        }
    }

    pub(crate) fn end(self) -> Vec<u8> {
        let mut bytes = self.0.into_bytes();
        let sum = check_sum(&bytes);
        bytes.extend_from_slice(sum.as_bytes());
        bytes
    }
}

/// The last line.
fn check_sum(bytes: &[u8]) -> String {
    alloc::format!("crc {:08x}\n", crc32fast::hash(bytes))
}

/// What is left to read of a text that agrees with its check sum.
pub(crate) struct Reader<'a> {
    lines: core::str::Split<'a, char>,
    line: usize,
}

impl<'a> Reader<'a> {
    /// Checks all that can be checked before anything is read.
    pub(crate) fn new(kind: &'static str, bytes: &'a [u8]) -> Result<Self, SavedError> {
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = first.strip_prefix(kind.as_bytes()).and_then(|rest| rest.strip_prefix(b" "));
        let version = version.ok_or(SavedError::Kind { expected: kind })?;
        if version != VERSION.to_string().as_bytes() {
            let found = String::from_utf8_lossy(version).chars().take(20).collect();
            return Err(SavedError::Version { found, known: VERSION });
        }
        let body = bytes.len().saturating_sub(check_sum(&[]).len());
        let (body, sum) = bytes.split_at(body);
        if sum != check_sum(body).as_bytes() {
            return Err(SavedError::Damaged);
        }
        let text = core::str::from_utf8(body).map_err(|_| SavedError::Damaged)?;
        let mut lines = text.split('\n');
        lines.next();
        Ok(Self { lines, line: 1 })
    }

    fn next(&mut self) -> &'a str {
        self.line += 1;
        self.lines.next().unwrap_or_default()
    }

    /// A value, or the error that says what was expected in the line.
    pub(crate) fn expected<T>(&self, value: Option<T>, expected: &'static str) -> Result<T, SavedError> {
        value.ok_or(SavedError::Syntax { line: self.line, expected })
    }

    /// The value of the next line, which begins with `word`.
    pub(crate) fn text(&mut self, word: &'static str) -> Result<&'a str, SavedError> {
        let value = self.next().strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        self.expected(value, word)
    }

    /// The same, parsed.
    pub(crate) fn value<T: FromStr>(&mut self, word: &'static str) -> Result<T, SavedError> {
        let value = self.text(word)?.parse().ok();
        self.expected(value, word)
    }

    /// The pieces, with which the text ends.
    pub(crate) fn pieces(mut self) -> Result<Frontier, SavedError> {
        let mut pieces = Frontier::default();
        for _ in 0..self.value::<usize>("pieces")? {
            let step = step(self.next(), pieces.lengths());
            pieces.push_step(self.expected(step, "a piece")?);
        }
        let end = Some(()).filter(|()| self.next().is_empty() && self.lines.next().is_none());
        self.expected(end, "the check sum")?;
        Ok(pieces)
    }
}

/// Reads a piece, which may keep so much of the one before.
fn step(line: &str, (before, without): (usize, usize)) -> Option<Step> {
    let mut words = line.split_ascii_whitespace();
    let level = words.next()?.parse().ok()?;
    let share = words.next()?.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
    (words.next()? == "before").then_some(())?;
    let before = change(&mut words, before, "without")?;
    let without = change(&mut words, without, "options")?;
    let options = words.map(option).collect::<Option<_>>()?;
    Some(Step { before, without, options, level, share })
}

/// Reads a change to a list of some length, up to the word `end`.
fn change(words: &mut SplitAsciiWhitespace<'_>, length: usize, end: &str) -> Option<Change> {
    let kept = words.next()?.parse().ok().filter(|kept| *kept <= length)?;
    let mut more = Vec::new();
    loop {
        match words.next()? {
            word if word == end => return Some(Change { kept, more }),
            word => more.push(option(word)?),
        }
    }
}

fn option(word: &str) -> Option<OptionId> {
    word.parse().ok().and_then(OptionId::new)
}

/// Whether pieces with this fingerprint are pieces of the problem.
pub(crate) fn check(problem: &Problem, found: Fingerprint, pieces: &Frontier) -> Result<(), SavedError> {
    let expected = problem.fingerprint();
    if found != expected {
        return Err(SavedError::Foreign { found, expected });
    }
    for Step { before, without, options, .. } in pieces.steps() {
        let misplaced = if problem.has_bounds() { options } else { &without.more };
        let mut all = before.more.iter().chain(&without.more).chain(options);
        let unknown =
            all.find(|option| problem.get_option(**option).is_none() || !problem.has_primary_item(**option));
        if let Some(&option) = misplaced.first().or(unknown) {
            return Err(SavedError::Unfit { option });
        }
    }
    Ok(())
}
