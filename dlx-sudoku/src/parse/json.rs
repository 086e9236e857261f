//! Puzzles in JSON: arrays of rows, arrays of such grids, and flat arrays of cells. Nothing here calls itself, so no
//! nesting overflows the stack.

use super::cursor::Cursor;
use super::{ParseError, ParseErrorKind, Record, scan};
use crate::{Digit, Grid};

/// The opening bracket that comes next on this line, unless it begins a name in brackets. Looks no further, because a
/// long line may hold many puzzles.
pub(super) fn opening(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    while matches!(cursor.peek(), Some(b' ' | b'\t')) {
        cursor.bump();
    }
    let inside = cursor.rest().strip_prefix(b"[")?.trim_ascii_start();
    let mut first = cursor;
    first.advance(cursor.rest().len() - inside.len());
    let is_name = first.peek_char().is_some_and(char::is_alphabetic) && !inside.starts_with(b"null");
    (!is_name).then_some(cursor)
}

/// At an opening bracket: whether it begins an array of grids, of which the first one is then next.
///
/// # Errors
///
/// If more than three brackets follow one another.
pub(super) fn open_list(cursor: &mut Cursor<'_>) -> Result<bool, ParseError> {
    let mut ahead = *cursor;
    let mut second = *cursor;
    for depth in 0.. {
        if ahead.peek() != Some(b'[') {
            let is_list = depth == 3;
            if is_list {
                *cursor = second;
            }
            return Ok(is_list);
        }
        if depth == 1 {
            second = ahead;
        }
        if depth == 3 {
            break;
        }
        ahead.bump();
        skip_blanks(&mut ahead);
    }
    *cursor = ahead;
    Err(cursor.error(ParseErrorKind::JsonDepth))
}

/// In an array of grids, after a grid: whether there is another one, which is then next.
///
/// # Errors
///
/// If there is neither another one nor the array's end.
pub(super) fn next_of_list(cursor: &mut Cursor<'_>) -> Result<bool, ParseError> {
    skip_blanks(cursor);
    if eat(cursor, b']') {
        return Ok(false);
    }
    if !eat(cursor, b',') {
        return Err(unexpected(cursor, "',' or ']'"));
    }
    skip_blanks(cursor);
    if cursor.peek() == Some(b'[') { Ok(true) } else { Err(unexpected(cursor, "'['")) }
}

/// Reads a puzzle at an opening bracket: rows, or a flat array.
///
/// # Errors
///
/// At the first thing that is not as expected, where the cursor then is.
pub(super) fn puzzle(cursor: &mut Cursor<'_>) -> Result<Record, ParseError> {
    let mut ahead = *cursor;
    ahead.bump();
    skip_blanks(&mut ahead);
    if ahead.peek() == Some(b'[') { grid(cursor) } else { flat(cursor) }
}

/// Where to go on after an error at `at` in a puzzle that begins at `start`.
pub(super) fn recover<'a>(start: Cursor<'a>, at: Cursor<'a>) -> Cursor<'a> {
    if at.peek().is_none() {
        // All that was read was as expected: the input was cut off.
        return at;
    }
    end_of_puzzle(start, at.line).unwrap_or_else(|| {
        let mut after = start;
        after.next_line(0);
        after
    })
}

