//! Text formats of exact cover problems.

use alloc::string::ToString as _;
use core::fmt;

use crate::Problem;

pub mod cnf;
pub mod knuth;
mod linear;
pub mod lp;
pub mod opb;
pub mod orlib;
#[cfg(test)]
mod tests;

/// What is wrong with a text in a format whose faults are of the kinds `K`, and where.
///
/// Displays as `LINE:COLUMN: what is wrong, what was expected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<K> {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: K,
}

impl<K: fmt::Display> fmt::Display for Fault<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.kind)
    }
}

impl<K: fmt::Debug + fmt::Display> core::error::Error for Fault<K> {}

/// A word of the input in a message: cut where it is too long to be read.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        match self.0.char_indices().nth(LONGEST) {
            Some((cut, _)) => write!(f, "{}...", &self.0[..cut]),
            None => f.write_str(self.0),
        }
    }
}

/// What is wrong with a text in one of the formats. Displays as that does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// In Knuth's format.
    Knuth(knuth::ParseError),
    /// In that of the OR-Library.
    OrLibrary(orlib::ParseError),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Knuth(error) => error.fmt(f),
            Self::OrLibrary(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseError {}

/// Reads a problem in the format that the text [looks like](orlib::recognise).
///
/// # Errors
/// The first thing that is wrong, with its line and column.
///
/// ```
/// use dlx_core::format;
///
/// assert_eq!(format::parse(b"a b\na |40\nb\n")?.option_count(), 2);
/// assert_eq!(format::parse(b"3 2\n40 2 1 3\n25 1 2\n")?.primary_count(), 3);
/// # Ok::<(), format::ParseError>(())
/// ```
pub fn parse(input: &[u8]) -> Result<Problem, ParseError> {
    if orlib::recognise(input) {
        orlib::parse(input).map_err(ParseError::OrLibrary)
    } else {
        knuth::parse(input).map_err(ParseError::Knuth)
    }
}

/// Writes comments that say which variable each option is: a line `c option 5 = variable 3: a d:x` for each.
fn write_map(
    problem: &Problem,
    variables: &cnf::Variables,
    comment: &str,
    name: &str,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    for (option, variable) in variables.iter(problem) {
        let items = problem.option(option).to_string();
        let items = items.replace(char::is_control, "?"); // a name may hold the end of a line
        writeln!(out, "{comment}option {option} = {name}{variable}: {items}")?;
    }
    Ok(())
}
