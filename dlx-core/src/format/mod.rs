//! Text formats of exact cover problems.

use core::fmt;

use crate::Problem;

pub mod knuth;
pub mod orlib;

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