/// The place after the bracket that closes the one at `start`, or, if a closing bracket is missing, the place where the
/// next grid begins; provided that all between looks like JSON, apart from what is on the line `bad_line`.
fn end_of_puzzle(start: Cursor<'_>, bad_line: usize) -> Option<Cursor<'_>> {
    const LONGEST_WORD: usize = 20;
    // What is nested deeper is not worth a search to the end of the input, line after line.
    const DEEPEST: usize = 8;
    let mut cursor = start;
    let mut depth = 0;
    while cursor.peek() == Some(b'[') {
        cursor.bump();
        skip_blanks(&mut cursor);
        depth += 1;
        if depth > DEEPEST {
            return None;
        }
    }
    let (mut in_string, mut word) = (false, 0);
    loop {
        let here = cursor;
        let byte = cursor.peek()?;
        cursor.bump();
        word += 1;
        match byte {
            b'\n' => in_string = false,
            b'"' => in_string = !in_string,
            _ if in_string => continue,
            b'[' => {
                skip_blanks(&mut cursor);
                if cursor.peek() == Some(b'[') {
                    return Some(here);
                }
                depth += 1;
                if depth > DEEPEST {
                    return None;
                }
            }
            b']' if depth == 1 => return Some(cursor),
            b']' => depth -= 1,
            b' ' | b'\t' | b'\r' | b',' => {}
            // A word too long for a cell is a puzzle on a line.
            b'0'..=b'9' | b'-' | b'.' | b'n' | b'u' | b'l' if word <= LONGEST_WORD => continue,
            _ if here.line == bad_line => continue,
            _ => return None,
        }
        word = 0;
    }
}

/// After an error, goes over what may be left of a bad puzzle: closing brackets, and rows in brackets, too short for a
/// puzzle, on this line and the following ones up to a blank one.
pub(super) fn skip_rows(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    let mut lines = 0;
    loop {
        match ahead.peek() {
            Some(b'\n') => lines += 1,
            Some(b' ' | b'\t' | b'\r') => {}
            Some(b',' | b']') => lines = 0,
            Some(b'[') if is_row(ahead.rest()) => {
                while ahead.peek().is_some_and(|byte| byte != b']') {
                    ahead.bump();
                }
                lines = 0;
            }
            Some(b'[') => {
                *cursor = ahead;
                return;
            }
            _ => return,
        }
        if lines == 2 {
            return;
        }
        ahead.bump();
        if lines == 0 {
            *cursor = ahead;
        }
    }
}

/// Whether a text begins with an array of cells on one line that are too few for a puzzle.
fn is_row(text: &[u8]) -> bool {
    const LONGEST: usize = 400;
    let text = &text[1..text.len().min(LONGEST)];
    let Some(end) = text.iter().position(|&byte| byte == b']') else { return false };
    let cells = text[..end].trim_ascii();
    let begins = matches!(cells.first(), Some(b'0'..=b'9' | b'-' | b'"')) || cells.starts_with(b"null");
    begins && !cells.contains(&b'\n') && cells.iter().filter(|&&byte| byte == b',').count() < scan::WHOLE
}

/// An array of nine rows of nine cells.
fn grid(cursor: &mut Cursor<'_>) -> Result<Record, ParseError> {
    let start = *cursor;
    let mut cells = [None; 81];
    let mut rows = cells.chunks_mut(9);
    let count = elements(cursor, |cursor| match rows.next() {
        Some(row) => self::row(cursor, row),
        None => Err(cursor.error(ParseErrorKind::JsonRows(10))),
    })?;
    if count != 9 {
        return Err(start.error(ParseErrorKind::JsonRows(count)));
    }
    Ok(Record { line: start.line, grid: Grid::classic(cells) })
}

/// An array of as many cells as the row has.
fn row(cursor: &mut Cursor<'_>, row: &mut [Option<Digit>]) -> Result<(), ParseError> {
    let start = *cursor;
    let mut cells = row.iter_mut();
    let mut count = 0;
    elements(cursor, |cursor| {
        let value = scalar(cursor)?;
        count += 1;
        if let Some(cell) = cells.next() {
            *cell = value.digit();
        }
        Ok(())
    })?;
    if count != 9 {
        return Err(start.error(ParseErrorKind::JsonRow(count)));
    }
    Ok(())
}

/// An array of 81 cells. With `null` for blank, as some programs write it, its digits may be 0 to 8.
fn flat(cursor: &mut Cursor<'_>) -> Result<Record, ParseError> {
    let start = *cursor;
    let mut values = [Scalar::Blank; 81];
    let mut count = 0;
    elements(cursor, |cursor| {
        let value = scalar(cursor)?;
        if let Some(cell) = values.get_mut(count) {
            *cell = value;
        }
        count += 1;
        Ok(())
    })?;
    if count != 81 {
        return Err(start.error(ParseErrorKind::CellCount(count)));
    }
    let has = |wanted| values.contains(&wanted);
    let from_zero = has(Scalar::Null) && values.iter().any(|value| matches!(value, Scalar::Number(_)));
    if from_zero && has(Scalar::Number(0)) == has(Scalar::Number(9)) {
        return Err(start.error(ParseErrorKind::JsonDigits));
    }
    let shift = u8::from(from_zero && has(Scalar::Number(0)));
    let cells = values.map(|value| match value {
        Scalar::Number(number) => Digit::new(number + shift),
        other => other.digit(),
    });
    Ok(Record { line: start.line, grid: Grid::classic(cells) })
}

/// The elements of an array, each read by `element`; returns how many.
fn elements(
    cursor: &mut Cursor<'_>,
    mut element: impl FnMut(&mut Cursor<'_>) -> Result<(), ParseError>,
) -> Result<usize, ParseError> {
    if !eat(cursor, b'[') {
        return Err(unexpected(cursor, "'['"));
    }
    let mut count = 0;
    skip_blanks(cursor);
    if eat(cursor, b']') {
        return Ok(0);
    }
    loop {
        element(cursor)?;
        count += 1;
        skip_blanks(cursor);
        if eat(cursor, b']') {
            return Ok(count);
        }
        if !eat(cursor, b',') {
            return Err(unexpected(cursor, "',' or ']'"));
        }
        skip_blanks(cursor);
    }
}

/// A cell as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Null,
    /// -1, or a string for a blank.
    Blank,
    Number(u8),
    Text(Digit),
}

impl Scalar {
    /// The digit, if 0 is a blank.
    fn digit(self) -> Option<Digit> {
        match self {
            Self::Null | Self::Blank => None,
            Self::Number(number) => Digit::new(number),
            Self::Text(digit) => Some(digit),
        }
    }
}

/// A number, a string or `null`.
fn scalar(cursor: &mut Cursor<'_>) -> Result<Scalar, ParseError> {
    let rest = cursor.rest();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    let length = match rest.first() {
        Some(b'"') => {
            let end = rest[1..].iter().take_while(|&&byte| byte != b'\n').position(|&byte| byte == b'"');
            end.map_or(1, |end| end + 2)
        }
        _ => rest.iter().take_while(|byte| is_word(byte)).count(),
    };
    let value = match &rest[..length] {
        [] => return Err(unexpected(cursor, "a cell")),
        b"null" => Scalar::Null,
        b"-1" | b"\"\"" | b"\" \"" => Scalar::Blank,
        [digit @ b'0'..=b'9'] => Scalar::Number(digit - b'0'),
        [b'"', character, b'"'] => match scan::cell(char::from(*character)) {
            Some(digit) => digit.map_or(Scalar::Blank, Scalar::Text),
            None => return Err(cursor.error(ParseErrorKind::JsonCell)),
        },
        _ => return Err(cursor.error(ParseErrorKind::JsonCell)),
    };
    cursor.advance(length);
    Ok(value)
}

fn unexpected(cursor: &Cursor<'_>, expected: &'static str) -> ParseError {
    cursor.error(ParseErrorKind::Json { found: cursor.peek_char(), expected })
}

/// Goes over a byte if it is next.
fn eat(cursor: &mut Cursor<'_>, byte: u8) -> bool {
    let found = cursor.peek() == Some(byte);
    if found {
        cursor.bump();
    }
    found
}

/// Goes over blanks and line ends.
fn skip_blanks(cursor: &mut Cursor<'_>) {
    while matches!(cursor.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        cursor.bump();
    }
}
