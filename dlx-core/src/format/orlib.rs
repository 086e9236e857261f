//! The set partitioning files of J. E. Beasley's OR-Library: crew schedules of airlines, mostly.
//!
//! ```text
//! 3 2
//! 40 2 1 3
//! 25 1 2
//! ```
//!
//! The first line has the numbers of rows and of columns. Each further line is a column: its cost, how many rows it has, and
//! these rows, counted from 1. Rows become primary items, named by their numbers, and columns options with costs.
//! All numbers are integers; costs may be negative. Blank lines do not count.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::{Fault, Shown};
use crate::{BuildError, ItemId, Problem, ProblemBuilder};

/// What is wrong with a text, and where.
pub type ParseError = Fault<ParseErrorKind>;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The first line is not two numbers.
    Sizes,
    /// A word is no number of the kind that is expected there.
    Number {
        /// The word.
        word: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A line ends before all that it should have.
    Short {
        /// What is missing.
        expected: &'static str,
    },
    /// A column has more rows than it says.
    Long {
        /// How many it says.
        rows: usize,
    },
    /// A row that there is not.
    NoSuchRow {
        /// The row.
        row: u32,
        /// How many there are.
        rows: u32,
    },
    /// A column has a row twice.
    RepeatedRow(u32),
    /// More or fewer columns than the first line says.
    Columns {
        /// How many it says.
        said: u32,
        /// How many there are, up to the first too many.
        found: u32,
    },
    /// Far more rows than a text of this length can have in its columns.
    Rows {
        /// How many the first line says.
        said: u32,
        /// The length of the text, in bytes.
        bytes: usize,
    },
    /// More than 32 bits can number.
    TooLarge(&'static str),
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes => {
                f.write_str("no sizes, expected the numbers of rows and columns in the first line")
            }
            Self::Number { word, expected } => {
                write!(f, "'{}' is not {expected}, expected a whole number that fits", Shown(word))
            }
            Self::Short { expected } => write!(f, "the line ends too soon, expected {expected}"),
            Self::Long { rows } => write!(f, "more rows than the column says, expected {rows}"),
            Self::NoSuchRow { row, rows } => {
                write!(f, "there is no row {row}, expected one from 1 to {rows}")
            }
            Self::RepeatedRow(row) => write!(f, "row {row} is there twice, expected each once in a column"),
            Self::Columns { said, found } if found > said => {
                write!(f, "column {found} is one too many, expected {said} as the first line says")
            }
            Self::Columns { said, found } => {
                write!(f, "column {found} ends the text, expected {said} columns as the first line says")
            }
            Self::Rows { said, bytes } => {
                write!(f, "{said} rows, expected no more than a text of {bytes} bytes can have in columns")
            }
            Self::TooLarge(what) => write!(f, "too many {what}, expected no more than 32 bits can number"),
        }
    }
}

/// Whether a text looks like such a file: its first line that is not blank is two numbers, and the lines that follow cannot be
/// options of two items with these names. Looks at as many lines as it takes to tell, mostly one more.
///
/// ```
/// use dlx_core::format::orlib;
///
/// assert!(orlib::recognise(b"3 2\n40 2 1 3\n25 1 2\n"));
/// assert!(!orlib::recognise(b"3 2\n3\n2 3 |40\n")); // two items and two options
/// ```
pub fn recognise(input: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(input) else { return false };
    let mut lines = without_bom(text).lines().map(|line| line.split_ascii_whitespace());
    let mut lines = lines.by_ref().filter(|words| words.clone().next().is_some());
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let Some(mut first) = lines.next() else { return false };
    let (Some(rows), Some(columns), None) = (first.next(), first.next(), first.next()) else { return false };
    if !is_number(rows) || !is_number(columns) {
        return false;
    }
    for words in lines {
        let mut seen: Vec<&str> = Vec::new();
        for word in words {
            if word.starts_with(['|', '$']) {
                return false; // a comment or a cost
            }
            if (word != rows && word != columns) || seen.contains(&word) {
                return true;
            }
            seen.push(word);
        }
    }
    rows == columns
}

/// So many rows need not be in any column; more than the text has bytes cannot all be.
const MOST_UNNAMED: u32 = 1 << 16;

