//! Puzzles in JSON: arrays of rows, arrays of such grids, and flat arrays of cells. Nothing here calls itself, so no
//! nesting overflows the stack.

use super::cursor::{Cursor, line_end};
use super::{ParseError, ParseErrorKind, Record, block, scan};
use crate::alphabet::{is_blank, is_symbol};
use crate::{Geometry, Puzzle};

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
pub(super) fn puzzle(cursor: &mut Cursor<'_>, shape: Option<Geometry>) -> Result<Record, ParseError> {
    let mut ahead = *cursor;
    ahead.bump();
    skip_blanks(&mut ahead);
    if ahead.peek() == Some(b'[') { grid(cursor, shape) } else { flat(cursor, shape) }
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
            b'\n' | b'\r' => in_string = false,
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
            b' ' | b'\t' | b',' => {}
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
            Some(b'\n' | b'\r') => lines += usize::from(line_end(ahead.rest()) == 1),
            Some(b' ' | b'\t') => {}
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
    begins
        && !cells.iter().any(|byte| matches!(byte, b'\r' | b'\n'))
        && cells.iter().filter(|&&byte| byte == b',').count() < scan::WHOLE
}

/// An array of as many rows as each has cells.
fn grid(cursor: &mut Cursor<'_>, shape: Option<Geometry>) -> Result<Record, ParseError> {
    let start = *cursor;
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    let count = elements(cursor, |cursor| {
        let (start, before) = (*cursor, cells.len());
        let count = row(cursor, Geometry::MAX_SIZE, &mut cells)?;
        if count > Geometry::MAX_SIZE || rows.len() == Geometry::MAX_SIZE {
            let (found, expected) = (count, shape.map_or(9, Geometry::size));
            let kind = if count > Geometry::MAX_SIZE {
                ParseErrorKind::JsonRow { found, expected }
            } else {
                ParseErrorKind::JsonRows { found: rows.len() + 1, expected }
            };
            return Err(start.error(kind));
        }
        rows.push((start, cells.len() - before));
        Ok(())
    })?;
    // The length that most rows have is right.
    let lengths = rows.iter().map(|&(_, length)| length);
    let usual = lengths.clone().filter(|&length| Geometry::usual(length).is_some());
    let most = usual.max_by_key(|&length| lengths.clone().filter(|&other| other == length).count());
    let geometry = shape.or(most.and_then(Geometry::usual)).unwrap_or(Geometry::CLASSIC);
    let expected = geometry.size();
    if let Some(&(start, found)) = rows.iter().find(|&&(_, length)| length != expected) {
        return Err(start.error(ParseErrorKind::JsonRow { found, expected }));
    }
    if count != expected {
        let place = rows.get(expected).map_or(start, |&(place, _)| place);
        return Err(place.error(ParseErrorKind::JsonRows { found: count, expected }));
    }
    Ok(Record { line: start.line, puzzle: of_cells(&cells, geometry)? })
}

/// An array of cells, of which so many are kept; returns how many there are.
fn row<'a>(cursor: &mut Cursor<'a>, most: usize, cells: &mut Vec<Scalar<'a>>) -> Result<usize, ParseError> {
    let before = cells.len();
    elements(cursor, |cursor| {
        let cell = scalar(cursor)?;
        if cells.len() - before < most {
            cells.push(cell);
        }
        Ok(())
    })
}

