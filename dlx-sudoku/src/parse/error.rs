//! What can be wrong with a puzzle's text, and where.

use core::fmt;

use crate::Digit;
use crate::variant::RulesError;

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
    /// A character that is no digit of a grid of this size.
    NoDigit {
        /// The character.
        found: char,
        /// The number of digits.
        size: usize,
    },
    /// A character where a list of candidates has this digit or a blank.
    NoCandidate {
        /// The character.
        found: char,
        /// The digit whose place it is.
        digit: Digit,
    },
    /// A number that is no digit of a grid of this size.
    Number {
        /// The number.
        found: usize,
        /// The number of digits.
        size: usize,
    },
    /// A zero beside other blanks, in a grid whose last digit shows that digits begin with 1.
    Zero,
    /// A line, or a record of several, with another number of cells.
    CellCount {
        /// How many.
        found: usize,
        /// How many there should be, or are in the grid that is nearest.
        expected: usize,
    },
    /// A record that ended too early.
    Incomplete {
        /// How many cells it has.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A row with another number of cells among rows that are equally long.
    RowLength {
        /// How many.
        found: usize,
        /// How many the others have.
        expected: usize,
    },
    /// A group that is neither a number that the grid has nor candidates.
    Groups,
    /// Rules of a variant, or candidates that exclude more than the givens do, where a grid was asked for.
    Restricted,
    /// A table: a quotation mark that is not closed, so that all below is within it.
    Quote,
    /// XML that is not well-formed. With the parser's words.
    Xml(String),
    /// The input is in UTF-16.
    Utf16,
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
    JsonRow {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// JSON: so many rows.
    JsonRows {
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// JSON: a flat array with `null` for blank and neither 0 nor the last digit, or both: whether its digits begin with
    /// 0 or with 1 cannot be told. With the number of digits.
    JsonDigits(usize),
    /// Something is wrong with the rules of a variant.
    Rules(RulesError),
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CELL: &str = "expected a digit or a blank (. 0 _ * - ? x)";
        match self {
            Self::NoPuzzle => f.write_str("no puzzle, expected 81 cells"),
            Self::SecondPuzzle => f.write_str("a second puzzle, expected one only"),
            Self::Unexpected(found) => write!(f, "unexpected character {found:?}, {CELL}"),
            Self::NoDigit { found, size } => {
                write!(f, "unexpected character {found:?}, expected a digit 1 to {}", size.min(&9))?;
                match Digit::new(*size as u8) {
                    Some(last) if *size > 9 => write!(f, ", A to {last} in a grid of {size}x{size},")?,
                    _ => {}
                }
                f.write_str(" or a blank (. 0 _ * - ? x)")
            }
            Self::NoCandidate { found, digit } => write!(
                f,
                "unexpected character {found:?} among candidates, expected {digit}, or a blank (. 0 _ * - ?) where it is none"
            ),
            Self::Number { found, size } => {
                write!(f, "{found} in a grid of {size}x{size}, expected a number up to {size}, or 0 for a blank")
            }
            Self::Zero => f.write_str("a zero beside other blanks, expected blanks of one kind where digits begin with 1"),
            Self::NotUtf8(byte) => write!(f, "byte {byte:#04x} is not UTF-8, {CELL}"),
            Self::CellCount { found, expected } => write!(f, "{found} cells, expected {expected}"),
            Self::Incomplete { found, expected } => {
                write!(f, "the puzzle that begins here ends after {found} cells, expected {expected}")
            }
            Self::RowLength { found, expected } => write!(f, "{found} cells in a row, expected {expected}"),
            Self::Groups => f.write_str(
                "a group that is no cell, expected a number that the grid has, or candidates in ascending order",
            ),
            Self::Restricted => f.write_str("rules or candidates beside the givens, expected givens only"),
            Self::Quote => f.write_str(
                "a quotation mark that is not closed, so that all below is within it, expected a second one",
            ),
            Self::Xml(wrong) => write!(f, "{wrong}, expected well-formed XML"),
            Self::Utf16 => f.write_str("UTF-16, expected UTF-8"),
            Self::Json { found: Some(found), expected } => {
                write!(f, "unexpected character {found:?} in JSON, expected {expected}")
            }
            Self::Json { found: None, expected } => write!(f, "the input ends within JSON, expected {expected}"),
            Self::JsonCell => f.write_str(
                "not a cell, expected a number, a string of one digit, or a blank (0, -1, null, \"\", \".\")",
            ),
            Self::JsonDepth => f.write_str("arrays more than three deep, expected rows of cells"),
            Self::JsonRow { found, expected } => write!(f, "a row of {found} cells, expected {expected}"),
            Self::JsonRows { found, expected } => write!(f, "{found} rows, expected {expected}"),
            Self::Rules(wrong) => write!(f, "{wrong}"),
            Self::JsonDigits(size) => write!(
                f,
                "null for blank, and digits that may be 0 to {} or 1 to {size}, expected a 0 or a {size} among them, and not both",
                size - 1
            ),
        }
    }
}
