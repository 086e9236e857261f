//! Knuth's text format of his DLX programs: the item line, then an option a line.
//!
//! ```text
//! | a comment: any line whose first visible character is a bar
//! A B C | x y
//! A B x:red |10
//! C x:red y
//! ```
//!
//! The first line that is neither blank nor a comment names the items, separated by blanks or tabs; a bar that stands alone
//! comes before the secondary ones, if any. `2:3|A` says that a solution covers the primary item `A` twice or three times,
//! `2|A` that it does so twice, and `:2|A` at most twice. Every further line is an option: names of items, a secondary one possibly with
//! a colon and a color. `|10` behind an item of an option is a cost, an integer of 64 bits that may be negative; several add
//! up, and `$10`, which may also come first, is the same unless an item has that name. Names and colors are UTF-8 text of
//! any length without blanks, colons and bars (Knuth's programs: 8 ASCII characters for a name, one for a color). Windows
//! line ends, a byte order mark and a missing last line end are fine.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

use super::{Fault, Shown};
use crate::{BuildError, Entry, ItemId, OptionId, Problem, ProblemBuilder};

/// What is wrong with a text, and where.
pub type ParseError = Fault<ParseErrorKind>;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The bytes are not UTF-8.
    NotText,
    /// A control character other than white space.
    ControlCharacter(char),
    /// There is no item line.
    NoItemLine,
    /// A second bar in the item line.
    SecondBar,
    /// A bar within a word of the item line that does not come behind bounds and before a name.
    Bounds(String),
    /// A lower bound above the upper one.
    EmptyBounds {
        /// The item.
        name: String,
        /// The lower bound.
        least: u32,
        /// The upper bound.
        most: u32,
    },
    /// Bounds on a secondary item.
    BoundsOnSecondary(String),
    /// A cost that is not an integer.
    Cost(String),
    /// Costs of an option that add up to more than 64 bits hold.
    CostTooLarge(String),
    /// An option with a cost and nothing else.
    CostOnly,
    /// A bar in an option that does not begin a cost.
    BarInOption(String),
    /// A colon in the item line.
    ColonInItemLine(String),
    /// An item line names an item twice.
    DuplicateItem(String),
    /// An option names an item that the item line does not have.
    UnknownItem(String),
    /// An option names an item twice.
    RepeatedItem(String),
    /// An option gives a color to a primary item.
    ColorOnPrimary(String),
    /// A colon without a name before it.
    MissingName(String),
    /// A colon without a color behind it.
    MissingColor(String),
    /// A second colon in a word.
    SecondColon(String),
    /// More items, options or entries than 32 bits can number.
    TooLarge(&'static str),
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText => f.write_str("invalid UTF-8, expected text"),
            Self::ControlCharacter(c) => {
                write!(f, "control character U+{:04X}, expected text", u32::from(*c))
            }
            Self::NoItemLine => f.write_str("no item line, expected the names of the items first"),
            Self::SecondBar => f.write_str(
                "second bar in the item line, expected one bar at most, before the secondary items",
            ),
            Self::Bounds(word) => write!(
                f,
                "bar within '{}', expected LOWER:UPPER|name or TIMES|name with 32-bit numbers, or a bar between blanks",
                Shown(word)
            ),
            Self::EmptyBounds { name, least, most } => write!(
                f,
                "the lower bound {least} of item {} is above its upper bound {most}, expected no more than that",
                Shown(name)
            ),
            Self::BoundsOnSecondary(name) => write!(
                f,
                "item {} is secondary and cannot have bounds, expected bounds on primary items only",
                Shown(name)
            ),
            Self::BarInOption(word) => {
                write!(f, "bar in '{}', expected item names and, behind a blank, |COST", Shown(word))
            }
            Self::Cost(word) => {
                write!(f, "cost '{}' is not a whole number, expected digits, as in |12 or |-3", Shown(word))
            }
            Self::CostTooLarge(word) => write!(
                f,
                "cost '{}' is too large, expected costs of an option that add up to no more than 64 bits hold",
                Shown(word)
            ),
            Self::CostOnly => f.write_str("a cost without items, expected at least one item in an option"),
            Self::ColonInItemLine(word) => write!(
                f,
                "colon in '{}' of the item line, expected an item name (colors belong to the options)",
                Shown(word)
            ),
            Self::DuplicateItem(name) => {
                write!(f, "item {} is declared twice, expected different names", Shown(name))
            }
            Self::UnknownItem(name) => {
                write!(f, "item {} is not declared, expected a name from the item line", Shown(name))
            }
            Self::RepeatedItem(name) => {
                write!(f, "item {} is named twice, expected each item once in an option", Shown(name))
            }
            Self::ColorOnPrimary(name) => write!(
                f,
                "item {} is primary and cannot have a color, expected a color on secondary items only",
                Shown(name)
            ),
            Self::MissingName(word) => {
                write!(f, "no name before the colon of '{}', expected name:color", Shown(word))
            }
            Self::MissingColor(word) => {
                write!(f, "no color behind the colon of '{}', expected name:color", Shown(word))
            }
            Self::SecondColon(word) => {
                write!(f, "second colon in '{}', expected name:color", Shown(word))
            }
            Self::TooLarge(what) => {
                write!(f, "too many {what}, expected no more than 32 bits can number")
            }
        }
    }
}