/// An array of all cells. With `null` for blank, as some programs write it, its digits may begin with 0.
fn flat(cursor: &mut Cursor<'_>, shape: Option<Geometry>) -> Result<Record, ParseError> {
    const MOST: usize = Geometry::MAX_SIZE * Geometry::MAX_SIZE;
    let start = *cursor;
    let mut cells = Vec::new();
    let found = row(cursor, MOST, &mut cells)?;
    let geometry = shape.or(Geometry::usual_of_cells(found)).filter(|shape| shape.cell_count() == found);
    let Some(geometry) = geometry else {
        let expected = block::expected(found, shape);
        return Err(start.error(ParseErrorKind::CellCount { found, expected }));
    };
    let size = geometry.size();
    let has = |wanted: Option<usize>| {
        cells.iter().any(|cell| !cell.text.is_empty() && !cell.quoted && cell.number() == Some(wanted))
    };
    let nulls = cells.iter().any(|cell| cell.text.is_empty() && !cell.quoted);
    let numbers = cells.iter().any(|cell| !cell.quoted && matches!(cell.number(), Some(Some(_))));
    if size <= 9 && nulls && numbers {
        if has(Some(0)) == has(Some(size)) {
            return Err(start.error(ParseErrorKind::JsonDigits(size)));
        }
        if has(Some(0)) {
            let numbers: Option<Vec<_>> = cells.iter().map(Scalar::number).collect();
            if let Some(numbers) = numbers
                && let Ok(puzzle) = block::of_numbers(&numbers, geometry, true)
            {
                return Ok(Record { line: start.line, puzzle });
            }
        }
    }
    Ok(Record { line: start.line, puzzle: of_cells(&cells, geometry)? })
}

/// The puzzle that cells are, as many as the shape has.
fn of_cells(cells: &[Scalar<'_>], geometry: Geometry) -> Result<Puzzle, ParseError> {
    let numbers: Option<Vec<_>> = cells.iter().map(Scalar::number).collect();
    let puzzle = match numbers {
        Some(numbers) => match numbers.iter().position(|&number| number > Some(geometry.size())) {
            Some(at) => Err((at, ParseErrorKind::JsonCell)),
            None => block::of_numbers(&numbers, geometry, false),
        },
        None => match cells.iter().position(|cell| cell.text.len() > 1 && cell.text != "-1") {
            Some(at) => Err((at, ParseErrorKind::JsonCell)),
            None => block::of_characters(cells.iter().map(|cell| cell.text.as_bytes()), geometry),
        },
    };
    puzzle.map_err(|(at, kind)| cells[at].place.error(kind))
}

/// The elements of an array, each read by `element`; returns how many.
pub(super) fn elements<'a>(
    cursor: &mut Cursor<'a>,
    mut element: impl FnMut(&mut Cursor<'a>) -> Result<(), ParseError>,
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
#[derive(Clone, Copy)]
struct Scalar<'a> {
    place: Cursor<'a>,
    /// What is written, without quotation marks; nothing for `null`.
    text: &'a str,
    quoted: bool,
}

impl Scalar<'_> {
    /// Its number, `Some(None)` for a blank that is none; `None` if it is something else.
    fn number(&self) -> Option<Option<usize>> {
        match self.text.as_bytes() {
            [] | b"-1" | b" " | b"x" | b"X" => Some(None),
            &[byte] if is_blank(byte) => Some(None),
            text if text.len() <= 3 && text.iter().all(u8::is_ascii_digit) => {
                self.text.parse().ok().map(Some)
            }
            _ => None,
        }
    }
}

/// A number, a string or `null`.
fn scalar<'a>(cursor: &mut Cursor<'a>) -> Result<Scalar<'a>, ParseError> {
    let rest = cursor.rest();
    let place = *cursor;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    let length = match rest.first() {
        Some(b'"') => {
            let end = rest[1..]
                .iter()
                .take_while(|byte| !matches!(byte, b'\r' | b'\n'))
                .position(|&byte| byte == b'"');
            end.map_or(1, |end| end + 2)
        }
        _ => rest.iter().take_while(|byte| is_word(byte)).count(),
    };
    let (text, quoted) = match &rest[..length] {
        [] => return Err(unexpected(cursor, "a cell")),
        b"null" => (&b""[..], false),
        [b'"', text @ .., b'"'] => (text, true),
        number if number == b"-1" || number.iter().all(u8::is_ascii_digit) => (number, false),
        _ => return Err(cursor.error(ParseErrorKind::JsonCell)),
    };
    let is_cell = |text: &&str| text.len() <= 3 && text.chars().all(|c| is_symbol(c) || c == ' ');
    match str::from_utf8(text).ok().filter(is_cell) {
        Some(text) => {
            cursor.advance(length);
            Ok(Scalar { place, text, quoted })
        }
        None => Err(cursor.error(ParseErrorKind::JsonCell)),
    }
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
pub(super) fn skip_blanks(cursor: &mut Cursor<'_>) {
    while matches!(cursor.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        cursor.bump();
    }
}
