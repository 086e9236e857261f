//! Lists of puzzles in JSON that are strings: `["53..7....6..195…", …]`, or a list of such lists.

use super::cursor::Cursor;
use super::{Item, ParseError, ParseErrorKind, Record, json, records};
use crate::Geometry;

/// Whether the first thing in an array, or in the first array of an array, is a string that is too long for a cell.
pub(super) fn is_list(mut cursor: Cursor<'_>) -> bool {
    const LONGEST_CELL: usize = 3;
    for _ in 0..2 {
        if cursor.peek() == Some(b'[') {
            cursor.bump();
            json::skip_blanks(&mut cursor);
        }
    }
    match cursor.rest() {
        [b'"', text @ ..] => text.len() > LONGEST_CELL && !text[..=LONGEST_CELL].contains(&b'"'),
        _ => false,
    }
}

/// The puzzles of the list at the cursor, which goes to its end; after an error in it to the next line.
///
/// The strings of a list are read as lines that follow one another: so each may be a puzzle, and as well a row.
pub(super) fn puzzles(cursor: &mut Cursor<'_>, shape: Option<Geometry>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut outer = Texts::default();
    let read = json::elements(cursor, |cursor| {
        if cursor.peek() != Some(b'[') {
            return outer.read(cursor);
        }
        let mut inner = Texts::default();
        let read = json::elements(cursor, |cursor| inner.read(cursor));
        inner.puzzles(shape, &mut items);
        read.map(drop)
    });
    outer.puzzles(shape, &mut items);
    if let Err(error) = read {
        items.push(Err(error));
        cursor.next_line(0);
    }
    items
}

/// The strings of a list.
#[derive(Default)]
struct Texts<'a> {
    texts: Vec<(Cursor<'a>, String)>,
}

impl<'a> Texts<'a> {
    /// Reads a string.
    fn read(&mut self, cursor: &mut Cursor<'a>) -> Result<(), ParseError> {
        let (place, rest) = (*cursor, cursor.rest());
        let wrong = || ParseErrorKind::Json { found: place.peek_char(), expected: "a string with a puzzle" };
        let mut is_escaped = false;
        let line = rest.iter().take_while(|byte| !matches!(byte, b'\r' | b'\n'));
        let end = line.skip(1).position(|&byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let text = end.and_then(|end| serde_json::from_slice(&rest[..end + 2]).ok());
        self.texts.push((place, text.ok_or_else(|| place.error(wrong()))?));
        cursor.advance(end.map_or(0, |end| end + 2));
        Ok(())
    }

    /// Adds the puzzles that the strings are.
    fn puzzles(self, shape: Option<Geometry>, items: &mut Vec<Item>) {
        // A string of several lines is a puzzle of its own.
        let between =
            if self.texts.iter().any(|(_, text)| text.contains(['\r', '\n'])) { "\n\n" } else { "\n" };
        let (mut all, mut starts, mut line) = (String::new(), Vec::new(), 1);
        for (_, text) in &self.texts {
            starts.push(line);
            let text = super::with_line_feeds(text) + between;
            line += text.matches('\n').count();
            all += &text;
        }
        let place = |line: usize| {
            let number = starts.partition_point(|&start| start <= line).saturating_sub(1);
            let is_first = starts.get(number) == Some(&line);
            self.texts.get(number).map_or((1, 1), |(place, _)| {
                let start = place.error(ParseErrorKind::NoPuzzle);
                (start.line, start.column + usize::from(is_first))
            })
        };
        items.extend(records(all.as_bytes()).of_shape(shape).map(|item| match item {
            Ok(Record { line, puzzle }) => Ok(Record { line: place(line).0, puzzle }),
            Err(error) => {
                let (line, column) = place(error.line);
                let beyond = if starts.contains(&error.line) { error.column - 1 } else { 0 };
                Err(ParseError { line, column: column + beyond, ..error })
            }
        }));
    }
}