/// Reads a problem. Takes time proportional to the length of the text.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
///
/// ```
/// use dlx_core::format::orlib;
///
/// let problem = orlib::parse(b"3 3\n40 2 1 3\n25 1 2\n70 3 1 2 3\n")?;
/// assert_eq!(problem.solver().min_cost().lower_bound, Some(65));
/// let error = orlib::parse(b"3 1\n40 2 1 4\n").unwrap_err();
/// assert_eq!(error.to_string(), "2:8: there is no row 4, expected one from 1 to 3");
/// # Ok::<(), orlib::ParseError>(())
/// ```
pub fn parse(input: &[u8]) -> Result<Problem, ParseError> {
    // Bytes that are not text are no numbers either, wherever they are.
    let text = String::from_utf8_lossy(input);
    let lines = without_bom(&text).lines().zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let sizes = lines.next().and_then(|(line, number)| {
        let mut words = Words { text: line, rest: line, line: number };
        let sizes = (words.number::<u32>("the number of rows"), words.number::<u32>("the number of columns"));
        words.rest.trim_ascii().is_empty().then_some((sizes.0.ok()?, sizes.1.ok()?, number))
    });
    let Some((row_count, column_count, first)) = sizes else {
        return Err(ParseError { line: 1, column: 1, kind: ParseErrorKind::Sizes });
    };
    if row_count > MOST_UNNAMED && row_count as usize > input.len() {
        let kind = ParseErrorKind::Rows { said: row_count, bytes: input.len() };
        return Err(ParseError { line: first, column: 1, kind });
    }
    let mut reader = Reader::new(row_count, first)?;
    let (mut last, mut found) = (first, 0);
    for (text, line) in lines {
        (last, found) = (line, found + 1);
        if found > column_count {
            let kind = ParseErrorKind::Columns { said: column_count, found };
            return Err(ParseError { line, column: 1, kind });
        }
        reader.column(Words { text, rest: text, line })?;
    }
    if found < column_count {
        let kind = ParseErrorKind::Columns { said: column_count, found };
        return Err(ParseError { line: last, column: 1, kind });
    }
    reader.builder.build().map_err(|_| too_large(last, "rows and columns"))
}

fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn too_large(line: usize, what: &'static str) -> ParseError {
    ParseError { line, column: 1, kind: ParseErrorKind::TooLarge(what) }
}

/// The words of a line that are still to be read.
struct Words<'a> {
    text: &'a str,
    rest: &'a str,
    line: usize,
}

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_ascii_start();
        let end = self.rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn number<T: core::str::FromStr>(&mut self, expected: &'static str) -> Result<T, ParseError> {
        let Some(word) = self.word() else { return Err(self.error("", ParseErrorKind::Short { expected })) };
        let number = word.parse().ok().filter(|_| !word.starts_with('+'));
        number.ok_or_else(|| self.error(word, ParseErrorKind::Number { word: word.to_string(), expected }))
    }

    /// An error at the word that was read last.
    fn error(&self, word: &str, kind: ParseErrorKind) -> ParseError {
        let before = &self.text[..self.text.len() - self.rest.len() - word.len()];
        ParseError { line: self.line, column: before.chars().count() + 1, kind }
    }
}

/// What has been read.
struct Reader {
    builder: ProblemBuilder,
    items: Vec<ItemId>,
}

impl Reader {
    fn new(rows: u32, line: usize) -> Result<Self, ParseError> {
        let mut builder = ProblemBuilder::new();
        let items = (1..=rows).map(|row| builder.primary(&row.to_string())).collect::<Result<_, _>>();
        let items = items.map_err(|_| too_large(line, "rows"))?;
        Ok(Self { builder, items })
    }

    fn column(&mut self, mut words: Words<'_>) -> Result<(), ParseError> {
        let cost: i64 = words.number("the cost of a column")?;
        let count: usize = words.number("the number of its rows")?;
        let mut items = Vec::new();
        let mut last = "";
        for _ in 0..count {
            let row: u32 = words.number("a row")?;
            let place = (row as usize).wrapping_sub(1);
            let Some(&item) = self.items.get(place) else {
                let rows = self.items.len() as u32;
                let digits = words.text.len() - words.rest.len();
                let word = &words.text[..digits];
                let word = word.rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
                return Err(words.error(word, ParseErrorKind::NoSuchRow { row, rows }));
            };
            items.push(item);
            last = &words.text[..words.text.len() - words.rest.len()];
        }
        if let Some(word) = words.word() {
            return Err(words.error(word, ParseErrorKind::Long { rows: count }));
        }
        let option = self.builder.option(items.iter().copied()).map_err(|error| match error {
            BuildError::RepeatedItem { item, .. } => {
                let column = last.chars().count();
                let kind = ParseErrorKind::RepeatedRow(item.raw() + 1);
                ParseError { line: words.line, column, kind }
            }
            _ => too_large(words.line, "columns"),
        })?;
        self.builder.set_cost(option, cost).map_err(|_| too_large(words.line, "columns"))
    }
}
