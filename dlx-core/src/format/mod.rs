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