/// Reads a problem. Items and options are numbered in the order of the text. Takes time proportional to its length.
///
/// # Errors
/// The first thing that is wrong, with its line and column.
///
/// ```
/// use dlx_core::format::knuth;
///
/// let problem = knuth::parse(b"a b | s\na s:red\nb s:red\nb s\n")?;
/// assert_eq!(problem.solver().count().value, 1u32.into());
/// let error = knuth::parse(b"a b\na zz\n").unwrap_err();
/// assert_eq!(error.to_string(), "2:3: item zz is not declared, expected a name from the item line");
/// let problem = knuth::parse(b"2|a 0:1|b\na\na\na b\n")?;
/// assert_eq!(problem.solver().count().value, 3u32.into());
/// # Ok::<(), knuth::ParseError>(())
/// ```
pub fn parse(input: &[u8]) -> Result<Problem, ParseError> {
    let text = match core::str::from_utf8(input) {
        Ok(text) => text,
        Err(error) => {
            // What comes before is text; its last line is the one with the bad byte.
            let (before, _) = input.split_at(error.valid_up_to());
            let before = core::str::from_utf8(before).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let column = without_bom(&before[start..]).chars().count() + 1;
            return Err(ParseError { line, column, kind: ParseErrorKind::NotText });
        }
    };
    let mut builder = ProblemBuilder::new();
    let mut entries = Vec::new();
    let mut items_read = false;
    let mut lines = 0;
    for (index, line) in without_bom(text).lines().enumerate() {
        lines = index + 1;
        let at = |(word, kind)| located(index + 1, line, word, kind);
        if let Some(control) =
            line.find(|c: char| c.is_control() && !c.is_ascii_whitespace() && c != VERTICAL_TAB)
        {
            let c = line[control..].chars().next().unwrap_or_default();
            return Err(at((&line[control..], ParseErrorKind::ControlCharacter(c))));
        }
        let Some(first) = words(line).next() else { continue };
        if first.starts_with('|') {
            continue;
        }
        if items_read {
            read_option(&mut builder, line, &mut entries).map_err(at)?;
        } else {
            read_items(&mut builder, line).map_err(at)?;
            items_read = true;
        }
    }
    if !items_read {
        return Err(ParseError { line: lines.max(1), column: 1, kind: ParseErrorKind::NoItemLine });
    }
    builder.build().map_err(|_| ParseError {
        line: lines,
        column: 1,
        kind: ParseErrorKind::TooLarge("items, options and entries"),
    })
}

const VERTICAL_TAB: char = '\u{b}';

fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_ascii_whitespace() || c == VERTICAL_TAB).filter(|word| !word.is_empty())
}

/// The place of a word, which must be a part of the line.
fn located(line: usize, text: &str, word: &str, kind: ParseErrorKind) -> ParseError {
    let offset = word.as_ptr() as usize - text.as_ptr() as usize;
    let column = text[..offset].chars().count() + 1;
    ParseError { line, column, kind }
}

/// The word that is wrong, and what is wrong with it.
type Wrong<'a> = (&'a str, ParseErrorKind);

