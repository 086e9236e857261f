//! What can be wrong with a puzzle's text, and where.

use core::fmt;

/// A text that is not a puzzle. Written `LINE:COLUMN: what is wrong, what was expected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.kind)
    }
}

impl core::error::Error for ParseError {}

/// What is wrong with a puzzle's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Text, but no puzzle in it; or, where one was asked for, no text.
    NoPuzzle,
    /// A second puzzle where one was asked for.
    SecondPuzzle,
    /// A character that is neither a digit nor a blank nor part of a frame.
    Unexpected(char),
    /// A byte that is not UTF-8.
    NotUtf8(u8),
    /// A line, or a record of several, with another number of cells.
    CellCount(usize),
    /// A record that ended too early, with so many cells.
    Incomplete(usize),
    /// A row with another number of cells among rows of nine.
    RowLength(usize),
    /// Groups that are neither single cells nor boxes or rows: candidates, or numbers above 9.
    Groups,
    /// JSON: something else was expected here. The character found, `None` at the end of the input.
    Json {
        /// What is there.
        found: Option<char>,
        /// What should be.
        expected: &'static str,
    },
    /// JSON: a number or a string that is no cell.
    JsonCell,
    /// JSON: arrays nested more than three deep.
    JsonDepth,
    /// JSON: a row of so many cells.
    JsonRow(usize),
    /// JSON: so many rows.
    JsonRows(usize),
    /// JSON: a flat array with `null` for blank and neither 0 nor 9, or both: whether its digits are 0 to 8 or 1 to 9
    /// cannot be told.
    JsonDigits,
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CELL: &str = "expected a digit 1 to 9 or a blank (. 0 _ * - x)";
        match self {
            Self::NoPuzzle => f.write_str("no puzzle, expected 81 cells"),
            Self::SecondPuzzle => f.write_str("a second puzzle, expected one only"),
            Self::Unexpected(found) => write!(f, "unexpected character {found:?}, {CELL}"),
            Self::NotUtf8(byte) => write!(f, "byte {byte:#04x} is not UTF-8, {CELL}"),
            Self::CellCount(found) => match side_of(*found) {
                Some(side) => write!(f, "{found} cells, as in a {side}x{side} grid, expected 81: only 9x9 is read"),
                None => write!(f, "{found} cells, expected 81"),
            },
            Self::Incomplete(found) => write!(f, "the puzzle that begins here ends after {found} cells, expected 81"),
            Self::RowLength(found) => write!(f, "{found} cells in a row, expected 9"),
            Self::Groups => f.write_str(
                "groups of several digits (candidates, or numbers above 9) are not read, expected one character a cell",
            ),
            Self::Json { found: Some(found), expected } => {
                write!(f, "unexpected character {found:?} in JSON, expected {expected}")
            }
            Self::Json { found: None, expected } => write!(f, "the input ends within JSON, expected {expected}"),
            Self::JsonCell => f.write_str("not a cell, expected a number 1 to 9, a string of one such digit, or a blank (0, -1, null, \"\", \".\")"),
            Self::JsonDepth => f.write_str("arrays more than three deep, expected rows of cells"),
            Self::JsonRow(found) => write!(f, "a row of {found} cells, expected 9"),
            Self::JsonRows(found) => write!(f, "{found} rows, expected 9"),
            Self::JsonDigits => f.write_str(
                "null for blank, and digits that may be 0 to 8 or 1 to 9, expected a 0 or a 9 among them, and not both",
            ),
        }
    }
}

/// The side of a grid of another usual size with so many cells.
pub(super) fn side_of(cells: usize) -> Option<usize> {
    [4, 6, 12, 16, 25].into_iter().find(|side| side * side == cells)
}
