//! Puzzles that are members of JSON objects, as programs and services hand them out.

use serde_json::{Deserializer, Value};

use super::cursor::Cursor;
use super::{Item, PUZZLES, ParseError, ParseErrorKind, Record};
use crate::Geometry;

/// The brace that comes next on this line, alone or as the first of an array.
pub(super) fn opening(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let is_blank = |byte: Option<u8>| matches!(byte, Some(b' ' | b'\t'));
    while is_blank(cursor.peek()) {
        cursor.bump();
    }
    if cursor.peek() == Some(b'[') {
        cursor.bump();
        while is_blank(cursor.peek()) || matches!(cursor.peek(), Some(b'\r' | b'\n')) {
            cursor.bump();
        }
    }
    (cursor.peek() == Some(b'{')).then_some(cursor)
}

/// The puzzles of the object at the cursor, which goes to its end; to the next line if it is no JSON.
///
/// # Errors
///
/// If it is no JSON, or no member is called as puzzles are.
pub(super) fn puzzles(cursor: &mut Cursor<'_>, shape: Option<Geometry>) -> Result<Vec<Item>, ParseError> {
    let start = *cursor;
    let mut values = Deserializer::from_slice(start.rest()).into_iter::<Value>();
    let value = match values.next() {
        Some(Ok(value)) => value,
        other => {
            let wrong = other.and_then(Result::err);
            let lines = wrong.as_ref().map_or(0, |wrong| wrong.line().saturating_sub(1));
            let mut place = start;
            (0..lines).for_each(|_| place.next_line(0));
            cursor.next_line(0);
            let found = place.peek_char();
            return Err(place.error(ParseErrorKind::Json { found, expected: "an object with a puzzle" }));
        }
    };
    let end = start.position + values.byte_offset();
    while cursor.position < end {
        cursor.bump();
    }
    let place = |item: Item| match item {
        Ok(Record { puzzle, .. }) => Ok(Record { line: start.line, puzzle }),
        Err(error) => Err(start.error(error.kind)),
    };
    let mut items = Vec::new();
    for found in members(&value) {
        let text = match found {
            Value::String(text) => text.clone(),
            array => array.to_string(),
        };
        items.extend(super::records(text.as_bytes()).of_shape(shape).map(place));
    }
    if items.is_empty() { Err(start.error(ParseErrorKind::NoPuzzle)) } else { Ok(items) }
}

/// The members that are puzzles or lists of them: of each object the first text or array that has the name of one; of an
/// object that has none, those of the objects within.
fn members(value: &Value) -> Vec<&Value> {
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                let named = PUZZLES.iter().chain(&["value"]).filter_map(|name| members.get(*name));
                match named.clone().find(|value| value.is_string() || is_grid(value)) {
                    Some(puzzle) => found.push(puzzle),
                    None => open.extend(members.values().rev()),
                }
            }
            Value::Array(values) => open.extend(values.iter().rev()),
            _ => {}
        }
    }
    found
}

/// Whether a value is an array of cells, of rows, or of puzzles that are neither objects.
fn is_grid(value: &Value) -> bool {
    value.as_array().is_some_and(|values| !values.iter().any(Value::is_object))
}