fn read_items<'a>(builder: &mut ProblemBuilder, line: &'a str) -> Result<(), Wrong<'a>> {
    let mut primary = true;
    for word in words(line) {
        let own = || word.to_string();
        if word == "|" {
            if !primary {
                return Err((word, ParseErrorKind::SecondBar));
            }
            primary = false;
            continue;
        }
        let (bounds, name) = match word.rsplit_once('|') {
            None => (None, word),
            Some((bounds, name)) => match read_bounds(bounds) {
                Some(bounds) if !name.is_empty() => (Some(bounds), name),
                _ => return Err((word, ParseErrorKind::Bounds(own()))),
            },
        };
        if name.contains(':') {
            return Err((word, ParseErrorKind::ColonInItemLine(own())));
        }
        let added = if primary { builder.primary(name) } else { builder.secondary(name) };
        let item = added.map_err(|error| match error {
            BuildError::DuplicateItem { .. } => (word, ParseErrorKind::DuplicateItem(name.to_string())),
            _ => (word, ParseErrorKind::TooLarge("items")),
        })?;
        if let Some(bounds) = bounds {
            builder.set_bounds(item, bounds).map_err(|error| match error {
                BuildError::EmptyBounds { name, least, most, .. } => {
                    (word, ParseErrorKind::EmptyBounds { name, least, most })
                }
                _ => (word, ParseErrorKind::BoundsOnSecondary(name.to_string())),
            })?;
        }
    }
    Ok(())
}

/// `2:3`, `2` for `2:2`, or `:3` for `0:3`.
fn read_bounds(text: &str) -> Option<RangeInclusive<u32>> {
    // `parse` alone would take a sign.
    let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    match text.split_once(':') {
        None => number(text).map(|times| times..=times),
        Some(("", most)) => Some(0..=number(most)?),
        Some((least, most)) => Some(number(least)?..=number(most)?),
    }
}

/// Reads one option; `entries` is room that is used again for each.
fn read_option<'a>(
    builder: &mut ProblemBuilder,
    line: &'a str,
    entries: &mut Vec<Entry>,
) -> Result<(), Wrong<'a>> {
    entries.clear();
    let mut cost = 0_i128;
    let mut last_cost = line;
    for word in words(line) {
        match cost_digits(builder, word) {
            None => entries.push(read_entry(builder, word).map_err(|kind| (word, kind))?),
            Some(digits) => {
                cost += i128::from(read_cost(digits).map_err(|kind| (word, kind))?);
                last_cost = word;
            }
        }
    }
    if let ([], Some(word)) = (&entries[..], words(line).next()) {
        return Err((word, ParseErrorKind::CostOnly));
    }
    let too_large = || (last_cost, ParseErrorKind::CostTooLarge(cost.to_string()));
    let cost = i64::try_from(cost).map_err(|_| too_large())?;
    let added = builder.option(entries.iter().copied());
    if let (Ok(option), true) = (&added, cost != 0) {
        builder.set_cost(*option, cost).map_err(|_| (line, ParseErrorKind::TooLarge("options")))?;
    }
    added.map(drop).map_err(|error| {
        // The builder stops at the first entry that it refuses: find its word.
        let (item, kind): (Option<ItemId>, fn(String) -> ParseErrorKind) = match error {
            BuildError::RepeatedItem { item, .. } => (Some(item), ParseErrorKind::RepeatedItem),
            BuildError::ColorOnPrimary { item, .. } => (Some(item), ParseErrorKind::ColorOnPrimary),
            _ => (None, |_| ParseErrorKind::TooLarge("options or entries")),
        };
        let mut places = entries.iter().enumerate().filter(|(_, e)| Some(e.item) == item).map(|(at, _)| at);
        let first = places.next().unwrap_or_default();
        let place = places.next().unwrap_or(first); // of a repeated item, the repetition
        let mut names = words(line).filter(|word| cost_digits(builder, word).is_none());
        let word = names.nth(place).unwrap_or(line);
        let name = word.split(':').next().unwrap_or(word);
        (word, kind(name.to_string()))
    })
}

/// What follows `|` or `$`, if the word is a cost.
fn cost_digits<'a>(builder: &ProblemBuilder, word: &'a str) -> Option<&'a str> {
    match word.strip_prefix('$') {
        Some(digits) => builder.item_named(word.split(':').next()?).is_none().then_some(digits),
        None => word.strip_prefix('|'),
    }
}

fn read_cost(digits: &str) -> Result<i64, ParseErrorKind> {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseErrorKind::Cost(digits.to_string()));
    }
    digits.parse().map_err(|_| ParseErrorKind::CostTooLarge(digits.to_string()))
}

fn read_entry(builder: &mut ProblemBuilder, word: &str) -> Result<Entry, ParseErrorKind> {
    if word.contains('|') {
        return Err(ParseErrorKind::BarInOption(word.to_string()));
    }
    let (name, color) = match word.split_once(':') {
        None => (word, None),
        Some((_, color)) if color.contains(':') => return Err(ParseErrorKind::SecondColon(word.to_string())),
        Some((_, "")) => return Err(ParseErrorKind::MissingColor(word.to_string())),
        Some(("", _)) => return Err(ParseErrorKind::MissingName(word.to_string())),
        Some((name, color)) => (name, Some(color)),
    };
    let Some(item) = builder.item_named(name) else {
        return Err(ParseErrorKind::UnknownItem(name.to_string()));
    };
    let color = match color {
        Some(color) => Some(builder.color(color).map_err(|_| ParseErrorKind::TooLarge("colors"))?),
        None => None,
    };
    Ok(Entry { item, color })
}

/// Why a problem cannot be written in this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// It has no primary item, and the item line cannot begin with a bar.
    NoPrimaryItem,
    /// An item has no name, or one that could not be read again.
    Name(ItemId),
    /// An option gives a color to a secondary item whose name could not be read again.
    Color(OptionId),
    /// An option has no items: its line would be blank.
    EmptyOption(OptionId),
    /// The writer failed.
    Output,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPrimaryItem => f.write_str("no primary item, expected at least one"),
            Self::Name(item) => {
                write!(
                    f,
                    "item number {item} has no name that the format can hold, expected one without blanks, colons and bars"
                )
            }
            Self::Color(option) => {
                write!(
                    f,
                    "option {option} has a color that the format cannot hold, expected one without blanks, colons and bars"
                )
            }
            Self::EmptyOption(option) => write!(f, "option {option} has no items, expected at least one"),
            Self::Output => f.write_str("the output could not be written"),
        }
    }
}

impl core::error::Error for WriteError {}

impl From<fmt::Error> for WriteError {
    fn from(_: fmt::Error) -> Self {
        Self::Output
    }
}

/// Writes a problem. Reading it again gives the same items (primary ones first), the same options in the same order,
/// and the same solutions.
///
/// # Errors
/// What the format cannot express; nothing has been written then, but for [`WriteError::Output`].
///
/// ```
/// use dlx_core::format::knuth;
///
/// let text = "a 0:2|b | s\na s:red |-5\nb\n";
/// let mut again = String::new();
/// knuth::write(&knuth::parse(text.as_bytes())?, &mut again)?;
/// assert_eq!(again, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(problem: &Problem, out: &mut impl fmt::Write) -> Result<(), WriteError> {
    check_writable(problem)?;
    let name = |item| problem.item_name(item).unwrap_or_default();
    let (primary, secondary): (Vec<_>, Vec<_>) = problem.items().partition(|item| problem.is_primary(*item));
    for (at, item) in primary.into_iter().enumerate() {
        out.write_str(if at == 0 { "" } else { " " })?;
        match problem.bounds(item).map(RangeInclusive::into_inner) {
            None | Some((1, 1)) => (),
            Some((least, most)) if least == most => write!(out, "{most}|")?,
            Some((least, most)) => write!(out, "{least}:{most}|")?,
        }
        out.write_str(name(item))?;
    }
    if !secondary.is_empty() {
        out.write_str(" |")?;
    }
    for item in secondary {
        write!(out, " {}", name(item))?;
    }
    out.write_char('\n')?;
    for option in problem.options() {
        write!(out, "{}", problem.option(option))?;
        match problem.cost(option) {
            0 => out.write_char('\n')?,
            cost => writeln!(out, " |{cost}")?,
        }
    }
    Ok(())
}

fn check_writable(problem: &Problem) -> Result<(), WriteError> {
    if problem.primary_count() == 0 {
        return Err(WriteError::NoPrimaryItem);
    }
    let readable = |name: &str| {
        !name.is_empty()
            && !name.contains(|c: char| c.is_control() || c.is_ascii_whitespace() || c == ':' || c == '|')
    };
    // A byte order mark at the very beginning would not be read as a part of the name.
    let stays = |name: &str| readable(name) && !name.starts_with('\u{feff}');
    if let Some(item) = problem.items().find(|item| !problem.item_name(*item).is_some_and(stays)) {
        return Err(WriteError::Name(item));
    }
    for option in problem.options() {
        let view = problem.option(option);
        if view.is_empty() {
            return Err(WriteError::EmptyOption(option));
        }
        if !view.entries().filter_map(|entry| entry.color).all(|color| readable(problem.color_name(color))) {
            return Err(WriteError::Color(option));
        }
    }
    Ok(())
}
